public import Cryptography

/// Why a provider token cannot be made.
public enum ProviderTokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A team or key name that Apple does not issue.
    case invalidName(String)
    /// The key file is no usable key.
    case key(path: String, KeyError)
    /// Two apps name one key and different files.
    case otherFile(ProviderIdentity, path: String, known: String)
    /// Signing failed.
    case signing(OpenSSLError)

    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "invalid team or key ID \"\(name)\": expected the 10 letters and digits that Apple shows"
        case .key(let path, let error): "\(path): \(error)"
        case .otherFile(let identity, let path, let known):
            "\(path): key \(identity) is already read from \(known): expected one file for each key"
        case .signing(let error): "the provider token cannot be signed: \(error)"
        }
    }
}
