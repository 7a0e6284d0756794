/// A table that is whole before it is printed: each column as wide as its widest cell.
struct TextTable {
    /// The line above.
    let header: [String]
    /// The lines, each with as many cells as the header.
    var rows: [[String]] = []
    /// The columns whose cells end below each other, as numbers do.
    var numbers: Set<Int> = []

    /// The lines with their line feeds.
    var text: String {
        let lines = [header] + rows
        let widths = header.indices.map { column in lines.map { TextWidth.columns($0[column]) }.max() ?? 0 }
        return lines.map { line(of: $0, widths) }.joined()
    }

    private func line(of cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - TextWidth.columns(cell))
            let isLast = column == cells.count - 1
            if numbers.contains(column) {
                line += padding + cell + (isLast ? "" : "  ")
            } else {
                line += cell + (isLast ? "" : padding + "  ")
            }
        }
        return line + "\n"
    }
}
