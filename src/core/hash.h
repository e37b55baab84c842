/* hash.h -- 64 bits that stand for many bytes: fingerprints, signatures, check sums.
 *
 * Against accidents only: who wants two inputs of one hash can make them. The same bytes give the
 * same hash on every machine and in every release, because files keep it; so the words are read as
 * little-endian, and the constants never change. */
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

/* Sixteen bytes more. A product may be 0, for one word in 2^64; h is added so that what came before
 * is not forgotten then. The constants are odd and half of their bits are set: the fractions of
 * sqrt(2) and sqrt(3). */
static inline uint64_t tulle__hash_step(uint64_t h, const unsigned char *p)
{
	return h + tulle__hash_mix(h ^ tulle__hash_word(p) ^ UINT64_C(0x6a09e667f3bcc909),
	                           tulle__hash_word(p + 8) ^ UINT64_C(0xbb67ae8584caa73b));
}

/* The hash of n bytes after what `seed` stands for: begin with any constant, and hand the hash of one
 * piece on as the seed of the next. Where the pieces end counts: "ab", "c" is not "a", "bc". Takes
 * about 5 cycles for 32 bytes. */
static inline uint64_t tulle__hash(uint64_t seed, const void *from, size_t n)
{
	const unsigned char *p = from;
	unsigned char last[32] = { 0 };
	uint64_t h =
	    seed ^ tulle__hash_mix(n ^ UINT64_C(0x6a09e667f3bcc909), UINT64_C(0xbb67ae8584caa73b));
	uint64_t g = ~h; /* two chains: one product need not wait for the other */

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
