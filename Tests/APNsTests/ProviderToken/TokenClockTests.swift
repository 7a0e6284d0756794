import APNs
import Testing

@Suite struct `Token clock` {
    private static let hour: Int64 = 3_600_000
    private static let minute: Int64 = 60_000
    /// 2026-12-01 09:00:00 UTC, a half hour's start.
    private static let start: Int64 = 1_796_115_600_000

    @Test(
        arguments: [
            (0, -1_800), (599, -1_800), (600, 0), (601, 0), (2_399, 0), (2_400, 1_800), (4_199, 1_800), (4_200, 3_600),
            (-1, -1_800), (-1_200, -1_800), (-1_201, -3_600),
        ] as [(Int64, Int64)]
    )
    func `issues for a half hour's start at least ten minutes ago`(wall: Int64, expected: Int64) {
        #expect(TokenClock.issuedAt(wallSeconds: wall) == expected)
    }

    @Test func `keeps every token between 10 and 40 minutes old`() {
        for second in stride(from: Self.start / 1_000, to: Self.start / 1_000 + 7_200, by: 7) {
            let age = second - TokenClock.issuedAt(wallSeconds: second)
            #expect((600..<2_400).contains(age))
        }
    }

    @Test func `agrees with every other that started at any other time`() {
        var clocks: [TokenClock] = []
        for minute in 0..<180 {
            let now = Int64(minute) * Self.minute
            clocks.append(TokenClock())
            for index in clocks.indices { _ = clocks[index].tick(wallMillis: Self.start + now, nowMillis: now) }
            #expect(Set(clocks.map(\.issuedAtSeconds)).count == 1)
        }
    }

    @Test func `issues once and keeps it`() {
        var clock = TokenClock()
        #expect(clock.tick(wallMillis: Self.start, nowMillis: 0) == Self.start / 1_000 - 1_800)
        #expect(clock.tick(wallMillis: Self.start, nowMillis: 0) == nil)
        #expect(clock.tick(wallMillis: Self.start + 599_999, nowMillis: 599_999) == nil)
        #expect(clock.tick(wallMillis: Self.start + 600_000, nowMillis: 600_000) == Self.start / 1_000)
    }

    @Test func `issues every half hour, none older than an hour, over two hours`() {
        var log = Log()
        log.run(minutes: 120, wallOffset: 0)
        #expect(log.issued.count == 5)
        #expect(log.ageSecondsMax < 2_400)
        #expect(log.updateIntervalsMillis.allSatisfy { $0 == 30 * Self.minute })
    }

    /// Time passes in steps of a second; the first token replaces none.
    private struct Log {
        var clock = TokenClock()
        var now: Int64 = 0
        var issued: [(atMillis: Int64, issuedAt: Int64)] = []
        var ageSecondsMax: Int64 = 0

        mutating func run(minutes: Int64, wallOffset: Int64) {
            for _ in 0..<minutes * 60 {
                now += 1_000
                let wall = `Token clock`.start + now + wallOffset
                if let issuedAt = clock.tick(wallMillis: wall, nowMillis: now) { issued.append((now, issuedAt)) }
                ageSecondsMax = max(ageSecondsMax, wall / 1_000 - (clock.issuedAtSeconds ?? 0))
            }
        }

        /// Between replacements, so without the first token.
        var updateIntervalsMillis: [Int64] {
            zip(issued.dropFirst(2), issued.dropFirst()).map { $0.atMillis - $1.atMillis }
        }
    }

    @Test(arguments: [-hour, hour, -2 * minute, 2 * minute, -24 * hour, 24 * hour], [1, 7, 12, 25, 41, 59] as [Int64])
    func `replaces no token within 20 minutes of the last though the clock steps away and back`(
        step: Int64,
        minutes: Int64
    ) {
        var log = Log()
        log.run(minutes: 61, wallOffset: 0)
        for turn in 0..<6 { log.run(minutes: minutes, wallOffset: turn.isMultiple(of: 2) ? step : 0) }
        log.run(minutes: 61, wallOffset: 0)
        #expect(log.updateIntervalsMillis.allSatisfy { $0 >= TokenClock.updateIntervalMillis })
        let age = (Self.start + log.now) / 1_000 - (log.clock.issuedAtSeconds ?? 0)
        #expect((600..<2_400).contains(age))
    }

    @Test(arguments: [-hour, hour])
    func `follows a clock that was set right by an hour within 20 minutes`(step: Int64) {
        var log = Log()
        log.run(minutes: 65, wallOffset: 0)
        log.run(minutes: 21, wallOffset: step)
        let age = (Self.start + log.now + step) / 1_000 - (log.clock.issuedAtSeconds ?? 0)
        #expect((600..<2_400).contains(age))
    }

    @Test func `stays with its token when the clock goes back a little over the half hour's start`() {
        var clock = TokenClock()
        _ = clock.tick(wallMillis: Self.start + 600_000, nowMillis: 0)
        #expect(clock.tick(wallMillis: Self.start + 599_000, nowMillis: 1_000) == nil)
        #expect(clock.tick(wallMillis: Self.start + 601_000, nowMillis: 3_000) == nil)
        #expect(clock.issuedAtSeconds == Self.start / 1_000)
    }

    @Test func `issues for this second after an expired token, once in 20 minutes`() {
        var clock = TokenClock()
        _ = clock.tick(wallMillis: Self.start, nowMillis: 0)
        let wall = Self.start + 5_000
        let next = 5_000 + TokenClock.updateIntervalMillis
        #expect(clock.expired(wallMillis: wall, nowMillis: 5_000) == wall / 1_000)
        #expect(clock.expired(wallMillis: wall + 1_000, nowMillis: 6_000) == nil)
        #expect(clock.nextUpdateMillis(nowMillis: 6_000) == next)
        #expect(clock.expired(wallMillis: wall, nowMillis: next - 1) == nil)
        #expect(clock.expired(wallMillis: wall, nowMillis: next) == wall / 1_000)
    }

    @Test func `returns to the rule 20 to 40 minutes after an expired token`() {
        for second in stride(from: Int64(0), to: 1_800, by: 13) {
            var clock = TokenClock()
            let begin = Self.start + second * 1_000
            _ = clock.tick(wallMillis: begin, nowMillis: 0)
            _ = clock.expired(wallMillis: begin, nowMillis: 0)
            var now: Int64 = 0
            while clock.issuedAtSeconds == begin / 1_000 {
                now += 1_000
                _ = clock.tick(wallMillis: begin + now, nowMillis: now)
            }
            #expect((20 * Self.minute...41 * Self.minute).contains(now))
            #expect(clock.issuedAtSeconds == TokenClock.issuedAt(wallSeconds: (begin + now) / 1_000))
        }
    }

    @Test func `issues no other for 20 minutes after APNs refused one`() {
        var clock = TokenClock()
        _ = clock.tick(wallMillis: Self.start + 9 * Self.minute, nowMillis: 0)
        clock.updatesRefused(nowMillis: 30_000)
        #expect(clock.tick(wallMillis: Self.start + 10 * Self.minute, nowMillis: Self.minute) == nil)
        #expect(clock.expired(wallMillis: Self.start + 10 * Self.minute, nowMillis: Self.minute) == nil)
        let later = 30_000 + TokenClock.updateIntervalMillis
        #expect(clock.tick(wallMillis: Self.start + 9 * Self.minute + later, nowMillis: later) == Self.start / 1_000)
    }
}
