/// What a PEM file says that it holds, judged by its labels before OpenSSL reads it.
///
/// OpenSSL answers a wrong file with "no start line", whatever is wrong with it.
enum PEMContent: Equatable {
    case privateKey
    case publicKey

    /// Looks at the labels.
    ///
    /// - Parameter bytes: The file.
    /// - Throws: What a person can correct: an empty, encrypted or wrong file.
    init(_ bytes: [UInt8]) throws(KeyError) {
        guard bytes.contains(where: { $0 > 0x20 }) else { throw .empty }
        let text = String(decoding: bytes, as: UTF8.self)
        var labels: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("-----BEGIN ") {
            labels.append(line.dropFirst("-----BEGIN ".count).prefix { $0 != "-" })
        }
        guard let first = labels.first else { throw .notPEM }
        if labels.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
            throw .encrypted
        } else if labels.contains(where: { $0.hasSuffix("PRIVATE KEY") }) {
            self = .privateKey
        } else if labels.contains("PUBLIC KEY") {
            self = .publicKey
        } else {
            throw .otherContent(label: String(first.prefix(40)))
        }
    }
}
