/* csr5_convert.c -- CSR to CSR5 and back, tile by tile, in parallel (Liu & Vinter 2015, sec. 3).
 *
 * The paper's Algorithms 4, 5 and 7 search row_ptr for each tile, column and segment. Here the rows
 * of a tile are visited once, from the row of its first nonzero, which costs one step per row. */
#include "formats/csr5/csr5_convert.h"

#include "core/inline.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/split.h"

#include <string.h>

/* Data shared by the parallel steps. */
typedef struct {
	tulle__csr5 *p;
	const void *col, *val; /* of the CSR */
	int64_t parts;
	atomic_int *any_empty;
} job;

static int64_t tile_size(const csr5_data *d)
{
	return (int64_t)d->omega * d->sigma;
}

static int64_t first_tile(const job *j, int64_t part)
{
	return tulle__cut(j->p->shared.tiles, j->parts, part);
}

/* ---- tile_ptr: Algorithm 4, lines 1-4 ---- */

/* The row of nonzero k, at or after row i: galloping search. */
static int64_t row_from(const csr5_data *d, int64_t i, int64_t k)
{
	int64_t step = 1;

	while (i + step < d->rows && csr5_row_ptr(d, i + step) <= k) {
		i += step;
		step *= 2;
	}
	for (; step > 0; step /= 2)
		if (i + step < d->rows && csr5_row_ptr(d, i + step) <= k)
			i += step;
	return i;
}

static void fill_tile_ptr(const void *arg, int64_t part)
{
	const job *j = arg;
	const csr5_data *d = &j->p->shared;
	int64_t row = 0;

	for (int64_t t = first_tile(j, part); t < first_tile(j, part + 1); t++) {
		row = row_from(d, row, t * tile_size(d));
		j->p->tile_ptr[t] = TULLE__U32(row);
	}
}

/* ---- tile_desc: Algorithm 5 ---- */

/* Set a flag at the first nonzero of each row that begins in tile t, and at the tile's first. An
 * empty row points to where the next one begins: its flag is the same. */
static int flag_rows(const csr5_data *d, int64_t t, uint64_t *flags, int *count)
{
	const int64_t tile = tile_size(d), begin = t * tile, end = begin + tile;
	const unsigned reciprocal = 65536u / (unsigned)d->sigma + 1; /* exact below CSR5_MAX_TILE */
	const int64_t last = csr5_tile_row(d, t + 1);
	int segments = 1;

	memset(flags, 0, CSR5_MAX_OMEGA * sizeof *flags);
	memset(count, 0, CSR5_MAX_OMEGA * sizeof *count);
	flags[0] = 1;
	count[0] = 1;
	for (int64_t i = csr5_tile_row(d, t) + 1; i <= last && i < d->rows; i++) {
		const int64_t at = csr5_row_ptr(d, i);
		unsigned k, lane;
		uint64_t bit;
		int fresh;

		if (at >= end)
			break;
		k = (unsigned)(at - begin);
		lane = k * reciprocal >> 16;
		bit = (uint64_t)1 << (k - lane * (unsigned)d->sigma);
		fresh = !(flags[lane] & bit);
		flags[lane] |= bit;
		count[lane] += fresh;
		segments += fresh;
	}
	return segments;
}

/* Does a row end at the end of tile t? */
static int ends_with_row(const csr5_data *d, int64_t t)
{
	const int64_t next = csr5_tile_row(d, t + 1);

	return next == d->rows || csr5_row_ptr(d, next) >= (t + 1) * tile_size(d);
}

/* Algorithm 4, lines 5-12: a tile has empty rows if fewer segments end in it than rows. */
static int has_empty_row(const csr5_data *d, int64_t t, int segments)
{
	return segments - !ends_with_row(d, t) < csr5_tile_row(d, t + 1) - csr5_tile_row(d, t);
}

static void fill_tile_desc(const void *arg, int64_t part)
{
	const job *j = arg;
	const csr5_data *d = &j->p->shared;
	const int omega = d->omega, sigma = d->sigma, units = csr5_units(omega, sigma);
	const int y_shift = csr5_y_shift(omega, sigma), seg_shift = csr5_seg_shift(omega, sigma);
	uint64_t flags[CSR5_MAX_OMEGA];
	int count[CSR5_MAX_OMEGA], any_empty = 0;

	for (int64_t t = first_tile(j, part); t < first_tile(j, part + 1); t++) {
		uint16_t *desc = j->p->tile_desc + t * units * omega;
		const int segments = flag_rows(d, t, flags, count);
		uint64_t y_offset = (uint64_t)segments, seg_offset = 0;

		any_empty |= has_empty_row(d, t, segments);
		for (int i = omega - 1; i >= 0; i--) {
			y_offset -= (uint64_t)count[i];
			for (int u = 0; u < units; u++)
				desc[u * omega + i] = (uint16_t)(flags[i] >> 16 * u);
			desc[(units - 1) * omega + i] |=
			    (uint16_t)(y_offset << y_shift | seg_offset << seg_shift);
			seg_offset = flags[i] ? 0 : seg_offset + 1;
		}
	}
	if (any_empty)
		atomic_store_explicit(j->any_empty, 1, memory_order_relaxed);
}

/* ---- empty_offset: Algorithm 7 ---- */

static void fill_empty_offset(const void *arg, int64_t part)
{
	const job *j = arg;
	const csr5_data *d = &j->p->shared;

	for (int64_t t = first_tile(j, part); t < first_tile(j, part + 1); t++) {
		const int64_t row = csr5_tile_row(d, t), last = csr5_tile_row(d, t + 1);
		const int size = csr5_empty_size(last - row);
		uint16_t *to = j->p->empty_offset + d->empty_ptr[t];

		if (!(d->tile_ptr[t] & CSR5_EMPTY))
			continue;
		for (int64_t i = row; i <= last && i < d->rows; i++) {
			const int64_t at = csr5_row_ptr(d, i);

			if (at >= (t + 1) * tile_size(d) || csr5_row_ptr(d, i + 1) == at)
				continue;
			to[0] = (uint16_t)(i - row);
			if (size == 2)
				to[1] = (uint16_t)((i - row) >> 16);
			to += size;
		}
	}
}

/* Mark the tiles that have empty rows and assign each its range in empty_offset. */
static tulle_status make_empty(const job *j, tulle__env *env)
{
	tulle__csr5 *p = j->p;
	const csr5_data *d = &p->shared;
	int64_t count = 0;
	tulle_status s = tulle__alloc(env, d->tiles, sizeof *p->empty_ptr, &p->empty_ptr);

	if (s != TULLE_OK)
		return s;
	for (int64_t t = 0; t < d->tiles; t++) {
		const int segments = csr5_segments(d, t);

		p->empty_ptr[t] = count;
		if (has_empty_row(d, t, segments)) {
			p->tile_ptr[t] |= CSR5_EMPTY;
			count += segments * csr5_empty_size(csr5_tile_row(d, t + 1) - csr5_tile_row(d, t));
		}
	}
	p->empty_offsets = count;
	s = tulle__alloc(env, count, sizeof *p->empty_offset, &p->empty_offset);
	p->shared.empty_ptr = p->empty_ptr;
	p->shared.empty_offset = p->empty_offset;
	if (s == TULLE_OK)
		tulle__run_parts(env, fill_empty_offset, j, j->parts, d->nnz + d->rows);
	return s;
}

/* ---- transposition of tiles ---- */

/* to[j*a + i] = from[i*b + j], i < a, j < b: a tile into its steps with a = omega, b = sigma, and
 * back with the two exchanged. Values move as bits. */
TULLE_INLINE void turn_32(const uint32_t *from, uint32_t *to, int a, int b)
{
	for (int j = 0; j < b; j++)
		for (int i = 0; i < a; i++)
			to[j * a + i] = from[i * b + j];
}

TULLE_INLINE void turn_64(const uint64_t *from, uint64_t *to, int a, int b)
{
	for (int j = 0; j < b; j++)
		for (int i = 0; i < a; i++)
			to[j * a + i] = from[i * b + j];
}

/* 64-bit columns become 32-bit ones on the way. */
TULLE_INLINE void turn_narrow(const int64_t *from, int32_t *to, int a, int b)
{
	for (int j = 0; j < b; j++)
		for (int i = 0; i < a; i++)
			to[j * a + i] = TULLE__I32(from[i * b + j]);
}

/* Loops whose inner trip count is known are unrolled: the common widths are named. */
static void turn_tile_32(const void *from, void *to, int a, int b)
{
	if (a == 8)
		turn_32(from, to, 8, b);
	else if (a == 4)
		turn_32(from, to, 4, b);
	else if (a == 16)
		turn_32(from, to, 16, b);
	else
		turn_32(from, to, a, b);
}

static void turn_tile_64(const void *from, void *to, int a, int b)
{
	if (a == 8)
		turn_64(from, to, 8, b);
	else if (a == 4)
		turn_64(from, to, 4, b);
	else
		turn_64(from, to, a, b);
}

static void turn_tile(const void *from, void *to, int a, int b, size_t size)
{
	if (size == 8)
		turn_tile_64(from, to, a, b);
	else if (size == 4)
		turn_tile_32(from, to, a, b);
	else
		for (int j = 0; j < b; j++)
			for (int i = 0; i < a; i++)
				tulle__value_move(to, j * a + i, from, i * b + j, size);
}

static void turn_values(const csr5_data *d, size_t size, const void *from, void *to, int64_t t)
{
	const size_t at = (size_t)(t * tile_size(d)) * size;

	turn_tile((const char *)from + at, (char *)to + at, d->omega, d->sigma, size);
}

static void transpose(const void *arg, int64_t part)
{
	const job *j = arg;
	const tulle__csr5 *p = j->p;
	const csr5_data *d = &p->shared;
	const size_t size = tulle__value_size(p->value_type);

	for (int64_t t = first_tile(j, part); t < first_tile(j, part + 1); t++) {
		const int64_t k = t * tile_size(d);

		if (j->col && p->column_type == TULLE_I32)
			turn_tile_32((const int32_t *)j->col + k, p->col + k, d->omega, d->sigma);
		else if (j->col)
			turn_narrow((const int64_t *)j->col + k, p->col + k, d->omega, d->sigma);
		if (j->val)
			turn_values(d, size, j->val, p->val, t);
	}
}

/* After the tiles, the order is that of CSR. */
static void copy_rest(const job *j)
{
	const tulle__csr5 *p = j->p;
	const csr5_data *d = &p->shared;
	const int64_t k = d->tiles * tile_size(d);
	const size_t size = tulle__value_size(p->value_type);

	for (int64_t r = k; j->col && r < d->nnz; r++)
		p->col[r] = TULLE__I32(tulle__index_at(j->col, p->column_type, r));
	if (j->val)
		memcpy((char *)p->val + (size_t)k * size, (const char *)j->val + (size_t)k * size,
		       (size_t)(d->nnz - k) * size);
}

/* ---- conversion ---- */

tulle_status tulle__csr5_fill(tulle__csr5 *p, const tulle__csr *a, double start, tulle__env *env)
{
	const int64_t work = a->nnz + a->rows, rest = p->shared.tiles * tile_size(&p->shared);
	atomic_int any_empty = 0;
	const job j = { p, a->col, a->val, tulle__parts(work), &any_empty };
	const double begin = tulle__seconds();
	double pointers, descriptors;
	tulle_status s = TULLE_OK;

	if (p->shared.tiles > 0)
		tulle__run_parts(env, fill_tile_ptr, &j, j.parts, work);
	p->tile_ptr[p->shared.tiles] =
	    TULLE__U32(rest < a->nnz ? row_from(&p->shared, 0, rest) : a->rows);
	pointers = tulle__seconds();
	if (p->shared.tiles > 0)
		tulle__run_parts(env, fill_tile_desc, &j, j.parts, work);
	if (atomic_load_explicit(&any_empty, memory_order_relaxed))
		s = make_empty(&j, env);
	if (s != TULLE_OK)
		return s;
	descriptors = tulle__seconds();
	if (p->shared.tiles > 0)
		tulle__run_parts(env, transpose, &j, j.parts, work);
	copy_rest(&j);
	tulle__log(env, TULLE_LOG_DEBUG,
	           "csr5: allocation %.9f s, tile_ptr %.9f s, tile_desc %.9f s, transposition %.9f s",
	           begin - start, pointers - begin, descriptors - pointers,
	           tulle__seconds() - descriptors);
	return TULLE_OK;
}

void tulle__csr5_fill_values(tulle__csr5 *p, const void *val, tulle__env *env)
{
	const int64_t work = p->shared.nnz + p->shared.rows;
	const job j = { p, NULL, val, tulle__parts(work), NULL };

	if (!val) {
		const tulle__type *type = tulle__type_of(p->value_type);

		for (int64_t k = 0; k < p->shared.nnz; k++)
			tulle__value_move(p->val, k, type->one, 0, type->size);
		return;
	}
	if (p->shared.tiles > 0)
		tulle__run_parts(env, transpose, &j, j.parts, work);
	copy_rest(&j);
}

/* ---- inverse conversion (sec. 3.6) ---- */

typedef struct {
	const tulle__csr5 *p;
	int32_t *col;
	void *val;
	int64_t parts;
} way_back;

static void restore(const void *arg, int64_t part)
{
	const way_back *b = arg;
	const tulle__csr5 *p = b->p;
	const csr5_data *d = &p->shared;
	const size_t size = tulle__value_size(p->value_type);
	const int64_t end = tulle__cut(d->tiles, b->parts, part + 1);

	for (int64_t t = tulle__cut(d->tiles, b->parts, part); t < end; t++) {
		const int64_t k = t * tile_size(d);

		turn_tile_32(p->col + k, b->col + k, d->sigma, d->omega);
		if (b->val)
			turn_tile((char *)p->val + (size_t)k * size, (char *)b->val + (size_t)k * size,
			          d->sigma, d->omega, size);
	}
}

void tulle__csr5_restore(const tulle__csr5 *p, int32_t *col, void *val, tulle__env *env)
{
	const csr5_data *d = &p->shared;
	const int64_t work = d->nnz + d->rows, rest = d->tiles * tile_size(d);
	const size_t size = tulle__value_size(p->value_type);
	const way_back b = { p, col, val, tulle__parts(work) };

	if (d->tiles > 0)
		tulle__run_parts(env, restore, &b, b.parts, work);
	memcpy(col + rest, p->col + rest, (size_t)(d->nnz - rest) * sizeof *col);
	if (val)
		memcpy((char *)val + (size_t)rest * size, (char *)p->val + (size_t)rest * size,
		       (size_t)(d->nnz - rest) * size);
}
