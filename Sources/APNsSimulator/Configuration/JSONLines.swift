internal import FoundationEssentials

/// Reads files of one JSON value a line.
enum JSONLines {
    /// Reads all lines.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: What the error calls it.
    ///   - type: The type of each line.
    /// - Returns: The values; empty lines are passed over.
    /// - Throws: ``SimulatorError`` with the number of the first wrong line.
    static func read<Value: Decodable>(
        _ bytes: [UInt8],
        name: String,
        as type: Value.Type
    )
        throws(SimulatorError) -> [Value]
    {
        let decoder = JSONDecoder()
        var values: [Value] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do {
                values.append(try decoder.decode(type, from: Data(line)))
            } catch {
                throw SimulatorError("\(name), line \(number): \(describe(error))")
            }
        }
        return values
    }

    /// What a decoder found wrong, with the path to it.
    static func describe(_ error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String {
            keys.isEmpty ? "" : keys.map(\.stringValue).joined(separator: ".") + ": "
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "\(path(context.codingPath))\(key.stringValue) is missing"
        case DecodingError.typeMismatch(let type, let context):
            return "\(path(context.codingPath))expected \(type)"
        case DecodingError.valueNotFound(let type, let context):
            return "\(path(context.codingPath))expected \(type), found null"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            // The decoder says no more, nor which of these it is.
            return "this is not JSON, or a number is out of range or not whole"
        case DecodingError.dataCorrupted(let context):
            return "\(path(context.codingPath))\(context.debugDescription)"
        default: return "\(error)"
        }
    }
}

/// Any key of a JSON object, to find those that nobody knows.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    /// Throws for an object that has other keys than these.
    static func refuseOthers(than known: [String], in decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard let unknown = container.allKeys.first(where: { !known.contains($0.stringValue) }) else { return }
        throw DecodingError.dataCorruptedError(
            forKey: unknown,
            in: container,
            debugDescription: "unknown key, expected one of \(known.joined(separator: ", "))"
        )
    }
}
