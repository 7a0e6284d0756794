/// The ids and topics of the configured apps as bytes, to be compared and written without counting references.
struct AppNames: ~Copyable {
    private var texts = ByteBuffer(capacity: 256)
    private var places: [(id: Range<Int>, topic: Range<Int>)] = []

    /// Copies the names of apps.
    init(_ apps: [EventApp]) {
        for app in apps { places.append((append(app.id), append(app.topic))) }
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = texts.count
        texts.append(text: text)
        return start..<texts.count
    }

    /// Whether no app is configured.
    var isEmpty: Bool { places.isEmpty }

    /// Finds an app by its id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The app's place in the configuration; nil when it is not there.
    func index(of id: UnsafeRawBufferPointer) -> Int? {
        for index in 0..<places.count where unsafe id.equals(texts.bytes(in: places[index].id)) { return index }
        return nil
    }

    /// The topic of an app; nil outside the list.
    func topic(of index: Int) -> UnsafeRawBufferPointer? {
        guard index >= 0 && index < places.count else { return nil }
        return unsafe texts.bytes(in: places[index].topic)
    }
}
