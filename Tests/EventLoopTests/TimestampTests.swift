import EventLoop
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_796_117_400_123, "2026-12-01T09:30:00.123Z"),
            (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `formats a time in UTC with milliseconds`(millis: Int64, text: String) {
        #expect(Timestamp.rfc3339(millis: millis) == text)
    }
}
