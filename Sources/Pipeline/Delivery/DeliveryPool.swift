internal import APNs
internal import HTTP2

/// One open connection of a lane.
final class DeliveryLink {
    let id: ConnectionID
    let connection: ClientConnection
    /// The lane's pool that it belongs to.
    let pool: Int
    /// The tag under which the lane's poller knows it.
    let tag: UInt64
    /// The poller also waits for room to write.
    var isWatchedForWriting = false
    /// Nothing more is sent on it: it ends when its streams have.
    var isRetired = false
    var isClosed = false
    /// How many requests have gone without an answer.
    var lostRequests = 0
    /// The generation of the provider token that it carried last.
    var tokenGeneration: UInt64 = 0

    init(id: ConnectionID, connection: ClientConnection, pool: Int, tag: UInt64) {
        self.id = id
        self.connection = connection
        self.pool = pool
        self.tag = tag
    }
}

/// The connections of a lane for one environment and one key, and the pushes that wait for them.
///
/// The pool's decisions are those of ``APNs/ConnectionPool``; here stand its sockets.
final class DeliveryPool {
    let endpoint: Endpoint
    let isSandbox: Bool
    let tokens: ProviderTokenSource
    var headers: PushHeaders
    var machine: ConnectionPool
    var token: ProviderToken?
    var ready = PushQueue()
    /// The open connections that the machine knows.
    var links: [DeliveryLink] = []
    /// What the lane has said of the pool last.
    var saidStatus = PoolStatus.idle

    init(endpoint: Endpoint, isSandbox: Bool, tokens: ProviderTokenSource, settings: PoolSettings, seed: UInt64) {
        self.endpoint = endpoint
        self.isSandbox = isSandbox
        self.tokens = tokens
        machine = ConnectionPool(settings: settings, seed: seed)
        // Apple's port is the default of HTTPS, and then it does not stand in the name.
        headers = PushHeaders(authority: endpoint.port == 443 ? endpoint.host : endpoint.description)
    }

    /// The pool of each credential and environment: production at an even index, sandbox behind it.
    static func all(_ settings: DeliverySettings, _ apps: AppTable) -> [DeliveryPool] {
        let numbers = PoolSettings(connectionsMax: settings.connectionsPerLane)
        return apps.tokens.flatMap { tokens in
            [false, true].map { isSandbox in
                DeliveryPool(
                    endpoint: isSandbox ? settings.sandbox : settings.production,
                    isSandbox: isSandbox,
                    tokens: tokens,
                    settings: numbers,
                    seed: .random(in: .min ... .max)
                )
            }
        }
    }

    /// The pool sends nothing but probes, so what waits for it must not hold up the rest.
    var isHalted: Bool {
        if case .held = machine.status { true } else { false }
    }

    /// The open connection that the machine has chosen.
    func link(_ id: ConnectionID) -> DeliveryLink? {
        for link in links where link.id == id { return link }
        return nil
    }
}
