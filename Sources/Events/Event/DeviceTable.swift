/// The devices of one audience: where each stands in the document, each token once.
///
/// Its memory is kept between events.
@safe
struct DeviceTable: ~Copyable {
    /// One device.
    struct Entry {
        /// Where its token stands on the tape.
        let token: UInt32

        /// Where its id stands on the tape; 0 when it has none.
        let deviceID: UInt32

        /// Whether its environment is `sandbox`.
        let isSandbox: Bool

        /// Whether the token is well-formed.
        let isValid: Bool
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var slots: UnsafeMutablePointer<UInt32>
    private var slotCount: Int
    private let seed = UInt64.random(in: .min ... .max)

    /// How many devices there are, each token counted once.
    private(set) var count = 0

    /// How many entries named a token that an earlier one has named.
    private(set) var repeated = 0

    init() {
        capacity = 64
        slotCount = 128
        unsafe entries = .allocate(capacity: capacity)
        unsafe slots = .allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: 0, count: slotCount)
    }

    deinit {
        unsafe entries.deallocate()
        unsafe slots.deallocate()
    }

    /// Forgets all devices.
    mutating func removeAll() {
        if count > 0 { unsafe slots.update(repeating: 0, count: slotCount) }
        count = 0
        repeated = 0
    }

    /// One device; the index must be below ``count``.
    subscript(index: Int) -> Entry {
        @inline(__always)
        get {
            precondition(index >= 0 && index < count)
            return unsafe entries[index]
        }
    }

    /// Takes the devices of `audience.devices`.
    ///
    /// There may be 10,000 in one event: nothing is allocated for one of them.
    ///
    /// - Parameters:
    ///   - list: The array.
    ///   - faults: Takes what is wrong, but not a malformed token: that is the device's own fault.
    mutating func collect(_ list: JSONValue, _ faults: inout FaultList) {
        var elements = list.elements
        var index = 0
        faults.path.enter(index: 0)
        while let element = elements.next(), !faults.isFull {
            faults.path.move(toIndex: index)
            collect(device: element, &faults)
            index &+= 1
        }
        faults.path.leave()
        if index == 0 {
            faults.add(.invalidValue, found: "an empty array", expected: "an array of one or more devices")
        }
    }

    private mutating func collect(device: JSONValue, _ faults: inout FaultList) {
        guard device.letter == UInt8(ascii: "{") else { return faults.addWrongType(device, expected: "an object") }
        var token: UnsafeRawBufferPointer?
        var tokenIndex: UInt32 = 0
        var deviceIndex: UInt32 = 0
        var hasEnvironment = false
        var isSandbox = false
        var members = device.members
        while let member = members.next() {
            let value = member.value
            switch unsafe member.name.count {
            case 5 where unsafe member.name.equals("token"):
                guard isFirst(tokenIndex == 0, "token", &faults) else { return }
                tokenIndex = value.index
                unsafe token = value.string
            case 8 where unsafe member.name.equals("deviceId"):
                guard isFirst(deviceIndex == 0, "deviceId", &faults) else { return }
                deviceIndex = value.index
                if unsafe !IDText.isValid(value.string) { add(value, "deviceId", .id, &faults) }
            case 11 where unsafe member.name.equals("environment"):
                guard isFirst(!hasEnvironment, "environment", &faults) else { return }
                hasEnvironment = true
                isSandbox = unsafe value.string?.equals("sandbox") ?? false
                if unsafe !isSandbox && value.string?.equals("production") != true {
                    add(value, "environment", EventDescription.environment, &faults)
                }
            default: break
            }
        }
        guard let token = unsafe token else {
            if tokenIndex == 0 {
                return faults.add(.missingField, at: "token", found: "nothing", expected: ValueShape.text.expected)
            }
            return add(device.at(tokenIndex), "token", .text, &faults)
        }
        let isValid = unsafe TokenText.isWellFormed(token)
        unsafe insert(
            Entry(token: tokenIndex, deviceID: deviceIndex, isSandbox: isSandbox, isValid: isValid),
            token,
            list: device
        )
    }

    @inline(__always)
    private func isFirst(_ isFirst: Bool, _ name: StaticString, _ faults: inout FaultList) -> Bool {
        if !isFirst { faults.add(.duplicateField, at: name, found: "a second value", expected: "one value") }
        return isFirst
    }

    @inline(never)
    private func add(_ value: JSONValue, _ name: StaticString, _ shape: ValueShape, _ faults: inout FaultList) {
        let code = shape.admits(value.kind) ? FaultCode.invalidValue : .wrongType
        faults.add(code, at: name, found: FoundText.of(value), expected: shape.expected)
    }
}

extension DeviceTable {
    /// Adds a device unless its token is there: open addressing, at most half full.
    private mutating func insert(_ entry: Entry, _ token: UnsafeRawBufferPointer, list: JSONValue) {
        if count &* 2 >= slotCount || count == capacity { grow(list) }
        var slot = unsafe Int(truncatingIfNeeded: hash(token)) & (slotCount &- 1)
        while true {
            let number = unsafe slots[slot]
            if number == 0 { break }
            let other = unsafe entries[Int(number) &- 1]
            if other.isValid == entry.isValid, let text = unsafe list.at(other.token).string,
                unsafe Self.isSame(text, token, isHex: entry.isValid)
            {
                repeated &+= 1
                return
            }
            slot = (slot &+ 1) & (slotCount &- 1)
        }
        unsafe entries[count] = entry
        count &+= 1
        unsafe slots[slot] = UInt32(count)
    }

    @inline(never)
    private mutating func grow(_ list: JSONValue) {
        let larger = capacity * 2
        let moved = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
        unsafe moved.update(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = moved
        capacity = larger
        unsafe slots.deallocate()
        slotCount = larger * 2
        unsafe slots = .allocate(capacity: slotCount)
        unsafe slots.initialize(repeating: 0, count: slotCount)
        for index in 0..<count {
            guard let token = unsafe list.at(entries[index].token).string else { continue }
            var slot = unsafe Int(truncatingIfNeeded: hash(token)) & (slotCount &- 1)
            while unsafe slots[slot] != 0 { slot = (slot &+ 1) & (slotCount &- 1) }
            unsafe slots[slot] = UInt32(index + 1)
        }
    }

    /// A hash that takes hexadecimal digits of both cases for the same, with a seed of this table so that nobody can
    /// choose tokens that collide.
    @inline(__always)
    private func hash(_ token: UnsafeRawBufferPointer) -> UInt64 {
        var state = seed ^ UInt64(truncatingIfNeeded: token.count)
        var index = 0
        while index < token.count {
            let word = unsafe token.word(at: index) | 0x2020_2020_2020_2020
            let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            state = product.high ^ product.low &+ seed
            index &+= 8
        }
        return state ^ state >> 32
    }

    @inline(__always)
    private static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, isHex: Bool) -> Bool {
        guard left.count == right.count else { return false }
        let fold: UInt64 = isHex ? 0x2020_2020_2020_2020 : 0
        var index = 0
        while index < left.count {
            if unsafe left.word(at: index) | fold != right.word(at: index) | fold { return false }
            index &+= 8
        }
        return true
    }
}
