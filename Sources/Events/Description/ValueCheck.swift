/// Checks of values against their description; faults are noted with their path.
enum ValueCheck {
    /// Checks an object's members.
    ///
    /// - Parameters:
    ///   - object: The object; takes where its fields are.
    ///   - description: What it may hold.
    ///   - faults: Takes what is wrong.
    ///   - devices: Takes the devices of an audience.
    static func check(
        _ object: inout CheckedObject,
        _ description: ObjectDescription,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) {
        var seen: UInt64 = 0
        var members = object.value.members
        while let member = members.next() {
            guard let index = unsafe description.index(of: member.name) else { continue }
            let isFirst = seen & (1 << UInt64(index)) == 0
            seen |= 1 << UInt64(index)
            if isFirst {
                object.found(description[index].readField, member.value)
                if isAsWanted(member.value, description[index].shape) { continue }
            }
            check(member.value, of: description[index], isFirst: isFirst, &faults, &devices)
            if faults.isFull { break }
        }
        let missing = description.requiredFields & ~seen
        guard missing != 0 else { return }
        for index in description.indices where missing & (1 << UInt64(index)) != 0 {
            let field = description[index]
            faults.add(.missingField, at: field.name, found: "nothing", expected: field.shape.expected)
        }
    }

    /// Checks the value of a field, and notes what is wrong with it.
    @inline(never)
    private static func check(
        _ value: JSONValue,
        of field: FieldDescription,
        isFirst: Bool,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) {
        faults.path.enter(field.name)
        if isFirst {
            check(value, field.shape, &faults, &devices)
        } else if !field.shape.mayRepeat {
            faults.add(.duplicateField, found: "a second value", expected: "one value")
        }
        faults.path.leave()
    }

    /// Whether a value is as its shape wants it, where the value alone tells; whatever is not is looked at again.
    private static func isAsWanted(_ value: JSONValue, _ shape: ValueShape) -> Bool {
        switch shape {
        case .id: unsafe IDText.isValid(value.string)
        case .text: unsafe value.string != nil
        case .filledText: unsafe (value.string?.count ?? 0) > 0
        case .line(let bytesMax): unsafe IDText.isLine(value.string, bytesMax: bytesMax)
        case .choice(let words): unsafe value.string.map { unsafe words.contain($0) } ?? false
        case .time: unsafe value.string.flatMap { unsafe RFC3339.millis($0) } != nil
        case .link: unsafe IDText.isLink(value.string)
        case .token: unsafe TokenText.isWellFormed(value.string)
        case .integer(let range): value.integer.map { range.contains($0) } ?? false
        case .number(let range): value.number.map { range.contains($0) } ?? false
        case .positive: (value.number ?? 0) > 0
        case .flag: value.bool != nil
        case .yes: value.bool == true
        case .anyObject: value.kind == .object
        case .unchecked: true
        case .list, .object, .textOrObject, .devices: false
        }
    }

    /// Checks one value, and notes what is wrong with it.
    static func check(
        _ value: JSONValue,
        _ shape: ValueShape,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) {
        guard shape.admits(value.kind) else { return faults.addWrongType(value, expected: shape.expected) }
        switch shape {
        case .object(let description):
            var object = CheckedObject(value)
            check(&object, description, &faults, &devices)
        case .textOrObject(let description):
            if value.kind == .object {
                var object = CheckedObject(value)
                check(&object, description, &faults, &devices)
            } else if unsafe value.string?.count == 0 {
                faults.add(.invalidValue, found: "\"\"", expected: ValueShape.filledText.expected)
            }
        case .list(let element, let least): checkElements(of: value, element, atLeast: least, shape, &faults)
        case .devices: devices.collect(value, &faults)
        default:
            guard !isAsWanted(value, shape) else { return }
            let code = isFractional(value, shape) ? FaultCode.wrongType : .invalidValue
            let found = if case .token = shape { FoundText.hidden(value) } else { FoundText.of(value) }
            faults.add(code, found: found, expected: shape.expected)
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
            } else if !isAsWanted(value, one) {
                faults.add(.invalidValue, found: FoundText.of(value), expected: one.expected)
            }
            index += 1
        }
        faults.path.leave()
        if index < least { faults.add(.invalidValue, found: "an empty array", expected: shape.expected) }
    }

    private static func isFractional(_ value: JSONValue, _ shape: ValueShape) -> Bool {
        guard case .integer = shape else { return false }
        return value.integer == nil && value.kind == .number
    }
}
