internal import Glibc

/// The place that a folder has, or would have once it is made.
public struct DiskSpace: Sendable {
    /// The folder, or the nearest above it that exists.
    public let folder: String
    /// How many bytes are free there for this user.
    public let freeBytes: Int64
    /// Whether this user may write there.
    public let isWritable: Bool

    /// Looks at a folder.
    ///
    /// - Parameter path: Where it is, or will be.
    public init(at path: String) {
        var folder = path
        var facts = statvfs()
        while unsafe statvfs(folder, &facts) != 0 {
            guard let slash = folder.lastIndex(of: "/"), folder != "/" else {
                folder = folder.hasPrefix("/") ? "/" : "."
                // Where even that cannot be looked at, nothing is free.
                _ = unsafe statvfs(folder, &facts)
                break
            }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        self.folder = folder
        let (bytes, isTooMuch) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        freeBytes = isTooMuch ? .max : Int64(clamping: bytes)
        // With the slash, an executable file in the way does not pass for a folder.
        isWritable = unsafe access(folder + "/", W_OK | X_OK) == 0
    }
}
