import FuzzTargets
import Glibc

/// libFuzzer's loop, which has no header.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Gives libFuzzer's inputs to one target.
enum Driver {
    // Written once, before libFuzzer's loop begins, and all of it runs on one thread.
    nonisolated(unsafe) fileprivate static var target = FuzzTarget.event

    /// Runs libFuzzer with the arguments of the process, of which the first names the target.
    static func run() -> Never {
        let words = CommandLine.arguments
        guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
            print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) [CORPUS...] [OPTION...]")
            exit(64)
        }
        Self.target = target
        // For the life of the process.
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
        for (index, word) in (words[..<1] + words[2...]).enumerated() { arguments[index] = strdup(word) }
        arguments[words.count - 1] = nil
        var (start, count) = (arguments, Int32(words.count - 1))
        exit(runDriver(&count, &start, testOneInput))
    }
}

/// Runs one input; libFuzzer's own `main`, which is linked but never called, wants this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Driver.target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
