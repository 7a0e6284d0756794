/// Reads the records of the topics that teams publish to: envelope, checks, body of the pushes, devices.
///
/// Confined to one thread; its memory is used again for every record. What it lends, ``event`` and the bytes, is valid
/// until the next ``parse(_:headers:nowMillis:)``.
@safe
public struct EventParser: ~Copyable {
    /// How far ahead a delivery still counts as "now".
    public static let scheduleMillisMax: Int64 = 60_000

    private static let dayMillis: Int64 = 86_400_000

    private let settings: EventParserSettings
    private let apps: AppNames
    private var document = JSONDocument()
    private var faultList = FaultList()
    private var origin = ByteBuffer(capacity: 512)
    private var bodyBuffer = ByteBuffer(capacity: 4_096)
    private var collapseBuffer = ByteBuffer(capacity: 128)
    private var data: JSONValue?
    var devices = DeviceTable()

    /// The event read last; says nothing unless the outcome was ``EventOutcome/event``.
    public private(set) var event = ParsedEvent()

    /// What is wrong with the record read last, the first few faults of it; empty unless the outcome was
    /// ``EventOutcome/faulty``.
    public var faults: [EventFault] { faultList.faults }

    /// The body of the event's pushes; empty when it sends none.
    public var body: UnsafeRawBufferPointer { unsafe bodyBuffer.bytes }

    /// The `apns-collapse-id` of the event's pushes.
    public var collapseID: UnsafeRawBufferPointer { unsafe collapseBuffer.bytes }

    /// How many devices the event names, each token counted once.
    public var deviceCount: Int { devices.count }

    /// How many entries of `audience.devices` named a token again.
    public var repeatedDeviceCount: Int { devices.repeated }

    /// The `apns-topic` of a configured app.
    ///
    /// - Parameter index: ``ParsedEvent/appIndex``.
    /// - Returns: The topic; nil outside the list.
    public func topic(ofApp index: Int) -> UnsafeRawBufferPointer? { unsafe apps.topic(of: index) }

    /// Makes a parser.
    ///
    /// - Parameter settings: What it needs to know.
    public init(settings: EventParserSettings) {
        self.settings = settings
        apps = AppNames(settings.apps)
    }

    /// Reads one record.
    ///
    /// - Parameters:
    ///   - record: The record; must outlive the event.
    ///   - headers: Its headers.
    ///   - nowMillis: The wall clock, in milliseconds since 1970.
    /// - Returns: What it is.
    public mutating func parse(
        _ record: EventRecord,
        headers: borrowing EventHeaders,
        nowMillis: Int64
    ) -> EventOutcome {
        faultList.removeAll()
        devices.removeAll()
        bodyBuffer.removeAll()
        collapseBuffer.removeAll()
        event = ParsedEvent()
        data = nil
        guard let value = unsafe record.value else { return .tombstone }
        let root: JSONValue
        do throws(JSONError) {
            root = try unsafe document.parse(value)
        } catch {
            unsafe faultList.addMalformed(value, error)
            return .faulty
        }
        let opened = Envelope.open(root, kind: record.kind, headers: headers, &faultList, &devices)
        guard let envelope = opened else { return .faulty }
        var checked = CheckedObject(envelope.data)
        ValueCheck.check(&checked, EventDescription.data(of: envelope.type), &faultList, &devices)
        guard faultList.isEmpty else { return .faulty }
        data = envelope.data
        take(envelope, checked, record)
        complete(checked, record, nowMillis)
        return faultList.isEmpty ? .event : .faulty
    }

    /// Takes what every event has.
    private mutating func take(_ envelope: Envelope, _ data: CheckedObject, _ record: EventRecord) {
        event.type = envelope.type
        if let id = unsafe envelope.id, let source = unsafe envelope.source {
            unsafe event.id = id
            unsafe event.source = source
        } else {
            origin.removeAll()
            origin.append("/")
            unsafe origin.append(record.topic)
            let sourceEnd = origin.count
            unsafe origin.append(record.topic)
            origin.append("/")
            origin.append(decimal: Int64(record.partition))
            origin.append("/")
            origin.append(decimal: record.offset)
            unsafe event.source = origin.bytes(in: 0..<sourceEnd)
            unsafe event.id = origin.bytes(in: sourceEnd..<origin.count)
        }
        if let trace = unsafe envelope.traceParent { unsafe event.traceParent = trace }
        unsafe event.app = data.bytes(of: .app)
        unsafe event.campaignID = data.bytes(of: .campaignID)
        unsafe event.locationID = data.bytes(of: .locationID)
        unsafe event.key = data.bytes(of: record.kind.keyField)
    }

    /// Checks what the fields are to each other, and makes the body.
    private mutating func complete(_ data: CheckedObject, _ record: EventRecord, _ nowMillis: Int64) {
        let base = record.timestampMillis >= 0 ? record.timestampMillis : nowMillis
        findApp()
        switch event.type {
        case .campaignCancelled: break
        case .deviceRegistered: break
        case .locationUpdated, .locationDeleted:
            event.revision = data[.revision]?.integer ?? -1
            event.radius = data[.radius]?.number ?? 0
            EventRules.checkAudience(data, &event, &faultList)
            EventRules.checkNotification(data, &faultList)
            EventRules.readTimes(data, &event, baseMillis: base, lifeMillis: 7 * Self.dayMillis, &faultList)
            makeBody(of: data, collapseID: .locationID)
        case .campaignScheduled:
            var locations = data[.locationIDs]?.elements
            if let first = unsafe locations?.next()?.string { unsafe event.locationID = first }
            EventRules.checkAudience(data, &event, &faultList)
            EventRules.checkAlert(data, &event, &faultList)
            EventRules.readTimes(data, &event, baseMillis: base, lifeMillis: Self.dayMillis, &faultList)
            makeBody(of: data, collapseID: .collapseID)
            if bodyBuffer.count <= Payload.bytesMax { EventRules.checkCustom(data, &faultList) }
        }
        event.isExpired = event.hasAudience && nowMillis >= event.expiresAtMillis
        checkAbilities(nowMillis)
    }

    private mutating func findApp() {
        guard event.type != .campaignCancelled && !apps.isEmpty else { return }
        if let index = unsafe apps.index(of: event.app) {
            event.appIndex = index
            return
        }
        let expected = settings.apps.map { "\"\($0.id)\"" }.joined(separator: " or ")
        faultList.add(.unknownApp, at: "app", found: unsafe FoundText.quoted(event.app), expected: expected)
    }

    private mutating func makeBody(of data: CheckedObject, collapseID field: EventField) {
        guard event.hasAudience else { return }
        switch event.type {
        case .locationUpdated: Payload.writeLocation(data, to: &bodyBuffer)
        case .locationDeleted: Payload.writeRemoval(data, to: &bodyBuffer)
        default: Payload.writeCampaign(data, to: &bodyBuffer)
        }
        let given = unsafe data.bytes(of: field)
        let usual = unsafe event.isVisible ? event.campaignID : event.locationID
        unsafe CollapseID.append(given.count > 0 ? given : usual, to: &collapseBuffer)
        if bodyBuffer.count > Payload.bytesMax {
            let expected = "a payload of at most \(Payload.bytesMax) bytes"
            faultList.add(.payloadTooLarge, found: "\(bodyBuffer.count) bytes", expected: expected)
        }
    }

    /// Refuses what no stage of this process can do yet.
    private mutating func checkAbilities(_ nowMillis: Int64) {
        if event.needsDeviceTable && !settings.servesDeviceTable {
            let found = "an audience that needs the device table"
            faultList.add(.audienceUnavailable, at: "audience", found: found, expected: "devices only")
        }
        if event.deliverAtMillis > nowMillis + Self.scheduleMillisMax && !settings.keepsSchedules {
            let found = "a time more than a minute ahead"
            faultList.add(.schedulingUnavailable, at: "deliverAt", found: found, expected: "a time within a minute")
        }
    }

    /// The text that stands at a place of the document.
    @inline(__always)
    func text(at index: UInt32) -> UnsafeRawBufferPointer {
        unsafe data?.at(index).string ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}
