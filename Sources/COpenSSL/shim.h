// OpenSSL, and what of it Swift cannot call: macros and deprecated low-level digests.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/// SHA-1 of two parts. `SHA1()` of OpenSSL 3 looks its algorithm up by name at every call; the low-level functions,
/// deprecated for new designs, do not. UUID version 5 is defined over SHA-1.
static inline void COpenSSL_SHA1_two(const void *a, size_t alen, const void *b, size_t blen, unsigned char out[20]) {
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, a, alen);
    SHA1_Update(&context, b, blen);
    SHA1_Final(out, &context);
}
/// SHA-256 of one part, for the same reason by the low-level functions.
static inline void COpenSSL_SHA256_one(const void *a, size_t alen, unsigned char out[32]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, a, alen);
    SHA256_Final(out, &context);
}
#pragma GCC diagnostic pop

// Keys, signatures and certificates (Cryptography).
/// A new key on P-256: `EVP_EC_gen` is a macro over a variadic function.
static inline EVP_PKEY *COpenSSL_EVP_EC_gen_P256(void) { return EVP_EC_gen("P-256"); }
/// The bytes of a memory BIO, owned by it: `BIO_get_mem_data` is a macro.
static inline long COpenSSL_BIO_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
/// Answers every request for a pass phrase with none; without it OpenSSL asks on the terminal.
static inline int COpenSSL_no_passphrase(char *buffer, int size, int forWriting, void *context) {
    (void)buffer, (void)size, (void)forWriting, (void)context;
    return -1;
}
/// `PEM_read_bio_PrivateKey` that never asks for a pass phrase.
static inline EVP_PKEY *COpenSSL_PEM_read_private(BIO *bio) {
    return PEM_read_bio_PrivateKey(bio, NULL, COpenSSL_no_passphrase, NULL);
}
/// `PEM_read_bio_PUBKEY` that never asks for a pass phrase.
static inline EVP_PKEY *COpenSSL_PEM_read_public(BIO *bio) {
    return PEM_read_bio_PUBKEY(bio, NULL, COpenSSL_no_passphrase, NULL);
}
/// Adds an extension given as text; the context is set up by macros.
static inline int COpenSSL_X509_add_extension(X509 *issuer, X509 *subject, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, subject, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(subject, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

// TLS of a server (HTTP2/Server).
/// Sets what every server session shares: TLS 1.2 or 1.3, whole reads, partial writes, no resumption; all are macros.
static inline int COpenSSL_server_defaults(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_num_tickets(context, 0);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}

// What the TLS of HTTP/2 connections needs of macros.

/// The mode of a connection whose writes are partial and may be repeated from another buffer.
static inline void COpenSSL_CTX_set_partial_writes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}
/// Keeps one pointer with a context.
static inline void COpenSSL_CTX_set_app_data(SSL_CTX *context, void *data) { SSL_CTX_set_app_data(context, data); }
/// The pointer that the context of a connection keeps.
static inline void *COpenSSL_context_app_data(const SSL *ssl) { return SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)); }
#endif
