/* csr2_cut.c -- chooses the width of segments, and divides the rows into parts. */
#include "formats/csr2/csr2.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/threads.h"

#include <string.h>

/* ---- width ---- */

/* Halves x, rounded up to an even number first, while it is at least `limit`, at most `times`
 * times. */
static int64_t halve(int64_t x, int64_t limit, int times)
{
	for (; x >= limit && times > 0; times--)
		x = (x + 1) / 2;
	return x;
}

int32_t tulle__csr2_paper_width(int64_t nnz, int64_t rows)
{
	int64_t x = rows > 0 ? (int64_t)((double)nnz / (double)rows + 0.5) : 0;

	if (x >= 128)
		x = halve(x, 128, 5);
	else if (x >= 36)
		x = halve(x, 36, 3);
	else if (x > 16)
		x = (x % 2 ? (x + 5) / 10 * 10 : x) / 2;
	return x < 1 ? 1 : x > CSR2_MAX_WIDTH ? CSR2_MAX_WIDTH : (int32_t)x;
}

/* A sample of the rows, evenly spread. */
enum { SAMPLES = 16384, SHORT = 256 };

typedef struct {
	int64_t count[SHORT];        /* rows of each length */
	int64_t rows, rows_nonzeros; /* longer rows, and their nonzeros */
} histogram;

static void sample(const tulle__csr *a, histogram *h)
{
	const int64_t samples = a->rows < SAMPLES ? a->rows : SAMPLES;

	memset(h, 0, sizeof *h);
	for (int64_t s = 0; s < samples; s++) {
		const int64_t i = tulle__cut(a->rows, samples, s);
		const int64_t n = tulle__csr_length(a, i);

		if (n < SHORT) {
			h->count[n]++;
		} else {
			h->rows++;
			h->rows_nonzeros += n;
		}
	}
}

/* Cost of adding the sum of a segment to its row, in slots (measured). */
static const double SEGMENT_COST = 0.5;

static double cost(const histogram *h, int32_t width)
{
	const double in_long_rows = (double)h->rows_nonzeros / width + 0.5 * (double)h->rows;
	int64_t segments = 0;

	for (int64_t n = 1; n < SHORT; n++)
		if (h->count[n] > 0)
			segments += h->count[n] * ((n + width - 1) / width);
	return ((double)segments + in_long_rows) * (width + SEGMENT_COST);
}

int32_t tulle__csr2_width(const tulle__csr *a)
{
	int32_t width = tulle__csr2_paper_width(a->nnz, a->rows), best = width;
	double least;
	histogram h;

	sample(a, &h);
	least = cost(&h, width);
	while (width > 1) {
		double c;

		width = (width + 1) / 2;
		c = cost(&h, width);
		if (c < least) {
			least = c;
			best = width;
		}
	}
	return best;
}

/* ---- parts ---- */

/* On average half of the last block of a part is empty, so a part needs many blocks. */
enum { BLOCKS_IN_A_PART = 24 };

/* Where a part begins: `inside` segments into a row. */
typedef struct {
	int64_t row, inside;
	int64_t segment; /* of the whole matrix */
} cut;

typedef struct {
	const tulle__csr *a;
	int32_t width;
	double inverse;
	int64_t chunks;
	int64_t *before; /* segments before each chunk of rows; initially those in it */
	int64_t parts, work, splittable;
	cut *cut;
} cutting;

TULLE_INLINE int64_t count(const cutting *c, int64_t chunk, tulle_index_type type)
{
	const tulle__csr *a = c->a;
	const int64_t end = tulle__cut(a->rows, c->chunks, chunk + 1);
	int64_t i = tulle__cut(a->rows, c->chunks, chunk), sum = 0;
	int64_t k = tulle__index_at(a->row_ptr, type, i);

	for (; i < end; i++) {
		const int64_t next = tulle__index_at(a->row_ptr, type, i + 1);

		sum += tulle__csr2_segments(next - k, c->width, c->inverse);
		k = next;
	}
	return sum;
}

static void count_chunk(const void *arg, int64_t chunk)
{
	const cutting *c = arg;

	c->before[chunk] =
	    c->a->offset_type == TULLE_I32 ? count(c, chunk, TULLE_I32) : count(c, chunk, TULLE_I64);
}

/* Cut after `over` units of the row's work, which are n segments and 1. A row of much work may be
 * split. In other rows the cut moves to the nearer end of the row. */
static cut cut_row(const cutting *c, int64_t row, int64_t segment, int64_t n, int64_t over)
{
	const int64_t work = n * c->width + 1, inside = over / c->width;

	if (work > c->splittable && inside > 0 && inside < n)
		return (cut){ row, inside, segment + inside };
	if (2 * over < work)
		return (cut){ row, 0, segment };
	return (cut){ row + 1, 0, segment + n };
}

/* Find the cuts in this chunk. Row i begins after i + width * segment units of work. */
static void cut_chunk(const void *arg, int64_t chunk)
{
	const cutting *c = arg;
	const tulle__csr *a = c->a;
	const int64_t end = tulle__cut(a->rows, c->chunks, chunk + 1);
	int64_t i = tulle__cut(a->rows, c->chunks, chunk), segment = c->before[chunk];
	int64_t k = tulle__csr_offset(a, i);
	int64_t begin = i + c->width * segment;
	int64_t p = begin / (c->work / c->parts + 1); /* still before the first of them */
	int64_t target;

	while ((target = tulle__cut(c->work, c->parts, p)) < begin || p == 0)
		p++;
	for (; i < end && p < c->parts; i++) {
		const int64_t next = tulle__csr_offset(a, i + 1);
		const int64_t n = tulle__csr2_segments(next - k, c->width, c->inverse);
		const int64_t row_end = begin + n * c->width + 1;

		while (p < c->parts && target < row_end) {
			c->cut[p] = cut_row(c, i, segment, n, target - begin);
			target = tulle__cut(c->work, c->parts, ++p);
		}
		k = next;
		begin = row_end;
		segment += n;
	}
}

static int64_t count_parts(const csr2_data *d, int64_t work)
{
	const int64_t parts = tulle__parts(work);
	const int64_t most = work / ((int64_t)BLOCKS_IN_A_PART * d->high * d->width);

	return parts <= most ? parts : most > 0 ? most : parts > 0;
}

static void take_cuts(csr2_data *d, const cutting *c)
{
	d->blocks = 0;
	for (int64_t p = 0; p < d->parts; p++) {
		const cut from = c->cut[p], to = c->cut[p + 1];
		csr2_part *part = &d->part[p];

		*part = (csr2_part){
			.block = d->blocks,
			.row = from.row,
			.rows = to.row - from.row + (to.inside > 0),
			.start = from.row + 2 * p,
			.before = from.inside,
		};
		d->blocks += (to.segment - from.segment + d->high - 1) / d->high;
		if (to.inside == 0)
			continue;
		if (from.row == to.row && from.inside > 0)
			d->split[d->splits - 1].last = p + 1;
		else
			d->split[d->splits++] = (tulle__split_row){ to.row, p, p + 1 };
	}
	d->part[d->parts] =
	    (csr2_part){ .block = d->blocks, .row = d->rows, .start = d->rows + 2 * d->parts };
}

tulle_status tulle__csr2_cut(csr2_data *d, const tulle__csr *a, tulle__env *env)
{
	cutting c = { .a = a, .width = d->width, .inverse = 1.0 / d->width };
	tulle_status s;

	c.chunks = tulle__parts(a->rows);
	s = tulle__alloc(env, c.chunks, sizeof *c.before, &c.before);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, count_chunk, &c, c.chunks, a->rows);
	d->segments = 0;
	for (int64_t chunk = 0; chunk < c.chunks; chunk++) {
		const int64_t here = c.before[chunk];

		c.before[chunk] = d->segments;
		d->segments += here;
	}
	c.work = d->segments * d->width + a->rows;
	d->parts = c.parts = count_parts(d, c.work);
	c.splittable = c.parts > 0 ? c.work / c.parts / 2 : 0;
	s = tulle__alloc(env, c.parts + 1, sizeof *c.cut, &c.cut);
	if (s == TULLE_OK)
		s = tulle__alloc(env, c.parts + 1, sizeof *d->part, &d->part);
	if (s == TULLE_OK)
		s = tulle__alloc(env, c.parts, sizeof *d->split, &d->split);
	if (s == TULLE_OK) {
		c.cut[0] = (cut){ 0, 0, 0 };
		c.cut[c.parts] = (cut){ a->rows, 0, d->segments };
		if (c.parts > 1)
			tulle__run_parts(env, cut_chunk, &c, c.chunks, a->rows);
		take_cuts(d, &c);
	}
	tulle__free(env, c.before);
	tulle__free(env, c.cut);
	return s;
}
