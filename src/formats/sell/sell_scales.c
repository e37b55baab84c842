/* sell_scales.c -- scales of values of 16 bits: for each chunk and piece a power of two by which its values are
 * divided before they are rounded, so that the largest is near the top of what 16 bits hold. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "csr/value_codes.h"
#include "formats/sell/sell_convert.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* What was seen of one chunk or piece. */
typedef struct {
	double largest, scale;
	int rounded;
	double lost; /* a value that is too small for the scale; 0: none */
	int64_t row; /* that it is in */
} sight;

typedef struct {
	const sell_data *d;
	const double *val;
	const tulle__csr *a;
	tulle__value_class class;
	int64_t parts;
	double *scale;
	int *rounded; /* of each part */
	int64_t *
	    lost; /* of each part: number of the first chunk or piece with a value that is lost; -1: none */
} job;

static void see_largest(sight *s, double v)
{
	if (isfinite(v) && fabs(v) > s->largest)
		s->largest = fabs(v);
}

/* bf16 has the exponents of a float, so the largest value may be near 1; f16 has few, so it is near the top. */
static double scale_for(double largest, tulle__value_class class)
{
	const int top = class == TULLE__F16 ? TULLE__F16_LARGEST - 1 : 0;
	int exponent;

	if (largest == 0)
		return 1;
	exponent = ilogb(largest) - top;
	return ldexp(1, exponent < DBL_MIN_EXP - 1 ? DBL_MIN_EXP - 1 : exponent);
}

static void see_rounding(sight *s, double v, int64_t row, tulle__value_class class)
{
	const int smallest = class == TULLE__F16 ? TULLE__F16_SMALLEST : TULLE__BF16_SMALLEST;
	uint16_t half;

	if (v == 0 || !isfinite(v))
		return;
	if ((fabs(v) < DBL_MIN || fabs(v) / s->scale < ldexp(1, smallest)) && s->lost == 0) {
		s->lost = v;
		s->row = row;
	}
	tulle__encode_half(&half, s->scale, class, v);
	s->rounded |= tulle__decode_half(half, s->scale, class) != v;
}

static void see_row(const job *j, sight *s, int64_t row, int64_t skip, int64_t length, int rounding)
{
	const int64_t begin = tulle__csr_offset(j->a, row) + skip;

	for (int64_t k = begin; k < begin + length; k++)
		if (rounding)
			see_rounding(s, j->val[k], row, j->class);
		else
			see_largest(s, j->val[k]);
}

/* Chunk n, or a piece after them. */
static void see_all(const job *j, sight *s, int64_t n, int rounding)
{
	const sell_data *d = j->d;

	if (n >= d->chunks) {
		const sell_piece *piece = &d->piece[n - d->chunks];

		see_row(j, s, piece->row, piece->skip, piece->length, rounding);
		return;
	}
	for (int r = 0; r < d->chunk[n].lanes; r++)
		see_row(j, s, d->row[n * d->height + r], 0, d->length[n * d->height + r], rounding);
}

static sight look(const job *j, int64_t n)
{
	sight s = { .largest = 0 };

	see_all(j, &s, n, 0);
	s.scale = scale_for(s.largest, j->class);
	see_all(j, &s, n, 1);
	return s;
}

static void look_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t all = j->d->chunks + j->d->pieces;

	j->lost[part] = -1;
	for (int64_t n = tulle__cut(all, j->parts, part); n < tulle__cut(all, j->parts, part + 1);
	     n++) {
		const sight s = look(j, n);

		j->scale[n] = s.scale;
		j->rounded[part] |= s.rounded;
		if (s.lost != 0 && j->lost[part] < 0)
			j->lost[part] = n;
	}
}

static tulle_status collect(const job *j, int *rounded)
{
	*rounded = 0;
	for (int64_t p = 0; p < j->parts; p++) {
		*rounded |= j->rounded[p];
		if (j->lost[p] >= 0) {
			const sight s = look(j, j->lost[p]);

			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "value %.17g in row %" PRId64
			                   " is too small for %s beside %.17g in the same rows",
			                   s.lost, s.row, j->class == TULLE__F16 ? "f16" : "bf16", s.largest);
		}
	}
	return TULLE_OK;
}

tulle_status tulle__sell_find_scales(const sell_data *d, const tulle__csr *a,
                                     tulle__value_class class, tulle__env *env, double **scale,
                                     int *rounded)
{
	job j = { .d = d, .val = a->val, .a = a, .class = class, .parts = tulle__parts(a->nnz) };
	tulle_status s = tulle__alloc(env, d->chunks + d->pieces, sizeof *j.scale, &j.scale);

	*scale = NULL;
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, j.parts, sizeof *j.rounded, &j.rounded);
	if (s == TULLE_OK)
		s = tulle__alloc(env, j.parts, sizeof *j.lost, &j.lost);
	if (s == TULLE_OK) {
		tulle__run_parts(env, look_part, &j, j.parts, a->nnz + a->rows);
		s = collect(&j, rounded);
	}
	tulle__free(env, j.rounded);
	tulle__free(env, j.lost);
	if (s == TULLE_OK)
		*scale = j.scale;
	else
		tulle__free(env, j.scale);
	return s;
}
