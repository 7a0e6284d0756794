/// Keys that protect nothing, each made by the command beside it.
enum TestKeys {
    /// openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt
    static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4LDMEX999sDv3zjb
        yY2MQDVyogVVy+YoDoXst9lQ1mWhRANCAAQSTk3TmKKXgwRavDtYVHRMmOlZ0VCX
        xQNbyTwSaj0U37pI0GBC9MEyv7kEl5zwoHw8jhsbk5mFHjDkAhsWgThA
        -----END PRIVATE KEY-----
        """

    /// The public half of `pkcs8`: openssl ec -pubout
    static let publicHalf = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEk5N05iil4MEWrw7WFR0TJjpWdFQ
        l8UDW8k8Emo9FN+6SNBgQvTBMr+5BJec8KB8PI4bG5OZhR4w5AIbFoE4QA==
        -----END PUBLIC KEY-----
        """

    /// openssl req -x509 -new -subj /CN=x, with `pkcs8`
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIUKFIPyl2LaYk11b1XK0sKgUWkEUUwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBeDAeFw0yNjEyMDEwMTE4MzZaFw0yNjEyMzEwMTE4MzZaMAwx
        CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQSTk3TmKKXgwRa
        vDtYVHRMmOlZ0VCXxQNbyTwSaj0U37pI0GBC9MEyv7kEl5zwoHw8jhsbk5mFHjDk
        AhsWgThAo1MwUTAdBgNVHQ4EFgQU+73hZP5DMQRaWeayAVk/CQeUy7AwHwYDVR0j
        BBgwFoAU+73hZP5DMQRaWeayAVk/CQeUy7AwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiEAyoxfhDlw4cx9ndjP2N36DqBk192yAtRBOIcwVcj90O4C
        IBNSeqQtip38eSl2XcFMw8SEGYv76f84pQwo2EATtAR6
        -----END CERTIFICATE-----
        """

    /// openssl pkcs8 -topk8 -passout pass:x, of `pkcs8`
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgE3plUbD5q3QICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHHjJmIK01i6QP3G7Cxka/QEgZBR
        ci8XCQLCnJgRuEL5xumDKW8Ol/v3X1ivEy4Wi79vHFhY+Yd0jKEKwFYAZVvaXTkZ
        AoNSsBeRZmlkSn4INipu0joyBgwEDUDJ1YxGcl1OF4zeOorQ30u5rm9e/tVVYFxJ
        tKdXbtRKxb8Q/05FRatsUJ17AGABEdZgO8khXfLtO9HuOZKAz+ibjPAay+lCMPs=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// openssl ec -aes128 -passout pass:x, of `pkcs8`
    static let encryptedOldForm = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,333680A3B4BDF0E2C08B0B42AAB9BD7F

        TExrpHzZLC+QM8vv4g0+ScB883x34Q9vT4ZZ1AXDrkwIrVdSBRvfXGDGB5zaHtXb
        h9ab0EnOzTBaWxnBCTHgJVx/XP4gtBTasvhBpMMD4NgEpauOcXjh2fuWCjC4gjS5
        etJeC+cIavnDjfqUKGh2PnsmXSgkOJN3O5pKb3ceouc=
        -----END EC PRIVATE KEY-----
        """

    /// openssl ecparam -name prime256v1 -genkey
    static let sec1 = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIPYLMnpONTbLyPuWz2MPqb8pOi7/9LxKJmkuJDzLi8kUoAoGCCqGSM49
        AwEHoUQDQgAEwCtYCukgyMyLhNfpfisLmS38OmMK8G1Wf1g3xxUJSBxs4Lz0nO9x
        BypAX0x4AQ1cuzGyQxhE+0UdBcPPWmJ+cQ==
        -----END EC PRIVATE KEY-----
        """

    /// openssl ecparam -name secp384r1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt
    static let secp384r1 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAaxLXSDPEqd2EyB+2Q
        mnlJTLwFfWNsuNbMV2BjtTdUp1Aqz/3uv/gX9ZK2xcirlLqhZANiAAQ6gbtOxd8L
        76O2iVS80/RKBXaKxIU7IHr27Ei20gTaEV4kzdnDzDWleaGFTcbEkap0TrkryUtg
        4mb2FNjCwUv31apjrHgW0gZPqpE9UU4FVY0FXvCG9id3kmAPdY1Y2ts=
        -----END PRIVATE KEY-----
        """

    /// openssl ecparam -name secp256k1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt
    static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg2e523T9f3SEeYENoj8Lz
        mzUNBeUy/xbNFVwTpYg5+1ChRANCAARDdM3dE/6ta7zHG5CbNG0SmkCDAVp2p4nX
        esjOYXnbwK0C8x7xCAr8TZlaLT3Us0v+BQldqtQ5/CcuygH5v8zE
        -----END PRIVATE KEY-----
        """

    /// openssl genpkey -algorithm ed25519
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIDFxUIOfD5pW5RuhylFX8/L7SDJH7xAP2v7aI6MxKY5Z
        -----END PRIVATE KEY-----
        """

    /// openssl genpkey -algorithm rsa -pkeyopt rsa_keygen_bits:1024
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAKTNwZC8dyYSIOn4
        nIEB3YiNK5T4GMKIy1+9LQk7UrNxFPCzj+qdattUe2GHW3hjXuBBMC7g+bzU9dWw
        VrcLOnT6O5MmLztboIbECwy8lrnp/gv3FtcDWbpXTYSQquEnA4+CJw+RgwZhIhwR
        GMT1y8wkvfnxxw5fqM8fx/5HYnBtAgMBAAECgYEAk+2Ek7A3mtqm5J0djcbo3Qsq
        VXskbmlvc65Q4Hp5T0xvqWbkBYnrQphgbziaaEN6A/0/jLSwNklJqNex3nebrbdl
        9AZex/2dJmXYGNZXaRbCrJrcWSaqfYuPHxXXJl++9zsx81CsLROw1fkP6Lh3MdkK
        1w5a/agfqYTgqdFrhcECQQDWM1KLHnkVa2c4cJApZIlh97WHGN8G9K3C3u9UanUa
        MtibvaMMG/N+Q4wAUPWMoEvvrVyDDAaixpdjKfpoA1OVAkEAxPbAemWv+AJUKcW/
        2ifcYAqSBBAW8LmGlBS3EiaxdShHCBKEEgeLNLFQY+Rb67CjkbHXNfTiG28oQCwA
        0TRzeQJBAL7mbqJePjvAxPWgHFtHpskRI0+L8vkYB+StG094sXTv6+yhTjb0kkXt
        nVCK1szF7+dj8hc5GJDpvPI771fT3yECQQCwoF5G5H2CuAPlWdILvgcfkRsTzaHk
        yVpn3JO3ET+9whrAoGoTCPTKkd93VMchekuUUZieaDWDSJEdytgIwzJxAkAqt8Wx
        YYakBgkYLzNZaZWcAf0n5mkH1ABMC4y9wIk830NBdoLYOKdrVZjBfFVOE105KEvo
        GkhfoeYt1XeFHOQx
        -----END PRIVATE KEY-----
        """
}
