/* cost.c -- units of work on a machine, and amounts that several formats count in the same way. */
#include "analysis/cost.h"

#include <math.h>

/* x that was evicted from L2 is in L3, as far as it fits. */
static double beyond_l2(const tulle__features *f, const tulle__machine *m)
{
	const double l3 = f->x_bytes > 0 ? fmin(1, m->cache[TULLE__L3] / (2 * f->x_bytes)) : 1;

	return l3 * m->gather[TULLE__L3] + (1 - l3) * m->gather[TULLE__MEMORY];
}

static void place(tulle__amounts *amounts, const double share[TULLE__LEVELS])
{
	const double bytes = amounts->amount[TULLE__BYTES];

	amounts->amount[TULLE__BYTES] = bytes * (share[TULLE__L1] + share[TULLE__L2]);
	amounts->amount[TULLE__L3_BYTES] = bytes * share[TULLE__L3];
	amounts->amount[TULLE__FAR_BYTES] = bytes * share[TULLE__MEMORY];
}

void tulle__place_bytes(const tulle__features *f, const tulle__machine *m, tulle__estimate *e)
{
	double share[TULLE__LEVELS];

	tulle__read_shares(m, e->bytes + f->x_bytes + f->y_bytes, share);
	place(&e->multiply, share);
	place(&e->convert, share);
}

void tulle__units(const tulle__features *f, const tulle__machine *m, int64_t serial_below,
                  double parts, double unit[TULLE__KINDS])
{
	const int serial = f->nnz + f->rows < serial_below;
	const double each = serial ? 1 : parts > 0 ? fmin(parts, m->threads) : m->threads;

	/* Bandwidth of one thread: at least its share of the team's bandwidth. */
	unit[TULLE__BYTES] = m->read[TULLE__L2] * m->threads / each;
	unit[TULLE__L3_BYTES] = m->read[TULLE__L3] * m->threads / each;
	unit[TULLE__FAR_BYTES] = m->read[TULLE__MEMORY] * m->threads / each;
	unit[TULLE__GATHERS] = m->gather[TULLE__L2] / each;
	unit[TULLE__MISSES] = beyond_l2(f, m) / each;
	unit[TULLE__STEPS] = unit[TULLE__LOADS] = unit[TULLE__ROWS] = m->gather[TULLE__L1] / each;
	unit[TULLE__CALLS] = serial ? 1e-7 : 1e-6;
}

double tulle__seconds_of(const tulle__amounts *amounts, const double unit[TULLE__KINDS],
                         const double price[TULLE__KINDS])
{
	double sum = 0;

	for (int kind = 0; kind < TULLE__KINDS; kind++)
		sum += amounts->amount[kind] * unit[kind] * price[kind];
	return sum;
}

static int has_prices(const tulle__prices *p)
{
	for (int kind = 0; kind < TULLE__KINDS; kind++)
		if (p->multiply[kind] > 0)
			return 1;
	return 0;
}

const tulle__prices *tulle__prices_for(const tulle__estimator *by, tulle__isa isa)
{
	while (!has_prices(&by->prices[isa]) && tulle__isa_priced_as(isa) != TULLE__NONE)
		isa = tulle__isa_priced_as(isa);
	return &by->prices[isa];
}

double tulle__coded_bytes(const tulle__features *f, const tulle__request *request)
{
	switch (f->values) {
	case TULLE__ONES: return 0;
	case TULLE__TABLE: return 1;
	case TULLE__BF16:
	case TULLE__F16: return sizeof(uint16_t);
	default: break;
	}
	if (f->value_bytes <= sizeof(float))
		return f->value_bytes;
	return request->rounded > TULLE_LOSSY_F32               ? sizeof(uint16_t)
	       : request->rounded || f->values == TULLE__SINGLE ? sizeof(float)
	                                                        : f->value_bytes;
}

void tulle__count_widening(const tulle__features *f, tulle__estimate *out)
{
	const int widens = f->given_bytes > 0 && tulle__type_of(f->value_type)->stored;
	const double kept = widens ? (double)f->nnz * sizeof(float) : 0;
	const double given = widens ? (double)f->nnz * f->given_bytes : 0;

	out->bytes += kept - given;
	out->own_bytes += kept;
	out->convert.amount[TULLE__BYTES] += given + kept;
}

void tulle__count_multiplication(const tulle__features *f, tulle__estimate *out)
{
	out->multiply.amount[TULLE__BYTES] = out->bytes + f->x_bytes + f->y_bytes;
	out->multiply.amount[TULLE__STEPS] = (double)f->nnz;
	out->multiply.amount[TULLE__ROWS] = (double)f->rows;
	out->multiply.amount[TULLE__CALLS] = 1;
}

void tulle__count_gathers(const tulle__features *f, double nonzeros, tulle__amounts *out)
{
	out->amount[TULLE__GATHERS] += nonzeros * (f->misses_l1 - f->misses_l2);
	out->amount[TULLE__MISSES] += nonzeros * f->misses_l2;
}

void tulle__count_conversion(const tulle__features *f, double written, tulle__amounts *out)
{
	out->amount[TULLE__BYTES] = f->csr_bytes + written;
	out->amount[TULLE__STEPS] = (double)f->nnz;
	out->amount[TULLE__ROWS] = (double)f->rows;
	out->amount[TULLE__CALLS] = 1;
}

tulle__features tulle__features_of_many(const tulle__features *f, int64_t vectors)
{
	tulle__features many = *f;

	many.x_bytes *= (double)vectors;
	many.y_bytes *= (double)vectors;
	return many;
}

void tulle__count_many(const tulle__features *f, const tulle__machine *m, int64_t vectors,
                       tulle__amounts *out)
{
	const double lanes = tulle__kernel_lanes(m->isa, (size_t)f->value_bytes);
	const double registers = ceil((double)vectors / lanes);
	const double lines = ceil((double)vectors * f->value_bytes / 64);

	out->amount[TULLE__GATHERS] *= lines;
	out->amount[TULLE__MISSES] *= lines;
	out->amount[TULLE__STEPS] = (double)f->nnz * (1 + registers) / 2;
	out->amount[TULLE__LOADS] = 0;
	out->amount[TULLE__ROWS] *= registers;
}
