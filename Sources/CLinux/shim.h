// Linux headers that Swift's Glibc module leaves out.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Names the calling thread; `prctl` is variadic, which Swift cannot call.
static inline void CLinux_prctl_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
#endif
