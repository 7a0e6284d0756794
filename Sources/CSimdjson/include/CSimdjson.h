// A C header over simdjson's DOM, for Swift: parse once, then read the tape.
//
// The tape is simdjson's own format, stable since version 0.3 and described in its doc/tape.md: 64-bit words, the type
// in the upper byte, 56 bits of payload below. No call into C++ is needed to walk it.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A parser and the document that it parsed last. Not for two threads at once.
typedef struct csimdjson_parser csimdjson_parser;

/// A parsed document; valid until the parser parses again or is freed.
typedef struct {
    /// The tape; its first word is the root, the first value stands at index 1.
    const uint64_t *_Nullable tape;
    /// The strings: a 32-bit length in host order, the UTF-8 bytes, a zero byte; the tape holds offsets into it.
    const uint8_t *_Nullable strings;
} csimdjson_document;

/// What a parser answers; the order is that of severity for nobody.
typedef enum {
    csimdjson_ok = 0,
    /// Longer than the parser was made for.
    csimdjson_too_long,
    /// More levels of nesting than the parser was made for.
    csimdjson_too_deep,
    /// Not UTF-8.
    csimdjson_not_utf8,
    /// Nothing but white space, or no bytes at all.
    csimdjson_empty,
    /// A number that is malformed or out of range, such as 1e400.
    csimdjson_bad_number,
    /// A string that is malformed.
    csimdjson_bad_string,
    /// Any other fault of syntax.
    csimdjson_malformed,
    /// No memory.
    csimdjson_no_memory
} csimdjson_status;

/// Makes a parser that refuses longer and deeper documents; NULL without memory.
csimdjson_parser *_Nullable csimdjson_parser_new(size_t bytes_max, size_t depth_max);

/// Frees a parser; NULL is allowed.
void csimdjson_parser_free(csimdjson_parser *_Nullable parser);

/// Parses a document. The bytes are copied (simdjson reads beyond their end) and need not outlive the call.
csimdjson_status csimdjson_parse(csimdjson_parser *_Nonnull parser, const uint8_t *_Nullable bytes, size_t length,
                                 csimdjson_document *_Nonnull document);

/// The version of simdjson that was compiled in.
const char *_Nonnull csimdjson_version(void);

#ifdef __cplusplus
}
#endif
#endif
