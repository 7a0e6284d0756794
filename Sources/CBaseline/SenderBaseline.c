// The sender in plain C. See SenderBaseline.h.
#include "SenderBaseline.h"

#include <curl/curl.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static const char body[] = "{\"aps\":{\"content-available\":1},\"locationId\":\"loc-000123\"}";

struct sender {
    const struct cbaseline_sender_options *options;
    struct cbaseline_sender_result *result;
    CURL *curl;
    curl_socket_t socket;
    nghttp2_session *session;
    int64_t started;
    int open;
    uint8_t output[49152];
    size_t output_start, output_end;
    uint8_t input[16384];
};

static CURLcode prepare_context(CURL *curl, void *context, void *user) {
    (void)curl, (void)user;
    static const unsigned char h2[] = "\x02h2";
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return SSL_CTX_set_alpn_protos(context, h2, 3) == 0 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR;
}

static ssize_t read_body(nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t length, uint32_t *flags,
                         nghttp2_data_source *source, void *user) {
    (void)session, (void)stream, (void)user;
    // The window may end inside a body: what is sent of it is counted in the source.
    size_t left = sizeof body - 1 - (size_t)source->fd, count = left < length ? left : length;
    memcpy(buffer, body + source->fd, count);
    source->fd += (int)count;
    if (count == left) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)count;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
                     const uint8_t *value, size_t value_length, uint8_t flags, void *user) {
    (void)session, (void)frame, (void)flags;
    struct sender *sender = user;
    if (name_length == 7 && !memcmp(name, ":status", 7) && value_length == 3 && value[0] == '2')
        sender->result->accepted++;
    return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *user) {
    (void)session, (void)stream, (void)error;
    struct sender *sender = user;
    sender->result->answered++;
    sender->open--;
    return 0;
}

static int connect_sender(struct sender *sender) {
    const struct cbaseline_sender_options *options = sender->options;
    curl_global_init(CURL_GLOBAL_ALL);
    CURL *curl = sender->curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, options->url);
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca_file);
    curl_easy_setopt(curl, CURLOPT_SSL_ENABLE_ALPN, 0L);
    curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, prepare_context);
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    CURLcode code = curl_easy_perform(curl);
    if (code) fprintf(stderr, "connect: %s\n", curl_easy_strerror(code));
    if (code || curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &sender->socket)) return -1;
    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_client_new(&sender->session, callbacks, sender);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                         {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}};
    return nghttp2_submit_settings(sender->session, NGHTTP2_FLAG_NONE, settings, 2);
}

static nghttp2_nv header(const char *name, const char *value, int flags) {
    return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value),
                        (uint8_t)(NGHTTP2_NV_FLAG_NO_COPY_NAME | flags)};
}

static int submit(struct sender *sender) {
    const struct cbaseline_sender_options *options = sender->options;
    const int kept = NGHTTP2_NV_FLAG_NO_COPY_VALUE, unindexed = NGHTTP2_NV_FLAG_NO_INDEX;
    char path[256], id[40];
    nghttp2_nv headers[16];
    int count = 0;
    headers[count++] = header(":method", "POST", kept);
    headers[count++] = header(":scheme", "https", kept);
    headers[count++] = header(":authority", options->authority, kept);
    if (options->as_push) {
        snprintf(path, sizeof path, "%s%064llx", options->path_prefix, (unsigned long long)sender->started);
        snprintf(id, sizeof id, "00000000-0000-5000-8000-%012llx", (unsigned long long)sender->started);
        headers[count++] = header(":path", path, unindexed);
        headers[count++] = header("authorization", options->authorization, kept | unindexed);
        headers[count++] = header("apns-id", id, unindexed);
        headers[count++] = header("apns-expiration", "1790000000", kept);
        headers[count++] = header("apns-collapse-id", "loc-000123", kept);
    } else {
        snprintf(path, sizeof path, "%s%064d", options->path_prefix, 0);
        headers[count++] = header(":path", path, 0);
        headers[count++] = header("authorization", options->authorization, kept);
        headers[count++] = header("content-length", "57", kept);
    }
    headers[count++] = header("apns-topic", "com.example.app", kept);
    headers[count++] = header("apns-push-type", "background", kept);
    headers[count++] = header("apns-priority", "5", kept);
    nghttp2_data_provider provider = {.source.fd = 0, .read_callback = read_body};
    if (nghttp2_submit_request(sender->session, NULL, headers, count, &provider, NULL) < 0) return -1;
    sender->started++;
    sender->open++;
    return 0;
}

// Writes as much as the socket takes; returns -1 when the connection is broken.
static int flush(struct sender *sender) {
    for (;;) {
        if (sender->output_start == sender->output_end) {
            sender->output_start = sender->output_end = 0;
            while (sizeof sender->output - sender->output_end > 16384 + 9) {
                const uint8_t *data;
                ssize_t count = nghttp2_session_mem_send(sender->session, &data);
                if (count <= 0) break;
                memcpy(sender->output + sender->output_end, data, count);
                sender->output_end += count;
            }
            if (!sender->output_end) return 0;
        }
        size_t written;
        CURLcode code = curl_easy_send(sender->curl, sender->output + sender->output_start,
                                       sender->output_end - sender->output_start, &written);
        if (code == CURLE_AGAIN) return 0;
        if (code) return -1;
        sender->output_start += written;
    }
}

static int receive(struct sender *sender) {
    for (;;) {
        size_t count;
        CURLcode code = curl_easy_recv(sender->curl, sender->input, sizeof sender->input, &count);
        if (code == CURLE_AGAIN) return 0;
        if (code || !count || nghttp2_session_mem_recv(sender->session, sender->input, count) < 0) return -1;
    }
}

int cbaseline_sender(const struct cbaseline_sender_options *options, struct cbaseline_sender_result *result) {
    static struct sender sender;
    sender = (struct sender){.options = options, .result = result};
    memset(result, 0, sizeof *result);
    if (connect_sender(&sender)) return -1;
    while (result->answered < options->requests) {
        uint32_t limit =
            nghttp2_session_get_remote_settings(sender.session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
        // The peer's limit is known with its first answer.
        if (!result->answered) limit = 1;
        while (sender.started < options->requests && sender.open < options->concurrency &&
               (uint32_t)sender.open < limit)
            if (submit(&sender)) return -1;
        if (flush(&sender)) return -1;
        struct pollfd wait = {sender.socket, POLLIN | (sender.output_start < sender.output_end ? POLLOUT : 0), 0};
        poll(&wait, 1, 1000);
        if (receive(&sender)) {
            fprintf(stderr, "the connection broke after %lld answers\n", (long long)result->answered);
            return -1;
        }
    }
    nghttp2_session_del(sender.session);
    curl_easy_cleanup(sender.curl);
    return 0;
}
