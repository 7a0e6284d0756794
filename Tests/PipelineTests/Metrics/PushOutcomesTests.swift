import APNs
import Events
import Observability
import Testing

@testable import Pipeline

struct PushOutcomesTests {
    /// The samples that are not 0.
    private func counted(_ outcomes: borrowing PushOutcomes) -> [String] {
        var sum: [UInt64] = []
        outcomes.add(to: &sum)
        return lines(sum).filter { !$0.hasSuffix(" 0") }
    }

    private func lines(_ sum: [UInt64]) -> [String] {
        var text = ExpositionText()
        text.begin(MetricDescription("p", .counter, labels: ["s", "r"], "Pushes."))
        PushOutcomes.write(sum, to: &text)
        return text.text.split(separator: "\n").dropFirst(2).map(String.init)
    }

    @Test(arguments: ReceiptStatus.allCases)
    func `counts each status by itself`(status: ReceiptStatus) {
        let outcomes = PushOutcomes()
        outcomes.count(status)
        outcomes.count(status)
        #expect(counted(outcomes) == [#"p{s="\#(status.text)",r=""} 2"#])
    }

    @Test(arguments: KnownReason.allCases)
    func `counts each reason of Apple by itself`(reason: KnownReason) {
        let outcomes = PushOutcomes()
        outcomes.count(.rejected, .known(reason))
        #expect(counted(outcomes) == [#"p{s="rejected",r="\#(reason.name)"} 1"#])
    }

    @Test(arguments: PushOutcomes.own.indices)
    func `counts each reason of ours by itself`(index: Int) {
        let outcomes = PushOutcomes()
        let reason = PushOutcomes.own[index]
        outcomes.count(.expired, own: reason)
        #expect(counted(outcomes) == [#"p{s="expired",r="\#(reason)"} 1"#])
    }

    @Test func `counts what it does not know as other`() {
        let outcomes = PushOutcomes()
        outcomes.count(.rejected, .unknown("BrandNewReason"))
        outcomes.count(.rejected, .unknown("Another"))
        outcomes.count(.failed, own: "geopush:not-in-the-list")
        #expect(counted(outcomes) == [#"p{s="rejected",r="other"} 2"#, #"p{s="failed",r="other"} 1"#])
    }

    @Test func `shows at 0 what a push may be rejected for, and no more`() {
        let lines = lines([])
        #expect(lines.allSatisfy { $0.hasSuffix(" 0") })
        #expect(lines.contains(#"p{s="accepted",r=""} 0"#))
        #expect(lines.contains(#"p{s="rejected",r="BadDeviceToken"} 0"#))
        #expect(lines.contains(#"p{s="rejected",r="geopush:unknown-app"} 0"#))
        #expect(!lines.contains { $0.contains("InvalidProviderToken") })
        #expect(lines.count < 60)
        #expect(Set(lines).count == lines.count)
    }
}
