import EndToEndSupport
import Foundation
import Glibc
import KafkaTestSupport
import Testing

/// An nginx of our own that answers pushes as APNs would, in a temporary folder.
///
/// It gets whole bodies, answers 400 requests a second, and so has many streams open when it ends a connection.
final class Nginx {
    let folder: TemporaryFolder
    let port: UInt16
    private let process = Process()

    /// Starts it.
    ///
    /// - Parameter requests: After so many it ends a connection by a GOAWAY.
    init(requestsOfConnection requests: Int) async throws {
        folder = try TemporaryFolder()
        port = try FreePorts.find(1)[0]
        try folder.writeServerCertificate()
        try folder.write(configuration(requests), to: "nginx.conf")
        // Should the tests be killed, it ends all the same.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["300", try #require(Tool.path(of: "nginx"))] + files
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await eventually("nginx runs", seconds: 20, state: { folder.text("error.log") }) {
            guard process.isRunning else { throw Overdue("nginx has ended: \(folder.text("error.log"))") }
            return master != nil
        }
    }

    deinit {
        if let master { kill(master, SIGTERM) }
        process.waitUntilExit()
    }

    private var files: [String] {
        ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("error.log")]
    }

    private var master: pid_t? { pid_t(folder.text("nginx.pid").trimmingCharacters(in: .whitespacesAndNewlines)) }

    /// Starts new workers; the old ones end when their connections have.
    func reload() throws {
        let output = try Tool.run("nginx", files + ["-s", "reload"])
        try #require(output.code == 0, "\(output.errors)")
    }

    /// The requests that it has answered, once they are so many; it logs each after its answer.
    func served(_ count: Int) async throws -> [ServedRequest] {
        var served: [ServedRequest] = []
        try await eventually("nginx has logged all", seconds: 20, state: { "\(served.count) of \(count)" }) {
            served = try folder.lines("access.log", as: ServedRequest.self)
            return served.count >= count
        }
        return served
    }

    private func configuration(_ requests: Int) -> String {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder.path)/\($0);" }
        // The folder is closed to the user that the workers of root would have.
        return """
            \(getuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(folder.file("nginx.pid"));
            error_log \(folder.file("error.log")) notice;
            events { worker_connections 1024; }
            http {
                \(paths.joined(separator: "\n    "))
                map $uri $device { "~^/3/device/(?<digits>[0-9a-f]+)$" $digits; }
                log_format push escape=json '{"id":"$http_apns_id","token":"$device","body":"$request_body",'
                    '"status":$status,"connection":$connection,"worker":$pid}';
                limit_req_zone $server_name zone=pace:64k rate=400r/s;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    server_name localhost;
                    ssl_certificate \(folder.file("server.pem"));
                    ssl_certificate_key \(folder.file("server.key"));
                    http2_max_concurrent_streams 100;
                    keepalive_requests \(requests);
                    client_body_buffer_size 16k;
                    access_log \(folder.file("access.log")) push;
                    location /3/device/ {
                        limit_except POST { deny all; }
                        limit_req zone=pace burst=10000;
                        proxy_pass http://unix:\(folder.file("answers.sock"));
                    }
                }
                server {
                    listen unix:\(folder.file("answers.sock"));
                    access_log off;
                    default_type application/json;
                    location /3/device/90 { return 410 '{"reason":"Unregistered","timestamp":1799000000123}'; }
                    location /3/device/b0 { return 400 '{"reason":"BadDeviceToken"}'; }
                    location / { return 200; }
                }
            }

            """
    }
}
