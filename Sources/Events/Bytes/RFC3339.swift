/// Times as RFC 3339 writes them, read without allocation.
enum RFC3339 {
    /// Reads a time with its zone, such as `2026-12-01T09:30:00.5+09:00`.
    ///
    /// Digits beyond milliseconds are cut off. A leap second is the first moment of the next minute.
    ///
    /// - Parameter text: The whole text.
    /// - Returns: Milliseconds since 1970; nil when it is no such time.
    static func millis(_ text: UnsafeRawBufferPointer) -> Int64? {
        var scanner = unsafe Scanner(text: text)
        guard let year = scanner.number(4), scanner.pass("-", "-"), let month = scanner.number(2),
            scanner.pass("-", "-"), let day = scanner.number(2), scanner.pass("T", "t"),
            let hour = scanner.number(2), scanner.pass(":", ":"), let minute = scanner.number(2),
            scanner.pass(":", ":"), let second = scanner.number(2)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= days(of: month, year), hour < 24, minute < 60, second <= 60
        else { return nil }
        var millis: Int64 = 0
        if scanner.pass(".", ".") {
            guard let fraction = scanner.fraction() else { return nil }
            millis = fraction
        }
        guard let zoneMinutes = scanner.zone(), scanner.isAtEnd else { return nil }
        let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zoneMinutes * 60
        return seconds * 1_000 + millis
    }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Howard Hinnant's `days_from_civil`.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension RFC3339 {
    /// A place in a text.
    @safe
    private struct Scanner {
        let text: UnsafeRawBufferPointer
        var index = 0

        init(text: UnsafeRawBufferPointer) { unsafe self.text = text }

        var isAtEnd: Bool { unsafe index == text.count }

        mutating func pass(_ upper: Unicode.Scalar, _ lower: Unicode.Scalar) -> Bool {
            guard !isAtEnd else { return false }
            let byte = unsafe UInt32(text[index])
            guard byte == upper.value || byte == lower.value else { return false }
            index += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// At least one digit, as milliseconds.
        mutating func fraction() -> Int64? {
            guard var value = digit() else { return nil }
            var digits = 1
            while let next = digit() {
                if digits < 3 { value = value * 10 + next }
                digits += 1
            }
            return digits == 1 ? value * 100 : digits == 2 ? value * 10 : value
        }

        mutating func zone() -> Int64? {
            if pass("Z", "z") { return 0 }
            let isEast = pass("+", "+")
            guard isEast || pass("-", "-") else { return nil }
            guard let hours = number(2), pass(":", ":"), let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
        }

        private mutating func digit() -> Int64? {
            guard !isAtEnd else { return nil }
            let value = unsafe text[index] &- 0x30
            guard value < 10 else { return nil }
            index += 1
            return Int64(value)
        }
    }
}
