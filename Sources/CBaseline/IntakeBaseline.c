// Intake in plain C: consume, scan, derive ids, produce in transactions.
//
// It writes the records that geopush writes, byte for byte, but checks nothing: neither that an event is JSON, nor its
// fields, nor whether a token is well-formed or comes twice.
#define _GNU_SOURCE
#include "IntakeBaseline.h"

#include <librdkafka/rdkafka.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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
    int turn;
    // The open transaction: its offsets, NULL when none is open, and the bytes of its events.
    rd_kafka_topic_partition_list_t *offsets;
    int64_t bytes;
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

// The start of a UUID version 5 over `source|event id|token`, which all tokens of an event share.
static void begin_id(struct slice source, struct slice event, SHA_CTX *context) {
    static const unsigned char namespace[16] = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                                0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
    SHA1_Init(context);
    SHA1_Update(context, namespace, 16);
    SHA1_Update(context, source.bytes, source.length);
    SHA1_Update(context, "|", 1);
    SHA1_Update(context, event.bytes, event.length);
    SHA1_Update(context, "|", 1);
}

static void make_id(const SHA_CTX *start, struct slice token, char out[36]) {
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[20];
    SHA_CTX context = *start;
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

static int produce(struct intake *intake, struct slice key, struct slice value, struct slice block) {
    for (;;) {
        rd_kafka_resp_err_t error = rd_kafka_producev(
            intake->producers[intake->turn], RD_KAFKA_V_RKT(intake->topics[intake->turn]),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY((void *)key.bytes, key.length),
            RD_KAFKA_V_VALUE((void *)value.bytes, value.length),
            RD_KAFKA_V_HEADER("push", block.bytes, block.length), RD_KAFKA_V_END);
        if (!error) return 0;
        if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
            fprintf(stderr, "produce: %s\n", rd_kafka_err2str(error));
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

static int write_pushes(struct intake *intake, const rd_kafka_message_t *message) {
    const char *start = message->payload, *end = start + message->len;
    struct slice source = member(start, end, "\"source\""), event = member(start, end, "\"id\"");
    struct slice location = member(start, end, "\"locationId\""), revision = member(start, end, "\"revision\"");
    struct slice app = member(start, end, "\"app\"");
    const char *device = memmem(start, end - start, "\"devices\"", 9);
    if (!device || !source.bytes || !event.bytes || !location.bytes || !revision.bytes || !app.bytes) return 0;
    // An id has at most 128 bytes, so that the lines fit.
    char body[1024], block[4096], *to = block;
    int length = snprintf(body, sizeof body,
                          "{\"aps\":{\"content-available\":1},\"locationId\":\"%.*s\",\"geopush\":{\"v\":1,\"revision\":%.*s}}",
                          (int)location.length, location.bytes, (int)revision.length, revision.bytes);
    to = put_line(to, "geopush-version", text("1"));
    to = put_line(to, "apns-topic", text(intake->options->apns_topic));
    to = put_line(to, "apns-push-type", text("background"));
    to = put_line(to, "apns-priority", text("5"));
    to = put_number(to, "apns-expiration", rd_kafka_message_timestamp(message, NULL) / 1000 + 7 * 86400);
    to = put_line(to, "apns-collapse-id", location);
    to = put_line(to, "app", app);
    to = put_line(to, "event-id", event);
    to = put_line(to, "location-id", location);
    to = put_line(to, "revision", revision);
    to = put_number(to, "queued-at", wall_millis());
    char *device_lines = to;
    SHA_CTX id_start;
    begin_id(source, event, &id_start);
    while ((device = memchr(device, '{', end - device))) {
        const char *close = memchr(device, '}', end - device);
        if (!close) break;
        struct slice token = member(device, close, "\"token\""), device_id = member(device, close, "\"deviceId\"");
        if (!token.bytes) break;
        char id[36];
        make_id(&id_start, token, id);
        to = put_line(device_lines, "apns-id", (struct slice){id, 36});
        if (device_id.bytes) to = put_line(to, "device-id", device_id);
        to = put_line(to, "environment", text("production"));
        if (produce(intake, token, (struct slice){body, length}, (struct slice){block, to - block})) return -1;
        intake->result->pushes++;
        device = close;
        if (close + 1 >= end || close[1] != ',') break;
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

// Commits the open transaction, if any; the next one is the other producer's.
static int commit(struct intake *intake) {
    if (!intake->offsets) return 0;
    rd_kafka_t *producer = intake->producers[intake->turn];
    rd_kafka_consumer_group_metadata_t *group = rd_kafka_consumer_group_metadata(intake->consumer);
    int result = failed(rd_kafka_send_offsets_to_transaction(producer, intake->offsets, group, 10000), "offsets");
    rd_kafka_consumer_group_metadata_destroy(group);
    if (!result) result = failed(rd_kafka_commit_transaction(producer, 10000), "commit");
    rd_kafka_topic_partition_list_destroy(intake->offsets);
    intake->offsets = NULL;
    intake->bytes = 0;
    intake->result->transactions++;
    intake->turn = 1 - intake->turn;
    return result;
}

static int take(struct intake *intake, const rd_kafka_message_t *message) {
    // The end of a partition, or an error that librdkafka repairs.
    if (message->err) return 0;
    if (intake->bytes >= intake->options->batch_bytes && commit(intake)) return -1;
    if (!intake->offsets) {
        if (failed(rd_kafka_begin_transaction(intake->producers[intake->turn]), "begin")) return -1;
        intake->offsets = rd_kafka_topic_partition_list_new(8);
    }
    const char *topic = intake->options->events_topic;
    rd_kafka_topic_partition_t *at = rd_kafka_topic_partition_list_find(intake->offsets, topic, message->partition);
    if (!at) at = rd_kafka_topic_partition_list_add(intake->offsets, topic, message->partition);
    at->offset = message->offset + 1;
    intake->bytes += message->len;
    return write_pushes(intake, message);
}

static rd_kafka_conf_t *configuration(const char *const *properties) {
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    char error[256];
    for (; *properties; properties += 2) {
        if (rd_kafka_conf_set(conf, properties[0], properties[1], error, sizeof error) == RD_KAFKA_CONF_OK) continue;
        fprintf(stderr, "%s\n", error);
        rd_kafka_conf_destroy(conf);
        return NULL;
    }
    return conf;
}

static rd_kafka_t *make_client(rd_kafka_type_t type, const char *const *properties, const char *servers,
                               const char *name, const char *value) {
    char error[256];
    rd_kafka_conf_t *conf = configuration(properties);
    if (!conf) return NULL;
    rd_kafka_conf_set(conf, "bootstrap.servers", servers, NULL, 0);
    rd_kafka_conf_set(conf, name, value, NULL, 0);
    rd_kafka_t *client = rd_kafka_new(type, conf, error, sizeof error);
    if (client) return client;
    fprintf(stderr, "%s\n", error);
    rd_kafka_conf_destroy(conf);
    return NULL;
}

static int start(struct intake *intake) {
    const struct cbaseline_intake_options *options = intake->options;
    for (int turn = 0; turn < 2; turn++) {
        char id[256];
        snprintf(id, sizeof id, "%s.%c", options->group, 'a' + turn);
        intake->producers[turn] = make_client(RD_KAFKA_PRODUCER, options->producer_properties,
                                              options->bootstrap_servers, "transactional.id", id);
        if (!intake->producers[turn]) return -1;
        intake->topics[turn] = rd_kafka_topic_new(intake->producers[turn], options->pushes_topic, NULL);
        if (failed(rd_kafka_init_transactions(intake->producers[turn], 30000), "init")) return -1;
    }
    intake->consumer = make_client(RD_KAFKA_CONSUMER, options->consumer_properties, options->bootstrap_servers,
                                   "group.id", options->group);
    if (!intake->consumer) return -1;
    rd_kafka_poll_set_consumer(intake->consumer);
    intake->queue = rd_kafka_queue_get_consumer(intake->consumer);
    rd_kafka_topic_partition_list_t *topics = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(topics, options->events_topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t error = rd_kafka_subscribe(intake->consumer, topics);
    rd_kafka_topic_partition_list_destroy(topics);
    if (error) fprintf(stderr, "subscribe: %s\n", rd_kafka_err2str(error));
    return error ? -1 : 0;
}

static void stop(struct intake *intake) {
    if (intake->offsets) rd_kafka_topic_partition_list_destroy(intake->offsets);
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
    rd_kafka_message_t **messages = calloc(options->batch_events, sizeof *messages);
    int status = messages ? start(&intake) : -1;
    double end = seconds_now() + options->seconds;
    while (!status && result->pushes < options->pushes && seconds_now() < end) {
        // Waits for the first event, and takes those that are there beside it.
        messages[0] = rd_kafka_consume_queue(intake.queue, 100);
        if (!messages[0]) continue;
        ssize_t more = rd_kafka_consume_batch_queue(intake.queue, 0, messages + 1, options->batch_events - 1);
        ssize_t count = 1 + (more > 0 ? more : 0);
        for (ssize_t i = 0; i < count; i++) {
            if (!status) status = take(&intake, messages[i]);
            rd_kafka_message_destroy(messages[i]);
        }
        if (!status) status = commit(&intake);
    }
    stop(&intake);
    free(messages);
    return status;
}
