#include "CAllocator.h"

// Few arenas, since there are few busy threads. Memory that is free for five seconds goes back to the system, and threads
// keep no large blocks.
const char *malloc_conf = "narenas:2,dirty_decay_ms:5000,muzzy_decay_ms:0,tcache_max:8192";
