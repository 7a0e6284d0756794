/// What a text in the configuration must look like.
enum TextRule: Sendable {
    case address, addressList, listenAddress, name, path, proxy

    var typeText: String {
        switch self {
        case .address, .listenAddress: "host:port"
        case .addressList: "list of host:port"
        case .name: "text"
        case .path: "path"
        case .proxy: "http://host:port"
        }
    }

    /// What a text fails to be.
    ///
    /// - Parameter text: The value.
    /// - Returns: What was expected, or nil when the text is right.
    func expectation(unmetBy text: String) -> String? {
        switch self {
        case .address:
            Address(text) == nil ? "host:port with a port of 1...65535" : nil
        case .listenAddress:
            Address(text, portMin: 0) == nil ? "host:port" : nil
        case .addressList:
            isAddressList(text) ? nil : "host:port, several separated by commas"
        case .name:
            isTopicText(text) ? nil : "at most 100 of the letters, digits and . _ - that Kafka allows in names"
        case .path:
            isPath(text) ? nil : "the path of a file or folder, not what stands in it"
        case .proxy:
            isProxy(text) ? nil : "http://host:port"
        }
    }

    private func isAddressList(_ text: String) -> Bool {
        text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
            let entry = part.drop { $0 == " " }
            // librdkafka allows an entry to name its protocol.
            let address = entry.utf8.firstRange(of: "://".utf8).map { entry[$0.upperBound...] } ?? entry[...]
            return Address(String(address)) != nil || isHost(address)
        }
    }

    /// Whether it may be a path; a key or certificate itself, in PEM, would be shown wherever paths are.
    private func isPath(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && !text.hasPrefix("-----BEGIN")
    }

    /// Whether it is a host that leaves the port to librdkafka.
    private func isHost(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !":@".utf8.contains($0) }
    }

    private func isTopicText(_ text: String) -> Bool {
        text.utf8.count <= 100 && text.utf8.allSatisfy(isTopicByte)
    }

    private func isProxy(_ text: String) -> Bool {
        guard text.hasPrefix("http://") else { return false }
        let rest = text.dropFirst("http://".count)
        let address = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        return Address(String(address.last == "/" ? address.dropLast() : address)) != nil
    }
}

/// Whether Kafka allows a byte in the name of a topic.
func isTopicByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
}
