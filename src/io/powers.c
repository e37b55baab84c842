/* powers.c -- the table of 128-bit powers of five, computed rather than typed. */
#include "io/decimal.h"

#include <pthread.h>

enum { LIMBS = 16 };

tulle__power tulle__powers[TULLE__POWER_MAX - TULLE__POWER_MIN + 1];

/* The 128 bits from the highest one bit down. */
static tulle__power top(const uint64_t *limb)
{
	tulle__power t;
	int n = LIMBS - 1, shift;

	while (limb[n] == 0)
		n--;
	shift = __builtin_clzll(limb[n]);
	t.high = limb[n] << shift;
	t.low = n > 0 ? limb[n - 1] << shift : 0;
	if (shift > 0) {
		t.high |= n > 0 ? limb[n - 1] >> (64 - shift) : 0;
		t.low |= n > 1 ? limb[n - 2] >> (64 - shift) : 0;
	}
	return t;
}

/* Upwards by multiplying an exact integer. Downwards by dividing 2^1023 again and again: the floor
 * of a floor is the floor of the whole quotient, and 2^1023 / 5^342 still has 228 bits. */
static void fill(void)
{
	uint64_t limb[LIMBS] = { 1 };
	tulle__power *const one = &tulle__powers[-TULLE__POWER_MIN];

	for (int q = 0; q <= TULLE__POWER_MAX; q++) {
		uint64_t carry = 0;

		one[q] = top(limb);
		for (int n = 0; n < LIMBS; n++) {
			const tulle__u128 v = (tulle__u128)limb[n] * 5 + carry;

			limb[n] = (uint64_t)v;
			carry = (uint64_t)(v >> 64);
		}
	}
	memset(limb, 0, sizeof limb);
	limb[LIMBS - 1] = (uint64_t)1 << 63;
	for (int q = -1; q >= TULLE__POWER_MIN; q--) {
		tulle__u128 rest = 0;

		for (int n = LIMBS - 1; n >= 0; n--) {
			const tulle__u128 v = rest << 64 | limb[n];

			limb[n] = (uint64_t)(v / 5);
			rest = v % 5;
		}
		one[q] = top(limb);
		one[q].low += q >= -27; /* never all ones there: 5^27 divides no such number */
	}
}

void tulle__decimal_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill);
}
