import EndToEndSupport
import EventLoop
import Foundation
import Glibc
import KafkaTestSupport

/// The workers, the brokers and the APNs, and what is done to them.
@MainActor
final class Fleet {
    /// A worker whose unfinished work another one took over: when, and who it was.
    struct Loss {
        let worker: pid_t
        let atMillis: Int64
    }

    private let installation: Installation
    private var workers: [GeopushProcess] = []
    private var all: [GeopushProcess] = []
    private var awayBroker: Int?
    private var returning: Task<Void, any Error>?
    /// Kills, in order.
    private(set) var kills: [Loss] = []
    private(set) var brokerKills = 0
    private(set) var pauses = 0
    private(set) var replacements = 0
    /// Exit codes of workers that ended without being asked to.
    private(set) var endedByThemselves: [String] = []
    /// The most memory that a worker had, in MiB.
    private(set) var peakMiB = 0

    init(_ installation: Installation, workers count: Int) async throws {
        self.installation = installation
        workers = try await installation.startWorkers(count)
        all = workers
    }

    /// Does one thing.
    func act(_ action: Plan.Action) throws {
        switch action {
        case .killWorker(let index):
            kills.append(Loss(worker: workers[index].pid, atMillis: Clock.wallMillis()))
            workers[index].kill(SIGKILL)
            try start(index)
        case .pauseWorker(let index):
            pauses += 1
            workers[index].kill(SIGSTOP)
        case .resumeWorker(let index): workers[index].kill(SIGCONT)
        case .replaceWorker(let index):
            replacements += 1
            workers[index].kill(SIGCONT)
            workers[index].kill(SIGTERM)
            try start(index)
        case .killBroker(let broker):
            guard takeAway(broker) else { return }
            brokerKills += 1
            try installation.cluster.act(.kill, broker: broker)
        case .startBroker(let broker): bringBack(broker, .start)
        case .pauseBroker(let broker):
            guard takeAway(broker) else { return }
            pauses += 1
            try installation.cluster.act(.pause, broker: broker)
        case .resumeBroker(let broker): bringBack(broker, .resume)
        case .pauseAPNs:
            pauses += 1
            installation.simulator?.kill(SIGSTOP)
        case .resumeAPNs: installation.simulator?.kill(SIGCONT)
        }
    }

    private func start(_ index: Int) throws {
        workers[index] = try installation.startWorker()
        all.append(workers[index])
    }

    /// Whether a broker may go: without two of three there is no cluster, and a slow machine may be late.
    private func takeAway(_ broker: Int) -> Bool {
        guard awayBroker == nil else { return false }
        awayBroker = broker
        return true
    }

    private func bringBack(_ broker: Int, _ action: RealCluster.BrokerAction) {
        guard awayBroker == broker, returning == nil else { return }
        let cluster = installation.cluster
        returning = Task {
            // On a busy machine a broker may take longer than the script waits for it.
            var attempt = 1
            while case .failure(let error) = await offPool({ Result { try cluster.act(action, broker: broker) } }) {
                guard attempt < 3 else { throw error }
                attempt += 1
                _ = await offPool { Result { try cluster.act(.kill, broker: broker) } }
            }
            awayBroker = nil
            returning = nil
        }
    }

    /// Starts again what ended by itself, and notes how much memory the workers take.
    func look() throws {
        for (index, worker) in workers.enumerated() {
            if let code = worker.ended {
                endedByThemselves.append("\(code): \(worker.errors.split(separator: "\n").last ?? "")")
                kills.append(Loss(worker: worker.pid, atMillis: Clock.wallMillis()))
                try start(index)
            }
            peakMiB = max(peakMiB, Self.peakMiB(of: workers[index].pid))
        }
    }

    private static func peakMiB(of pid: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1_024
    }

    /// Waits until every broker is back.
    func settle() async throws {
        try await returning?.value
    }

    /// Ends the workers as an operator does.
    ///
    /// - Returns: Their exit codes.
    func stop() async throws -> [Int32] {
        for worker in workers {
            worker.kill(SIGCONT)
            worker.kill(SIGTERM)
        }
        var codes: [Int32] = []
        for worker in workers { codes.append(try await worker.wait()) }
        return codes
    }

    /// What each worker that ever was has said.
    func says() -> [(pid: pid_t, says: WorkerSays)] { all.map { ($0.pid, WorkerSays($0.errors)) } }
}
