internal import Pipeline

/// Liveness and readiness as JSON.
enum HealthText {
    /// `{"alive": …, "limitSeconds": …, "threads": [{"name", "pollAgeSeconds"}]}`.
    static func json(_ liveness: Liveness) -> String {
        let threads = liveness.threads.map { thread in
            "{\"name\":\(JSONText.quoted(thread.name)),\"pollAgeSeconds\":\(seconds(thread.ageMillis))}"
        }
        let limit = seconds(Liveness.limitMillis)
        return
            "{\"alive\":\(liveness.isAlive),\"limitSeconds\":\(limit),\"threads\":[\(threads.joined(separator: ","))]}"
    }

    /// `{"ready": …, "reasons": [{"code", "stage", "detail"}], "stages": [{"name", "running", "partitions", "lagRecords"}]}`.
    static func json(_ readiness: Readiness) -> String {
        let reasons = readiness.reasons.map { reason in
            "{\"code\":\(JSONText.quoted(reason.code.rawValue)),\"stage\":\(JSONText.quoted(reason.stage)),"
                + "\"detail\":\(JSONText.quoted(reason.detail))}"
        }
        let stages = readiness.stages.map { stage in
            "{\"name\":\(JSONText.quoted(stage.name)),\"running\":\(stage.isRunning),"
                + "\"partitions\":\(stage.partitions),\"lagRecords\":\(stage.lagRecords)}"
        }
        return "{\"ready\":\(readiness.isReady),\"reasons\":[\(reasons.joined(separator: ","))],"
            + "\"stages\":[\(stages.joined(separator: ","))]}"
    }

    private static func seconds(_ millis: Int64) -> String {
        let rest = String(millis % 1_000)
        return "\(millis / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
