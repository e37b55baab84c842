/* bsell_fill.c -- moves nonzeros from CSR or block CSR to their slots in SELL of blocks, and
 * back. */
#include "core/inline.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/blocks.h"
#include "csr/csr_matrix.h"
#include "formats/bsell/bsell_convert.h"

#include <string.h>

typedef struct {
	bsell_data *d;
	const tulle__bsell_source *from;
	const void *val; /* of `from` */
	const tulle__type *type;
	int values_only; /* columns and masks are already set */
} fill;

/* ---- there ---- */

static void mask_add(const bsell_data *d, int64_t n, unsigned bits)
{
	if (bsell_mask_size(d->value_type) == 1)
		((uint8_t *)d->mask)[n] |= (uint8_t)bits;
	else
		((uint16_t *)d->mask)[n] |= (uint16_t)bits;
}

/* Value k, or 0 for a hole; then k may be past the last value. */
TULLE_INLINE void put_value(const fill *f, int64_t slot, int64_t k, unsigned there, size_t size)
{
	const void *from = there ? tulle__value_or_one(f->val, k, size, f->type->one) : tulle__zero();

	tulle__value_move(f->d->val, slot, from, 0, size);
}

static void put_column(const bsell_data *d, const bsell_chunk *chunk, int64_t n, int64_t column)
{
	uint16_t *col = d->col + chunk->col;

	if (chunk->origin == BSELL_FAR)
		((int32_t *)(void *)col)[n] = TULLE__I32(column);
	else
		col[n] = (uint16_t)(column - chunk->origin);
}

/* The slots of a block are stored by columns, each for all lanes of the step. */
TULLE_INLINE void put_full(const fill *f, int64_t slot, int64_t lanes, const walked_block *block,
                           int b, size_t size)
{
#pragma GCC unroll 6
	for (int c = 0; c < b; c++)
#pragma GCC unroll 6
		for (int r = 0; r < b; r++)
			put_value(f, slot + (c * b + r) * lanes, block->k[r] + c * block->step, 1, size);
}

/* The same with holes, which become 0. */
TULLE_INLINE void put_some(const fill *f, int64_t slot, int64_t lanes, const walked_block *block,
                           int b, size_t size)
{
	for (int r = 0; r < b; r++) {
		int64_t k = block->k[r];

#pragma GCC unroll 6
		for (int c = 0; c < b; c++) {
			const unsigned there = block->bits[r] >> c & 1;

			put_value(f, slot + (c * b + r) * lanes, k, there, size);
			k += there;
		}
	}
}

/* Set the lane's bit for each slot that is not a hole. */
TULLE_INLINE void put_bits(const bsell_data *d, int64_t mask, int lane, const walked_block *block,
                           int b)
{
	for (int r = 0; r < b; r++)
		for (int c = 0; c < b; c++)
			mask_add(d, mask + c * b + r, (block->bits[r] >> c & 1) << lane);
}

TULLE_INLINE void put_block(const fill *f, const bsell_chunk *chunk, tulle__lane *at,
                            const walked_block *block, int b, size_t size)
{
	const int64_t slot = bsell_slot_at(chunk, at, b), lanes = tulle__lane_width(at);

	if (block->full)
		put_full(f, slot, lanes, block, b, size);
	else
		put_some(f, slot, lanes, block, b, size);
	if (f->values_only)
		return;
	put_column(f->d, chunk, at->at, block->column);
	if (chunk->mask != BSELL_WHOLE)
		put_bits(f->d, chunk->mask + at->step * b * b, at->r, block, b);
}

TULLE_INLINE void put_lane(const fill *f, int64_t c, int r, int b, tulle_index_type index,
                           size_t size)
{
	const bsell_data *d = f->d;
	const int64_t row = d->row[c * d->height + r];
	tulle__lane at = bsell_top_of(d, c, r);
	walked_block block;

	if (f->from->blocks)
		for (stored_walk w = walk_stored_row(f->from->blocks, row, b); next_stored(&w, b, &block);
		     tulle__lane_down(&at))
			put_block(f, &d->chunk[c], &at, &block, b, size);
	else
		for (block_walk w = walk_block_row(f->from->a, row, b); next_block(&w, b, index, &block);
		     tulle__lane_down(&at))
			put_block(f, &d->chunk[c], &at, &block, b, size);
}

/* Masks are cleared first; slots after the last step are 0. */
static void clear_chunk(const fill *f, int64_t c)
{
	const bsell_data *d = f->d;
	const bsell_chunk *chunk = &d->chunk[c];
	const size_t size = f->type->size, bits = bsell_mask_size(d->value_type);
	const int64_t units = chunk->origin == BSELL_FAR ? 2 : 1, places = (int64_t)d->b * d->b;
	const int64_t blocks = tulle__chunk_entries(d->length + c * d->height, d->height);
	const int64_t slot = chunk->base + blocks * places, unit = chunk->col + blocks * units;

	memset((char *)d->val + (size_t)slot * size, 0, (size_t)(chunk[1].base - slot) * size);
	memset(d->col + unit, 0, (size_t)(chunk[1].col - unit) * sizeof *d->col);
	if (chunk->mask != BSELL_WHOLE)
		memset((char *)d->mask + (size_t)chunk->mask * bits, 0,
		       (size_t)(chunk->width * places) * bits);
}

TULLE_INLINE void put_chunks(const fill *f, int64_t part, int b, tulle_index_type index,
                             size_t size)
{
	for (int64_t c = f->d->cut[part]; c < f->d->cut[part + 1]; c++) {
		if (!f->values_only)
			clear_chunk(f, c);
		for (int r = 0; r < f->d->chunk[c].lanes; r++)
			put_lane(f, c, r, b, index, size);
	}
}

/* Stored blocks are read as they are, whatever the type. */
static tulle_index_type column_type(const fill *f)
{
	return f->from->blocks ? TULLE_I32 : f->from->a->column_type;
}

TULLE_INLINE void put_part(const fill *f, int64_t part, size_t size)
{
	if (column_type(f) == TULLE_I64)
		put_chunks(f, part, f->d->b, TULLE_I64, size);
	else
		switch (f->d->b) {
		case 2: put_chunks(f, part, 2, TULLE_I32, size); break;
		case 3: put_chunks(f, part, 3, TULLE_I32, size); break;
		case 4: put_chunks(f, part, 4, TULLE_I32, size); break;
		default: put_chunks(f, part, 6, TULLE_I32, size); break;
		}
}

static void put_any_part(const void *arg, int64_t part)
{
	const fill *f = arg;

	switch (f->type->size) {
	case 4: put_part(f, part, 4); break;
	case 8: put_part(f, part, 8); break;
	case 16: put_part(f, part, 16); break;
	default: put_chunks(f, part, f->d->b, column_type(f), f->type->size); break;
	}
}

static fill fill_from(bsell_data *d, const tulle__bsell_source *from, int values_only)
{
	const void *val = from->blocks ? from->blocks->val : from->a->val;
	const tulle__type *type = tulle__type_of(d->value_type);

	d->ones = !val && type->parts == 2;
	return (fill){ d, from, val, type, values_only };
}

void tulle__bsell_set_values(bsell_data *d, const tulle__bsell_source *from, tulle__env *env)
{
	const fill f = fill_from(d, from, 1);

	tulle__run_parts(env, put_any_part, &f, d->parts, d->slots + d->rows);
}

void tulle__bsell_fill(bsell_data *d, const tulle__bsell_source *from, tulle__env *env)
{
	const fill f = fill_from(d, from, 0);
	const size_t size = f.type->size;

	tulle__run_parts(env, put_any_part, &f, d->parts, d->slots + d->rows);
	memset((char *)d->val + (size_t)d->slots * size, 0, BSELL_TALLEST * size);
	memset(d->col + d->units, 0, 2 * BSELL_TALLEST * sizeof *d->col);
}

/* ---- and back ---- */

typedef struct {
	const bsell_data *d;
	int64_t *length; /* of rows; NULL: entries are moved back */
	const int64_t *row_ptr;
	int32_t *col;
	void *val;
} give_back;

static void back_lane(const give_back *g, int64_t c, int lane)
{
	const bsell_data *d = g->d;
	const bsell_chunk *chunk = &d->chunk[c];
	const size_t size = tulle__value_size(d->value_type);
	const int32_t row = d->row[c * d->height + lane], b = d->b;
	int64_t count[TULLE__WIDEST_BLOCK] = { 0 };

	for (tulle__lane at = bsell_top_of(d, c, lane); at.step < at.length[lane];
	     tulle__lane_down(&at)) {
		const int32_t column = bsell_column_at(d, chunk, at.at);
		int64_t slot = bsell_slot_at(chunk, &at, b);

		for (int place = 0; place < b * b; place++, slot += tulle__lane_width(&at)) {
			const int r = place % b;

			if (chunk->mask != BSELL_WHOLE &&
			    !(bsell_mask_at(d, chunk->mask + at.step * b * b + place) >> lane & 1))
				continue;
			if (!g->length) {
				const int64_t k = g->row_ptr[row + r] + count[r];

				g->col[k] = column * b + place / b;
				memcpy((char *)g->val + (size_t)k * size, (char *)d->val + (size_t)slot * size,
				       size);
			}
			count[r]++;
		}
	}
	for (int r = 0; g->length && r < b && row + r < d->rows; r++)
		g->length[row + r] = count[r];
}

static void back_part(const void *arg, int64_t part)
{
	const give_back *g = arg;

	for (int64_t c = g->d->cut[part]; c < g->d->cut[part + 1]; c++)
		for (int r = 0; r < g->d->chunk[c].lanes; r++)
			back_lane(g, c, r);
}

void tulle__bsell_count_rows(const bsell_data *d, int64_t *length, tulle__env *env)
{
	const give_back g = { .d = d, .length = length };

	tulle__run_parts(env, back_part, &g, d->parts, d->slots + d->rows);
}

void tulle__bsell_give_back(const bsell_data *d, const int64_t *row_ptr, int32_t *col, void *val,
                            tulle__env *env)
{
	const give_back g = { d, NULL, row_ptr, col, val };

	tulle__run_parts(env, back_part, &g, d->parts, d->slots + d->rows);
}
