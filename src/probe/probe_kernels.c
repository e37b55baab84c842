/* probe_kernels.c -- a gather and a sequential read, as the kernels of an instruction set do
 * them. */
#include "core/kernel.h"
#include "probe/probe.h"

/* Several sums: the time of a single one would be the latency of its additions. */
enum { SUMS = 4 };

_Static_assert(TULLE__PROBE_STEP % (SUMS * VLEN) == 0, "whole steps");

/* `gathers` is a constant where this is inlined. */
TULLE_INLINE void sum(const void *arg, int gathers)
{
	const tulle__probe_work *w = arg;
	vec sums[SUMS];

	for (int s = 0; s < SUMS; s++)
		sums[s] = vzero();
	for (int64_t k = 0; k < w->count; k += SUMS * VLEN)
		for (int s = 0; s < SUMS; s++) {
			const int64_t at = k + s * VLEN;

			sums[s] = vadd(sums[s], gathers ? vgather(w->x, w->col + at) : vload(w->x + at));
		}
	*w->sum = vsum(vadd(vadd(sums[0], sums[1]), vadd(sums[2], sums[3])));
}

static void gather_part(const void *arg, int64_t part)
{
	(void)part;
	sum(arg, 1);
}

static void read_part(const void *arg, int64_t part)
{
	(void)part;
	sum(arg, 0);
}

TULLE_KERNELS(probe) = {
	[TULLE__PROBE_GATHER] = { "gather", { gather_part } },
	[TULLE__PROBE_READ] = { "read", { read_part } },
};
