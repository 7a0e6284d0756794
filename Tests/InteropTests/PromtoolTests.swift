import APNsSimulator
import BlockingTestSupport
import EndToEndSupport
import Foundation
import Pipeline
import Testing

/// Prometheus' own check of a worker's metrics.
@Suite(.blocks, .enabled(if: Tool.isInstalled("promtool"), "promtool is not installed: run make setup"))
struct PromtoolTests {
    @Test func `promtool finds nothing wrong with what a running worker says`() async throws {
        let folder = try TemporaryFolder()
        let simulation = try InteropSimulation { options in
            options.tlsDirectory = folder.path
            options.signingKeys = []
            options.apps = [Sending.topic]
            options.devices = nil
        }
        let sending = try Sending(to: simulation.simulator.port, folder)
        try sending.publish((1...20).map { Sending.token("d0", $0) })
        _ = try await sending.receipts.wait(for: 20, "receipts")
        let text = sending.worker.worker.metricsText(version: "1.2.3")
        await sending.stop()
        simulation.simulator.stop()
        let output = try Tool.run("promtool", ["check", "metrics"], input: Data(text.utf8))
        #expect(output.code == 0)
        #expect(output.text + output.errors == "")
    }
}
