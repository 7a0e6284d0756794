internal import FoundationEssentials
internal import Operations

/// Looks at what the machine gives to a worker.
struct MachineChecks {
    private static let freeBytesMin: Int64 = 1 << 30
    /// Descriptors of a worker beside its connections.
    private static let descriptorsAtRest = 64
    /// Connections to Kafka that a lane is counted with; how many brokers there are is not known here.
    private static let kafkaConnections = 16

    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// One for the disk, one for the descriptors.
    var findings: [Finding] { [disk, descriptors] }

    private var disk: Finding {
        let space = DiskSpace(at: configuration.registry.directory(instance: "instance"))
        let free = "\(space.freeBytes >> 20) MiB free in \(space.folder)"
        guard space.isWritable else {
            return .wrong("disk", "\(space.folder) cannot be written to: allow it, or set registry.stateDirectory")
        }
        guard space.freeBytes >= Self.freeBytesMin else {
            return .wrong("disk", "\(free), expected 1024: make room, or set registry.stateDirectory")
        }
        return .right("disk", free)
    }

    private var descriptors: Finding {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let lanes = configuration.delivery.lanes ?? Configuration.Delivery.lanesByDefault(cores: cores)
        let keys = max(1, Set(configuration.apps.map { "\($0.teamID) \($0.keyID)" }).count)
        // A pool for each key and environment.
        let connections = 2 * keys * configuration.apns.connectionsPerLane + Self.kafkaConnections
        let needed = Self.descriptorsAtRest + lanes * connections
        let limit = ProcessLimits.descriptorsMax
        guard limit >= needed else {
            return .wrong(
                "descriptors",
                "the limit is \(limit), up to \(needed) are needed: raise the hard limit (ulimit -Hn)"
            )
        }
        return .right("descriptors", "the limit is \(limit), up to \(needed) are needed")
    }
}
