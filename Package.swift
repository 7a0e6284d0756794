// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .enableExperimentalFeature("Lifetimes"),  // a property that lends C memory as a Span
]

/// Settings of the product's targets: the hot path crosses modules, so the optimizer must see through them.
///
/// Accesses are checked for exclusivity in debug builds only, where the tests run: it cost a tenth of a push's CPU.
let product: [SwiftSetting] =
    common + [
        .strictMemorySafety(),  // SE-0458
        .unsafeFlags(
            ["-cross-module-optimization", "-enforce-exclusivity=unchecked"],
            .when(configuration: .release)
        ),
    ]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: product)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: common)
}

let package = Package(
    name: "geopush",
    products: [.executable(name: "geopush", targets: ["geopush"])],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CRdKafka", pkgConfig: "rdkafka", providers: [.apt(["librdkafka-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "CSimdjson",
            cxxSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]
        ),

        module("EventLoop", ["CLinux"]),
        module("Observability", ["EventLoop"]),
        module("AdminEndpoint", ["CMicrohttpd", "EventLoop"]),
        module("Cryptography", ["COpenSSL"]),
        module("Kafka", ["CRdKafka", "EventLoop", "Observability"]),
        module("HTTP2", ["CCurl", "CNghttp2", "COpenSSL", "EventLoop", "Observability"]),
        module("APNs", ["Cryptography", "EventLoop", "HTTP2", "Observability"]),
        module("Events", ["CSimdjson", "Cryptography", "EventLoop"]),
        module("Pipeline", ["APNs", "Cryptography", "EventLoop", "Events", "HTTP2", "Kafka", "Observability"]),
        module("Operations", ["APNs", "AdminEndpoint", "EventLoop", "HTTP2", "Kafka", "Observability", "Pipeline"]),
        module("APNsSimulator", ["AdminEndpoint", "Cryptography", "EventLoop", "HTTP2", "Observability"]),
        .executableTarget(
            name: "geopush",
            dependencies: [
                "APNs", "APNsSimulator", "CAllocator", "CBaseline", "Cryptography", "EventLoop", "Events", "HTTP2",
                "Kafka",
                "Observability", "Operations", "Pipeline",
            ],
            swiftSettings: product,
            // Sanitizers of debug builds have an allocator of their own.
            linkerSettings: [.linkedLibrary("jemalloc", .when(configuration: .release))]
        ),
        .target(name: "CAllocator"),
        .target(
            name: "CBaseline",
            dependencies: ["CCurl", "CNghttp2", "COpenSSL", "CRdKafka"],
            cSettings: [.unsafeFlags(["-O2"])]
        ),

        tests("EventLoopTests", ["EventLoop"]),
        .target(
            name: "HTTPTestSupport",
            dependencies: ["EventLoop"],
            path: "Tests/Support/HTTPTestSupport",
            swiftSettings: common
        ),
        tests("AdminEndpointTests", ["AdminEndpoint", "BlockingTestSupport", "EventLoop", "HTTPTestSupport"]),
        tests("ObservabilityTests", ["Observability"]),
        tests("CryptographyTests", ["Cryptography"]),
        .target(
            name: "BlockingTestSupport",
            dependencies: ["EventLoop"],
            path: "Tests/Support/BlockingTestSupport",
            swiftSettings: common
        ),
        .target(
            name: "KafkaTestSupport",
            dependencies: ["Kafka", "EventLoop", "Observability"],
            path: "Tests/Support/KafkaTestSupport",
            swiftSettings: common
        ),
        tests("KafkaTests", ["BlockingTestSupport", "Kafka", "KafkaTestSupport", "EventLoop", "Observability"]),
        tests("KafkaBrokerTests", ["Kafka", "KafkaTestSupport", "EventLoop", "Observability"]),
        tests("HTTP2Tests", ["BlockingTestSupport", "HTTP2", "COpenSSL", "Cryptography", "EventLoop"]),
        tests("APNsTests", ["APNs", "Cryptography", "HTTP2"]),
        tests("EventsTests", ["Events"], exclude: ["Faulty", "Golden"]),
        .target(
            name: "FuzzTargets",
            dependencies: ["APNs", "APNsSimulator", "Cryptography", "Events", "Operations"],
            path: "Tests/Fuzz/Targets",
            swiftSettings: common
        ),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: common),
        tests("PipelineTests", ["APNs", "Pipeline", "Events", "Kafka", "Observability"]),
        .target(
            name: "CommandLineTestSupport",
            dependencies: ["EventLoop"],
            path: "Tests/Support/CommandLineTestSupport",
            swiftSettings: common
        ),
        tests(
            "CommandLineTests",
            [
                "BlockingTestSupport", "CommandLineTestSupport", "Cryptography", "EventLoop", "HTTPTestSupport",
                "Kafka", "KafkaTestSupport", "Operations", "geopush",
            ]
        ),
        tests(
            "CommandLineBrokerTests",
            ["CommandLineTestSupport", "Cryptography", "Kafka", "KafkaTestSupport", "geopush"]
        ),
        tests("TidyTests", []),
        tests(
            "OperationsTests",
            ["BlockingTestSupport", "EventLoop", "Events", "Kafka", "Observability", "Operations", "Pipeline"]
        ),
        .target(
            name: "EndToEndSupport",
            dependencies: ["Cryptography", "EventLoop", "Events", "Kafka", "KafkaTestSupport", "Pipeline"],
            path: "Tests/Support/EndToEndSupport",
            swiftSettings: common
        ),
        tests(
            "EndToEndTests",
            [
                "APNs", "APNsSimulator", "BlockingTestSupport", "EndToEndSupport", "EventLoop", "Events", "HTTP2",
                "HTTPTestSupport", "Kafka", "Observability", "Operations", "Pipeline",
            ]
        ),
        tests(
            "EndToEndBrokerTests",
            ["EndToEndSupport", "EventLoop", "Events", "Kafka", "KafkaTestSupport", "geopush"]
        ),
        .executableTarget(
            name: "Chaos",
            dependencies: ["EndToEndSupport", "EventLoop", "Kafka", "KafkaTestSupport"],
            path: "Tests/Chaos",
            swiftSettings: common
        ),
        tests(
            "APNsSimulatorTests",
            [
                "APNsSimulator", "BlockingTestSupport", "Cryptography", "EventLoop", "HTTP2", "HTTPTestSupport",
                "Observability",
            ]
        ),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "APNs", "APNsSimulator", "BlockingTestSupport", "Cryptography", "EndToEndSupport", "EventLoop",
                "Events", "Kafka", "KafkaTestSupport", "Observability", "Operations", "Pipeline",
            ],
            exclude: ["Clients", "Servers", "requirements.txt"],
            swiftSettings: common
        ),
    ],
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)

// Links only where all else is built for libFuzzer, too: make fuzz.
if Context.environment["GEOPUSH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzz/Driver",
            swiftSettings: common,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
        )
    )
}
