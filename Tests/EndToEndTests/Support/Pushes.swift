import EndToEndSupport
import EventLoop

/// Finished pushes as another team writes them.
enum Pushes {
    /// A silent push; its body names the number, so that it can be told from others of its token.
    static func silent(
        _ token: String,
        number: Int = 1,
        headers: [(String, String)] = [],
        partition: Int32 = 0
    ) -> Message {
        Message(
            key: token,
            value: body(number),
            headers: [("apns-topic", World.appTopic), ("event-id", "push-\(token)-\(number)")] + headers,
            partition: partition
        )
    }

    /// The body of a silent push.
    static func body(_ number: Int) -> String {
        #"{"aps":{"content-available":1},"locationId":"place-\#(number)"}"#
    }
}
