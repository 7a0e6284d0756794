/// What goes wrong and when: a seed gives the same schedule in every run.
struct Plan {
    /// One thing that is done on purpose.
    enum Action: Equatable {
        /// kill -9; another one starts in its place.
        case killWorker(Int)
        /// SIGSTOP, and SIGCONT later.
        case pauseWorker(Int)
        case resumeWorker(Int)
        /// SIGTERM, as a rolling update does; another one starts when it has ended.
        case replaceWorker(Int)
        case killBroker(Int)
        case startBroker(Int)
        case pauseBroker(Int)
        case resumeBroker(Int)
        /// The whole APNs stands still.
        case pauseAPNs
        case resumeAPNs
    }

    /// An action at its time.
    struct Step: Equatable {
        let atMillis: Int64
        let action: Action
    }

    /// In the order of their times.
    let steps: [Step]
    /// What APNs does wrong, each as JSON with its time.
    let faults: [String]

    /// Makes the schedule.
    ///
    /// - Parameters:
    ///   - seed: Which one.
    ///   - seconds: How long things go wrong.
    ///   - workers: How many workers there are.
    ///   - brokers: How many brokers; one at a time is away, so that the others hold every record.
    init(seed: UInt64, seconds: Int, workers: Int, brokers: Int) {
        var random = SeededRandom(seed: seed)
        let endMillis = Int64(seconds) * 1_000
        var steps: [Step] = []

        func every(_ pause: ClosedRange<Int64>, from: Int64, _ body: (Int64, inout SeededRandom) -> Int64) {
            var at = from + Int64.random(in: pause, using: &random)
            while at < endMillis {
                let lasts = body(at, &random)
                at += lasts + Int64.random(in: pause, using: &random)
            }
        }

        every(2_500...6_000, from: 0) { at, random in
            steps.append(Step(atMillis: at, action: .killWorker(Int.random(in: 0..<workers, using: &random))))
            return 0
        }
        every(12_000...25_000, from: 3_000) { at, random in
            let worker = Int.random(in: 0..<workers, using: &random)
            // Some are shorter than a session, some longer: then it is evicted, and comes back as a stranger.
            let lasts = Int64.random(in: 500...7_000, using: &random)
            steps.append(Step(atMillis: at, action: .pauseWorker(worker)))
            steps.append(Step(atMillis: at + lasts, action: .resumeWorker(worker)))
            return lasts
        }
        every(20_000...40_000, from: 5_000) { at, random in
            steps.append(Step(atMillis: at, action: .replaceWorker(Int.random(in: 0..<workers, using: &random))))
            return 0
        }
        every(11_000...15_000, from: 4_000) { at, random in
            let broker = Int.random(in: 1...brokers, using: &random)
            let lasts = Int64.random(in: 1_000...6_000, using: &random)
            let isKill = Int.random(in: 0..<5, using: &random) > 0
            steps.append(Step(atMillis: at, action: isKill ? .killBroker(broker) : .pauseBroker(broker)))
            steps.append(Step(atMillis: at + lasts, action: isKill ? .startBroker(broker) : .resumeBroker(broker)))
            return lasts
        }
        every(40_000...70_000, from: 10_000) { at, random in
            let lasts = Int64.random(in: 1_000...12_000, using: &random)
            steps.append(Step(atMillis: at, action: .pauseAPNs))
            steps.append(Step(atMillis: at + lasts, action: .resumeAPNs))
            return lasts
        }
        self.steps = steps.sorted { $0.atMillis < $1.atMillis }

        var faults: [String] = []
        every(3_000...8_000, from: 2_000) { at, random in
            let lasts = Int64.random(in: 500...4_000, using: &random)
            let fault = Self.faults[Int.random(in: 0..<Self.faults.count, using: &random)]
            faults.append(Self.rule(share: fault.share, atMillis: at, forMillis: lasts, fault.then))
            guard fault.then.contains("settings") else { return lasts }
            // A connection keeps its settings, which would slow it down for ever.
            faults.append(Self.rule(share: 0.2, atMillis: at + lasts, forMillis: 2_500, Self.usualSettings))
            return lasts + 2_500
        }
        // Answers take a while, so that whatever ends finds pushes on the way.
        faults += [
            #"{"match":{"share":0.5},"then":{"delayMillis":20}}"#, #"{"match":{},"then":{"delayMillis":120}}"#,
        ]
        self.faults = faults
    }

    private static let faults: [(share: Double, then: String)] = [
        (0.01, #"{"goaway":{"unanswered":3}}"#),
        (0.002, #"{"goaway":{"unanswered":50,"reason":"Shutdown"}}"#),
        (0.3, #"{"refuse":true}"#),
        (0.01, #"{"close":true}"#),
        (0.02, #"{"blackHole":true}"#),
        (0.2, #"{"status":503,"reason":"ServiceUnavailable"}"#),
        (0.2, #"{"status":500,"reason":"InternalServerError"}"#),
        (0.1, #"{"status":429,"reason":"TooManyRequests"}"#),
        (0.05, #"{"status":403,"reason":"ExpiredProviderToken"}"#),
        (0.1, #"{"settings":{"maxConcurrentStreams":1}}"#),
        (0.1, #"{"settings":{"initialWindowSize":16}}"#),
    ]

    private static let usualSettings = #"{"settings":{"maxConcurrentStreams":1000,"initialWindowSize":65535}}"#

    private static func rule(share: Double, atMillis: Int64, forMillis: Int64, _ then: String) -> String {
        #"{"match":{"share":\#(share),"afterSeconds":\#(Double(atMillis) / 1_000),"#
            + #""forSeconds":\#(Double(forMillis) / 1_000)},"then":\#(then)}"#
    }
}
