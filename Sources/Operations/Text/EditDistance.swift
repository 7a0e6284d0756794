/// How far two words are apart, to suggest the one that was meant.
enum EditDistance {
    /// Counts the insertions, removals and replacements that turn one text into another.
    static func between(_ left: String, _ right: String) -> Int {
        let source = Array(left.unicodeScalars)
        let target = Array(right.unicodeScalars)
        var previous = Array(0...target.count)
        for (row, scalar) in source.enumerated() {
            var current = [row + 1]
            for (column, other) in target.enumerated() {
                let replaced = previous[column] + (scalar == other ? 0 : 1)
                current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[target.count]
    }

    /// Finds the candidate that is nearest to a text, letters' case aside.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - candidates: What is known.
    /// - Returns: The nearest candidate, or nil when none is near: more than a third of its letters differ.
    static func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
        let scored = candidates.map { (name: $0, distance: between(text.lowercased(), $0.lowercased())) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.unicodeScalars.count / 3) ? best.name : nil
    }
}
