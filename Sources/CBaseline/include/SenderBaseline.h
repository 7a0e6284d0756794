// Sending pushes over one connection in plain C: libcurl opens it, nghttp2 frames, one write carries many requests.
#ifndef CBASELINE_SENDER_H
#define CBASELINE_SENDER_H
#include <stdint.h>

/// What a sender run sends, and where.
struct cbaseline_sender_options {
    /// `https://host:port/`.
    const char *url;
    /// `host:port`, the value of `:authority`.
    const char *authority;
    /// A PEM file of the authority to trust.
    const char *ca_file;
    /// What `:path` begins with; the device token follows.
    const char *path_prefix;
    /// The value of `authorization`.
    const char *authorization;
    /// How many requests, and the most at once.
    int64_t requests;
    int concurrency;
    /// 0: few headers, all of them indexed. 1: the headers of a push, as APNs wants them compressed.
    int as_push;
};

/// What a sender run came to.
struct cbaseline_sender_result {
    int64_t answered;
    int64_t accepted;
};

/// Runs a sender until all is answered. Returns 0, or -1 after printing what failed to stderr.
int cbaseline_sender(const struct cbaseline_sender_options *options, struct cbaseline_sender_result *result);
#endif
