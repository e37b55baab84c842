/* hash.h -- a 64-bit hash for fingerprints, signatures and checksums.
 *
 * Not cryptographic: collisions can be constructed. The same bytes give the same hash on every
 * machine and in every version, because files store it. So words are read as little-endian, and the
 * constants never change. */
#ifndef TULLE_CORE_HASH_H
#define TULLE_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 tulle__hash_product;

/* Both halves of the product: every bit of a and b reaches every bit of the result. */
static inline uint64_t tulle__hash_mix(uint64_t a, uint64_t b)
{
	const tulle__hash_product p = (tulle__hash_product)a * b;

	return (uint64_t)(p >> 64) ^ (uint64_t)p;
}

static inline uint64_t tulle__hash_word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* Add sixteen bytes. The product may be 0, for one word in 2^64; h is added so that earlier input
 * is not lost then. The constants are odd and half of their bits are set: the fractions of sqrt(2)
 * and sqrt(3). */
static inline uint64_t tulle__hash_step(uint64_t h, const unsigned char *p)
{
	return h + tulle__hash_mix(h ^ tulle__hash_word(p) ^ UINT64_C(0x6a09e667f3bcc909),
	                           tulle__hash_word(p + 8) ^ UINT64_C(0xbb67ae8584caa73b));
}

/* The hash of n bytes, starting from `seed`: any constant for the first piece, then the hash of the
 * previous piece. Boundaries between pieces matter: "ab", "c" differs from "a", "bc". Takes about 5
 * cycles per 32 bytes. */
static inline uint64_t tulle__hash(uint64_t seed, const void *from, size_t n)
{
	const unsigned char *p = from;
	unsigned char last[32] = { 0 };
	uint64_t h =
	    seed ^ tulle__hash_mix(n ^ UINT64_C(0x6a09e667f3bcc909), UINT64_C(0xbb67ae8584caa73b));
	uint64_t g = ~h; /* two independent chains of products */

	for (; n >= sizeof last; n -= sizeof last, p += sizeof last) {
		h = tulle__hash_step(h, p);
		g = tulle__hash_step(g, p + 16);
	}
	if (n > 0)
		memcpy(last, p, n);
	h = tulle__hash_step(h, last);
	g = tulle__hash_step(g, last + 16);
	return tulle__hash_mix(h ^ UINT64_C(0xbb67ae8584caa73b), g ^ UINT64_C(0x6a09e667f3bcc909)) + h +
	       g;
}

#endif
