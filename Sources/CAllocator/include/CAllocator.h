// The allocator of release builds is jemalloc: librdkafka allocates in one thread and frees in another, which costs
// glibc's malloc a lock and fragments its arenas.
#ifndef CALLOCATOR_H
#define CALLOCATOR_H
/// jemalloc's settings, which it reads under this name at its start.
extern const char *malloc_conf;
#endif
