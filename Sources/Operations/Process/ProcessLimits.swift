internal import Glibc

/// What a process sets up for itself before anything else, while it has one thread.
public enum ProcessLimits {
    /// Makes standard streams and signals safe, and raises the number of descriptors.
    ///
    /// A descriptor 0, 1 or 2 that was closed by whoever started the process would be given to the next socket, and log
    /// lines would go into a connection: such a one is opened on /dev/null. SIGPIPE is ignored: a peer that is gone is
    /// an error of the write.
    public static func prepare() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The least free number is taken, which is this one; without /dev/null the process goes on as it is.
            _ = unsafe open("/dev/null", O_RDWR)
        }
        _ = signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
    }

    /// How many descriptors the process may have open.
    public static var descriptorsMax: Int {
        var limit = rlimit()
        // Fails only for an unknown limit.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        // What was allowed before stays where this is refused.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
