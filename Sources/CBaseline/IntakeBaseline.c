// Intake in plain C: consume, scan, derive ids, produce in transactions.
#define _GNU_SOURCE
#include "CBaseline.h"

#include <librdkafka/rdkafka.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { BATCH_MAX = 200 };

struct slice {
    const char *bytes;
    size_t length;
};

struct intake {
    const struct cbaseline_intake_options *options;
    struct cbaseline_intake_result *result;
    rd_kafka_t *consumer;
    rd_kafka_queue_t *queue;
    rd_kafka_t *producers[2];
    rd_kafka_topic_t *topics[2];
};

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int64_t wall_millis(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int set(rd_kafka_conf_t *conf, const char *key, const char *value) {
    char error[256];
    if (rd_kafka_conf_set(conf, key, value, error, sizeof error) == RD_KAFKA_CONF_OK) return 0;
    fprintf(stderr, "%s\n", error);
    return -1;
}

// The value of a member of this name at or after `from`: a string without its quotes, or the text of a number.
static struct slice member(const char *from, const char *end, const char *quoted_name) {
    size_t length = strlen(quoted_name);
    const char *found = memmem(from, end - from, quoted_name, length);
    if (!found) return (struct slice){NULL, 0};
    const char *value = found + length;
    while (value < end && (*value == ':' || *value == ' ')) value++;
    int quoted = value < end && *value == '"';
    if (quoted) value++;
    const char *stop = value;
    while (stop < end && (quoted ? *stop != '"' : *stop != ',' && *stop != '}')) stop++;
    return (struct slice){value, stop - value};
}

static char *put(char *to, const char *text, size_t length) {
    memcpy(to, text, length);
    return to + length;
}

static char *put_line(char *to, const char *name, struct slice value) {
    to = put(to, name, strlen(name));
    to = put(to, ": ", 2);
    to = put(to, value.bytes, value.length);
    *to++ = '\n';
    return to;
}

static char *put_number(char *to, const char *name, int64_t value) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)value);
    return put_line(to, name, (struct slice){digits, length});
}

static struct slice text(const char *bytes) { return (struct slice){bytes, strlen(bytes)}; }

// UUID version 5 over `source|event id|token`.
static void make_id(struct slice source, struct slice event, struct slice token, char out[36]) {
    static const unsigned char namespace[16] = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                                0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[20];
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, namespace, 16);
    SHA1_Update(&context, source.bytes, source.length);
    SHA1_Update(&context, "|", 1);
    SHA1_Update(&context, event.bytes, event.length);
    SHA1_Update(&context, "|", 1);
    SHA1_Update(&context, token.bytes, token.length);
    SHA1_Final(digest, &context);
    digest[6] = (digest[6] & 0x0f) | 0x50;
    digest[8] = (digest[8] & 0x3f) | 0x80;
    for (int i = 0, o = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) out[o++] = '-';
        out[o++] = hex[digest[i] >> 4];
        out[o++] = hex[digest[i] & 15];
    }
}

static int write_pushes(struct intake *intake, int turn, const rd_kafka_message_t *message) {
    const char *start = message->payload, *end = start + message->len;
    struct slice source = member(start, end, "\"source\"");
    struct slice event = member(start, end, "\"id\"");
    struct slice location = member(start, end, "\"locationId\"");
    struct slice revision = member(start, end, "\"revision\"");
    struct slice app = member(start, end, "\"app\"");
    const char *device = memmem(start, end - start, "\"devices\"", 9);
    if (!device || !location.bytes || !event.bytes) return 0;
    char body[512];
    int body_length = snprintf(body, sizeof body,
                               "{\"aps\":{\"content-available\":1},\"locationId\":\"%.*s\",\"geopush\":{\"v\":1,\"revision\":%.*s}}",
                               (int)location.length, location.bytes, (int)revision.length, revision.bytes);
    int64_t expiration = rd_kafka_message_timestamp(message, NULL) / 1000 + 7 * 86400, queued = wall_millis();
    while ((device = memchr(device, '{', end - device))) {
        const char *close = memchr(device, '}', end - device);
        if (!close) break;
        struct slice token = member(device, close, "\"token\"");
        struct slice device_id = member(device, close, "\"deviceId\"");
        if (!token.bytes) break;
        char id[36], block[2048], *to = block;
        make_id(source, event, token, id);
        to = put_line(to, "geopush-version", text("1"));
        to = put_line(to, "apns-topic", text(intake->options->apns_topic));
        to = put_line(to, "apns-push-type", text("background"));
        to = put_line(to, "apns-priority", text("5"));
        to = put_number(to, "apns-expiration", expiration);
        to = put_line(to, "apns-collapse-id", location);
        to = put_line(to, "apns-id", (struct slice){id, 36});
        to = put_line(to, "app", app);
        to = put_line(to, "environment", text("production"));
        to = put_line(to, "event-id", event);
        to = put_line(to, "location-id", location);
        if (device_id.bytes) to = put_line(to, "device-id", device_id);
        to = put_line(to, "revision", revision);
        to = put_number(to, "queued-at", queued);
        rd_kafka_resp_err_t error = rd_kafka_producev(
            intake->producers[turn], RD_KAFKA_V_RKT(intake->topics[turn]), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY((void *)token.bytes, token.length), RD_KAFKA_V_VALUE(body, body_length),
            RD_KAFKA_V_HEADER("push", block, (to - block)), RD_KAFKA_V_END);
        if (error) {
            fprintf(stderr, "produce: %s\n", rd_kafka_err2str(error));
            return -1;
        }
        intake->result->pushes++;
        device = close;
        const char *next = close + 1;
        if (next >= end || *next != ',') break;
    }
    intake->result->events++;
    return 0;
}

static int failed(rd_kafka_error_t *error, const char *what) {
    if (!error) return 0;
    fprintf(stderr, "%s: %s\n", what, rd_kafka_error_string(error));
    rd_kafka_error_destroy(error);
    return -1;
}

// One transaction: the pushes of a batch, and where the next batch starts.
static int transact(struct intake *intake, int turn, rd_kafka_message_t **messages, ssize_t count) {
    rd_kafka_t *producer = intake->producers[turn];
    if (failed(rd_kafka_begin_transaction(producer), "begin")) return -1;
    rd_kafka_topic_partition_list_t *offsets = rd_kafka_topic_partition_list_new(8);
    int result = 0;
    for (ssize_t i = 0; i < count && !result; i++) {
        const rd_kafka_message_t *message = messages[i];
        if (message->err) continue;
        result = write_pushes(intake, turn, message);
        const char *topic = intake->options->events_topic;
        rd_kafka_topic_partition_t *at = rd_kafka_topic_partition_list_find(offsets, topic, message->partition);
        if (!at) at = rd_kafka_topic_partition_list_add(offsets, topic, message->partition);
        at->offset = message->offset + 1;
    }
    if (!result) {
        rd_kafka_consumer_group_metadata_t *group = rd_kafka_consumer_group_metadata(intake->consumer);
        result = failed(rd_kafka_send_offsets_to_transaction(producer, offsets, group, 10000), "offsets");
        rd_kafka_consumer_group_metadata_destroy(group);
    }
    if (!result) result = failed(rd_kafka_commit_transaction(producer, 10000), "commit");
    rd_kafka_topic_partition_list_destroy(offsets);
    intake->result->transactions++;
    return result;
}

static rd_kafka_t *make_client(rd_kafka_type_t type, rd_kafka_conf_t *conf) {
    char error[256];
    rd_kafka_t *client = rd_kafka_new(type, conf, error, sizeof error);
    if (!client) {
        fprintf(stderr, "%s\n", error);
        rd_kafka_conf_destroy(conf);
    }
    return client;
}

static int start(struct intake *intake) {
    const struct cbaseline_intake_options *options = intake->options;
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    if (set(conf, "bootstrap.servers", options->bootstrap_servers) || set(conf, "group.id", options->group) ||
        set(conf, "enable.auto.commit", "false") || set(conf, "auto.offset.reset", "earliest") ||
        set(conf, "isolation.level", "read_committed") || set(conf, "fetch.wait.max.ms", "100"))
        return -1;
    if (!(intake->consumer = make_client(RD_KAFKA_CONSUMER, conf))) return -1;
    rd_kafka_poll_set_consumer(intake->consumer);
    intake->queue = rd_kafka_queue_get_consumer(intake->consumer);
    rd_kafka_topic_partition_list_t *topics = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(topics, options->events_topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t error = rd_kafka_subscribe(intake->consumer, topics);
    rd_kafka_topic_partition_list_destroy(topics);
    if (error) return -1;
    for (int turn = 0; turn < 2; turn++) {
        char id[256];
        snprintf(id, sizeof id, "%s.%c", options->group, 'a' + turn);
        conf = rd_kafka_conf_new();
        if (set(conf, "bootstrap.servers", options->bootstrap_servers) || set(conf, "transactional.id", id) ||
            set(conf, "retry.backoff.ms", "5") || set(conf, "transaction.timeout.ms", "10000") ||
            set(conf, "linger.ms", "0") || set(conf, "partitioner", "murmur2_random"))
            return -1;
        if (!(intake->producers[turn] = make_client(RD_KAFKA_PRODUCER, conf))) return -1;
        intake->topics[turn] = rd_kafka_topic_new(intake->producers[turn], options->pushes_topic, NULL);
        if (failed(rd_kafka_init_transactions(intake->producers[turn], 30000), "init")) return -1;
    }
    return 0;
}

static void stop(struct intake *intake) {
    for (int turn = 0; turn < 2; turn++) {
        if (intake->topics[turn]) rd_kafka_topic_destroy(intake->topics[turn]);
        if (intake->producers[turn]) rd_kafka_destroy(intake->producers[turn]);
    }
    if (intake->queue) rd_kafka_queue_destroy(intake->queue);
    if (intake->consumer) {
        rd_kafka_consumer_close(intake->consumer);
        rd_kafka_destroy(intake->consumer);
    }
}

int cbaseline_intake(const struct cbaseline_intake_options *options, struct cbaseline_intake_result *result) {
    struct intake intake = {.options = options, .result = result};
    memset(result, 0, sizeof *result);
    int status = start(&intake);
    double end = seconds_now() + options->seconds;
    for (int turn = 0; !status && result->pushes < options->pushes && seconds_now() < end;) {
        rd_kafka_message_t *messages[BATCH_MAX];
        ssize_t count = rd_kafka_consume_batch_queue(intake.queue, 1, messages, BATCH_MAX);
        if (count <= 0) continue;
        status = transact(&intake, turn, messages, count);
        for (ssize_t i = 0; i < count; i++) rd_kafka_message_destroy(messages[i]);
        turn = 1 - turn;
    }
    stop(&intake);
    return status;
}
