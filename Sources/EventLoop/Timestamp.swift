/// Times as text: RFC 3339 in UTC with milliseconds.
public enum Timestamp {
    /// Formats a time as `2026-12-01T09:30:00.000Z`.
    ///
    /// - Parameter millis: Milliseconds since 1970; years 0 to 9999.
    /// - Returns: 24 characters.
    public static func rfc3339(millis: Int64) -> String {
        var bytes = InlineArray<24, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        write(millis: millis, into: &span)
        var text = ""
        for index in 0..<24 { text.unicodeScalars.append(Unicode.Scalar(span[index])) }
        return text
    }

    /// Writes the 24 bytes of ``rfc3339(millis:)`` without allocating.
    ///
    /// - Parameters:
    ///   - millis: Milliseconds since 1970; years 0 to 9999.
    ///   - span: At least 24 bytes; the first 24 are written.
    public static func write(millis: Int64, into span: inout MutableSpan<UInt8>) {
        let days = millis >= 0 ? millis / 86_400_000 : (millis - 86_399_999) / 86_400_000
        let rest = millis - days * 86_400_000
        // Howard Hinnant's civil_from_days: days since 1970 to year, month, day.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        put(year, 4, at: 0, "-", into: &span)
        put(month, 2, at: 5, "-", into: &span)
        put(day, 2, at: 8, "T", into: &span)
        put(rest / 3_600_000, 2, at: 11, ":", into: &span)
        put(rest / 60_000 % 60, 2, at: 14, ":", into: &span)
        put(rest / 1_000 % 60, 2, at: 17, ".", into: &span)
        put(rest % 1_000, 3, at: 20, "Z", into: &span)
    }

    private static func put(
        _ value: Int64,
        _ digits: Int,
        at start: Int,
        _ separator: Unicode.Scalar,
        into span: inout MutableSpan<UInt8>
    ) {
        var rest = value
        for index in stride(from: start + digits - 1, through: start, by: -1) {
            span[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
        span[start + digits] = UInt8(truncatingIfNeeded: separator.value)
    }
}
