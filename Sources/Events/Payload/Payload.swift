/// The bodies that go to APNs.
///
/// They are a contract with apps that stay on phones for years, order of keys included: `aps`, `locationId`, `locationIds`, `campaignId`, `geopush`, `action`, then what the campaign adds.
enum Payload {
    /// The most bytes that APNs takes.
    static let bytesMax = 4_096

    /// The names at the root that `custom` must not use.
    static let reservedNames: [StaticString] = ["aps", "locationId", "locationIds", "campaignId", "geopush"]

    /// Writes the push of a changed place.
    ///
    /// - Parameters:
    ///   - data: `data` of a checked `location.updated`.
    ///   - body: Where to.
    static func writeLocation(_ data: CheckedObject, to body: inout ByteBuffer) {
        body.append(#"{"aps":{"content-available":1}"#)
        write(data, .locationID, to: &body)
        beginOwn(revisionOf: data, to: &body)
        if data[.inlineRegion]?.bool == true { writeRegion(data, to: &body) }
        body.append("}}")
    }

    /// Writes the push of a place that is gone; without `locationId`, which an app would register.
    ///
    /// - Parameters:
    ///   - data: `data` of a checked `location.deleted`.
    ///   - body: Where to.
    static func writeRemoval(_ data: CheckedObject, to body: inout ByteBuffer) {
        body.append(#"{"aps":{"content-available":1}"#)
        beginOwn(revisionOf: data, to: &body)
        body.append(#","remove":["#)
        data[.locationID]?.append(to: &body)
        body.append("]}}")
    }

    /// Writes the push of a campaign, silent without `alert`.
    ///
    /// - Parameters:
    ///   - data: `data` of a checked `campaign.scheduled`.
    ///   - body: Where to.
    static func writeCampaign(_ data: CheckedObject, to body: inout ByteBuffer) {
        if let alert = data[.alert] {
            body.append(#"{"aps":{"alert":"#)
            if alert.kind == .object {
                write(alert, fieldsOf: EventDescription.alert, to: &body)
            } else {
                alert.append(to: &body)
            }
            write(data, .badge, to: &body)
            write(data, .sound, to: &body)
            write(data, .category, to: &body)
            body.append("}")
        } else {
            body.append(#"{"aps":{"content-available":1}"#)
        }
        if let locations = data[.locationIDs] {
            var elements = locations.elements
            if let first = elements.next() {
                body.append(#","locationId":"#)
                first.append(to: &body)
            }
            if elements.next() != nil { write(data, .locationIDs, to: &body) }
        }
        write(data, .campaignID, to: &body)
        write(data, .action, to: &body)
        if let custom = data[.custom] {
            var members = custom.members
            while let member = members.next() {
                body.append(",")
                unsafe body.append(jsonString: member.name)
                body.append(":")
                member.value.append(to: &body)
            }
        }
        body.append("}")
    }

    /// Begins the object `geopush`.
    private static func beginOwn(revisionOf data: CheckedObject, to body: inout ByteBuffer) {
        body.append(#","geopush":{"v":1,"revision":"#)
        body.append(decimal: data[.revision]?.integer ?? 0)
    }

    private static func writeRegion(_ data: CheckedObject, to body: inout ByteBuffer) {
        body.append(#","region":{"latitude":"#)
        data[.latitude]?.append(to: &body)
        write(data, .longitude, to: &body)
        write(data, .radius, to: &body)
        write(flag: data, .notifyOnEntry, absent: true, to: &body)
        write(flag: data, .notifyOnExit, absent: false, to: &body)
        write(flag: data, .repeats, absent: false, to: &body)
        if let notification = data[.notification] {
            body.append(#","notification":"#)
            write(notification, fieldsOf: EventDescription.notification, to: &body)
        }
        body.append("}")
    }

    /// Appends a member after others, if it is there.
    private static func write(_ object: CheckedObject, _ field: EventField, to body: inout ByteBuffer) {
        guard let value = object[field] else { return }
        body.append(",\"")
        body.append(field.name)
        body.append("\":")
        value.append(to: &body)
    }

    private static func write(
        flag object: CheckedObject,
        _ field: EventField,
        absent: Bool,
        to body: inout ByteBuffer
    ) {
        body.append(",\"")
        body.append(field.name)
        if object[field]?.bool ?? absent { body.append("\":true") } else { body.append("\":false") }
    }

    /// Appends an object with its described members only, in the order of the description.
    private static func write(
        _ object: JSONValue,
        fieldsOf description: ObjectDescription,
        to body: inout ByteBuffer
    ) {
        body.append("{")
        var isFirst = true
        for index in description.indices {
            let name = description[index].name
            guard let value = object.member(name) else { continue }
            if !isFirst { body.append(",") }
            isFirst = false
            body.append("\"")
            body.append(name)
            body.append("\":")
            value.append(to: &body)
        }
        body.append("}")
    }
}
