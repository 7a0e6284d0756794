// librdkafka, and what of it Swift cannot call or would call too dearly: variadic functions, unions and the two loops
// that run once a record.
#ifndef CRDKAFKA_SHIM_H
#define CRDKAFKA_SHIM_H
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdint.h>

// One delivery report, as it leaves the event.
typedef struct {
    uint64_t opaque;
    int32_t error;
    int32_t status;
    int32_t partition;
    int64_t offset;
    // The message of a failed one, which lives as long as the event; NULL otherwise.
    const rd_kafka_message_t *failed;
} CRdKafka_report;

// Copies one message with at most one header into the producer's queue. `header_name` NULL means no header. A NULL key
// or value is null on the wire; one of 0 bytes has to point somewhere.
//
// The variadic form, which Swift cannot call: rd_kafka_produceva before 2.12 frees the headers twice when it refuses a
// message, as it does for a topic that may not be written or a partition that does not exist.
static inline rd_kafka_resp_err_t CRdKafka_producev_header(rd_kafka_t *client, rd_kafka_topic_t *topic,
                                                           int32_t partition, const void *key, size_t key_bytes,
                                                           const void *value, size_t value_bytes,
                                                           const char *header_name, const void *header_value,
                                                           size_t header_bytes, uint64_t opaque,
                                                           int64_t timestamp_ms) {
    if (!header_name)
        return rd_kafka_producev(client, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition),
                                 RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                                 RD_KAFKA_V_OPAQUE((void *)(uintptr_t)opaque),
                                 RD_KAFKA_V_VALUE((void *)value, value_bytes),
                                 RD_KAFKA_V_KEY((void *)key, key_bytes), RD_KAFKA_V_TIMESTAMP(timestamp_ms),
                                 RD_KAFKA_V_END);
    return rd_kafka_producev(client, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition),
                             RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE((void *)(uintptr_t)opaque),
                             RD_KAFKA_V_VALUE((void *)value, value_bytes), RD_KAFKA_V_KEY((void *)key, key_bytes),
                             RD_KAFKA_V_HEADER(header_name, header_value, (ssize_t)header_bytes),
                             RD_KAFKA_V_TIMESTAMP(timestamp_ms), RD_KAFKA_V_END);
}

// Produces one message with a list of headers, which librdkafka owns only if this succeeds.
static inline rd_kafka_resp_err_t CRdKafka_produceva_headers(rd_kafka_t *client, rd_kafka_topic_t *topic,
                                                             int32_t partition, const void *key, size_t key_bytes,
                                                             const void *value, size_t value_bytes,
                                                             rd_kafka_headers_t *headers, uint64_t opaque,
                                                             int64_t timestamp_ms) {
    return rd_kafka_producev(client, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition),
                             RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE((void *)(uintptr_t)opaque),
                             RD_KAFKA_V_VALUE((void *)value, value_bytes), RD_KAFKA_V_KEY((void *)key, key_bytes),
                             RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_TIMESTAMP(timestamp_ms), RD_KAFKA_V_END);
}

// Moves up to `capacity` reports out of a delivery report event, in one loop without a call back into Swift. The status
// is asked for only where it is not known from the absence of an error.
static inline size_t CRdKafka_event_reports(rd_kafka_event_t *event, CRdKafka_report *reports, size_t capacity) {
    size_t count = 0;
    while (count < capacity) {
        const rd_kafka_message_t *message = rd_kafka_event_message_next(event);
        if (!message)
            break;
        reports[count].opaque = (uint64_t)(uintptr_t)message->_private;
        reports[count].error = message->err;
        reports[count].partition = message->partition;
        reports[count].offset = message->offset;
        reports[count].failed = message->err ? message : NULL;
        reports[count].status = message->err ? rd_kafka_message_status(message) : RD_KAFKA_MSG_STATUS_PERSISTED;
        count++;
    }
    return count;
}

// Makes one request of a mock broker answer late; only the variadic form exists in 2.0.
static inline rd_kafka_resp_err_t CRdKafka_mock_broker_push_request_error_rtts_one(rd_kafka_mock_cluster_t *cluster,
                                                                                   int32_t broker, int16_t api_key,
                                                                                   rd_kafka_resp_err_t error,
                                                                                   int rtt_ms) {
    return rd_kafka_mock_broker_push_request_error_rtts(cluster, broker, api_key, 1, error, rtt_ms);
}
#endif
