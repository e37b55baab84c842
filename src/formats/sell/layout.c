/* layout.c -- where rows go in SELL-C-sigma: sorted by length into chunks, long ones into pieces, and
 * where the work is cut. */
#include "formats/sell/convert.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/csr.h"
#include "csr/lanes.h"

typedef struct {
	sell_data *d;
	const tulle__csr *a;
	int64_t longest; /* row that stays in a chunk */
	int32_t *length; /* of each row */
	int64_t parts;
} job;

/* ---- rows by length ---- */

/* Nonzeros that row i has in a lane: a long row has none, and goes behind the empty ones. */
enum { LONG = -1 };

/* ---- chunks ---- */

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

static span row_span(span s, const tulle__csr *a, int64_t row)
{
	const int64_t k = tulle__csr_offset(a, row), end = tulle__csr_offset(a, row + 1);

	return a->column_type == TULLE_I32 ? widen_span(s, a->col, TULLE_I32, k, end)
	                                   : widen_span(s, a->col, TULLE_I64, k, end);
}

static void describe_chunk(const job *j, int64_t c)
{
	sell_data *d = j->d;
	span columns = { INT32_MAX, 0 };
	const int32_t *row = d->row + c * d->height;
	int32_t *length = d->length + c * d->height, lanes = 0;
	int64_t nonzeros = 0;
	int neighbours = 1;

	for (int r = 0; r < d->height; r++) {
		const int32_t n = c * d->height + r < d->rows ? j->length[row[r]] : LONG;

		length[r] = n == LONG ? 0 : n;
		if (n == LONG)
			continue;
		lanes++;
		nonzeros += length[r];
		neighbours &= row[r] == row[0] + r;
		columns = row_span(columns, j->a, row[r]);
	}
	d->chunk[c] = (sell_chunk){
		.base = nonzeros,
		.full = length[d->height - 1],
		.width = length[0],
		.first = neighbours && lanes == d->height ? row[0] : SELL_SCATTERED,
		.origin = nonzeros == 0                              ? 0
		          : columns.high - columns.low <= UINT16_MAX ? (int32_t)columns.low
		                                                     : SELL_FAR,
		.lanes = lanes,
	};
}

static void measure_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->a->rows, j->parts, part + 1);

	for (int64_t i = tulle__cut(j->a->rows, j->parts, part); i < end; i++) {
		const int64_t n = tulle__csr_length(j->a, i);

		j->length[i] = n <= j->longest ? (int32_t)n : LONG;
	}
}

static void describe_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->d->chunks, j->parts, part + 1);

	for (int64_t c = tulle__cut(j->d->chunks, j->parts, part); c < end; c++)
		describe_chunk(j, c);
}

static tulle_status sort_rows(sell_data *d, const tulle__csr *a, int64_t sigma, int64_t longest,
                              tulle__env *env)
{
	job j = { d, a, longest, .parts = tulle__parts(a->rows) };
	tulle_status s = tulle__alloc(env, a->rows, sizeof *j.length, &j.length);

	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, measure_part, &j, j.parts, a->rows);
	s = tulle__sort_lanes(env, a->rows, j.length, d->height, sigma, d->row);
	if (s == TULLE_OK)
		tulle__run_parts(env, describe_part, &j, j.parts, a->nnz + a->rows);
	tulle__free(env, j.length);
	return s;
}

static int64_t round_up(int64_t n, int64_t multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

/* From the chunks' nonzeros to where they begin. A chunk begins at a multiple of the height, so
 * that the loads of its full steps lie within cache lines. */
static void place_chunks(sell_data *d)
{
	for (int64_t c = 0; c < d->chunks; c++) {
		sell_chunk *chunk = &d->chunk[c];
		const int64_t slots = round_up(chunk->base, d->height);

		chunk->base = d->slots;
		chunk->col = d->units;
		d->slots += slots;
		d->units += chunk->origin == SELL_FAR ? 2 * slots : slots;
	}
	d->units = round_up(d->units, SELL_TALLEST);
	d->chunk[d->chunks] = (sell_chunk){ .base = d->slots, .col = d->units };
}

/* ---- long rows ---- */

typedef void visit_long(sell_data *d, int32_t row, int64_t nonzeros, int64_t most);

static int64_t each_long_row(sell_data *d, const tulle__csr *a, visit_long *visit, int64_t most)
{
	int64_t sum = 0;

	for (int64_t c = 0; c < d->chunks; c++)
		for (int64_t r = d->chunk[c].lanes; r < d->height && c * d->height + r < d->rows; r++) {
			const int32_t row = d->row[c * d->height + r];
			const int64_t n = tulle__csr_length(a, row);

			sum += n;
			if (visit)
				visit(d, row, n, most);
		}
	return sum;
}

static void count_pieces(sell_data *d, int32_t row, int64_t nonzeros, int64_t most)
{
	(void)row;
	d->pieces += (nonzeros + most - 1) / most;
	d->splits += nonzeros > most;
}

static void make_pieces(sell_data *d, int32_t row, int64_t nonzeros, int64_t most)
{
	const int64_t count = (nonzeros + most - 1) / most;

	if (count > 1)
		d->split[d->splits++] = (tulle__split_row){ row, d->pieces, d->pieces + count - 1 };
	for (int64_t p = 0; p < count; p++) {
		const int64_t skip = tulle__cut(nonzeros, count, p);
		const int64_t length = tulle__cut(nonzeros, count, p + 1) - skip;

		d->piece[d->pieces++] = (sell_piece){ d->slots, d->units, skip, length, row, count == 1 };
		d->slots += round_up(length, SELL_TALLEST);
		d->units += 2 * round_up(length, SELL_TALLEST);
	}
}

static tulle_status place_long_rows(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const int64_t nonzeros = each_long_row(d, a, NULL, 0), share = nonzeros / TULLE__MAX_PARTS;
	const int64_t most = share > TULLE__GRAIN ? share : TULLE__GRAIN;
	tulle_status s;

	each_long_row(d, a, count_pieces, most);
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
	each_long_row(d, a, make_pieces, most);
	return TULLE_OK;
}

/* ---- parts ---- */

/* Chunks are cut where nonzeros and rows are even. */
static void cut_chunks(sell_data *d)
{
	const int64_t work = d->chunk[d->chunks].base + d->chunks * d->height;
	int64_t c = 0;

	for (int64_t part = 0; part < d->chunk_parts; part++) {
		const int64_t target = tulle__cut(work, d->chunk_parts, part);

		while (d->chunk[c].base + c * d->height < target)
			c++;
		d->cut[part] = c;
	}
	d->cut[d->chunk_parts] = d->chunks;
}

static void cut_pieces(sell_data *d)
{
	const int64_t first = d->chunk[d->chunks].base;
	int64_t p = 0;

	for (int64_t part = 0; part < d->piece_parts; part++) {
		const int64_t target = first + tulle__cut(d->slots - first, d->piece_parts, part);

		while (d->piece[p].base < target)
			p++;
		d->piece_cut[part] = p;
	}
	d->piece_cut[d->piece_parts] = d->pieces;
}

tulle_status sell_lay_out(sell_data *d, const tulle__csr *a, int64_t sigma, int64_t longest,
                          tulle__env *env)
{
	const int64_t lanes = d->chunks * d->height;
	tulle_status s = tulle__alloc(env, d->chunks + 1, sizeof *d->chunk, &d->chunk);

	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows, sizeof *d->row, &d->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, lanes, sizeof *d->length, &d->length);
	if (s == TULLE_OK)
		s = sort_rows(d, a, sigma, longest, env);
	if (s != TULLE_OK)
		return s;
	place_chunks(d);
	d->chunk_parts = tulle__parts(d->slots + d->rows);
	if (d->chunk_parts > d->chunks)
		d->chunk_parts = d->chunks;
	s = tulle__alloc(env, d->chunk_parts + 1, sizeof *d->cut, &d->cut);
	if (s == TULLE_OK)
		s = place_long_rows(d, a, env);
	if (s != TULLE_OK)
		return s;
	cut_chunks(d);
	cut_pieces(d);
	/* vgather_near_first may load a whole vector of offsets where it needs one. */
	s = tulle__alloc(env, d->units + SELL_TALLEST, sizeof *d->col, &d->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->slots, tulle__value_size(a->value_type), &d->val);
	return s;
}
