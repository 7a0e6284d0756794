// libmicrohttpd, and what the importer cannot see of it.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>

// Variadic: a daemon with one thread of its own that serves a socket which listens already.
static inline struct MHD_Daemon *CMicrohttpd_start_daemon(
    int listener,
    MHD_AccessHandlerCallback handler,
    void *handler_argument,
    MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection_changed,
    unsigned int connections_max,
    unsigned int idle_seconds_max) {
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO,
        0, NULL, NULL, handler, handler_argument,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, handler_argument,
        MHD_OPTION_CONNECTION_LIMIT, connections_max,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds_max,
        MHD_OPTION_END);
}

// Variadic: the socket of a connection; -1 where libmicrohttpd does not know it.
static inline int CMicrohttpd_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
#endif
