internal import Operations

/// A last line on the screen that is written over, with how much has come and how fast.
struct LiveLine {
    private static let intervalMillis: Int64 = 1_000

    private let isOn: Bool
    private var isDrawn = false
    private var rate = 0.0
    private var measured: (millis: Int64, count: Int)

    /// Makes a line that is not drawn yet.
    ///
    /// - Parameters:
    ///   - isOn: Whether it is ever drawn.
    ///   - nowMillis: The monotonic clock.
    init(isOn: Bool, nowMillis: Int64) {
        self.isOn = isOn
        measured = (nowMillis, 0)
    }

    /// Takes the line away, so that another can be written.
    mutating func erase() {
        guard isDrawn else { return }
        StandardStream.output.write("\r\u{1B}[K")
        isDrawn = false
    }

    /// Draws the line, once a second or where it was erased.
    ///
    /// - Parameters:
    ///   - count: How much has come in all.
    ///   - nowMillis: The monotonic clock.
    ///   - text: The line, made of how much comes in a second.
    mutating func draw(count: Int, nowMillis: Int64, _ text: (String) -> String) {
        guard isOn else { return }
        let millis = nowMillis - measured.millis
        let isDue = millis >= Self.intervalMillis
        if isDue {
            rate = Double(count - measured.count) * 1_000 / Double(millis)
            measured = (nowMillis, count)
        }
        guard isDue || !isDrawn else { return }
        erase()
        let tenths = Int((rate * 10).rounded())
        let shown = rate < 100 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
        StandardStream.output.write(TextWidth.prefix(text(shown), columns: StandardStream.output.columns - 1))
        isDrawn = true
    }
}
