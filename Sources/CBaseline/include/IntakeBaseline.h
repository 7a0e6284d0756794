// Intake in plain C: events in, push records out, in transactions.
#ifndef CBASELINE_INTAKE_H
#define CBASELINE_INTAKE_H
#include <stdint.h>

/// What an intake run reads and writes.
struct cbaseline_intake_options {
    const char *bootstrap_servers;
    /// Properties of the consumer and of both producers: names and values in turn, then NULL.
    const char *const *consumer_properties;
    const char *const *producer_properties;
    const char *events_topic;
    const char *pushes_topic;
    /// Consumer group, and the start of both transactional ids.
    const char *group;
    /// `apns-topic` of every push.
    const char *apns_topic;
    /// The most events in one transaction, and after how many bytes of events it takes no further one.
    int batch_events;
    int64_t batch_bytes;
    /// The run ends after so many pushes.
    int64_t pushes;
    /// It also ends after so many seconds, to be bounded whatever happens.
    int seconds;
};

/// What an intake run did.
struct cbaseline_intake_result {
    int64_t events;
    int64_t pushes;
    int64_t transactions;
};

/// Reads location events with a plain scanner, makes an id for each device and writes its push, in transactions
/// that carry the input offsets, two producers in turn. Returns 0, or -1 after printing what failed to stderr.
int cbaseline_intake(const struct cbaseline_intake_options *options, struct cbaseline_intake_result *result);
#endif
