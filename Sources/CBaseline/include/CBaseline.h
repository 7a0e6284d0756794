// The same work in plain C, to hold the Swift path against (see `geopush bench`).
#ifndef CBASELINE_H
#define CBASELINE_H
#include <stddef.h>
#include <stdint.h>
#include "SenderBaseline.h"

/// What an intake run reads and writes.
struct cbaseline_intake_options {
    const char *bootstrap_servers;
    const char *events_topic;
    const char *pushes_topic;
    /// Consumer group, and the start of both transactional ids.
    const char *group;
    /// `apns-topic` of every push.
    const char *apns_topic;
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
