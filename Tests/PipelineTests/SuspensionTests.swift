import Testing

@testable import Pipeline

@Suite struct SuspensionTests {
    @Test func `a lane that runs is not suspended`() {
        var suspension = Suspension(limitMillis: 5_000, nowMillis: 0)
        #expect(suspension.turned(nowMillis: 4_999) == false)
        #expect(suspension.turned(nowMillis: 9_998) == false)
        #expect(!suspension.isActive)
    }

    @Test func `a lane that stood for the limit sends nothing until its membership is proved`() {
        var suspension = Suspension(limitMillis: 5_000, nowMillis: 0)
        #expect(suspension.turned(nowMillis: 5_000) == true)
        #expect(suspension.isActive)
        #expect(suspension.turned(nowMillis: 5_001) == false)
        #expect(suspension.isActive)
        suspension.proved()
        #expect(!suspension.isActive)
    }

    @Test func `a second pause before the proof asks for nothing more`() {
        var suspension = Suspension(limitMillis: 10, nowMillis: 0)
        #expect(suspension.turned(nowMillis: 10) == true)
        #expect(suspension.turned(nowMillis: 30) == false)
    }
}
