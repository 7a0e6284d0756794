import BlockingTestSupport
import Testing

@testable import HTTP2

@Suite(.blocks, .enabled(if: Nghttpd.path != nil, "nghttpd is not installed"))
struct NghttpdTests {
    @Test(arguments: [1, 7, 1_000], [[], ["--window-bits=4", "--connection-window-bits=16"], ["-c", "0"]])
    func `sends thousands of requests within the server's bounds`(streams: Int, options: [String]) throws {
        let server = try #require(try Nghttpd(streams: streams, options: options))
        let client = try server.client()
        var (submitted, answered, mostOpen) = (0, 0, 0)
        while answered < 2_000 {
            while submitted < 2_000, client.submit(UInt32(submitted), path: "/server.pem") { submitted += 1 }
            mostOpen = max(mostOpen, client.connection.openStreams)
            switch client.next() {
            case .response(_, let status, _):
                #expect(status == 200)
                #expect(client.connection.responseBody.starts(with: Array("-----BEGIN".utf8)))
                answered += 1
            case .streamLimitChanged(let limit): #expect(limit == streams)
            case let event:
                Issue.record("\(String(describing: event))")
                return
            }
        }
        #expect(mostOpen <= streams)
        #expect(client.connection.openStreams == 0)
    }

    @Test func `reads the body of an error and trailers`() throws {
        let server = try #require(try Nghttpd(streams: 10, options: ["--trailer", "x-checksum: 1", "-b", "200"]))
        let client = try server.client()
        #expect(client.submit(1, path: "/nothing"))
        #expect(client.nextFinal() == .response(tag: 1, status: 404, retryAfterSeconds: -1))
        #expect(String(decoding: client.connection.responseBody, as: UTF8.self).contains("404"))
    }
}
