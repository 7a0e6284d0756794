internal import Kafka
internal import Observability

/// The last steps of a push: its receipt is acknowledged, the watermark moves, the position is committed.
extension DeliveryLane {
    /// A push has ended and nothing of it is unacknowledged.
    func finished(_ origin: PushOrigin) {
        guard let partition = partition(of: origin) else { return }
        partition.watermark.finished(sequence: origin.sequence)
        commits.advanced(by: 1)
    }

    /// The partition of a push; nil when it has been given back since.
    func partition(of origin: PushOrigin) -> DeliveryPartition? {
        guard Int(origin.partition) < partitions.count else { return nil }
        let partition = partitions[Int(origin.partition)]
        return partition.epoch == origin.epoch ? partition : nil
    }

    /// Commits if it is time.
    func commitIfDue() {
        guard drain == nil, commits.isDue(nowMillis: nowMillis) else { return }
        commitNow()
    }

    /// Commits what is finished, if anything is new.
    func commitNow() {
        var offsets: [OffsetCommit] = []
        for partition in partitions {
            guard let commit = partition.watermark.takeCommit(isHeld: partition.stop != nil) else { continue }
            offsets.append(
                OffsetCommit(topicPartition: partition.id, offset: commit.offset, metadata: commit.metadata)
            )
        }
        guard !offsets.isEmpty else {
            // Nothing was ever taken, so nothing can be sent twice.
            suspension.proved()
            return commits.skipped(nowMillis: nowMillis)
        }
        do {
            try consumer.commit(offsets)
            commits.started(nowMillis: nowMillis)
        } catch {
            commitFailed(error)
        }
    }

    /// The group has answered a commit.
    func committed(_ answer: CommitAnswer) {
        // An answer that comes after the partitions were given back speaks of an earlier assignment.
        guard commits.isInFlight else { return }
        if let error = answer.error { return commitFailed(error) }
        for partition in partitions { partition.watermark.commitAcknowledged() }
        commits.acknowledged()
        metrics.commitsAcknowledged.add()
        suspension.proved()
    }

    private func commitFailed(_ error: KafkaError) {
        for partition in partitions { partition.watermark.commitFailed() }
        commits.failed(nowMillis: nowMillis)
        metrics.commitsFailed.add()
        context.state.kafkaErrors.count(error.code)
        log.warning("a commit failed and is repeated", ["kafka.error": error.name, "lane": "\(context.index)"])
    }
}
