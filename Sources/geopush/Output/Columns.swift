/// Lines whose cells stand one below the other, for tables whose end is not known yet.
struct Columns {
    /// The least width of each cell but the last.
    let widths: [Int]

    /// Puts cells side by side; a cell that is too wide moves those behind it.
    ///
    /// - Parameters:
    ///   - cells: The texts.
    ///   - paint: Colours a cell, by its index; padding is counted without it.
    /// - Returns: The line with its line feed.
    func line(_ cells: [String], paint: (Int, String) -> String = { $1 }) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += paint(index, cell)
            let isLast = index == cells.count - 1
            if !isLast { line += String(repeating: " ", count: max(0, widths[index] - TextWidth.columns(cell)) + 2) }
        }
        return line + "\n"
    }
}
