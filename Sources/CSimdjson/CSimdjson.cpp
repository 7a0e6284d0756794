#include "CSimdjson.h"
#include <new>
#include <simdjson.h>

struct csimdjson_parser {
    simdjson::dom::parser parser;
    size_t depth_max;
    bool is_allocated = false;
    csimdjson_parser(size_t bytes_max, size_t depth) : parser(bytes_max), depth_max(depth) {}
};

static csimdjson_status status_of(simdjson::error_code code) noexcept {
    switch (code) {
    case simdjson::SUCCESS: return csimdjson_ok;
    case simdjson::CAPACITY: return csimdjson_too_long;
    case simdjson::MEMALLOC: return csimdjson_no_memory;
    case simdjson::DEPTH_ERROR: return csimdjson_too_deep;
    case simdjson::UTF8_ERROR: return csimdjson_not_utf8;
    case simdjson::EMPTY: return csimdjson_empty;
    case simdjson::NUMBER_ERROR:
    case simdjson::NUMBER_OUT_OF_RANGE: return csimdjson_bad_number;
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
    case simdjson::UNCLOSED_STRING: return csimdjson_bad_string;
    default: return csimdjson_malformed;
    }
}

extern "C" csimdjson_parser *csimdjson_parser_new(size_t bytes_max, size_t depth_max) {
    try {
        return new (std::nothrow) csimdjson_parser(bytes_max, depth_max);
    } catch (...) {
        return nullptr;
    }
}

extern "C" void csimdjson_parser_free(csimdjson_parser *parser) { delete parser; }

extern "C" csimdjson_status csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t length,
                                            csimdjson_document *document) {
    *document = {nullptr, nullptr};
    if (length == 0 || bytes == nullptr) return csimdjson_empty;
    // One byte more than the longest document must not be enough to allocate by.
    if (length > parser->parser.max_capacity()) return csimdjson_too_long;
    try {
        if (!parser->is_allocated) {
            // Sets the depth, which later growth keeps.
            simdjson::error_code code = parser->parser.allocate(4096, parser->depth_max);
            if (code) return status_of(code);
            parser->is_allocated = true;
        }
        simdjson::dom::element root;
        simdjson::error_code code = parser->parser.parse(bytes, length, true).get(root);
        if (code) return status_of(code);
        *document = {parser->parser.doc.tape.get(), parser->parser.doc.string_buf.get()};
        return csimdjson_ok;
    } catch (...) {
        return csimdjson_malformed;
    }
}

extern "C" const char *csimdjson_version(void) { return SIMDJSON_STRINGIFY(SIMDJSON_VERSION); }
