/// What surrounds an event's data: CloudEvents in structured or binary mode, or nothing.
@safe
struct Envelope {
    /// How the event was wrapped.
    enum Mode: Equatable {
        /// One JSON object with the attributes and `data`.
        case structured

        /// The attributes in Kafka headers, the data as value.
        case binary

        /// The data as value, without attributes.
        case bare
    }

    let mode: Mode
    let type: EventType
    let data: JSONValue

    /// The CloudEvents `id`; nil for bare data.
    let id: UnsafeRawBufferPointer?

    /// The CloudEvents `source`; nil for bare data.
    let source: UnsafeRawBufferPointer?

    /// The trace that the event belongs to.
    let traceParent: UnsafeRawBufferPointer?
}

extension Envelope {
    private static let versions = ValueShape.choice(["1.0"])
    private static let source = ValueShape.line(bytesMax: 1_024)
    private static let mediaType: StaticString = "application/cloudevents+json"

    /// The attributes in structured mode; the type is looked at apart, since the topic decides which are allowed.
    static let attributes = ObjectDescription([
        .required("specversion", versions),
        .required("id", .id),
        .required("source", source),
        .required("type", .text),
        .required("data", .anyObject),
        .optional("time", .time),
        .optional("datacontenttype", .text),
        // A malformed one is no fault.
        .optional("traceparent", .unchecked),
    ])

    /// Opens an event.
    ///
    /// - Parameters:
    ///   - root: The value, parsed.
    ///   - kind: The topic that it came by.
    ///   - headers: Its headers.
    ///   - faults: Takes what is wrong; at the end its path leads to the data.
    ///   - devices: Not touched.
    /// - Returns: The envelope; nil after a fault.
    static func open(
        _ root: JSONValue,
        kind: TopicKind,
        headers: borrowing EventHeaders,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) -> Envelope? {
        guard root.kind == .object else {
            faults.addWrongType(root, expected: "an object")
            return nil
        }
        let trace = unsafe TraceParent.checked(headers[.cloudTrace]) ?? TraceParent.checked(headers[.trace])
        switch mode(root, headers, &faults) {
        case .structured: return unsafe structured(root, kind, trace, &faults, &devices)
        case .binary: return unsafe binary(root, kind, headers, trace, &faults)
        case .bare:
            return unsafe Envelope(
                mode: .bare,
                type: kind.bareType,
                data: root,
                id: nil,
                source: nil,
                traceParent: trace
            )
        case nil: return nil
        }
    }

    private static func mode(_ root: JSONValue, _ headers: borrowing EventHeaders, _ faults: inout FaultList) -> Mode? {
        guard let contentType = unsafe headers[.contentType] else {
            if unsafe headers[.specVersion] != nil { return .binary }
            return root.member("specversion") != nil ? .structured : .bare
        }
        if unsafe ContentType.names(contentType, mediaType) { return .structured }
        if unsafe ContentType.isJSON(contentType) { return unsafe headers[.specVersion] != nil ? .binary : .bare }
        unsafe faults.addHeader(
            .unsupportedEnvelope,
            .contentType,
            found: contentType,
            expected: "\"application/cloudevents+json\" or \"application/json\""
        )
        return nil
    }

    private static func structured(
        _ root: JSONValue,
        _ kind: TopicKind,
        _ trace: UnsafeRawBufferPointer?,
        _ faults: inout FaultList,
        _ devices: inout DeviceTable
    ) -> Envelope? {
        var checked = CheckedObject(root)
        ValueCheck.check(&checked, attributes, &faults, &devices)
        if let contentType = checked[.contentType], let text = unsafe contentType.string,
            unsafe !ContentType.isJSON(text)
        {
            faults.add(
                .unsupportedEnvelope,
                at: "datacontenttype",
                found: FoundText.of(contentType),
                expected: "\"application/json\""
            )
        }
        var type: EventType?
        if let value = checked[.type], let text = unsafe value.string {
            type = unsafe eventType(text, of: kind)
            if type == nil {
                faults.add(.unknownType, at: "type", found: FoundText.of(value), expected: expectedTypes(of: kind))
            }
        }
        guard faults.isEmpty, let type, let data = checked[.data] else { return nil }
        faults.path.enter("data")
        return unsafe Envelope(
            mode: .structured,
            type: type,
            data: data,
            id: checked[.id]?.string,
            source: checked[.source]?.string,
            traceParent: TraceParent.checked(checked[.traceParent]?.string) ?? trace
        )
    }

    private static func binary(
        _ root: JSONValue,
        _ kind: TopicKind,
        _ headers: borrowing EventHeaders,
        _ trace: UnsafeRawBufferPointer?,
        _ faults: inout FaultList
    ) -> Envelope? {
        if let version = unsafe headers[.specVersion], unsafe !version.equals("1.0") {
            unsafe faults.addHeader(.invalidValue, .specVersion, found: version, expected: versions.expected)
        }
        if let time = unsafe headers[.time], unsafe RFC3339.millis(time) == nil {
            unsafe faults.addHeader(.invalidValue, .time, found: time, expected: ValueShape.time.expected)
        }
        let id = unsafe headers[.id]
        if unsafe !IDText.isValid(id) { unsafe faults.addHeader(.id, found: id, expected: ValueShape.id.expected) }
        let source = unsafe headers[.source]
        if unsafe !IDText.isLine(source, bytesMax: 1_024) {
            unsafe faults.addHeader(.source, found: source, expected: Self.source.expected)
        }
        let type = unsafe headers[.type]
        let known = unsafe type.flatMap { unsafe eventType($0, of: kind) }
        if known == nil {
            let expected = expectedTypes(of: kind)
            if let type = unsafe type {
                unsafe faults.addHeader(.unknownType, .type, found: type, expected: expected)
            } else {
                unsafe faults.addHeader(.type, found: nil, expected: expected)
            }
        }
        guard faults.isEmpty, let known else { return nil }
        return unsafe Envelope(mode: .binary, type: known, data: root, id: id, source: source, traceParent: trace)
    }

    private static func eventType(_ text: UnsafeRawBufferPointer, of kind: TopicKind) -> EventType? {
        for type in EventType.allCases where unsafe type.kind == kind && text.equals(type.text) { return type }
        return nil
    }

    private static func expectedTypes(of kind: TopicKind) -> String {
        kind.types.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    }
}

extension FaultList {
    /// Notes a fault of a header that is there.
    @inline(never)
    fileprivate mutating func addHeader(
        _ code: FaultCode,
        _ name: EventHeaders.Name,
        found: UnsafeRawBufferPointer,
        expected: String
    ) {
        add(header: "\(name.text)", code, found: unsafe FoundText.quoted(found), expected: expected)
    }

    /// Notes a fault of a header that is missing or malformed.
    @inline(never)
    fileprivate mutating func addHeader(_ name: EventHeaders.Name, found: UnsafeRawBufferPointer?, expected: String) {
        let code = unsafe found == nil ? FaultCode.missingField : .invalidValue
        let text = unsafe found.map { unsafe FoundText.quoted($0) } ?? "nothing"
        add(header: "\(name.text)", code, found: text, expected: expected)
    }
}
