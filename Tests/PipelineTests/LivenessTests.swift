import Testing

@testable import Pipeline

/// When a probe is told that a restart would help.
@Suite struct LivenessTests {
    private func liveness(_ ages: Int64...) -> Liveness {
        Liveness(threads: ages.map { Liveness.Thread(name: "delivery-0", ageMillis: $0) })
    }

    @Test func `one thread that hangs is enough`() {
        #expect(liveness(0, Liveness.limitMillis).isAlive)
        let hanging = liveness(0, Liveness.limitMillis + 1, 0)
        #expect(!hanging.isAlive)
        #expect(hanging.hanging.map(\.ageMillis) == [Liveness.limitMillis + 1])
    }

    @Test func `a worker whose threads have not begun, or have ended, is alive`() {
        #expect(liveness().isAlive)
    }
}
