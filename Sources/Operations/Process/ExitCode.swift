/// How a process ends, as sysexits.h numbers it.
public enum ExitCode {
    /// All went well; also help, and the end after a signal.
    public static let success: Int32 = 0
    /// Something failed at run time, or a check found faults.
    public static let failure: Int32 = 1
    /// The command line is wrong.
    public static let usage: Int32 = 64
    /// The configuration, a key file or a topic is wrong: trying again does not help.
    public static let configuration: Int32 = 78
    /// A second signal ended the process at once.
    public static let interrupted: Int32 = 130
}
