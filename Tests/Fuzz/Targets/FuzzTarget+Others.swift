import APNs
import Cryptography
import Operations

@testable import APNsSimulator

extension FuzzTarget {
    static func runConfiguration(_ input: UnsafeRawBufferPointer) {
        _ = try? ConfigurationReader(file: ("file", Array(input))).read()
        // Lists and objects are written so in a variable too.
        let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        _ = try? ConfigurationReader(environment: ["GEOPUSH_APPS": text, "GEOPUSH_KAFKA_PROPERTIES": text]).read()
    }

    static func runAnswer(_ input: UnsafeRawBufferPointer) {
        let body = ErrorBody(input)
        precondition(body.reasonStart + body.reasonCount <= input.count)
        precondition((body.reason(in: input) == nil) == (body.reasonCount == 0))
    }

    static func runToken(_ input: UnsafeRawBufferPointer) {
        _ = WebToken(Array(input))
        var lines = InputLines(input)
        let parts = [Array(lines.next()), Array(lines.next()), [UInt8](repeating: 1, count: 64)]
        let text = parts.map { String(decoding: Base64.encode($0, alphabet: .url), as: UTF8.self) }
            .joined(separator: ".")
        if let token = WebToken(Array(text.utf8)) {
            precondition(!token.keyID.isEmpty && !token.teamID.isEmpty && token.signature == parts[2])
        }
    }

    static func runKey(_ input: UnsafeRawBufferPointer) {
        let pem = Array(input)
        _ = try? P256.VerifyingKey(pem: pem)
        guard let key = try? P256.SigningKey(pem: pem), let signature = try? key.sign([1, 2, 3]) else { return }
        precondition(key.verifyingKey.isValid(signature: signature, of: [1, 2, 3]))
    }
}
