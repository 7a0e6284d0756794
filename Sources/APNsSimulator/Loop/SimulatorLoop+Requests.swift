internal import EventLoop
internal import HTTP2

extension SimulatorLoop {
    /// Judges one request, and answers it or does to it what the faults say.
    func handle(_ request: ServerRequest, of peer: Peer) {
        guard request.streamID <= peer.lastAnswerable else {
            peer.connection.drop(request)
            return
        }
        counters.received()
        let head = PushHead(request)
        var verdict = judge.verdict(
            on: request,
            head,
            &peer.tokens,
            nowMillis: moment.nowMillis,
            wallMillis: moment.wallMillis
        )
        if verdict == .accepted, !isWithinRate(request, head) { verdict = .rejected(.tooManyRequests) }
        if peer.tokens.isTrusted, !peer.hasBeenTrusted {
            peer.hasBeenTrusted = true
            announce(streamLimit: options.streamLimit, to: peer)
        }
        if !faults.isEmpty {
            let token = request.bytes.extracting(head.token(in: request.bytes))
            if let fault = faults.decide(token: token, nowMillis: moment.nowMillis) {
                apply(fault, Answer(verdict), to: request, head, of: peer)
                return
            }
        }
        send(Answer(verdict), to: request, head, of: peer)
    }

    private func isWithinRate(_ request: ServerRequest, _ head: PushHead) -> Bool {
        guard rateLimit != nil else { return true }
        let token = request.bytes.extracting(head.token(in: request.bytes))
        return rateLimit?.admit(token, nowMillis: moment.nowMillis) ?? true
    }

    private func apply(
        _ fault: FaultRule.Then,
        _ due: Answer,
        to request: ServerRequest,
        _ head: PushHead,
        of peer: Peer
    ) {
        if let limit = fault.settings?.maxConcurrentStreams { announce(streamLimit: limit, to: peer) }
        if let window = fault.settings?.initialWindowSize, window != peer.windowBytes {
            peer.windowBytes = window
            peer.connection.setInitialWindow(bytes: window)
        }
        if fault.close {
            peer.connection.drop(request)
            peer.connection.close()
            return
        }
        if fault.blackHole {
            peer.connection.drop(request)
            peer.connection.fallSilent()
            return
        }
        if fault.refuse {
            peer.connection.reset(request, .refusedStream)
            return
        }
        if let goAway = fault.goaway { self.goAway(goAway, peer) }
        guard request.streamID <= peer.lastAnswerable else {
            peer.connection.drop(request)
            return
        }
        var answer = due
        answer.apply(fault, wallMillis: moment.wallMillis)
        if let delay = fault.delayMillis, delay > 0 {
            delayed.add(dueMillis: moment.nowMillis + delay, peer, request, head, answer)
        } else {
            send(answer, to: request, head, of: peer)
        }
    }

    private func announce(streamLimit: UInt32, to peer: Peer) {
        guard streamLimit != peer.streamLimit else { return }
        peer.streamLimit = streamLimit
        peer.connection.setMaxConcurrentStreams(streamLimit)
    }

    private func goAway(_ goAway: FaultRule.GoAway, _ peer: Peer) {
        guard peer.lastAnswerable == .max else { return }
        let open = peer.connection.unansweredStreamIDs()
        var last = peer.connection.lastStreamID
        if goAway.unanswered > 0 {
            last = goAway.unanswered < open.count ? open[goAway.unanswered] : max(0, (open.last ?? 0) - 2)
        }
        // A stream that was answered cannot be said never to have been looked at.
        last = max(last, peer.highestAnswered)
        peer.lastAnswerable = last
        var text = TextBuffer(capacity: 256)
        if let reason = goAway.reason {
            text.append("{\"reason\":")
            text.append(quoted: reason)
            text.append("}")
        }
        peer.connection.goAway(lastStreamID: last, .noError, debugData: text.span.array)
    }

    /// Sends an answer, counts it and writes it down; goes nowhere if the stream is gone meanwhile.
    func send(_ answer: Answer, to request: ServerRequest, _ head: PushHead, of peer: Peer) {
        guard !request.isClosed, peer.connection.isOpen else {
            peer.connection.drop(request)
            return
        }
        peer.highestAnswered = max(peer.highestAnswered, request.streamID)
        request.beginAnswer(status: answer.status)
        let id = addID(to: request, head, of: peer)
        if let seconds = answer.retryAfterSeconds {
            scratch.removeAll()
            scratch.append(decimal: Int64(seconds))
            request.addAnswerField("retry-after", scratch.span, .indexed)
        }
        answer.writeBody(&scratch)
        if scratch.count > 0, !request.bytes.extracting(head.method.range).equals("HEAD") {
            request.addAnswerField("content-type", "application/json", .indexed)
            request.setAnswerBody(scratch.span)
        }
        count(answer, id: request.bytes.extracting(id))
        if answer.status == 200 { hold(request, head) }
        log?.add(request, head, answer, connection: peer.number, token: peer.tokens.token, at: moment)
        if kept.count < options.answersKept { keep(answer, request, head, peer) }
        peer.connection.answer(request)
    }

    private func count(_ answer: Answer, id: Span<UInt8>) {
        if answer.status == 200 {
            counters.accepted(id: id)
        } else if let rejection = answer.rejection {
            counters.rejected(rejection)
        } else {
            counters.rejected(other: answer.otherReason ?? "", status: answer.status)
        }
    }

    /// Decides what becomes of an accepted push, where its device is offline.
    private func hold(_ request: ServerRequest, _ head: PushHead) {
        let bytes = request.bytes
        let topic = bytes.extracting(head.topic.range)
        guard let index = judge.devices?.offline(bytes.extracting(head.token(in: bytes)), topic: topic) else { return }
        let expiration = head.expiration.isPresent ? bytes.extracting(head.expiration.range).decimal : nil
        held.hold(index, expirationSeconds: expiration, nowSeconds: moment.wallMillis / 1000)
    }

    /// Echoes the id of the request, or makes one in upper case, as APNs does.
    private func addID(to request: ServerRequest, _ head: PushHead, of peer: Peer) -> Range<Int> {
        let indexing: ServerRequest.Indexing = peer.hasSentID ? .never : .indexed
        peer.hasSentID = true
        if head.id.isPresent, RequestJudge.isUUID(request.bytes.extracting(head.id.range)) {
            request.addAnswerField("apns-id", head.id.range, indexing)
            return head.id.range
        }
        let made = randomUUID()
        let start = request.bytes.count
        request.addAnswerField("apns-id", made.span, indexing)
        if options.environment == .sandbox {
            let unique = randomUUID()
            request.addAnswerField("apns-unique-id", unique.span, .never)
        }
        return start..<start + 36
    }

    /// A UUID of version 4, upper case.
    private func randomUUID() -> InlineArray<36, UInt8> {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        var digit = 0
        for index in 0..<36 where index != 8 && index != 13 && index != 18 && index != 23 {
            let word = digit < 16 ? high : low
            let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 15
            text[index] = value < 10 ? value &+ 0x30 : value &+ 0x37
            digit += 1
        }
        return text
    }

    private func keep(_ answer: Answer, _ request: ServerRequest, _ head: PushHead, _ peer: Peer) {
        let bytes = request.bytes
        var headers: [String: String] = [:]
        for index in 0..<request.fieldCount {
            let field = request.field(at: index)
            let name = bytes.extracting(field.name)
            guard !name.starts(with: ":"), !name.equals("authorization") else { continue }
            headers[name.text] = bytes.extracting(field.value).text
        }
        let token = peer.tokens.token
        kept.append(
            AnsweredRequest(
                connection: peer.number,
                stream: request.streamID,
                token: bytes.extracting(head.token(in: bytes)).text,
                status: answer.status,
                reason: answer.rejection.map { "\($0.reason)" } ?? answer.otherReason ?? "",
                headers: headers,
                keyID: token?.keyID,
                teamID: token?.teamID,
                issuedAtSeconds: token?.issuedAtSeconds,
                body: request.body.array
            )
        )
    }
}
