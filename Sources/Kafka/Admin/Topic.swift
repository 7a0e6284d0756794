/// A topic as it should be.
public struct TopicSpecification: Sendable {
    /// Its name.
    public var name: String
    /// How many partitions.
    public var partitions: Int
    /// How many copies of each; -1 leaves it to the brokers.
    public var replication: Int
    /// Its settings, such as `cleanup.policy`; the brokers' defaults for the rest.
    public var settings: [(String, String)]

    /// Specifies a topic.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - partitions: How many partitions.
    ///   - replication: How many copies of each; -1 leaves it to the brokers.
    ///   - settings: Its settings; the brokers' defaults for the rest.
    public init(name: String, partitions: Int, replication: Int = -1, settings: [(String, String)] = []) {
        self.name = name
        self.partitions = partitions
        self.replication = replication
        self.settings = settings
    }
}

/// A topic as it is.
public struct TopicDescription: Equatable, Sendable {
    /// The value of one setting.
    public struct Setting: Equatable, Sendable {
        /// The value; nil where the broker keeps it secret.
        public let value: String?
        /// Whether it comes from a default and was not set for this topic.
        public let isDefault: Bool

        /// Makes a value.
        public init(value: String?, isDefault: Bool) {
            self.value = value
            self.isDefault = isDefault
        }
    }

    /// Its name.
    public let name: String
    /// How many partitions.
    public let partitions: Int
    /// The fewest copies that a partition has.
    public let replication: Int
    /// All its settings.
    public let settings: [String: Setting]

    /// Makes a description.
    public init(name: String, partitions: Int, replication: Int, settings: [String: Setting]) {
        self.name = name
        self.partitions = partitions
        self.replication = replication
        self.settings = settings
    }
}

/// What became of a topic that was to be created.
public enum TopicCreation: Equatable, Sendable {
    /// It is there now.
    case created
    /// It was there before, and is left as it was.
    case existed
    /// It is not there.
    case failed(KafkaError)
}
