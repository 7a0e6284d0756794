import Testing

@testable import Pipeline

@Suite struct CommitScheduleTests {
    @Test func `nothing finished is nothing to commit`() {
        var schedule = CommitSchedule()
        #expect(schedule.isDue(nowMillis: 1_000_000) == false)
        #expect(schedule.dueMillis == nil)
    }

    @Test func `commits once a second`() {
        var schedule = CommitSchedule()
        schedule.started(nowMillis: 10_000)
        schedule.acknowledged()
        schedule.advanced(by: 1)
        #expect(schedule.isDue(nowMillis: 10_999) == false)
        #expect(schedule.isDue(nowMillis: 11_000) == true)
        #expect(schedule.dueMillis == 11_000)
    }

    @Test func `commits sooner after ten thousand pushes but not without a pause`() {
        var schedule = CommitSchedule()
        schedule.started(nowMillis: 10_000)
        schedule.acknowledged()
        schedule.advanced(by: 9_999)
        #expect(schedule.isDue(nowMillis: 10_500) == false)
        schedule.advanced(by: 1)
        #expect(schedule.isDue(nowMillis: 10_199) == false)
        #expect(schedule.isDue(nowMillis: 10_200) == true)
    }

    @Test func `one commit is in flight at a time`() {
        var schedule = CommitSchedule()
        schedule.advanced(by: 1)
        #expect(schedule.isDue(nowMillis: 5_000) == true)
        schedule.started(nowMillis: 5_000)
        schedule.advanced(by: 20_000)
        #expect(schedule.isDue(nowMillis: 9_000) == false)
        schedule.acknowledged()
        #expect(schedule.isDue(nowMillis: 9_000) == true)
    }

    @Test func `a failed commit is tried again after a pause without new pushes`() {
        var schedule = CommitSchedule()
        schedule.advanced(by: 1)
        schedule.started(nowMillis: 5_000)
        schedule.failed(nowMillis: 5_100)
        #expect(schedule.isDue(nowMillis: 5_599) == false)
        #expect(schedule.isDue(nowMillis: 5_600) == true)
    }

    @Test func `a commit that is never answered does not end commits`() {
        var schedule = CommitSchedule()
        schedule.advanced(by: 1)
        schedule.started(nowMillis: 0)
        schedule.advanced(by: 1)
        #expect(schedule.isDue(nowMillis: 59_999) == false)
        #expect(schedule.isDue(nowMillis: 60_000) == true)
    }
}
