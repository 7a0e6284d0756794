internal import EventLoop
internal import HTTP2
internal import Synchronization

/// What the thread of a simulator starts with and leaves behind.
final class Launch: Sendable {
    /// Moved to the thread once.
    struct Parts: ~Copyable {
        var listener: Listener?
        var log: RequestLog?
    }

    /// What was counted and kept.
    struct Outcome: Sendable {
        var summary = SimulatorSummary()
        var answers: [AnsweredRequest] = []
    }

    let mailbox: LoopMailbox
    private let options: SimulatorOptions
    private let judge: RequestJudge
    private let tls: ServerTLS
    private let parts: Mutex<Parts>
    private let outcome = Mutex(Outcome())

    init(
        _ options: SimulatorOptions,
        _ judge: RequestJudge,
        _ tls: ServerTLS,
        _ mailbox: LoopMailbox,
        _ parts: consuming sending Parts
    ) {
        self.options = options
        self.judge = judge
        self.tls = tls
        self.mailbox = mailbox
        self.parts = Mutex(parts)
    }

    /// The last state, once the loop is over.
    var last: Outcome { outcome.withLock { $0 } }

    /// What was counted so far, or until the end; the loop must have been started.
    var summary: SimulatorSummary { mailbox.call { $0.summary } ?? last.summary }

    /// Replaces all faults; done when this returns; the loop must have been started.
    func setFaults(_ rules: [FaultRule]) {
        _ = mailbox.call { loop in loop.faults.set(rules, nowMillis: loop.moment.nowMillis) }
    }

    /// Makes the loop and runs it to its end; called on its thread.
    ///
    /// - Parameter reply: Gets the error that kept the loop from starting, or nil.
    func run(_ reply: Reply<SystemError?>) {
        let loop: SimulatorLoop
        do throws(SystemError) {
            guard let made = try makeLoop() else { return reply.set(nil) }
            loop = made
        } catch {
            _ = mailbox.finish()
            return reply.set(error)
        }
        reply.set(nil)
        loop.run()
        outcome.withLock { $0 = Outcome(summary: loop.summary, answers: loop.kept) }
    }

    private func makeLoop() throws(SystemError) -> SimulatorLoop? {
        let taken = parts.withLock { parts in
            Parts(listener: parts.listener.take(), log: parts.log.take())
        }
        return try Self.makeLoop(options, judge, tls, mailbox, taken)
    }

    private static func makeLoop(
        _ options: SimulatorOptions,
        _ judge: RequestJudge,
        _ tls: ServerTLS,
        _ mailbox: LoopMailbox,
        _ parts: consuming Parts
    )
        throws(SystemError) -> SimulatorLoop?
    {
        guard let listener = parts.listener.take() else { return nil }
        return try SimulatorLoop(options, judge, tls, parts.log.take(), listener, mailbox)
    }
}
