/* sell_layout.c -- the layout of SELL-C-sigma: rows sorted by length into chunks, long rows in
 * pieces, and the division into parts. */
#include "formats/sell/sell_convert.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"

typedef struct {
	sell_data *d;
	const tulle__csr *a;
	int64_t longest; /* row that may be in a chunk */
	int32_t *length; /* of each row; TULLE__ABSENT: long row */
	int64_t parts;
} job;

_Static_assert((int)SELL_SCATTERED == (int)TULLE__SCATTERED, "kernels read `first` as it is built");

/* ---- columns ---- */

typedef struct {
	int64_t low, high;
} span;

TULLE_INLINE span widen_span(span s, const void *col, tulle_index_type type, int64_t k, int64_t end)
{
	for (; k < end; k++) {
		const int64_t j = tulle__index_at(col, type, k);

		s.low = j < s.low ? j : s.low;
		s.high = j > s.high ? j : s.high;
	}
	return s;
}

/* Columns of nonzeros k .. end-1. */
static span span_of(span s, const tulle__csr *a, int64_t k, int64_t end)
{
	return a->column_type == TULLE_I32 ? widen_span(s, a->col, TULLE_I32, k, end)
	                                   : widen_span(s, a->col, TULLE_I64, k, end);
}

/* Rows first .. first+height-1, all of length `width`: is each row the row before it, shifted by one
 * column? */
static int are_strips(const tulle__csr *a, int64_t first, int height, int32_t width)
{
	const int64_t k = tulle__csr_offset(a, first);

	for (int r = 1; r < height; r++)
		for (int32_t n = 0; n < width; n++)
			if (tulle__csr_column(a, k + (int64_t)r * width + n) != tulle__csr_column(a, k + n) + r)
				return 0;
	return 1;
}

/* Do two rows of equal length have the same columns relative to their row index? */
static int same_offsets(const tulle__csr *a, int64_t i, int64_t j, int32_t width)
{
	const int64_t k = tulle__csr_offset(a, i), l = tulle__csr_offset(a, j);

	for (int32_t n = 0; n < width; n++)
		if (tulle__csr_column(a, k + n) - i != tulle__csr_column(a, l + n) - j)
			return 0;
	return 1;
}

/* ---- chunks ---- */

static void describe_chunk(const job *j, int64_t c)
{
	sell_data *d = j->d;
	const int64_t lane = c * d->height;
	const int32_t *row = d->row + lane;
	int32_t *length = d->length + lane;
	const tulle__chunk made = tulle__make_chunk(row, d->rows - lane, j->length, d->height, length);
	sell_chunk chunk = {
		.full = made.full, .width = made.width, .first = made.first, .lanes = made.lanes
	};
	span columns = { TULLE__I32_MAX, 0 };

	if (chunk.first != SELL_SCATTERED && chunk.width > 0 && chunk.full == chunk.width &&
	    are_strips(j->a, row[0], d->height, chunk.width)) {
		chunk.columns = COLUMNS_STRIPS;
		chunk.origin = row[0];
	} else if (chunk.width > 0) {
		for (int r = 0; r < d->height && length[r] > 0; r++)
			columns = span_of(columns, j->a, tulle__csr_offset(j->a, row[r]),
			                  tulle__csr_offset(j->a, row[r] + 1));
		chunk.columns = columns.high - columns.low <= UINT16_MAX ? COLUMNS_NEAR : COLUMNS_FAR;
		chunk.origin = chunk.columns == COLUMNS_NEAR ? TULLE__I32(columns.low) : 0;
	}
	d->chunk[c] = chunk;
}

int64_t tulle__sell_chunk_slots(const sell_data *d, int64_t c)
{
	const sell_chunk *chunk = &d->chunk[c];

	if (chunk->full == chunk->width)
		return (int64_t)chunk->full * d->height;
	return tulle__chunk_slots(tulle__chunk_entries(d->length + c * d->height, d->height),
	                          d->height);
}

int64_t tulle__sell_list_slots(const sell_data *d, int32_t width)
{
	return tulle__round_up(width, d->height);
}

int64_t tulle__sell_list_units(int32_t width)
{
	return tulle__round_up(2 * (int64_t)width, SELL_TALLEST);
}

/* Where the list of a chunk of strips is: in its own units, or in those of the chunk before it. */
enum { SHARED = -1 };

static void describe_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t begin = tulle__cut(j->d->chunks, j->parts, part);
	const int64_t end = tulle__cut(j->d->chunks, j->parts, part + 1);

	for (int64_t c = begin; c < end; c++) {
		sell_chunk *chunk = &j->d->chunk[c];

		describe_chunk(j, c);
		if (chunk->columns != COLUMNS_STRIPS)
			chunk->col =
			    tulle__sell_chunk_slots(j->d, c) * (chunk->columns == COLUMNS_NEAR ? 1 : 2);
		else if (c > begin && chunk[-1].columns == COLUMNS_STRIPS &&
		         chunk[-1].width == chunk->width &&
		         same_offsets(j->a, chunk[-1].first, chunk->first, chunk->width))
			chunk->col = SHARED;
		else
			chunk->col = tulle__sell_list_units(chunk->width);
	}
}

static void measure_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->a->rows, j->parts, part + 1);

	for (int64_t i = tulle__cut(j->a->rows, j->parts, part); i < end; i++) {
		const int64_t n = tulle__csr_length(j->a, i);

		j->length[i] = n <= j->longest ? TULLE__I32(n) : TULLE__ABSENT;
	}
}

/* From units of columns per chunk to offsets. */
static void place_columns(sell_data *d)
{
	for (int64_t c = 0; c < d->chunks; c++) {
		sell_chunk *chunk = &d->chunk[c];

		chunk->col =
		    chunk->col == SHARED ? chunk[-1].col : tulle__place_chunk(&d->units, chunk->col);
	}
}

static tulle_status sort_rows(job *j, int64_t sigma, tulle__env *env)
{
	sell_data *d = j->d;
	tulle_status s = tulle__alloc(env, d->rows, sizeof *j->length, &j->length);

	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, measure_part, j, j->parts, d->rows);
	s = tulle__sort_lanes(env, d->rows, j->length, d->height, sigma, d->row);
	if (s == TULLE_OK)
		tulle__run_parts(env, describe_part, j, j->parts, d->nnz + d->rows);
	tulle__free(env, j->length);
	return s;
}

/* ---- long rows ---- */

typedef void visit_long(const job *j, int32_t row, int64_t nonzeros, int64_t most);

static int64_t each_long_row(const job *j, visit_long *visit, int64_t most)
{
	const sell_data *d = j->d;
	int64_t sum = 0;

	for (int64_t c = 0; c < d->chunks; c++)
		for (int64_t r = d->chunk[c].lanes; r < d->height && c * d->height + r < d->rows; r++) {
			const int32_t row = d->row[c * d->height + r];
			const int64_t n = tulle__csr_length(j->a, row);

			sum += n;
			if (visit)
				visit(j, row, n, most);
		}
	return sum;
}

static void count_pieces(const job *j, int32_t row, int64_t nonzeros, int64_t most)
{
	(void)row;
	j->d->pieces += (nonzeros + most - 1) / most;
	j->d->splits += nonzeros > most;
}

/* The columns of a piece: not stored if consecutive, otherwise 16 or 32 bits each. */
static void describe_piece(sell_piece *p, const tulle__csr *a)
{
	const int64_t k = tulle__csr_offset(a, p->row) + p->skip;
	const span s = span_of((span){ TULLE__I32_MAX, 0 }, a, k, k + p->length);
	int64_t n = 0;

	while (n < p->length && tulle__csr_column(a, k + n) == tulle__csr_column(a, k) + n)
		n++;
	p->columns = n == p->length                 ? COLUMNS_STRIPS
	             : s.high - s.low <= UINT16_MAX ? COLUMNS_NEAR
	                                            : COLUMNS_FAR;
	p->origin = p->columns == COLUMNS_FAR ? 0 : TULLE__I32(s.low);
}

static void make_pieces(const job *j, int32_t row, int64_t nonzeros, int64_t most)
{
	const int64_t count = (nonzeros + most - 1) / most;
	sell_data *d = j->d;

	if (count > 1)
		d->split[d->splits++] = (tulle__split_row){ row, d->pieces, d->pieces + count - 1 };
	for (int64_t n = 0; n < count; n++) {
		const int64_t skip = tulle__cut(nonzeros, count, n);
		const int64_t length = tulle__cut(nonzeros, count, n + 1) - skip;
		const int64_t slots = tulle__round_up(length, SELL_TALLEST);
		sell_piece p = { d->piece_slots, d->units, skip, length, row, .whole = count == 1 };

		describe_piece(&p, j->a);
		d->piece[d->pieces++] = p;
		d->piece_slots += slots;
		d->units += p.columns == COLUMNS_FAR ? 2 * slots : p.columns == COLUMNS_NEAR ? slots : 0;
	}
}

static tulle_status place_long_rows(const job *j, tulle__env *env)
{
	const int64_t nonzeros = each_long_row(j, NULL, 0), share = nonzeros / TULLE__MAX_PARTS;
	const int64_t most = share > TULLE__GRAIN ? share : TULLE__GRAIN;
	sell_data *d = j->d;
	tulle_status s;

	each_long_row(j, count_pieces, most);
	d->piece_parts = tulle__parts(nonzeros);
	if (d->piece_parts > d->pieces)
		d->piece_parts = d->pieces;
	s = tulle__alloc(env, d->pieces, sizeof *d->piece, &d->piece);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->splits, sizeof *d->split, &d->split);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->piece_parts + 1, sizeof *d->piece_cut, &d->piece_cut);
	if (s != TULLE_OK)
		return s;
	d->pieces = d->splits = 0;
	each_long_row(j, make_pieces, most);
	return TULLE_OK;
}

/* ---- parts ---- */

static void cut_pieces(sell_data *d)
{
	int64_t p = 0;

	for (int64_t part = 0; part < d->piece_parts; part++) {
		const int64_t target = tulle__cut(d->piece_slots, d->piece_parts, part);

		while (d->piece[p].base < target)
			p++;
		d->piece_cut[part] = p;
	}
	d->piece_cut[d->piece_parts] = d->pieces;
}

tulle_status tulle__sell_lay_out(sell_data *d, const tulle__csr *a, int64_t sigma, int64_t longest,
                                 tulle__env *env)
{
	job j = { d, a, longest, .parts = tulle__parts(a->rows) };
	tulle_status s = tulle__alloc(env, d->chunks, sizeof *d->chunk, &d->chunk);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows, sizeof *d->row, &d->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->chunks * d->height, sizeof *d->length, &d->length);
	if (s == TULLE_OK)
		s = sort_rows(&j, sigma, env);
	if (s == TULLE_OK)
		s = place_long_rows(&j, env);
	if (s == TULLE_OK)
		s = tulle__sell_cut_chunks(d, env);
	if (s != TULLE_OK)
		return s;
	tulle__sell_find_finished(d);
	cut_pieces(d);
	place_columns(d);
	return TULLE_OK;
}
