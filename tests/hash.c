/* hash.c -- core/hash.h: the hash that files keep stays what it is, and no byte, place, length or
 * seed is without a say. */
#include "check.h"

#include "core/hash.h"

#include <string.h>

enum { MOST = 80, SEEDS = 64 };

static int ones(uint64_t v)
{
	return __builtin_popcountll(v);
}

/* Files outlive releases: these three may never change. */
static void pinned(void)
{
	CHECK(tulle__hash(0, "", 0) == UINT64_C(0x0cb09996a11c7dda));
	CHECK(tulle__hash(0, "tulle", 5) == UINT64_C(0xe312b2ef041ee395));
	CHECK(tulle__hash(1, "a light, open net, of two sorts of thread", 41) ==
	      UINT64_C(0x7e97b4380ff684e4));
}

/* One bit changed anywhere changes about half of the hash: 64 coins show fewer than 8 heads in one
 * of 10^10 throws. The mean over all places is closer still. */
static void every_bit_counts(void)
{
	for (size_t n = 0; n <= MOST; n++) {
		unsigned char text[MOST + 1] = { 0 };
		uint64_t h;
		int64_t sum = 0;

		for (size_t k = 0; k < n; k++)
			text[k] = (unsigned char)(37 * k + n);
		h = tulle__hash(n, text, n);
		for (size_t b = 0; b < 8 * n; b++) {
			int changed;

			text[b / 8] ^= (unsigned char)(1 << b % 8);
			changed = ones(h ^ tulle__hash(n, text, n));
			text[b / 8] ^= (unsigned char)(1 << b % 8);
			CHECK_THAT(changed >= 8 && changed <= 56, "%zu bytes, bit %zu changes %d bits", n, b,
			           changed);
			sum += changed;
		}
		/* 8 n throws of 64 coins: the sum has a deviation of 4 sqrt(8 n). Six of them are allowed. */
		if (n > 0)
			CHECK_THAT((sum - 256 * (int64_t)n) * (sum - 256 * (int64_t)n) <=
			               36 * 16 * 8 * (int64_t)n,
			           "%zu bytes: %lld bits of %zu changed", n, (long long)sum, 512 * n);
		for (int s = 0; s < 64; s++)
			CHECK(ones(h ^ tulle__hash(n ^ UINT64_C(1) << s, text, n)) >= 8);
	}
}

/* Zeros of any number, from any seed, in any pieces: all different. */
static void lengths_count(void)
{
	static const unsigned char zeros[MOST];
	uint64_t seen[(MOST + 1) * SEEDS];
	int count = 0;

	for (uint64_t s = 0; s < SEEDS; s++)
		for (size_t n = 0; n <= MOST; n++)
			seen[count++] = tulle__hash(s, zeros, n);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (seen[i] == seen[j])
				CHECK_THAT(0, "two of %d hashes are the same", count);
	CHECK(tulle__hash(tulle__hash(0, "ab", 2), "c", 1) !=
	      tulle__hash(tulle__hash(0, "a", 1), "bc", 2));
	CHECK(tulle__hash(tulle__hash(0, zeros, 16), zeros, 16) != tulle__hash(0, zeros, 32));
}

/* The constant that would make a factor 0 does not wipe out what came before it. */
static void no_word_forgets(void)
{
	const uint64_t two = UINT64_C(0xbb67ae8584caa73b);
	unsigned char text[64] = { 0 };
	uint64_t h;

	for (int k = 0; k < 8; k++)
		text[40 + k] = (unsigned char)(two >> 8 * k);
	h = tulle__hash(7, text, sizeof text);
	text[0] = 1;
	CHECK(tulle__hash(7, text, sizeof text) != h);
}

int main(void)
{
	pinned();
	every_bit_counts();
	lengths_count();
	no_word_forgets();
	return check_end();
}
