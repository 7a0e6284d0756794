/// Device tokens of tests: what they begin with says what an APNs with ``TestTokens/registry`` knows of them.
public enum TestTokens {
    /// A device that exists.
    public static func known(_ number: Int) -> String { make("d0", number) }

    /// A device that has lost the app.
    public static func gone(_ number: Int) -> String { make("90", number) }

    /// A token that was never issued.
    public static func unknown(_ number: Int) -> String { make("b0", number) }

    private static func make(_ start: String, _ number: Int) -> String {
        let text = String(number, radix: 16)
        return start + String(repeating: "0", count: 62 - text.count) + text
    }
}

/// Events as a backend team writes them.
public enum EventJSON {
    /// A device of an audience.
    public static func device(_ token: String, id: String? = nil) -> String {
        id.map { #"{"token":"\#(token)","deviceId":"\#($0)"}"# } ?? #"{"token":"\#(token)"}"#
    }

    /// A place that has changed.
    ///
    /// - Parameters:
    ///   - location: Its id; the event's id is that and the revision.
    ///   - revision: Its revision.
    ///   - devices: The audience, each device as JSON.
    ///   - more: Further members of `data`, each with a comma before it.
    /// - Returns: A CloudEvent in structured mode.
    public static func location(_ location: String, revision: Int, devices: [String], more: String = "") -> String {
        #"{"specversion":"1.0","type":"location.updated","source":"/stores","id":"\#(location)-\#(revision)","#
            + #""data":{"locationId":"\#(location)","revision":\#(revision),"latitude":35.68,"longitude":139.76,"#
            + #""radius":150,"app":"shop"\#(more),"audience":{"devices":[\#(devices.joined(separator: ","))]}}}"#
    }

    /// A campaign.
    ///
    /// - Parameters:
    ///   - campaign: Its id, and that of the event.
    ///   - devices: The audience, each device as JSON.
    ///   - more: Further members of `data`, each with a comma before it.
    /// - Returns: A CloudEvent in structured mode.
    public static func campaign(_ campaign: String, devices: [String], more: String = "") -> String {
        #"{"specversion":"1.0","type":"campaign.scheduled","source":"/marketing","id":"\#(campaign)","#
            + #""data":{"campaignId":"\#(campaign)","locationIds":["salePoint"],"app":"shop"\#(more),"#
            + #""audience":{"devices":[\#(devices.joined(separator: ","))]}}}"#
    }
}
