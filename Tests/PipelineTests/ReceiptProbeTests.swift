import Testing

@testable import Pipeline

struct ReceiptProbeTests {
    @Test func `measures one record at a time`() {
        var probe = ReceiptProbe()
        probe.handedOver(7, nowMillis: 100)
        probe.handedOver(8, nowMillis: 110)
        #expect(probe.acknowledged(8, nowMillis: 120) == nil)
        #expect(probe.acknowledged(7, nowMillis: 130) == 30)
        #expect(probe.acknowledged(7, nowMillis: 140) == nil)
        probe.handedOver(9, nowMillis: 150)
        #expect(probe.acknowledged(9, nowMillis: 150) == 0)
    }

    @Test func `measures nothing before a record was handed over`() {
        var probe = ReceiptProbe()
        #expect(probe.acknowledged(0, nowMillis: 5) == nil)
    }
}
