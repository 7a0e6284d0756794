/// Checks of values against their description; faults are noted with their path.
enum ValueCheck {
    /// Checks an object's members.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - description: What it may hold.
    ///   - faults: Takes what is wrong.
    ///   - devices: Takes the devices of an audience.
    /// - Returns: The object, to ask for its fields.
    @discardableResult
    static func check(
        _ object: JSONValue,
        _ description: ObjectDescription,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) -> CheckedObject {
        var checked = CheckedObject(object)
        var seen: UInt64 = 0
        var members = object.members
        while let member = members.next(), !faults.isFull {
            guard let index = unsafe description.index(of: member.name) else { continue }
            let isFirst = seen & (1 << UInt64(index)) == 0
            seen |= 1 << UInt64(index)
            if isFirst {
                checked.found(description.readFields[index], member.value)
                if isPlain(member.value, description.plainShapes[index]) { continue }
            }
            let field = description.fields[index]
            faults.path.enter(field.name)
            if isFirst {
                check(member.value, field.shape, &faults, &devices)
            } else {
                faults.add(.duplicateField, found: "a second value", expected: "one value")
            }
            faults.path.leave()
        }
        let missing = description.requiredFields & ~seen
        guard missing != 0 else { return checked }
        for (index, field) in description.fields.enumerated() where missing & (1 << UInt64(index)) != 0 {
            faults.add(.missingField, at: field.name, found: "nothing", expected: field.shape.expected)
        }
        return checked
    }

    /// Whether a value is as a plain shape wants it; whatever is not is looked at again.
    @inline(__always)
    private static func isPlain(_ value: JSONValue, _ shape: PlainShape) -> Bool {
        switch shape {
        case .none: false
        case .id: unsafe IDText.isValid(value.string)
        case .text: unsafe value.string != nil
        case .filledText: unsafe (value.string?.count ?? 0) > 0
        case .time: unsafe value.string.flatMap { unsafe RFC3339.millis($0) } != nil
        case .positive: (value.number ?? 0) > 0
        case .flag: value.bool != nil
        }
    }

    /// Checks one value.
    static func check(
        _ value: JSONValue,
        _ shape: ValueShape,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) {
        guard shape.admits(value.kind) else { return faults.addWrongType(value, expected: shape.expected) }
        switch shape {
        case .object(let description): _ = check(value, description, &faults, &devices)
        case .textOrObject(let description):
            if value.kind == .object {
                check(value, description, &faults, &devices)
            } else if unsafe value.string?.count == 0 {
                faults.add(.invalidValue, found: "\"\"", expected: ValueShape.filledText.expected)
            }
        case .list(let element, let least): checkElements(of: value, element, atLeast: least, shape, &faults)
        case .devices: devices.collect(value, &faults)
        case .token:
            if unsafe !TokenText.isWellFormed(value.string) {
                faults.add(.invalidValue, found: FoundText.hidden(value), expected: shape.expected)
            }
        default:
            if !isInRange(value, shape) {
                let code = isFractional(value, shape) ? FaultCode.wrongType : .invalidValue
                faults.add(code, found: FoundText.of(value), expected: shape.expected)
            }
        }
    }

    private static func checkElements(
        of list: JSONValue,
        _ element: ValueShape.ElementShape,
        atLeast least: Int,
        _ shape: ValueShape,
        _ faults: inout FaultList
    ) {
        var elements = list.elements
        var index = 0
        faults.path.enter(index: 0)
        while let value = elements.next(), !faults.isFull {
            faults.path.move(toIndex: index)
            let one: ValueShape = element == .id ? .id : .text
            if !one.admits(value.kind) {
                faults.addWrongType(value, expected: one.expected)
            } else if !isInRange(value, one) {
                faults.add(.invalidValue, found: FoundText.of(value), expected: one.expected)
            }
            index += 1
        }
        faults.path.leave()
        if index < least { faults.add(.invalidValue, found: "an empty array", expected: shape.expected) }
    }

    /// Whether a value of the right type is also in range.
    private static func isInRange(_ value: JSONValue, _ shape: ValueShape) -> Bool {
        switch shape {
        case .id: unsafe IDText.isValid(value.string)
        case .filledText: unsafe (value.string?.count ?? 0) > 0
        case .line(let bytesMax): unsafe IDText.isLine(value.string, bytesMax: bytesMax)
        case .choice(let words): unsafe isOne(of: words, value.string)
        case .time: unsafe value.string.flatMap { unsafe RFC3339.millis($0) } != nil
        case .link: unsafe IDText.isLink(value.string)
        case .integer(let range): value.integer.map { range.contains($0) } ?? false
        case .number(let range): value.number.map { range.contains($0) } ?? false
        case .positive: (value.number ?? 0) > 0
        case .yes: value.bool == true
        default: true
        }
    }

    private static func isOne(of words: [StaticString], _ text: UnsafeRawBufferPointer?) -> Bool {
        guard let text = unsafe text else { return false }
        for word in words where unsafe text.equals(word) { return true }
        return false
    }

    private static func isFractional(_ value: JSONValue, _ shape: ValueShape) -> Bool {
        guard case .integer = shape else { return false }
        return value.integer == nil && value.kind == .number
    }
}
