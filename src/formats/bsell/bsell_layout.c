/* bsell_layout.c -- sorts block rows by length into chunks, and divides the work into parts. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "csr/blocks.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "formats/bsell/bsell_convert.h"

#include <inttypes.h>

/* Figures of a block row before it is assigned to a lane. */
typedef struct {
	int64_t parts;
	int32_t *length;     /* in blocks; TOO_LONG: more than 32 bits hold */
	int32_t *low, *high; /* block columns */
	int32_t *number;     /* of the block row in each lane */
} survey;

enum { TOO_LONG = -1 };

typedef struct {
	bsell_data *d;
	const tulle__bsell_source *from;
	const survey *v;
} job;

/* ---- block rows ---- */

/* Of one block row. */
typedef struct {
	int64_t count, low, high;
} extent;

TULLE_INLINE void extend(extent *e, const walked_block *block)
{
	e->count++;
	e->low = block->column < e->low ? block->column : e->low;
	e->high = block->column > e->high ? block->column : e->high;
}

TULLE_INLINE void survey_row(const job *j, int64_t i, int b, tulle_index_type type)
{
	extent e = { .low = TULLE__I32_MAX };
	walked_block block;

	if (j->from->blocks)
		for (stored_walk w = walk_stored_row(j->from->blocks, i * b, b);
		     next_stored(&w, b, &block);)
			extend(&e, &block);
	else
		for (block_walk w = walk_block_row(j->from->a, i * b, b); next_block(&w, b, type, &block);)
			extend(&e, &block);
	j->v->length[i] = e.count <= TULLE__I32_MAX ? TULLE__I32(e.count) : TOO_LONG;
	j->v->low[i] = TULLE__I32(e.low);
	j->v->high[i] = TULLE__I32(e.high);
}

TULLE_INLINE void survey_rows(const job *j, int64_t part, int b, tulle_index_type type)
{
	const int64_t end = tulle__cut(j->d->block_rows, j->v->parts, part + 1);

	for (int64_t i = tulle__cut(j->d->block_rows, j->v->parts, part); i < end; i++)
		survey_row(j, i, b, type);
}

static void survey_part(const void *arg, int64_t part)
{
	const job *j = arg;

	if (j->from->blocks || j->from->a->column_type == TULLE_I32)
		switch (j->d->b) {
		case 2: survey_rows(j, part, 2, TULLE_I32); break;
		case 3: survey_rows(j, part, 3, TULLE_I32); break;
		case 4: survey_rows(j, part, 4, TULLE_I32); break;
		default: survey_rows(j, part, 6, TULLE_I32); break;
		}
	else
		survey_rows(j, part, j->d->b, TULLE_I64);
}

/* ---- chunks ---- */

static int64_t block_row_nonzeros(const job *j, int32_t i)
{
	const bsell_data *d = j->d;
	const int64_t row = (int64_t)i * d->b, end = row + d->b < d->rows ? row + d->b : d->rows;

	return j->from->blocks
	           ? (int64_t)j->v->length[i] * d->b * d->b
	           : tulle__csr_offset(j->from->a, end) - tulle__csr_offset(j->from->a, row);
}

static void describe_chunk(const job *j, int64_t c)
{
	bsell_data *d = j->d;
	const int64_t lane = c * d->height;
	const int32_t *number = j->v->number + lane;
	const tulle__chunk made =
	    tulle__make_chunk(number, d->block_rows - lane, j->v->length, d->height, d->length + lane);
	int32_t low = TULLE__I32_MAX, high = 0;
	int64_t nonzeros = 0;
	int cut = 0;

	for (int r = 0; r < made.lanes; r++) {
		const int32_t i = number[r], row = i * d->b;

		d->row[lane + r] = row;
		nonzeros += block_row_nonzeros(j, i);
		low = j->v->low[i] < low ? j->v->low[i] : low;
		high = j->v->high[i] > high ? j->v->high[i] : high;
		cut |= row > d->rows - d->b;
	}
	d->chunk[c] = (bsell_chunk){
		.base = made.entries,
		.mask = made.entries * d->b * d->b > nonzeros ? 0 : BSELL_WHOLE,
		.full = made.full,
		.width = made.width,
		.first = cut                              ? BSELL_CUT
		         : made.first == TULLE__SCATTERED ? BSELL_SCATTERED
		                                          : made.first * d->b,
		.origin = made.entries == 0          ? 0
		          : high - low <= UINT16_MAX ? low
		                                     : BSELL_FAR,
		.lanes = made.lanes,
	};
}

static void describe_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t end = tulle__cut(j->d->chunks, j->v->parts, part + 1);

	for (int64_t c = tulle__cut(j->d->chunks, j->v->parts, part); c < end; c++)
		describe_chunk(j, c);
}

/* From numbers of blocks per chunk to offsets. */
static void place_chunks(bsell_data *d)
{
	const int64_t places = (int64_t)d->b * d->b;

	for (int64_t c = 0; c < d->chunks; c++) {
		bsell_chunk *chunk = &d->chunk[c];
		const int64_t blocks = chunk->base, units = chunk->origin == BSELL_FAR ? 2 : 1;

		d->blocks += blocks;
		chunk->base = tulle__place_chunk(&d->slots, tulle__chunk_slots(blocks * places, d->height));
		chunk->col = tulle__place_chunk(&d->units, units * tulle__chunk_slots(blocks, d->height));
		if (chunk->mask != BSELL_WHOLE)
			chunk->mask = tulle__place_chunk(&d->masks, chunk->width * places);
	}
	d->chunk[d->chunks] = (bsell_chunk){ .base = d->slots, .col = d->units, .mask = d->masks };
}

/* Parts have nearly equal numbers of values and rows. */
static void cut_chunks(bsell_data *d)
{
	const int64_t rows = (int64_t)d->height * d->b, work = d->slots + d->chunks * rows;
	int64_t c = 0;

	for (int64_t part = 0; part < d->parts; part++) {
		const int64_t target = tulle__cut(work, d->parts, part);

		while (d->chunk[c].base + c * rows < target)
			c++;
		d->cut[part] = c;
	}
	d->cut[d->parts] = d->chunks;
}

/* ---- all together ---- */

static tulle_status count_block_rows(const job *j, tulle__env *env)
{
	tulle__run_parts(env, survey_part, j, j->v->parts, j->d->nnz + j->d->rows);
	for (int64_t i = 0; i < j->d->block_rows; i++)
		if (j->v->length[i] == TOO_LONG)
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "bsell: block row %" PRId64 " has more than 2^31-1 blocks", i);
	return TULLE_OK;
}

static tulle_status check_padding(const job *j)
{
	int64_t blocks = 0;

	for (int64_t i = 0; i < j->d->block_rows; i++)
		blocks += j->v->length[i];
	if (tulle__pads_too_much(blocks * j->d->b * j->d->b, j->d->nnz))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "bsell: %" PRId64 " rows padded to %" PRId64
		                   " blocks of %d x %d, for %" PRId64
		                   " nonzeros in all: more than %d times the matrix",
		                   j->d->rows, blocks, j->d->b, j->d->b, j->d->nnz, TULLE__MOST_PADDING);
	return TULLE_OK;
}

static tulle_status place(const job *j, int64_t sigma, tulle__env *env)
{
	bsell_data *d = j->d;
	tulle_status s = count_block_rows(j, env);

	if (s == TULLE_OK)
		s = check_padding(j);
	if (s == TULLE_OK)
		s = tulle__sort_lanes(env, d->block_rows, j->v->length, d->height, sigma, j->v->number);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, describe_part, j, j->v->parts, d->rows);
	place_chunks(d);
	d->parts = tulle__parts(d->slots + d->rows);
	if (d->parts > d->chunks)
		d->parts = d->chunks;
	s = tulle__alloc(env, d->parts + 1, sizeof *d->cut, &d->cut);
	if (s != TULLE_OK)
		return s;
	cut_chunks(d);
	/* Steps with few lanes load whole vectors of columns and values. */
	s = tulle__alloc(env, d->units + 2 * BSELL_TALLEST, sizeof *d->col, &d->col);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->masks, bsell_mask_size(d->value_type), &d->mask);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->slots + BSELL_TALLEST, tulle__value_size(d->value_type), &d->val);
	return s;
}

tulle_status tulle__bsell_lay_out(bsell_data *d, const tulle__bsell_source *from, int64_t sigma,
                                  tulle__env *env)
{
	survey v = { .parts = tulle__parts(d->nnz + d->rows) };
	const job j = { d, from, &v };
	int32_t *survey_block;
	tulle_status s;

	d->block_rows = (d->rows + d->b - 1) / d->b;
	d->chunks = (d->block_rows + d->height - 1) / d->height;
	s = tulle__alloc(env, d->chunks + 1, sizeof *d->chunk, &d->chunk);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->block_rows, sizeof *d->row, &d->row);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->chunks * d->height, sizeof *d->length, &d->length);
	if (s != TULLE_OK)
		return s;
	s = tulle__alloc(env, 4 * d->block_rows, sizeof *survey_block, &survey_block);
	if (s != TULLE_OK)
		return s;
	v.length = survey_block;
	v.low = v.length + d->block_rows;
	v.high = v.low + d->block_rows;
	v.number = v.high + d->block_rows;
	s = place(&j, sigma, env);
	tulle__free(env, survey_block);
	return s;
}
