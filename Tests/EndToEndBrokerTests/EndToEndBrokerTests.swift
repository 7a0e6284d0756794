import KafkaTestSupport
import Testing

/// geopush as an outside user runs it: its commands in processes of their own, on a real Kafka.
///
/// One after the other: each measures how long something takes or kills what others would have to wait for.
@Suite(
    .enabled(if: RealCluster.isAvailable, "needs a real Kafka: set KAFKA_HOME or GEOPUSH_TEST_BOOTSTRAP"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct EndToEndBrokerTests {}
