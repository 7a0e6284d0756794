import BlockingTestSupport
import EventLoop
import Testing

@testable import HTTP2

@Suite(.blocks) struct ConnectorTests {
    private func results(_ mailbox: ConnectMailbox, _ signal: EventSignal, count: Int) -> [UInt64: Bool] {
        var results: [UInt64: Bool] = [:]
        while results.count < count {
            guard signal.wait(timeoutMillis: 20_000) else { return results }
            signal.lower()
            while let (ticket, result) = mailbox.next() {
                if case .success = result { results[ticket] = true } else { results[ticket] = false }
            }
        }
        return results
    }

    @Test(arguments: [1, 3])
    func `brings each result to its mailbox with its ticket`(threads: Int) throws {
        let peers = try (0..<4).map { _ in try TestPeer { $0.readToEnd() } }
        let connector = try Connector(threads: threads)
        let signals = try [EventSignal(), EventSignal()]
        let mailboxes = signals.map { ConnectMailbox(signal: $0) }
        for (index, peer) in peers.enumerated() {
            connector.connect(
                to: peer.endpoint,
                timeoutMillis: 10_000,
                ticket: UInt64(index),
                mailbox: mailboxes[index % 2]
            )
        }
        let unreachable = Endpoint(host: "127.0.0.1", port: 1, caFile: peers[0].certificate.authority)
        connector.connect(to: unreachable, timeoutMillis: 10_000, ticket: 9, mailbox: mailboxes[0])
        #expect(results(mailboxes[0], signals[0], count: 3) == [0: true, 2: true, 9: false])
        #expect(results(mailboxes[1], signals[1], count: 2) == [1: true, 3: true])
        #expect(mailboxes[0].next() == nil)
    }

    @Test func `ends its threads with itself`() throws {
        let signal = try EventSignal()
        let mailbox = ConnectMailbox(signal: signal)
        for _ in 0..<20 {
            let connector = try Connector(threads: 2)
            connector.connect(
                to: Endpoint(host: "127.0.0.1", port: 1),
                timeoutMillis: 1_000,
                ticket: 1,
                mailbox: mailbox
            )
        }
    }
}
