/// How many columns of a terminal a text takes, as East Asian characters and emoji take two.
enum TextWidth {
    /// The ranges of Unicode's East Asian Width W and F, joined where only unassigned characters lie between.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]

    /// The columns of a text on one line.
    static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// The beginning of a text that fits in some columns.
    static func prefix(_ text: String, columns limit: Int) -> String {
        var rest = limit
        return String(
            text.prefix { character in
                rest -= columns(character)
                return rest >= 0
            }
        )
    }

    private static func columns(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if wide.contains(where: { $0.contains(first.value) }) { return 2 }
        // The half-width sound marks of Japanese stand beside their character, of which Swift has them be a part.
        if scalars.dropFirst().contains(where: { (0xFF9E...0xFF9F).contains($0.value) }) { return 2 }
        return first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") ? 2 : 1
    }
}
