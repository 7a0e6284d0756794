internal import APNs
internal import EventLoop
internal import Operations

/// Makes a provider token for each app, as a worker does at its start.
struct AppChecks {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// One for each app.
    var findings: [Finding] {
        guard !configuration.apps.isEmpty else {
            return [.wrong("apps", "none is configured: name at least one with its key under apps")]
        }
        let tokens = ProviderTokens()
        return configuration.apps.map { finding(of: $0, tokens) }
    }

    private func finding(of app: Configuration.App, _ tokens: ProviderTokens) -> Finding {
        let name = "app \(app.id)"
        do {
            _ = try tokens.source(
                ProviderIdentity(teamID: app.teamID, keyID: app.keyID),
                path: app.keyFile,
                wallMillis: Clock.wallMillis(),
                nowMillis: Clock.monotonicMillis()
            )
        } catch {
            return .wrong(name, "\(error)")
        }
        return .right(name, "\(app.keyFile) signs a provider token of key \(app.keyID), team \(app.teamID)")
    }
}
