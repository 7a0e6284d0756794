internal import APNs

/// The apps of the configuration, found by the bytes of a push's header values.
///
/// There are few, so a look compares lengths and bytes in order: no hashing and no allocation.
struct AppTable {
    /// One app.
    struct App {
        let id: [UInt8]
        let topic: [UInt8]
        /// Which credential signs for it, an index into ``AppTable/tokens``.
        let credential: Int32
    }

    private let apps: [App]
    /// The distinct credentials of the apps.
    let tokens: [ProviderTokenSource]

    init(_ credentials: [AppCredential]) {
        var tokens: [ProviderTokenSource] = []
        apps = credentials.map { app in
            let known = tokens.firstIndex { $0 === app.token }
            if known == nil { tokens.append(app.token) }
            return App(
                id: Array(app.id.utf8),
                topic: Array(app.topic.utf8),
                credential: Int32(known ?? tokens.count - 1)
            )
        }
        self.tokens = tokens
    }

    /// The app with an id, or -1.
    func index(id: UnsafeRawBufferPointer) -> Int32 {
        for index in apps.indices where unsafe equal(apps[index].id, id, prefix: false) { return Int32(index) }
        return -1
    }

    /// The app of an `apns-topic`: its own, or one with a suffix of a push type such as `.voip`; or -1.
    func index(topic: UnsafeRawBufferPointer) -> Int32 {
        for index in apps.indices where unsafe equal(apps[index].topic, topic, prefix: true) { return Int32(index) }
        return -1
    }

    /// An app by its index.
    subscript(_ index: Int32) -> App { apps[Int(index)] }

    private func equal(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer, prefix: Bool) -> Bool {
        guard bytes.count >= name.count else { return false }
        if bytes.count > name.count {
            guard prefix, unsafe bytes[name.count] == UInt8(ascii: ".") else { return false }
        }
        for index in 0..<name.count where unsafe bytes[index] != name[index] { return false }
        return true
    }
}
