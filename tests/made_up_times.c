/* made_up_times.c -- stands in for tulle__take_samples (-Wl,--wrap): a plan that measures decides the same
 * on every machine, however busy it is. */
#include "made_up_times.h"

#include <stddef.h>

struct made_up_times made_up_times = { .bandwidth = 1e10 };

void my_take_samples(tulle__sampled *work, void *arg, const tulle__sampling *how,
                     tulle__timing *out) __asm__("__wrap_tulle__take_samples");

/* As long as it takes to read the bytes, and a while for none. */
void my_take_samples(tulle__sampled *work, void *arg, const tulle__sampling *how,
                     tulle__timing *out)
{
	const int disturbed = made_up_times.disturbed || made_up_times.taken < made_up_times.quiet_from;

	made_up_times.incomplete += work(arg) != 0;
	*out = (tulle__timing){ .seconds = 1e-7 + how->bytes / made_up_times.bandwidth,
		                    .spread = 1,
		                    .samples = 1,
		                    .disturbed = disturbed,
		                    .doubt = disturbed ? "the test disturbs it" : NULL };
	made_up_times.taken++;
}
