extension FaultList {
    /// Notes that a value is no JSON, with the place where it stops being it.
    ///
    /// - Parameters:
    ///   - value: The bytes.
    ///   - error: What the parser said.
    ///   - firstLine: The number of their first line in the file that they are part of.
    @inline(never)
    mutating func addMalformed(_ value: UnsafeRawBufferPointer, _ error: JSONError, firstLine: Int = 1) {
        let found: String
        switch error {
        case .tooLong: found = "\(value.count) bytes"
        case .outOfMemory: found = "no memory to parse \(value.count) bytes"
        case .empty where value.count == 0: found = "0 bytes"
        default:
            if let fault = unsafe JSONFaultLocator.locate(value) {
                found = "malformed JSON at line \(fault.line + firstLine - 1), column \(fault.column): \(fault.problem)"
            } else {
                found = "malformed JSON"
            }
        }
        add(.malformedJSON, found: found, expected: "one JSON object")
    }
}
