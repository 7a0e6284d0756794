internal import EventLoop
internal import Operations

extension ChildProcess {
    /// The largest resident memory so far, in KiB, of a process that still runs; 0 when it does not.
    ///
    /// Not ``Usage/peakKiB``: what the system says at the end includes the memory of this process at the start of the
    /// other, which had it until it became another program.
    var residentPeakKiB: Int {
        guard let text = try? FileContent.read("/proc/\(pid)/status") else { return 0 }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
        }
        return 0
    }
}
