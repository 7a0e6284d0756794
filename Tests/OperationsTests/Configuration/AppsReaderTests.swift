import Testing

@testable import Operations

private func read(_ apps: String) -> (apps: [Configuration.App], faults: [String]) {
    do {
        let read = try ConfigurationReader(file: (path: "f", bytes: Array("{apps: \(apps)}".utf8))).read()
        return (read.configuration.apps, [])
    } catch {
        return ([], error.faults)
    }
}

@Suite struct AppsReaderTests {
    @Test func `reads two apps`() {
        let read = read(
            """
            [{id: 'a', topic: 'com.a', teamId: 'T', keyId: 'K', keyFile: 'k.p8'},
             {id: 'b', topic: 'com.b', teamId: 'T', keyId: 'K', keyFile: 'k.p8', pushesTopic: 'b.pushes'}]
            """
        )
        #expect(read.faults == [])
        #expect(read.apps.map(\.id) == ["a", "b"])
        #expect(read.apps.map(\.pushesTopic) == [nil, "b.pushes"])
        #expect(read.apps.first?.keyFile == "k.p8")
    }

    @Test(
        arguments: [
            ("{}", "invalid apps (f:1): found an object, expected a list"),
            ("[1]", "invalid apps[0] (f:1): found a whole number, expected an object"),
            ("[{topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}]", "apps[0].id (f:1) is missing"),
            (
                "[{id: 1, topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}]",
                "invalid apps[0].id (f:1): found a whole number, expected a text"
            ),
            (
                "[{id: '', topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}]",
                #"invalid apps[0].id "" (f:1): expected 1 to 128 bytes without control characters"#
            ),
            (
                "[{id: 'a', topic: 't', teamId: 'T', keyId: 'K', keyFile: '-----BEGIN PRIVATE KEY-----'}]",
                "invalid apps[0].keyFile (f:1): expected the path of a file or folder, not what stands in it"
            ),
            (
                "[{id: 'a', topic: 't', teamId: 'T', keyId: 'K', keyfile: 'k'}]",
                #"unknown key "apps[0].keyfile" (f:1): did you mean keyFile?"#
            ),
            (
                "[{id: 'a', topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k', pushesTopic: 'a/b'}]",
                #"invalid apps[0].pushesTopic "a/b" (f:1): expected the name of a topic"#
            ),
            (
                "[{id: 'a', topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}, {id: 'a', topic: 'u', teamId: 'T', keyId: 'K', keyFile: 'k'}]",
                #"apps[1].id "a" (f:1) stands twice"#
            ),
            (
                "[{id: 'a', topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}, {id: 'b', topic: 't', teamId: 'T', keyId: 'K', keyFile: 'k'}]",
                #"apps[1].topic "t" (f:1) belongs to the app "a" already"#
            ),
        ]
    ) func `says what is wrong with an app`(apps: String, fault: String) {
        #expect(read(apps).faults.contains(fault))
    }
}
