import APNsSimulator
import BlockingTestSupport
import Foundation
import Testing

@Suite(.blocks, .serialized)
struct CommandLineClientTests {
    private func fields(_ simulation: InteropSimulation, _ more: [String: String] = [:]) -> [String] {
        simulation.headers.merging(more) { $1 }.flatMap { ["-H", "\($0.key): \($0.value)"] }
    }

    @Test(
        .enabled(if: Tool.isInstalled("curl"), "curl is not installed: run make setup"),
        arguments: [["--tls-max", "1.2"], ["--tlsv1.3"]]
    )
    func `answers curl`(version: [String]) throws {
        let simulation = try InteropSimulation()
        let id = "3e8ed0f6-6a2c-5f6d-9a52-2e2b1f8f9a11"
        let common =
            ["-sS", "-i", "--http2", "--cacert", simulation.simulator.caFile, "-d", InteropSimulation.body] + version
            + fields(simulation, ["apns-id": id])
        let accepted = try Tool.run("curl", common + [simulation.url(InteropSimulation.known)])
        #expect(accepted.code == 0, "\(accepted.errors)")
        #expect(accepted.text == "HTTP/2 200 \r\napns-id: \(id)\r\n\r\n")
        let gone = try Tool.run("curl", common + [simulation.url(InteropSimulation.gone)])
        let expected =
            "HTTP/2 410 \r\napns-id: \(id)\r\ncontent-type: application/json\r\n\r\n"
            + #"{"reason":"Unregistered","timestamp":1799000000123}"#
        #expect(gone.text == expected)
        #expect(simulation.simulator.summary().accepted == 1)
    }

    @Test(.enabled(if: Tool.isInstalled("curl"), "curl is not installed: run make setup"))
    func `refuses curl without HTTP/2 and without trust`() throws {
        let simulation = try InteropSimulation()
        let url = simulation.url(InteropSimulation.known)
        let old = try Tool.run("curl", ["-sS", "--http1.1", "--cacert", simulation.simulator.caFile, "-d", "x", url])
        #expect(old.code == 35)
        let distrust = try Tool.run("curl", ["-sS", "--http2", "-d", "x", url])
        #expect(distrust.code == 60)
        let address = "https://127.0.0.1:\(simulation.simulator.port)/3/device/00"
        let numeric = try Tool.run(
            "curl",
            ["-sS", "--http2", "--cacert", simulation.simulator.caFile, "-d", "x", address]
        )
        #expect(numeric.code == 0, "\(numeric.errors)")
        #expect(numeric.text == #"{"reason":"MissingProviderToken"}"#)
    }

    @Test(.enabled(if: Tool.isInstalled("nghttp"), "nghttp is not installed: run make setup"))
    func `shows nghttp the settings and frames of APNs`() throws {
        let simulation = try InteropSimulation()
        let body = FileManager.default.temporaryDirectory.appending(path: "geopush-\(UUID().uuidString).json").path
        try Data(InteropSimulation.body.utf8).write(to: URL(filePath: body))
        defer { try? FileManager.default.removeItem(atPath: body) }
        let common = ["-nv", "-d", body] + fields(simulation)
        let accepted = try Tool.run("nghttp", common + [simulation.url(InteropSimulation.known)])
        let settings = [
            "[SETTINGS_HEADER_TABLE_SIZE(0x01):4096]", "[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]",
            "[SETTINGS_INITIAL_WINDOW_SIZE(0x04):65535]", "[SETTINGS_MAX_FRAME_SIZE(0x05):16384]",
            "[SETTINGS_MAX_HEADER_LIST_SIZE(0x06):8000]", "[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]",
        ]
        for setting in settings { #expect(accepted.text.contains(setting), "\(setting)") }
        #expect(accepted.text.contains(":status: 200"))
        let rejected = try Tool.run("nghttp", common + [simulation.url(InteropSimulation.other)])
        #expect(rejected.text.contains(":status: 400"))
        #expect(rejected.text.components(separatedBy: "recv DATA frame").count == 2)
        #expect(simulation.simulator.summary().rejected == ["DeviceTokenNotForTopic": 1])
    }

    @Test(.enabled(if: Tool.isInstalled("h2load"), "h2load is not installed: run make setup"))
    func `bears h2load`() throws {
        let simulation = try InteropSimulation { options in
            options.firstStreamLimit = 1000
            options.devices = nil
        }
        let body = FileManager.default.temporaryDirectory.appending(path: "geopush-\(UUID().uuidString).json").path
        try Data(InteropSimulation.body.utf8).write(to: URL(filePath: body))
        defer { try? FileManager.default.removeItem(atPath: body) }
        let load = ["-n", "20000", "-c", "4", "-m", "100", "-t", "1", "-d", body]
        let output = try Tool.run("h2load", load + fields(simulation) + [simulation.url(InteropSimulation.known)])
        #expect(output.text.contains("20000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(output.text)")
        let summary = simulation.simulator.summary()
        #expect(summary.accepted == 20_000)
        #expect(summary.distinctApnsIDs == 20_000)
        #expect(summary.connections == 4)
    }
}
