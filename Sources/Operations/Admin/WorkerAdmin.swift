internal import AdminEndpoint
internal import EventLoop
internal import Observability
public import Pipeline

/// The admin endpoint of a worker: `/livez`, `/readyz` and `/metrics`.
///
/// It serves from the moment it is made, also while the worker starts and drains, until it is let go.
public final class WorkerAdmin: Sendable {
    private let endpoint: HTTPEndpoint

    /// The port, also where the system chose it.
    public var port: UInt16 { endpoint.port }

    /// Listens and starts to serve.
    ///
    /// - Parameters:
    ///   - address: Where; port 0 lets the system choose.
    ///   - worker: What is asked.
    ///   - version: The program's version.
    /// - Throws: A failure with exit code 78 when the address cannot be listened on.
    public init(_ address: Address, worker: Worker, version: String) throws(CommandFailure) {
        do throws(SystemError) {
            endpoint = try HTTPEndpoint(host: address.host, port: address.port) { request in
                Self.respond(to: request, worker, version: version)
            }
        } catch {
            throw .configuration(
                "operations.listen \(address) cannot be listened on (\(error)): choose another address"
            )
        }
    }

    private static func respond(to request: HTTPRequest, _ worker: Worker, version: String) -> HTTPResponse {
        guard ["/livez", "/readyz", "/metrics"].contains(request.path) else { return .notFound }
        guard ["GET", "HEAD"].contains(request.method) else { return .methodNotAllowed("GET, HEAD") }
        switch request.path {
        case "/livez":
            let liveness = worker.liveness
            return json(liveness.isAlive, HealthText.json(liveness))
        case "/readyz":
            let readiness = worker.readiness
            return json(readiness.isReady, HealthText.json(readiness))
        default:
            let text = worker.metricsText(version: version)
            return HTTPResponse(status: 200, contentType: ExpositionText.contentType, body: Array(text.utf8))
        }
    }

    private static func json(_ isGood: Bool, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: isGood ? 200 : 503,
            contentType: "application/json",
            body: Array((text + "\n").utf8)
        )
    }
}
