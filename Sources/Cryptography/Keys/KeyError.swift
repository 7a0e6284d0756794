/// Why a key cannot be used.
///
/// No text of the key stands in it.
public enum KeyError: Error, Equatable, Sendable {
    /// The file cannot be read; the `errno`.
    case unreadable(code: Int32)
    /// The file is larger than any key.
    case tooLarge(bytes: Int)
    /// There is nothing in it but white space.
    case empty
    /// No line begins with `-----BEGIN`.
    case notPEM
    /// It needs a pass phrase.
    case encrypted
    /// It is a public key, and a private one is needed.
    case publicKey
    /// It is PEM of another kind, such as `CERTIFICATE`.
    case otherContent(label: String)
    /// It is a key of another algorithm, such as `RSA`.
    case otherAlgorithm(name: String)
    /// It is an elliptic curve key on another curve than P-256.
    case otherCurve(name: String)
    /// It is PEM of the right kind, but not what it says.
    case malformed(OpenSSLError)
}

extension KeyError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let code): "the key file cannot be read (\(systemText(code))): check its path and permissions"
        case .tooLarge(let bytes): "the key file has \(bytes) bytes: expected a .p8 file, which has a few hundred"
        case .empty: "the key file is empty: expected the .p8 file as Apple issues it"
        case .notPEM:
            "the key file is not PEM: expected the .p8 file as Apple issues it, with -----BEGIN PRIVATE KEY-----"
        case .encrypted: "the key is encrypted: expected a key without a pass phrase (openssl pkcs8 -topk8 -nocrypt)"
        case .publicKey: "the file holds a public key: expected the private key, the .p8 file as Apple issues it"
        case .otherContent(let label):
            "the file holds a \(label): expected a private key, the .p8 file as Apple issues it"
        case .otherAlgorithm(let name): "the key is of type \(name): expected an elliptic curve key on P-256"
        case .otherCurve(let name): "the key is on the curve \(name): expected P-256 (prime256v1)"
        case .malformed(let error): "the key is damaged (\(error)): expected the .p8 file as Apple issues it"
        }
    }
}
