import Kafka
import Testing

@Suite struct KafkaErrorTests {
    @Test func `names a code as the documentation does`() {
        let error = KafkaError(code: KafkaError.timedOut)
        #expect(error.name == "_TIMED_OUT")
        #expect(error.isRetriable)
        #expect(!error.isFatal && !error.requiresAbort)
        #expect("\(error)" == "_TIMED_OUT: Local: Timed out")
    }

    @Test func `names a code that librdkafka does not know`() {
        let error = KafkaError(code: 9_999)
        #expect(error.name.contains("9999"))
        #expect(!error.isRetriable)
    }

    @Test func `a fatal code is fatal`() {
        #expect(KafkaError(code: KafkaError.fatal).isFatal)
    }
}
