/* cuts.c -- divides the work of a batch into parts: between problems, and inside large problems
 * only. */
#include "batch/batch_store.h"
#include "core/split.h"

enum {
	UNIT_WORK = 32,      /* a problem's own cost, in nonzeros */
	WOVEN_WORK = 1 << 15 /* a piece of a group: each piece interleaves all of x */
};

static int64_t unit_work(const batch_unit *u)
{
	return ((int64_t)u->nnz + u->rows + UNIT_WORK) * u->lanes;
}

/* The piece of a unit at which this much of its work is done: the beginning, the end, or, in a large
 * unit, a piece between. */
static int32_t piece_at(const tulle__problems *p, const batch_data *d, const batch_unit *u,
                        int64_t inside, int64_t part)
{
	const int64_t work = unit_work(u);
	const int64_t least = u->kernel == BATCH_INTERLEAVED && part < WOVEN_WORK ? WOVEN_WORK : part;

	if (work < 2 * least)
		return 2 * inside < work ? 0 : u->pieces;
	if (u->kernel == BATCH_INTERLEAVED) {
		const int64_t parts = work / least;

		return TULLE__I32(tulle__cut(u->pieces, parts, inside / (work / parts + 1)));
	}
	if (u->kernel == BATCH_CSR) {
		const tulle__csr a = tulle__problem_csr(p, d->problem[u->place]);

		return TULLE__I32(tulle__csr_row_at(&a, 1, inside));
	}
	return (int32_t)((double)u->pieces * ((double)inside / (double)work));
}

int64_t tulle__batch_work(const batch_data *d)
{
	int64_t work = 0;

	for (int64_t n = 0; n < d->units; n++)
		work += unit_work(&d->unit[n]);
	return work;
}

void tulle__batch_cuts(const tulle__problems *p, const batch_data *d, int64_t work)
{
	batch_cut *cut = d->cut;
	int64_t n = 0, before = 0;

	cut[0] = (batch_cut){ 0, 0 };
	for (int64_t part = 1; part < d->parts; part++) {
		const int64_t target = tulle__cut(work, d->parts, part);
		int32_t piece;

		while (n < d->units && before + unit_work(&d->unit[n]) <= target)
			before += unit_work(&d->unit[n++]);
		piece = n < d->units ? piece_at(p, d, &d->unit[n], target - before, work / d->parts) : 0;
		cut[part] = n < d->units && piece == d->unit[n].pieces ? (batch_cut){ n + 1, 0 }
		                                                       : (batch_cut){ n, piece };
	}
	cut[d->parts] = (batch_cut){ d->units, 0 };
}
