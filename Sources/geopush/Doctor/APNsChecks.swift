internal import EventLoop
internal import HTTP2
internal import Operations

/// Opens a connection to each endpoint of APNs, and closes it.
struct APNsChecks {
    private static let timeoutMillis = 10_000

    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// One for each endpoint.
    var findings: [Finding] {
        let apns = configuration.apns
        guard apns.production != apns.sandbox else { return [finding("apns", apns.production)] }
        return [finding("apns production", apns.production), finding("apns sandbox", apns.sandbox)]
    }

    private func finding(_ name: String, _ address: Address) -> Finding {
        let endpoint = configuration.endpoint(address)
        do {
            let signal = try EventSignal()
            let mailbox = ConnectMailbox(signal: signal)
            let connector = try Connector(threads: 1)
            connector.connect(to: endpoint, timeoutMillis: Self.timeoutMillis, ticket: 0, mailbox: mailbox)
            // The connector keeps its time; a second more is for the answer to arrive.
            _ = signal.wait(timeoutMillis: Self.timeoutMillis + 1_000)
            switch mailbox.next()?.result {
            case .success: return .right(name, "\(endpoint) answers with TLS and HTTP/2")
            case .failure(let error): return .wrong(name, "\(endpoint): \(error): \(advice(error.kind))")
            case nil: return .wrong(name, "\(endpoint): no answer: \(advice(.timeout))")
            }
        } catch {
            return .wrong(name, "no connection can be tried: \(error)")
        }
    }

    private func advice(_ kind: ConnectError.Kind) -> String {
        switch kind {
        case .resolve: "check apns.endpoints and the DNS"
        case .refused, .timeout: "check apns.endpoints, and that a firewall lets it through or apns.proxy is set"
        case .certificate where configuration.apns.caFile != nil: "check that apns.caFile holds its authority"
        case .certificate: "install ca-certificates, or set apns.caFile for a simulator"
        case .tls, .alpn: "this is no APNs: check apns.endpoints, and what stands in between"
        case .proxy: "check apns.proxy, and that it allows CONNECT"
        case .other: "check apns.caFile and apns.endpoints"
        }
    }
}
