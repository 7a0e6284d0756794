/// What the fields of an event must be to each other.
enum EventRules {
    /// Checks `audience`: one or more selectors.
    static func checkAudience(_ data: CheckedObject, _ event: inout ParsedEvent, _ faults: inout FaultList) {
        guard let audience = data[.audience] else { return }
        event.hasAudience = true
        var hasDevices = false
        var tags: JSONValue?
        var members = audience.members
        while let member = members.next() {
            if unsafe member.name.equals("devices") {
                hasDevices = true
            } else if unsafe member.name.equals("tags") {
                tags = member.value
                event.needsDeviceTable = true
            } else if unsafe member.name.equals("subscribersOf") || member.name.equals("near")
                || member.name.equals("everyone")
            {
                event.needsDeviceTable = true
            }
        }
        faults.path.enter("audience")
        defer { faults.path.leave() }
        if !event.needsDeviceTable && !hasDevices {
            let expected = "one or more of devices, subscribersOf, tags, near, everyone"
            faults.add(.invalidValue, found: "an empty audience", expected: expected)
        }
        if let tags, tags.member("all") == nil, tags.member("any") == nil, tags.member("none") == nil {
            faults.add(.invalidValue, at: "tags", found: "no tags", expected: "one or more of all, any, none")
        }
    }

    /// Checks the local notification of a place.
    static func checkNotification(_ data: CheckedObject, _ faults: inout FaultList) {
        guard let notification = data[.notification] else { return }
        faults.path.enter("notification")
        checkArguments(notification, "titleLocArgs", of: "titleLocKey", &faults)
        checkArguments(notification, "locArgs", of: "locKey", &faults)
        faults.path.leave()
    }

    /// Checks that the arguments of a localized text stand beside its key.
    private static func checkArguments(
        _ object: JSONValue,
        _ arguments: StaticString,
        of key: StaticString,
        _ faults: inout FaultList
    ) {
        guard object.member(arguments) != nil && object.member(key) == nil else { return }
        faults.add(.conflictingField, at: arguments, found: "arguments", expected: "\(key) beside them")
    }

    /// Checks what a campaign shows, or that it shows nothing.
    static func checkAlert(_ data: CheckedObject, _ event: inout ParsedEvent, _ faults: inout FaultList) {
        let alert = data[.alert]
        event.isVisible = alert != nil
        let priority = data[.priority]
        event.priority = Int(priority?.integer ?? (event.isVisible ? 10 : 5))
        if let priority, event.isVisible ? ![1, 5, 10].contains(event.priority) : event.priority != 5 {
            let expected = event.isVisible ? "1, 5 or 10" : "5, which is all that a silent push may have"
            faults.add(.invalidValue, at: "priority", found: FoundText.of(priority), expected: expected)
        }
        guard let alert else { return checkSilence(data, &faults) }
        guard alert.kind == .object else { return }
        faults.path.enter("alert")
        defer { faults.path.leave() }
        let texts: [StaticString] = ["title", "title-loc-key", "body", "loc-key"]
        if texts.allSatisfy({ alert.member($0) == nil }) {
            let expected = "one or more of title, title-loc-key, body, loc-key"
            faults.add(.missingField, found: "no text", expected: expected)
        }
        checkArguments(alert, "title-loc-args", of: "title-loc-key", &faults)
        checkArguments(alert, "subtitle-loc-args", of: "subtitle-loc-key", &faults)
        checkArguments(alert, "loc-args", of: "loc-key", &faults)
    }

    private static func checkSilence(_ data: CheckedObject, _ faults: inout FaultList) {
        for field: EventField in [.sound, .badge, .category, .action] {
            guard let value = data[field] else { continue }
            faults.add(.conflictingField, at: field.name, found: FoundText.of(value), expected: "an alert beside it")
        }
    }

    /// Checks that `custom` leaves the payload's own names alone and names nothing twice.
    static func checkCustom(_ data: CheckedObject, _ faults: inout FaultList) {
        guard let custom = data[.custom] else { return }
        faults.path.enter("custom")
        defer { faults.path.leave() }
        var members = custom.members
        var index = 0
        while let member = members.next(), !faults.isFull {
            unsafe faults.path.enter(key: member.name)
            let isAction = unsafe member.name.equals("action") && data[.action] != nil
            if isAction || Payload.reservedNames.contains(where: { unsafe member.name.equals($0) }) {
                faults.add(.reservedField, found: FoundText.of(member.value), expected: "another name")
            } else if isNamed(member, before: index, in: custom) {
                faults.add(.duplicateField, found: "a second value", expected: "one value")
            }
            faults.path.leave()
            index += 1
        }
    }

    private static func isNamed(_ member: JSONMember, before end: Int, in object: JSONValue) -> Bool {
        var members = object.members
        for _ in 0..<end {
            guard let other = members.next() else { return false }
            if unsafe other.name.equals(member.name) { return true }
        }
        return false
    }

    /// Reads when an event is due and when it expires.
    ///
    /// - Parameters:
    ///   - data: Its data.
    ///   - event: Takes the times.
    ///   - baseMillis: The record's timestamp.
    ///   - lifeMillis: How long an event of its type lives by default.
    ///   - faults: Takes a conflict.
    static func readTimes(
        _ data: CheckedObject,
        _ event: inout ParsedEvent,
        baseMillis: Int64,
        lifeMillis: Int64,
        _ faults: inout FaultList
    ) {
        let deliverAt = unsafe data[.deliverAt]?.string.flatMap { unsafe RFC3339.millis($0) }
        event.deliverAtMillis = deliverAt ?? -1
        let expiresAt = data[.expiresAt]
        if let expiresAt, let millis = unsafe expiresAt.string.flatMap({ unsafe RFC3339.millis($0) }) {
            event.expiresAtMillis = millis
            if let deliverAt, millis <= deliverAt {
                let found = FoundText.of(expiresAt)
                faults.add(.conflictingField, at: "expiresAt", found: found, expected: "a time after deliverAt")
            }
        } else {
            event.expiresAtMillis = max(baseMillis, deliverAt ?? baseMillis) + lifeMillis
        }
    }
}
