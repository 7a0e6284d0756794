internal import Kafka
internal import Operations

extension CommandFailure {
    /// Kafka did not do what a command asked of it.
    ///
    /// - Parameters:
    ///   - kafka: Where it should be.
    ///   - error: What came instead.
    /// - Returns: A failure with exit code 1.
    static func unreachable(_ kafka: Configuration.Kafka, _ error: KafkaError) -> CommandFailure {
        .runtime(
            "Kafka at \(kafka.bootstrapServers) does not answer (\(error)): check kafka.bootstrapServers and that it runs"
        )
    }
}
