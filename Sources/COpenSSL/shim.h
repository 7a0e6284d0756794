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
#endif
