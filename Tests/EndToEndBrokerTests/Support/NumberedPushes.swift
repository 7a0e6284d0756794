import EndToEndSupport

/// Pushes with numbers, several for each token with rising revisions, so that each request and each receipt tells which
/// one it is for.
struct NumberedPushes {
    /// How many there are.
    let count: Int
    /// How many each token gets.
    static let perToken = 5

    /// How far the numbers of a token's pushes are apart: how many tokens there are.
    var step: Int { (count + Self.perToken - 1) / Self.perToken }

    /// Which token a push is for; pushes of one token are published in the order of their numbers.
    func token(_ number: Int) -> Int { number % step }

    /// Publishes all.
    func publish(with publisher: Publisher, to topic: String) throws {
        let size = 5_000
        for start in stride(from: 0, to: count, by: size) {
            let messages = (start..<min(start + size, count)).map { number in
                Message(
                    key: TestTokens.known(token(number)),
                    value: #"{"aps":{"content-available":1},"locationId":"n-\#(number)"}"#,
                    headers: [
                        (
                            "push",
                            "apns-topic: com.example.shop\napp: shop\nevent-id: n-\(number)\n"
                                + "revision: \(number / step)\n"
                        )
                    ]
                )
            }
            try publisher.publish(messages, to: topic)
        }
    }
}
