public import APNs
internal import EventLoop
internal import FoundationEssentials
public import HTTP2
public import Pipeline

extension Configuration {
    /// Makes the settings of a worker; reads the key files.
    ///
    /// - Parameters:
    ///   - stages: The stages that run.
    ///   - tokens: Gets the keys; apps that share one share its token.
    /// - Returns: The settings.
    /// - Throws: A failure with exit code 78 that names the app and what is wrong with its key.
    public func workerSettings(
        stages: Set<WorkerSettings.Stage>,
        tokens: ProviderTokens
    ) throws(CommandFailure) -> WorkerSettings {
        guard !apps.isEmpty else {
            throw .configuration("no app is configured: name at least one with its key under apps")
        }
        if let caFile = apns.caFile {
            do throws(SystemError) {
                _ = try FileContent.read(caFile)
            } catch {
                throw .configuration("apns.caFile \(caFile) cannot be read (\(error)): check its path and permissions")
            }
        }
        return WorkerSettings(
            stages: stages,
            kafka: KafkaConnection(
                bootstrapServers: kafka.bootstrapServers,
                properties: kafka.properties.entries.map { ($0.name, $0.value) },
                groupPrefix: kafka.groupPrefix,
                instance: kafka.instanceID ?? InstanceName.make(),
                isStatic: kafka.instanceID != nil
            ),
            topics: TopicNames(prefix: kafka.topicPrefix),
            delivery: deliverySettings(apps: try credentials(tokens))
        )
    }

    private func credentials(_ tokens: ProviderTokens) throws(CommandFailure) -> [AppCredential] {
        var credentials: [AppCredential] = []
        for app in apps {
            do throws(ProviderTokenError) {
                let token = try tokens.source(
                    ProviderIdentity(teamID: app.teamID, keyID: app.keyID),
                    path: app.keyFile,
                    wallMillis: Clock.wallMillis(),
                    nowMillis: Clock.monotonicMillis()
                )
                credentials.append(
                    AppCredential(id: app.id, topic: app.topic, token: token, pushesTopic: app.pushesTopic)
                )
            } catch {
                throw .configuration("app \"\(app.id)\": \(error)")
            }
        }
        return credentials
    }

    private func deliverySettings(apps: [AppCredential]) -> DeliverySettings {
        DeliverySettings(
            lanes: delivery.lanes ?? Delivery.lanesByDefault(cores: ProcessInfo.processInfo.activeProcessorCount),
            inFlight: delivery.inFlight,
            connectionsPerLane: apns.connectionsPerLane,
            requestTimeoutMillis: Int64(apns.requestTimeoutSeconds) * 1_000,
            retry: Backoff(baseSeconds: delivery.retryBaseSeconds, maxSeconds: delivery.retryMaxSeconds),
            maxHoldMillis: Int64(delivery.retryMaxHoldSeconds * 1_000),
            production: endpoint(apns.production),
            sandbox: endpoint(apns.sandbox),
            apps: apps,
            hashesTokens: receipts.token == .hash
        )
    }

    /// Where to connect to for an address of APNs.
    ///
    /// - Parameter address: One of ``APNs/production`` and ``APNs/sandbox``.
    /// - Returns: The endpoint with the authorities to trust and the proxy.
    public func endpoint(_ address: Address) -> Endpoint {
        Endpoint(host: address.host, port: address.port, caFile: apns.caFile, proxy: apns.proxy?.value)
    }
}
