// Tells ThreadSanitizer what Swift's Mutex does when two threads meet at it.
//
// The fast paths of Mutex are inlined, so ThreadSanitizer sees their atomic operations. The slow paths, taken when
// another thread holds the mutex or waits for it, lie in the Swift library, which ThreadSanitizer does not see: what a
// thread then reads looks like a race with the one before. Preloaded, these functions answer first, call the library's,
// and say that the lock is taken or given back. They get the mutex as Swift's `self`; its first word is the lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

typedef SWIFT_CALL void (*lock_slow_function)(uint32_t thread, SWIFT_SELF void *mutex);
typedef SWIFT_CALL bool (*try_lock_slow_function)(SWIFT_SELF void *mutex);
typedef SWIFT_CALL void (*unlock_slow_function)(SWIFT_SELF void *mutex);
typedef void (*annotation)(void *address);

// Absent in a process that was not built for ThreadSanitizer, such as the one that starts the tests.
static void say(const char *name, void *mutex) {
    annotation function = (annotation)dlsym(RTLD_DEFAULT, name);
    if (function != NULL) {
        function(mutex);
    }
}

SWIFT_CALL void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT_CALL void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) {
    ((lock_slow_function)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
    say("__tsan_acquire", mutex);
}

SWIFT_CALL void unlock_slow(SWIFT_SELF void *mutex) __asm__(UNLOCK_SLOW);
SWIFT_CALL void unlock_slow(SWIFT_SELF void *mutex) {
    say("__tsan_release", mutex);
    ((unlock_slow_function)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}

SWIFT_CALL bool try_lock_slow(SWIFT_SELF void *mutex) __asm__(TRY_LOCK_SLOW);
SWIFT_CALL bool try_lock_slow(SWIFT_SELF void *mutex) {
    bool is_taken = ((try_lock_slow_function)dlsym(RTLD_NEXT, TRY_LOCK_SLOW))(mutex);
    if (is_taken) {
        say("__tsan_acquire", mutex);
    }
    return is_taken;
}
