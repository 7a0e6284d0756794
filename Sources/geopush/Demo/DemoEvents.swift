internal import APNsSimulator
internal import EventLoop

/// What the demo publishes, and for whom: three places, and a campaign to many devices.
struct DemoEvents {
    /// One event on its way to a topic.
    struct Event {
        let isCampaign: Bool
        let json: String
        let summary: String
    }

    static let appTopic = "com.example.shop"
    /// Every so many devices one has lost the app, and one was never known to APNs.
    private static let unregisteredEvery = 50
    private static let unknownEvery = 75

    let all: [Event]
    /// The devices that APNs knows.
    let devices: [SimulatedDevice]
    /// One for each device of each event, and one for a malformed token.
    let receiptCount: Int

    init(campaignDevices: Int) {
        let tokens = (1...campaignDevices).map(Self.token)
        let named = Array(tokens.prefix(20))
        let places = [Self.salePoint, Self.roppongi, Self.site]
        all =
            places.map { place in
                Event(
                    isCampaign: false,
                    json: Self.locationEvent(place, tokens: named),
                    summary: "location.updated \(place.id) (\(place.text)) for \(named.count + 1) devices"
                )
            } + [
                Event(
                    isCampaign: true,
                    json: Self.campaignEvent(tokens: tokens),
                    summary: "campaign.scheduled winter-sale for \(tokens.count) devices"
                )
            ]
        let lostAtMillis = Clock.wallMillis() - 86_400_000
        devices = tokens.indices.compactMap { index in
            if index % Self.unknownEvery == Self.unknownEvery - 1 { return nil }
            let isLost = index % Self.unregisteredEvery == Self.unregisteredEvery - 1
            return SimulatedDevice(
                token: tokens[index],
                topic: Self.appTopic,
                unregisteredAtMillis: isLost ? lostAtMillis : nil
            )
        }
        receiptCount = places.count * (named.count + 1) + tokens.count
    }

    // MARK: - The places of the documents that the product comes from

    private struct Place {
        let id: String
        let text: String
        let region: String
        let notification: String
    }

    private static let salePoint = Place(
        id: "salePoint",
        text: "近くでセール開催中！",
        region: #""latitude":35.681236,"longitude":139.767125,"radius":50.0,"notifyOnExit":false"#,
        notification: #"{"body":"近くでセール開催中！","sound":"default","badge":1}"#
    )
    private static let roppongi = Place(
        id: "roppongi",
        text: "目的地に着きました！",
        region: #""latitude":35.6663268,"longitude":139.731032,"radius":100.0,"notifyOnExit":false"#,
        notification: #"{"body":"目的地に着きました！","sound":"default","actionLabel":"OK"}"#
    )
    private static let site = Place(
        id: "site",
        text: "次のサイトを確認してください。",
        region: #""latitude":35.579,"longitude":139.6645,"radius":150.0"#,
        notification:
            #"{"body":"次のサイトを確認してください。","sound":"notify.aiff","badge":1,"actionUrl":"http://jp.fujitsu.com/"}"#
    )

    private static func locationEvent(_ place: Place, tokens: [String]) -> String {
        let devices = tokens.enumerated().map { device($0.element, $0.offset) } + [#"{"token":"not-a-token"}"#]
        return #"{"specversion":"1.0","type":"location.updated","source":"/demo/stores","id":"\#(place.id)-1","#
            + #""data":{"locationId":"\#(place.id)","revision":1,\#(place.region),"inlineRegion":true,"#
            + #""notification":\#(place.notification),"app":"shop","#
            + #""audience":{"devices":[\#(devices.joined(separator: ","))]}}}"#
    }

    private static func campaignEvent(tokens: [String]) -> String {
        let devices = tokens.enumerated().map { device($0.element, $0.offset) }
        return #"{"specversion":"1.0","type":"campaign.scheduled","source":"/demo/marketing","id":"winter-sale-1","#
            + #""data":{"campaignId":"winter-sale","locationIds":["salePoint","roppongi"],"app":"shop","#
            + #""audience":{"devices":[\#(devices.joined(separator: ","))]}}}"#
    }

    private static func device(_ token: String, _ index: Int) -> String {
        #"{"token":"\#(token)","deviceId":"phone-\#(index + 1)"}"#
    }

    private static func token(_ number: Int) -> String {
        let text = String(number, radix: 16)
        return "d0" + String(repeating: "0", count: 62 - text.count) + text
    }
}
