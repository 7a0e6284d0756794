/// The push types that APNs knows, with what each demands of topic and size.
enum PushType: UInt8, CaseIterable {
    case alert, background, location, voip, complication, fileProvider, mdm, liveActivity, pushToTalk, widgets, controls

    init?(_ name: Span<UInt8>) {
        for type in Self.allCases where name.equals(type.name) {
            self = type
            return
        }
        return nil
    }

    var name: StaticString {
        switch self {
        case .alert: "alert"
        case .background: "background"
        case .location: "location"
        case .voip: "voip"
        case .complication: "complication"
        case .fileProvider: "fileprovider"
        case .mdm: "mdm"
        case .liveActivity: "liveactivity"
        case .pushToTalk: "pushtotalk"
        case .widgets: "widgets"
        case .controls: "controls"
        }
    }

    /// What stands behind the bundle ID in the topic.
    var topicSuffix: StaticString {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileProvider: ".pushkit.fileprovider"
        case .liveActivity: ".push-type.liveactivity"
        case .pushToTalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    var payloadBytesMax: Int { self == .voip ? 5120 : 4096 }

    /// The type whose suffix a topic has; nil for a bare bundle ID.
    static func suffixed(_ topic: Span<UInt8>) -> PushType? {
        for type in allCases where type.topicSuffix.utf8CodeUnitCount > 0 && topic.ends(with: type.topicSuffix) {
            return type
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether the last bytes are those of a text.
    func ends(with text: StaticString) -> Bool {
        let suffixCount = text.utf8CodeUnitCount
        return count >= suffixCount && extracting(count - suffixCount..<count).equals(text)
    }
}
