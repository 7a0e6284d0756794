/// What an event may say, but probably does not mean.
enum EventWarning {
    /// The radius below which phones seldom notice that they are inside.
    static let radiusMin = 100.0

    /// Looks at an event that has passed its checks.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isBare: Whether its data has no envelope.
    ///   - nowMillis: The wall clock.
    /// - Returns: What to say, as faults that are none.
    static func of(_ event: ParsedEvent, isBare: Bool, nowMillis: Int64) -> [EventFault] {
        let data = isBare ? "$" : "$.data"
        var warnings: [EventFault] = []
        func warn(_ code: FaultCode, _ path: String, found: String, expected: String) {
            warnings.append(EventFault(code: code, path: data + path, found: found, expected: expected))
        }
        if event.type == .locationUpdated && event.radius < radiusMin {
            warn(
                .invalidValue,
                ".radius",
                found: "\(event.radius)",
                expected: "100 or more, since phones seldom notice smaller places"
            )
        }
        if event.isExpired {
            warn(
                .invalidValue,
                ".expiresAt",
                found: "a time that has passed",
                expected: "a later one, since nothing will be sent"
            )
        }
        if event.needsDeviceTable {
            warn(
                .audienceUnavailable,
                ".audience",
                found: "an audience that needs the device table",
                expected: "devices only, since this version has no such table"
            )
        }
        if event.deliverAtMillis > nowMillis + EventParser.scheduleMillisMax {
            warn(
                .schedulingUnavailable,
                ".deliverAt",
                found: "a time more than a minute ahead",
                expected: "a time within a minute, since this version keeps no schedule"
            )
        }
        return warnings
    }
}
