internal import COpenSSL

/// A certificate for a server on this machine, signed by an authority of its own, for simulators and tests.
public struct ServerCertificate: Sendable {
    /// What the two certificates say.
    public struct Subject: Sendable {
        /// The common name of the authority.
        public var authority: String
        /// The DNS names of the server; the first is its common name.
        public var names: [String]
        /// The IP addresses of the server.
        public var addresses: [String]
        /// How long both are valid; 825 days is the most that Apple's clients take.
        public var days: Int

        /// Describes a server on this machine unless told otherwise.
        ///
        /// - Parameters:
        ///   - authority: The common name of the authority.
        ///   - names: The DNS names of the server, one at least.
        ///   - addresses: The IP addresses of the server.
        ///   - days: How long both are valid.
        public init(
            authority: String = "geopush local authority",
            names: [String] = ["localhost"],
            addresses: [String] = ["127.0.0.1", "::1"],
            days: Int = 825
        ) {
            self.authority = authority
            self.names = names
            self.addresses = addresses
            self.days = days
        }

        fileprivate var alternativeNames: String {
            (names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",")
        }
    }

    /// The certificate of the authority, which clients trust (`ca.pem`).
    public let authorityPEM: String
    /// The certificate of the server (`server.pem`).
    public let certificatePEM: String
    /// The private key of the server, a secret (`server.key`).
    public let key: P256.SigningKey

    /// Makes both certificates with new keys; the key of the authority is forgotten.
    ///
    /// - Parameters:
    ///   - subject: What they say.
    ///   - nowSeconds: The time, in seconds since 1970; both are valid from an hour before.
    /// - Throws: The error of OpenSSL.
    public init(subject: Subject = Subject(), nowSeconds: Int64) throws(OpenSSLError) {
        let authorityKey = try P256.SigningKey()
        let key = try P256.SigningKey()
        let authority = try X509Certificate()
        try authority.describe(
            commonName: subject.authority,
            key: authorityKey,
            days: subject.days,
            nowSeconds: nowSeconds
        )
        try authority.setIssuer(authority)
        try authority.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: authority)
        try authority.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: authority)
        try authority.add(NID_subject_key_identifier, "hash", issuer: authority)
        try authority.sign(with: authorityKey)

        let server = try X509Certificate()
        try server.describe(
            commonName: subject.names.first ?? "localhost",
            key: key,
            days: subject.days,
            nowSeconds: nowSeconds
        )
        try server.setIssuer(authority)
        try server.add(NID_basic_constraints, "critical,CA:FALSE", issuer: authority)
        try server.add(NID_key_usage, "critical,digitalSignature", issuer: authority)
        try server.add(NID_ext_key_usage, "serverAuth", issuer: authority)
        try server.add(NID_subject_key_identifier, "hash", issuer: authority)
        try server.add(NID_authority_key_identifier, "keyid:always", issuer: authority)
        try server.add(NID_subject_alt_name, subject.alternativeNames, issuer: authority)
        try server.sign(with: authorityKey)

        self.authorityPEM = try authority.pem()
        self.certificatePEM = try server.pem()
        self.key = key
    }
}
