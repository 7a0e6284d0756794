/// The words of a choice.
///
/// They live as long as the process and none ever changes, so that a copy of a shape counts no references.
@safe
struct Words: @unchecked Sendable, ExpressibleByArrayLiteral {
    private let words: UnsafeBufferPointer<StaticString>

    /// Keeps words for as long as the process lives.
    init(_ words: [StaticString]) {
        let kept = UnsafeMutableBufferPointer<StaticString>.allocate(capacity: words.count)
        _ = unsafe kept.initialize(from: words)
        unsafe self.words = UnsafeBufferPointer(kept)
    }

    init(arrayLiteral words: StaticString...) { self.init(words) }

    /// Whether a text is one of them.
    func contain(_ text: UnsafeRawBufferPointer) -> Bool {
        for index in unsafe words.indices where unsafe text.equals(words[index]) { return true }
        return false
    }

    /// They as texts.
    var texts: [String] { unsafe words.map { "\($0)" } }

    /// They in the words of a fault.
    var expected: String { texts.map { "\"\($0)\"" }.joined(separator: " or ") }
}
