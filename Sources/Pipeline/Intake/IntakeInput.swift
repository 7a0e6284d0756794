internal import Events
internal import Glibc

/// A topic that intake reads.
final class IntakeInput {
    let topic: String
    let kind: TopicKind
    private var name = ByteBuffer()

    init(topic: String, kind: TopicKind) {
        self.topic = topic
        self.kind = kind
        name.append(text: topic)
    }

    /// The topic's name, valid as long as this object.
    var topicBytes: UnsafeRawBufferPointer { unsafe name.bytes }

    /// Whether a record of a topic of this name comes from here.
    func isSource(of name: UnsafeRawBufferPointer) -> Bool {
        guard name.count == self.name.count, let start = name.baseAddress, let own = unsafe topicBytes.baseAddress
        else { return false }
        return unsafe memcmp(start, own, name.count) == 0
    }
}
