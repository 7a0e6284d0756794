internal import Glibc

/// The name of one running process, as groups and logs show it.
public enum InstanceName {
    /// Makes a name that no other process has: host, process and chance.
    ///
    /// - Returns: `{hostname}-{pid}-{4 random hex}`, of characters that Kafka allows in names.
    public static func make() -> String {
        let chance = String(UInt32.random(in: 0...0xFFFF), radix: 16)
        let padded = String(repeating: "0", count: 4 - chance.count) + chance
        return "\(hostname())-\(getpid())-\(padded)"
    }

    private static func hostname() -> String {
        var buffer: [CChar] = .init(repeating: 0, count: 256)
        // A name that is cut off may lack its end; the last byte stays 0.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "host" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.filter(isTopicByte)
        return bytes.isEmpty ? "host" : String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}
