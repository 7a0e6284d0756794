public import Kafka
internal import Observability

extension Configuration.Kafka {
    /// The settings of a client that a command makes for itself.
    ///
    /// - Parameter command: Its name, which stands in the client's.
    /// - Returns: Where the cluster is, and the properties of the configuration.
    public func settings(forCommand command: String) -> KafkaSettings {
        KafkaSettings(
            bootstrapServers: bootstrapServers,
            clientID: "geopush-\(command)-\(InstanceName.make())",
            properties: properties.entries.map { ($0.name, $0.value) }
        )
    }
}

extension Configuration.Log {
    /// Sets up the log of a command that a person calls.
    ///
    /// Such a command says itself what failed; what its clients log is shown only where the level asks for more than
    /// the default.
    public func applyToCommand() {
        LogOutput.process.configure(level: level < .notice ? level : .critical, format: .text)
    }

    /// Sets up the log of a worker.
    public func applyToWorker() {
        LogOutput.process.configure(level: level, format: format)
    }
}
