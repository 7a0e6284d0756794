/// Who sends: a team and one of its keys.
public struct ProviderIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Apple's name of the team, ten characters.
    public let teamID: String
    /// Apple's name of the key, ten characters.
    public let keyID: String

    /// Names a team and a key.
    ///
    /// - Parameters:
    ///   - teamID: The team.
    ///   - keyID: The key.
    public init(teamID: String, keyID: String) {
        self.teamID = teamID
        self.keyID = keyID
    }

    /// Team and key.
    public var description: String { "\(teamID)/\(keyID)" }

    /// Whether a name can stand in a token as it is: letters and digits, 64 at most.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }
}
