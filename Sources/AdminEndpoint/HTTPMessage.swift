/// A request that has arrived whole.
public struct HTTPRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path, percent-decoded, without its query.
    public let path: String
    /// The body, at most ``HTTPEndpoint/bodyBytesMax`` bytes.
    public let body: [UInt8]

    /// Makes a request.
    public init(method: String, path: String, body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// What a request is answered with.
public struct HTTPResponse: Equatable, Sendable {
    /// The status, such as 200.
    public let status: Int
    /// The value of `content-type`.
    public let contentType: String
    /// The body.
    public let body: [UInt8]
    /// The methods that the path takes, for 405; nil where that was no question.
    public let allow: String?

    /// Makes a response.
    public init(status: Int, contentType: String, body: [UInt8], allow: String? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.allow = allow
    }

    /// A response of one line of text.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - line: Without its line feed.
    /// - Returns: The response.
    public static func text(_ status: Int, _ line: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array((line + "\n").utf8))
    }

    /// The path is not there: 404.
    public static var notFound: HTTPResponse { .text(404, "not found") }

    /// The path does not take this method: 405.
    ///
    /// - Parameter allow: Those that it takes, separated by commas.
    /// - Returns: The response.
    public static func methodNotAllowed(_ allow: String) -> HTTPResponse {
        let body = Array("method not allowed: this path takes \(allow)\n".utf8)
        return HTTPResponse(status: 405, contentType: "text/plain; charset=utf-8", body: body, allow: allow)
    }
}
