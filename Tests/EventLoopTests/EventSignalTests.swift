import EventLoop
import Testing

@Suite struct EventSignalTests {
    @Test func `wakes a poller once however often it was raised`() throws {
        let signal = try EventSignal()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 42)
        #expect(poller.wait(timeoutMillis: 0) == 0)
        signal.raise()
        signal.raise()
        #expect(poller.wait(timeoutMillis: 1_000) == 1)
        #expect(poller[0].tag == 42)
        #expect(poller[0].isReadable)
        signal.lower()
        #expect(poller.wait(timeoutMillis: 0) == 0)
    }

    @Test func `stays raised until it is lowered`() throws {
        let signal = try EventSignal()
        #expect(!signal.wait(timeoutMillis: 0))
        signal.raise()
        #expect(signal.wait(timeoutMillis: 0))
        #expect(signal.wait(timeoutMillis: 0))
        signal.lower()
        signal.lower()
        #expect(!signal.wait(timeoutMillis: 0))
    }

    @Test func `wakes another thread`() throws {
        let signal = try EventSignal()
        let thread = try WorkerThread(name: "raiser") { signal.raise() }
        #expect(signal.wait(timeoutMillis: 10_000))
        thread.join()
    }
}

@Suite struct PollerTests {
    @Test func `says which call failed and why`() throws {
        let poller = try Poller()
        #expect(throws: SystemError(call: "epoll_ctl", code: 9)) { try poller.add(1_000_000, .read, tag: 1) }
        #expect(SystemError(call: "epoll_ctl", code: 9).description == "epoll_ctl: Bad file descriptor")
    }

    @Test func `a removed descriptor wakes nobody`() throws {
        let signal = try EventSignal()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 1)
        signal.raise()
        poller.remove(signal.fileDescriptor)
        #expect(poller.wait(timeoutMillis: 0) == 0)
    }

    @Test func `changes what a descriptor is watched for`() throws {
        let signal = try EventSignal()
        var poller = try Poller()
        try poller.add(signal.fileDescriptor, .read, tag: 1)
        try poller.modify(signal.fileDescriptor, [.read, .write], tag: 2)
        #expect(poller.wait(timeoutMillis: 1_000) == 1)
        #expect(poller[0].tag == 2)
        #expect(poller[0].isWritable)
        #expect(!poller[0].isReadable)
    }
}

@Suite struct WorkerThreadTests {
    @Test func `a second join returns at once`() throws {
        let thread = try WorkerThread(name: "a name longer than the kernel keeps") {}
        thread.join()
        thread.join()
    }
}
