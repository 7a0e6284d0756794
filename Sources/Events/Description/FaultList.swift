/// The faults of one event, the first few of them.
struct FaultList {
    /// How many are kept; a broken event of 10,000 devices does not need 10,000 sentences.
    static let countMax = 16

    private(set) var faults: [EventFault] = []

    /// Where the check is.
    var path = JSONPath()

    var isEmpty: Bool { faults.isEmpty }

    /// Whether more faults would be forgotten, so that a check may end.
    var isFull: Bool { faults.count >= Self.countMax }

    mutating func removeAll() {
        if !faults.isEmpty { faults.removeAll() }
        path.removeAll()
    }

    /// Notes a fault at the current path.
    @inline(never)
    mutating func add(_ code: FaultCode, found: String, expected: String) {
        guard !isFull else { return }
        faults.append(EventFault(code: code, path: path.text, found: found, expected: expected))
    }

    /// Notes a fault at a member of the current object.
    @inline(never)
    mutating func add(_ code: FaultCode, at name: StaticString, found: String, expected: String) {
        path.enter(name)
        add(code, found: found, expected: expected)
        path.leave()
    }

    /// Notes a value of the wrong type at the current path.
    @inline(never)
    mutating func addWrongType(_ value: JSONValue, expected: String) {
        add(.wrongType, found: FoundText.of(value), expected: expected)
    }

    /// Notes a fault of a Kafka header.
    @inline(never)
    mutating func add(header: String, _ code: FaultCode, found: String, expected: String) {
        guard !isFull else { return }
        faults.append(EventFault(code: code, path: header, found: found, expected: expected))
    }
}
