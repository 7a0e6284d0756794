import Testing

@testable import Observability

struct ExpositionTextTests {
    @Test func `writes help, type and samples`() {
        var text = ExpositionText()
        text.begin(MetricDescription("pushes_total", .counter, labels: ["status", "reason"], "Pushes that ended."))
        text.sample(3, "accepted", "")
        text.sample(1, "rejected", "BadDeviceToken")
        text.begin(MetricDescription("age_seconds", .gauge, "An age."))
        text.seconds(millis: 1_500)
        let expected = """
            # HELP pushes_total Pushes that ended.
            # TYPE pushes_total counter
            pushes_total{status="accepted",reason=""} 3
            pushes_total{status="rejected",reason="BadDeviceToken"} 1
            # HELP age_seconds An age.
            # TYPE age_seconds gauge
            age_seconds 1.5

            """
        #expect(text.text == expected)
    }

    @Test func `writes a histogram with cumulated buckets in seconds`() {
        let histogram = Histogram()
        for millis: Int64 in [1, 40, 50, 4_000_000] { histogram.observe(millis: millis) }
        var snapshot = Histogram.Snapshot()
        snapshot.add(histogram)
        var text = ExpositionText()
        text.begin(MetricDescription("wait_seconds", .histogram, "A wait."))
        text.histogram(snapshot)
        let lines = text.text.split(separator: "\n").dropFirst(2).map(String.init)
        #expect(lines.count == Histogram.boundsMillis.count + 3)
        #expect(
            lines.prefix(3) == [
                #"wait_seconds_bucket{le="0.001"} 1"#, #"wait_seconds_bucket{le="0.002"} 1"#,
                #"wait_seconds_bucket{le="0.005"} 1"#,
            ]
        )
        #expect(lines.contains(#"wait_seconds_bucket{le="0.05"} 3"#))
        #expect(
            lines.suffix(4) == [
                #"wait_seconds_bucket{le="3600"} 3"#, #"wait_seconds_bucket{le="+Inf"} 4"#,
                "wait_seconds_sum 4000.091", "wait_seconds_count 4",
            ]
        )
    }

    @Test func `escapes what would end a label or a line`() {
        var text = ExpositionText()
        text.begin(MetricDescription("odd", .gauge, labels: ["name"], "One\nline \\ \"quoted\"."))
        text.sample(1, "a\"b\\c\nd")
        #expect(
            text.text == "# HELP odd One\\nline \\\\ \"quoted\".\n# TYPE odd gauge\nodd{name=\"a\\\"b\\\\c\\nd\"} 1\n"
        )
    }

    @Test(arguments: [
        (0, "0"), (1, "0.001"), (20, "0.02"), (500, "0.5"), (1_000, "1"), (100_010, "100.01"), (-250, "-0.25"),
    ])
    func `writes milliseconds as seconds`(millis: Int64, text: String) {
        #expect(ExpositionText.seconds(millis) == text)
    }
}
