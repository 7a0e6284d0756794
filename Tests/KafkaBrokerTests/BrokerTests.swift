import KafkaTestSupport
import Testing

/// Needs a real Kafka; says so and is skipped without one.
@Suite(
    .enabled(if: RealCluster.isAvailable, "needs a real Kafka: set KAFKA_HOME or GEOPUSH_TEST_BOOTSTRAP"),
    .timeLimit(.minutes(15))
)
struct BrokerTests {}
