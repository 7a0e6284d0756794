import APNs
import Testing

@Suite struct `Reason of an answer` {
    @Test(arguments: KnownReason.allCases)
    func `is found by its spelling`(reason: KnownReason) {
        #expect(read("\(reason.name)") == .known(reason))
        #expect("\(Reason.known(reason))" == "\(reason.name)")
    }

    @Test func `is told apart from every other`() {
        #expect(Set(KnownReason.allCases.map { "\($0.name)" }).count == KnownReason.allCases.count)
    }

    @Test func `has both spellings of the key for another environment`() {
        #expect(read("BadEnvironmentKeyIdInToken") == .known(.badEnvironmentKeyIDInToken))
        #expect(read("BadEnvironmentKeyInToken") == .known(.badEnvironmentKeyInToken))
    }

    @Test(arguments: ["ReasonOfTomorrow", "baddevicetoken", "BadDeviceToke", "BadDeviceTokens", "理由", "a b\\n"])
    func `is kept verbatim where it is unknown`(text: String) {
        #expect(read(text) == .unknown(text))
        #expect("\(read(text))" == text)
        #expect(read(text).known == nil)
    }

    @Test(arguments: [128, 129, 5_000])
    func `is cut where it is absurdly long`(count: Int) {
        #expect(read(String(repeating: "a", count: count)) == .unknown(String(repeating: "a", count: 128)))
    }

    private func read(_ text: String) -> Reason {
        Array(text.utf8).withUnsafeBytes { Reason($0) }
    }
}
