/// One answered request, for tests in the same process.
public struct AnsweredRequest: Sendable, Equatable {
    /// The connection, counted from 1.
    public let connection: Int
    /// The stream.
    public let stream: Int32
    /// The device token as it stood in the path.
    public let token: String
    /// The status of the answer.
    public let status: Int
    /// The reason of the answer; empty for 200 and for an answer without a body.
    public let reason: String
    /// Every field of the request but the pseudo-header fields and the provider token.
    public let headers: [String: String]
    /// `kid` of the provider token, where it had one that can be read.
    public let keyID: String?
    /// `iss` of the provider token.
    public let teamID: String?
    /// `iat` of the provider token.
    public let issuedAtSeconds: Int64?
    /// The body, as far as it was kept.
    public let body: [UInt8]
}
