/// Why and where a text is not a JSON5 document that can be taken.
struct JSON5Fault: Error, Equatable {
    /// The line, from 1.
    let line: Int
    /// The column in characters, from 1.
    let column: Int
    /// What is wrong there.
    let message: String
}
