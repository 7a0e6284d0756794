import EndToEndSupport
import EventLoop
import Synchronization

/// Events with known audiences: place `p` has twenty devices of its own, and gets one revision after the other.
final class Load: Sendable {
    /// How many devices a place has.
    static let devices = 20
    /// How many places there are.
    static let places = 400
    /// How often it publishes, in milliseconds.
    private static let tickMillis: Int64 = 100

    private struct State {
        var events = 0
        var failure: String?
    }

    private let state = Mutex(State())
    private let isEnding = Atomic<Bool>(false)
    /// Never raised: what a wait ends by is its time.
    private let pause: EventSignal
    private let publisher: Publisher
    private let topic: String
    private let eventsPerTick: Int

    init(_ installation: Installation, pushesPerSecond: Int) throws {
        publisher = try Publisher(installation.settings("load", [("message.timeout.ms", "120000")]))
        pause = try EventSignal()
        topic = installation.prefix + "location-events"
        eventsPerTick = max(1, pushesPerSecond / Self.devices / Int(1_000 / Self.tickMillis))
    }

    /// How many events have been published.
    var events: Int { state.withLock { $0.events } }
    /// How many pushes follow from them.
    var pushes: Int { events * Self.devices }
    /// Why it has ended before it was asked to.
    var failure: String? { state.withLock { $0.failure } }

    /// Publishes until it is asked to end; the body of a thread.
    func run() {
        var next = 0
        var dueMillis = Clock.monotonicMillis()
        while !isEnding.load(ordering: .acquiring) {
            let numbers = next..<next + eventsPerTick
            do {
                try publisher.publish(numbers.map(Self.message), to: topic)
            } catch {
                return state.withLock { $0.failure = "\(error)" }
            }
            next += eventsPerTick
            state.withLock { $0.events = next }
            dueMillis += Self.tickMillis
            let now = Clock.monotonicMillis()
            // What brokers that were away have held up is made up for.
            if dueMillis > now { _ = pause.wait(timeoutMillis: Int(dueMillis - now)) }
        }
    }

    /// Asks it to end.
    func end() { isEnding.store(true, ordering: .releasing) }

    private static func message(_ number: Int) -> Message {
        let place = number % places
        let devices = (0..<Self.devices).map { EventJSON.device(TestTokens.known(place * Self.devices + $0)) }
        return Message(
            key: "p\(place)",
            value: EventJSON.location("p\(place)", revision: number / places, devices: devices)
        )
    }
}

/// Which push something is about: its token, and which revision of the token's place.
struct PushID: Hashable {
    let token: Int
    let revision: Int

    /// Its number among all: event by event, device by device.
    var number: Int {
        (revision * Load.places + token / Load.devices) * Load.devices + token % Load.devices
    }
}
