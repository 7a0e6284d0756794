/// Offsets that are finished beyond a committed one, as they stand in the metadata of the commit.
///
/// The form is `v1;`, then the base64 of run lengths in offsets, each as a little-endian base-128 varint: so many that
/// are not finished, beginning at the committed offset, so many that are, and so on; then `;held` where the partition
/// is held back. Without runs and not held it is empty. Whatever is not of this form means that nothing is finished.
public struct FinishedRuns: Equatable, Sendable {
    /// The most bytes that metadata may have, a broker's `offset.metadata.max.bytes`.
    public static let metadataBytesMax = 4_096
    /// The most bytes of run lengths that fit into it.
    static let payloadBytesMax = (metadataBytesMax - prefix.utf8.count - heldSuffix.utf8.count) / 4 * 3

    private static let prefix = "v1;"
    private static let heldSuffix = ";held"

    /// The runs of finished offsets, in order, none empty and none touching another.
    public internal(set) var runs: [Range<Int64>] = []
    /// Whether the reader holds the partition back.
    public internal(set) var isHeld = false

    /// No runs.
    public init() {}

    /// Reads metadata.
    ///
    /// - Parameters:
    ///   - metadata: That of a commit, whoever wrote it.
    ///   - base: The committed offset.
    public init(metadata: String, base: Int64) {
        var bytes = Array(metadata.utf8)
        guard base >= 0, bytes.count <= FinishedRuns.metadataBytesMax, bytes.starts(with: FinishedRuns.prefix.utf8)
        else { return }
        bytes.removeFirst(FinishedRuns.prefix.utf8.count)
        let suffix = Array(FinishedRuns.heldSuffix.utf8)
        var isHeld = false
        if bytes.count >= suffix.count, bytes[(bytes.count - suffix.count)...].elementsEqual(suffix) {
            bytes.removeLast(suffix.count)
            isHeld = true
        }
        guard let payload = MetadataBase64.decode(bytes), let runs = FinishedRuns.runs(of: payload, base: base)
        else { return }
        self.runs = runs
        self.isHeld = isHeld
    }

    /// How many offsets are finished.
    public var count: Int64 { runs.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// How many offsets beyond the committed one some metadata counts as finished.
    ///
    /// - Parameter metadata: That of a commit, whoever wrote it.
    /// - Returns: 0 where it is not ours.
    public static func finishedCount(inMetadata metadata: String) -> Int64 {
        FinishedRuns(metadata: metadata, base: 0).count
    }

    /// Writes metadata; what does not fit is left out from the end.
    ///
    /// - Parameters:
    ///   - base: The committed offset, below all runs.
    ///   - isHeld: Whether the reader holds the partition back.
    /// - Returns: The metadata and how many of the runs it names.
    func metadata(base: Int64, isHeld: Bool) -> (text: String, runs: Int) {
        var payload: [UInt8] = []
        payload.reserveCapacity(min(FinishedRuns.payloadBytesMax, runs.count * 4) + 20)
        var end = base
        var written = 0
        for run in runs {
            let start = payload.count
            FinishedRuns.append(UInt64(run.lowerBound - end), to: &payload)
            FinishedRuns.append(UInt64(run.upperBound - run.lowerBound), to: &payload)
            guard payload.count <= FinishedRuns.payloadBytesMax else {
                payload.removeLast(payload.count - start)
                break
            }
            end = run.upperBound
            written += 1
        }
        guard written > 0 || isHeld else { return ("", 0) }
        let base64 = String(decoding: MetadataBase64.encode(payload), as: UTF8.self)
        return (FinishedRuns.prefix + base64 + (isHeld ? FinishedRuns.heldSuffix : ""), written)
    }

    /// How many bytes a length takes.
    static func varintBytes(_ value: Int64) -> Int {
        (70 &- max(1, value).leadingZeroBitCount) / 7
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func runs(of payload: [UInt8], base: Int64) -> [Range<Int64>]? {
        var runs: [Range<Int64>] = []
        var index = 0
        var end = base
        while index < payload.count {
            guard let gap = varint(payload, &index), let length = varint(payload, &index) else { return nil }
            let (start, isPast) = end.addingReportingOverflow(gap)
            let (next, isPastEnd) = start.addingReportingOverflow(length)
            guard !isPast, !isPastEnd else { return nil }
            runs.append(start..<next)
            end = next
        }
        return runs
    }

    /// A length of at least 1; nil when it is cut off, is not the shortest form or does not fit.
    private static func varint(_ payload: [UInt8], _ index: inout Int) -> Int64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while index < payload.count, shift < 63 {
            let byte = payload[index]
            index += 1
            value |= UInt64(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else { return byte == 0 ? nil : Int64(value) }
            shift += 7
        }
        return nil
    }
}
