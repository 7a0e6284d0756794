internal import Glibc

/// What kind of push it is (`apns-push-type`).
public enum PushType: UInt8, Sendable, CaseIterable {
    /// Shown by the system.
    case alert
    /// Wakes the app, silently.
    case background
    /// Asks a location push service extension.
    case location
    /// An incoming call.
    case voip
    /// Updates a complication of a watch.
    case complication
    /// Tells a file provider of changes.
    case fileprovider
    /// Device management.
    case mdm
    /// Updates a Live Activity.
    case liveactivity
    /// Push to talk.
    case pushtotalk
    /// Reloads widgets.
    case widgets
    /// Reloads controls.
    case controls

    /// The value of the header.
    public var name: StaticString {
        switch self {
        case .alert: "alert"
        case .background: "background"
        case .location: "location"
        case .voip: "voip"
        case .complication: "complication"
        case .fileprovider: "fileprovider"
        case .mdm: "mdm"
        case .liveactivity: "liveactivity"
        case .pushtotalk: "pushtotalk"
        case .widgets: "widgets"
        case .controls: "controls"
        }
    }

    /// The largest body, in bytes.
    public var bodyBytesMax: Int { self == .voip ? 5_120 : 4_096 }

    /// Whether its topic is the bundle ID alone, without a suffix.
    public var hasBareTopic: Bool { self == .alert || self == .background }

    /// Reads the value of the header.
    ///
    /// - Parameter bytes: The value.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        for number in PushType.alert.rawValue...PushType.controls.rawValue {
            guard let type = PushType(rawValue: number) else { continue }
            let name = type.name
            if name.utf8CodeUnitCount == bytes.count, unsafe memcmp(name.utf8Start, start, bytes.count) == 0 {
                self = type
                return
            }
        }
        return nil
    }
}

/// How soon a push is delivered (`apns-priority`).
public enum Priority: UInt8, Sendable, CaseIterable {
    /// Never wakes the device.
    case low = 1
    /// As the device's power allows; the only one for silent pushes.
    case powerAware = 5
    /// At once.
    case immediate = 10

    /// The value of the header.
    public var name: StaticString {
        switch self {
        case .low: "1"
        case .powerAware: "5"
        case .immediate: "10"
        }
    }

    /// Reads the value of the header.
    ///
    /// - Parameter bytes: The value.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 1 where unsafe bytes[0] == UInt8(ascii: "1"): self = .low
        case 1 where unsafe bytes[0] == UInt8(ascii: "5"): self = .powerAware
        case 2 where unsafe bytes[0] == UInt8(ascii: "1") && bytes[1] == UInt8(ascii: "0"): self = .immediate
        default: return nil
        }
    }
}
