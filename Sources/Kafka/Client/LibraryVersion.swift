internal import CRdKafka

/// The librdkafka that this process runs with.
public enum LibraryVersion {
    /// Its version, such as `2.0.2`.
    public static var text: String { unsafe String(cString: rd_kafka_version_str()) }

    /// Its version as a number that can be compared, such as 0x020002ff.
    public static var number: Int32 { rd_kafka_version() }

    /// Whether the cooperative assignor keeps its assignment when a commit meets a rebalance (2.10).
    public static var hasSafeCooperativeAssignor: Bool { number >= 0x020a_00ff }
}
