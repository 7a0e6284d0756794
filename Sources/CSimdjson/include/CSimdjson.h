// A C header over simdjson's DOM, for Swift.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H
#ifdef __cplusplus
extern "C" {
#endif
/// The version of simdjson that was compiled in.
const char *csimdjson_version(void);
#ifdef __cplusplus
}
#endif
#endif
