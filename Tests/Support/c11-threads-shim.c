// C11 threads on top of POSIX threads, for the run under ThreadSanitizer.
//
// ThreadSanitizer intercepts pthread_create and pthread_mutex_*, and not the C11 calls of glibc, whose insides call
// neither. Debian's librdkafka uses the C11 calls, so its first thread would run without ThreadSanitizer's state and
// crash. Preloaded, this library answers those calls first. It relies on glibc: thrd_t is pthread_t, and mtx_t and
// cnd_t are as large as the POSIX types.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static_assert(sizeof(thrd_t) == sizeof(pthread_t), "a C11 thread is a POSIX thread");
static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t), "a C11 mutex holds a POSIX mutex");
static_assert(sizeof(cnd_t) >= sizeof(pthread_cond_t), "a C11 condition holds a POSIX condition");

static int result_of(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

// Threads

struct entry {
    thrd_start_t function;
    void *argument;
};

static void *enter(void *pointer) {
    struct entry entry = *(struct entry *)pointer;
    free(pointer);
    return (void *)(intptr_t)entry.function(entry.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL) {
        return thrd_nomem;
    }
    *entry = (struct entry){.function = function, .argument = argument};
    int error = pthread_create((pthread_t *)thread, NULL, enter, entry);
    if (error != 0) {
        free(entry);
    }
    return result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    int error = pthread_join((pthread_t)thread, &value);
    if (error == 0 && result != NULL) {
        *result = (int)(intptr_t)value;
    }
    return result_of(error);
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach((pthread_t)thread)); }

// Mutexes

int mtx_init(mtx_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error != 0) {
        return result_of(error);
    }
    pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    error = pthread_mutex_init((pthread_mutex_t *)mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result_of(error);
}

int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock((pthread_mutex_t *)mutex)); }

int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    return result_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, deadline));
}

int mtx_unlock(mtx_t *mutex) { return result_of(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }

// Conditions

int cnd_init(cnd_t *condition) { return result_of(pthread_cond_init((pthread_cond_t *)condition, NULL)); }

int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal((pthread_cond_t *)condition)); }

int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast((pthread_cond_t *)condition)); }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return result_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    return result_of(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, deadline));
}

void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }
