internal import Operations

/// The figures of one bench, in the order in which they came.
final class BenchReport {
    private let name: String
    private let pushes: Int
    private var figures: [(name: String, value: Double)] = []

    init(_ name: String, pushes: Int) {
        self.name = name
        self.pushes = pushes
    }

    /// Adds a figure.
    func add(_ name: String, _ value: Double) { figures.append((name, value)) }

    /// Prints all, as one JSON object on one line or as lines to read.
    func print(asJSON: Bool) {
        if asJSON {
            let members = figures.map { "\"\($0.name)\":\(rounded($0.value))" }.joined(separator: ",")
            StandardStream.output.write("{\"bench\":\"\(name)\",\"pushes\":\(pushes),\(members)}\n")
        } else {
            StandardStream.output.write("\(name), \(pushes) pushes\n")
            for figure in figures { StandardStream.output.write("  \(figure.name): \(rounded(figure.value))\n") }
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
