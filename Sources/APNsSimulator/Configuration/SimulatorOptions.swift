public import HTTP2

/// Which of Apple's two services the simulator stands for; a device belongs to one of them.
public enum SimulatedEnvironment: String, Sendable, CaseIterable, Codable {
    case production, sandbox
}

/// How a simulator is to behave.
public struct SimulatorOptions: Sendable {
    /// Where it listens; port 0 picks a free one.
    public var listen = ListenAddress(host: "127.0.0.1", port: 0)
    /// Where faults are set and the summary is read while it runs; port 0 picks a free one; nil: nowhere.
    public var admin: ListenAddress?
    /// Holds `ca.pem`, `server.pem` and `server.key`, made and filled if need be; nil: a temporary one.
    public var tlsDirectory: String?
    /// The keys that tokens may be signed with; none: every well-formed ES256 token passes.
    public var signingKeys: [SimulatorSigningKey] = []
    /// The bundle IDs that pushes may be for, also with the suffix of a push type; none: all.
    public var apps: [String] = []
    /// The devices that exist; nil: all well-formed tokens do.
    public var devices: [SimulatedDevice]?
    /// How many pushes a device may get in a time before it gets 429 `TooManyRequests`; nil: any number.
    public var deviceRate: DeviceRate?
    /// What goes wrong on purpose.
    public var faults: [FaultRule] = []
    /// A file that gets a JSON line for each answered request; nil: none.
    public var logPath: String?
    /// Which service it stands for.
    public var environment = SimulatedEnvironment.production
    /// How many streams a connection may have before its first good token.
    public var firstStreamLimit: UInt32 = 1
    /// How many streams a connection may have after its first good token.
    public var streamLimit: UInt32 = 1000
    /// A connection may bring a new token so many seconds after the last new one; 0: at any time.
    public var tokenUpdateSeconds = 1200
    /// Whether a key of the other environment is called `BadEnvironmentKeyIdInToken`, as documented, rather than as
    /// seen on the wire.
    public var usesDocumentedKeyReason = false
    /// How many connections may be open; further ones are closed at once.
    public var connectionsMax = 2000
    /// How many answered requests are kept for ``APNsSimulator/answers()``.
    public var answersKept = 0

    /// Makes options with the values above.
    public init() {}
}

/// A key that tokens may be signed with.
public struct SimulatorSigningKey: Sendable {
    /// The team, `iss` of a token.
    public var teamID: String
    /// The key, `kid` of a token.
    public var keyID: String
    /// A .p8 file, or its public key in PEM.
    public var pem: [UInt8]
    /// The one environment that the key is for; nil: both, as keys of the old kind.
    public var environment: SimulatedEnvironment?
    /// The topics that the key is for; none: all of its team.
    public var topics: [String]

    /// Describes a key.
    ///
    /// - Parameters:
    ///   - teamID: The team.
    ///   - keyID: The key.
    ///   - pem: A .p8 file, or its public key in PEM.
    ///   - environment: The one environment that the key is for; nil: both.
    ///   - topics: The topics that the key is for; none: all of its team.
    public init(
        teamID: String,
        keyID: String,
        pem: [UInt8],
        environment: SimulatedEnvironment? = nil,
        topics: [String] = []
    ) {
        self.teamID = teamID
        self.keyID = keyID
        self.pem = pem
        self.environment = environment
        self.topics = topics
    }
}

/// Why a simulator cannot start.
public struct SimulatorError: Error, Equatable, CustomStringConvertible {
    /// What failed, the value, and what was expected.
    public let description: String

    /// Makes the error from its text.
    public init(_ description: String) { self.description = description }
}
