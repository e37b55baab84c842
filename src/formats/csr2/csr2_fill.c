/* csr2_fill.c -- moves entries of CSR rows to their slots in the blocks of csr2, and back. */
#include "formats/csr2/csr2_fill.h"

#include "core/memory.h"
#include "core/threads.h"

#include <string.h>

/* ---- one segment: n entries to slots with stride `high` ---- */

static void spread_32(const uint32_t *from, uint32_t *to, int64_t n, int64_t high)
{
	for (int64_t j = 0; j < n; j++)
		to[j * high] = from[j];
}

static void spread_64(const uint64_t *from, uint64_t *to, int64_t n, int64_t high)
{
	for (int64_t j = 0; j < n; j++)
		to[j * high] = from[j];
}

static void spread_narrow(const int64_t *from, int32_t *to, int64_t n, int64_t high)
{
	for (int64_t j = 0; j < n; j++)
		to[j * high] = TULLE__I32(from[j]);
}

static void spread_columns(const csr2_fill *f, int64_t k, int64_t n, int32_t *to)
{
	const tulle__csr *a = f->a;
	const int64_t high = f->d->high;

	if (a->column_type == TULLE_I32)
		spread_32((const uint32_t *)a->col + k, (uint32_t *)to, n, high);
	else
		spread_narrow((const int64_t *)a->col + k, to, n, high);
	for (int64_t j = n; j < f->d->width; j++)
		to[j * high] = CSR2_PADDING;
}

static void spread_values(const csr2_fill *f, int64_t k, int64_t n, int64_t place)
{
	const int64_t high = f->d->high;
	const size_t size = tulle__value_size(f->a->value_type);

	if (size == 4)
		spread_32((const uint32_t *)f->a->val + k, (uint32_t *)f->val + place, n, high);
	else if (size == 8)
		spread_64((const uint64_t *)f->a->val + k, (uint64_t *)f->val + place, n, high);
	else
		for (int64_t j = 0; j < n; j++)
			tulle__value_move(f->val, place + j * high, f->a->val, k + j, size);
	for (int64_t j = n; j < f->d->width; j++)
		tulle__value_move(f->val, place + j * high, tulle__zero(), 0, size);
}

/* ---- one part ---- */

static void put_segment(const csr2_fill *f, int64_t place, int64_t k, int64_t n)
{
	if (f->columns)
		spread_columns(f, k, n, f->d->col + place);
	if (f->val)
		spread_values(f, k, n, place);
}

static void fill_part(const void *arg, int64_t p)
{
	const csr2_fill *f = arg;
	const csr2_data *d = f->d;
	const tulle__csr *a = f->a;
	const csr2_part *part = &d->part[p];
	const int64_t high = d->high, width = d->width, area = high * width;
	const int64_t places = (part[1].block - part->block) * high; /* segments that fit */
	const int64_t base = part->block * area;
	int32_t *start = f->d->segment + part->start;
	int64_t s = 0;

	for (int64_t r = 0; r < part->rows; r++) {
		int64_t k = tulle__csr_offset(a, part->row + r);
		int64_t end = tulle__csr_offset(a, part->row + r + 1);

		if (r + 1 == part->rows && part[1].before > 0)
			end = k + part[1].before * width;
		if (r == 0)
			k += part->before * width;
		if (f->columns)
			start[r] = TULLE__I32(s);
		for (; k < end; k += width, s++)
			put_segment(f, base + s / high * area + s % high, k, end - k < width ? end - k : width);
	}
	if (f->columns)
		start[part->rows] = TULLE__I32(s);
	for (; s < places; s++)
		put_segment(f, base + s / high * area + s % high, 0, 0);
}

void tulle__csr2_fill(const csr2_fill *f, tulle__env *env)
{
	tulle__run_parts(env, fill_part, f, f->d->parts, f->a->nnz + f->a->rows);
}

/* ---- back ---- */

typedef struct {
	const csr2_data *d;
	int64_t *row_ptr;
	int32_t *col;
	void *val;
} back;

/* Entries of the segment at `place`: padding is at its end. */
static int64_t length(const csr2_data *d, int64_t place)
{
	int64_t n = 0;

	while (n < d->width && d->col[place + n * d->high] != CSR2_PADDING)
		n++;
	return n;
}

static int64_t place_of(const csr2_data *d, const csr2_part *part, int64_t s)
{
	return (part->block + s / d->high) * d->high * d->width + s % d->high;
}

/* The length of each row, from the part where it ends. */
static void measure_part(const void *arg, int64_t p)
{
	const back *b = arg;
	const csr2_data *d = b->d;
	const csr2_part *part = &d->part[p];
	const int32_t *start = d->segment + part->start;
	const int64_t rows = part->rows - (part[1].before > 0);

	for (int64_t r = 0; r < rows; r++) {
		int64_t n = 0;

		if (start[r + 1] > start[r])
			n = (start[r + 1] - 1 - start[r]) * (int64_t)d->width +
			    length(d, place_of(d, part, start[r + 1] - 1));
		b->row_ptr[part->row + r + 1] = n + (r == 0 ? part->before * d->width : 0);
	}
}

static void gather_segment(const back *b, int64_t place, int64_t k)
{
	const csr2_data *d = b->d;
	const size_t size = tulle__value_size(d->value_type);
	const int64_t n = length(d, place);

	for (int64_t j = 0; j < n; j++)
		b->col[k + j] = d->col[place + j * d->high];
	for (int64_t j = 0; d->val && j < n; j++)
		tulle__value_move(b->val, k + j, d->val, place + j * d->high, size);
}

static void gather_part(const void *arg, int64_t p)
{
	const back *b = arg;
	const csr2_data *d = b->d;
	const csr2_part *part = &d->part[p];
	const int32_t *start = d->segment + part->start;

	for (int64_t r = 0; r < part->rows; r++) {
		int64_t k = b->row_ptr[part->row + r] + (r == 0 ? part->before * d->width : 0);

		for (int64_t s = start[r]; s < start[r + 1]; s++, k += d->width)
			gather_segment(b, place_of(d, part, s), k);
	}
}

tulle_status tulle__csr2_back(const csr2_data *d, tulle__env *env, tulle__csr *out)
{
	back b = { .d = d };
	const int64_t work = d->nnz + d->rows;
	const tulle_status s = tulle__csr_new(env, d->rows, d->cols, d->nnz, d->value_type, out,
	                                      &b.row_ptr, &b.col, d->val ? &b.val : NULL);

	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, measure_part, &b, d->parts, work);
	for (int64_t i = 0; i < d->rows; i++)
		b.row_ptr[i + 1] += b.row_ptr[i];
	tulle__run_parts(env, gather_part, &b, d->parts, work);
	return TULLE_OK;
}
