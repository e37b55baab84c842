/* bsell_check.c -- the invariants of SELL of blocks (bsell.c lists them). */
#include "core/memory.h"
#include "core/status.h"
#include "csr/csr_matrix.h"
#include "formats/bsell/bsell_convert.h"

#include <inttypes.h>

static tulle_status wrong(int64_t c, const char *what)
{
	return tulle__fail(TULLE_E_INTERNAL, "bsell: %s of chunk %" PRId64, what, c);
}

static tulle_status check_rows(const bsell_data *d, tulle__env *env)
{
	unsigned char *seen;
	tulle_status s = tulle__alloc_zero(env, d->block_rows, 1, &seen);

	for (int64_t lane = 0; lane < d->block_rows && s == TULLE_OK; lane++) {
		const int32_t row = d->row[lane];

		if (row < 0 || row >= d->rows || row % d->b != 0 || seen[row / d->b]++)
			s = tulle__fail(TULLE_E_INTERNAL,
			                "bsell: row[%" PRId64 "] = %" PRId32
			                " begins no block row, or one twice",
			                lane, row);
	}
	tulle__free(env, seen);
	return s;
}

_Static_assert((int)BSELL_SCATTERED == (int)TULLE__SCATTERED, "`first` is checked as it is built");

static tulle_status check_shape(const bsell_data *d, int64_t c)
{
	const int32_t *row = d->row + c * d->height, *length = d->length + c * d->height;
	const bsell_chunk *chunk = &d->chunk[c];
	const int64_t places = (int64_t)d->b * d->b;
	const int64_t slots = tulle__chunk_entries(length, d->height) * places;
	tulle_status s =
	    tulle__check_lanes("bsell", c, length, d->height, chunk->lanes, chunk->full, chunk->width);
	int cut = 0;

	if (s != TULLE_OK)
		return s;
	for (int r = 0; r < chunk->lanes; r++)
		cut |= row[r] + d->b > d->rows;
	if ((chunk->first == BSELL_CUT) != cut)
		return wrong(c, "rows");
	if (!cut)
		s = tulle__check_first("bsell", c, row, d->height, chunk->lanes, d->b, chunk->first);
	if (s == TULLE_OK)
		s = tulle__check_place("bsell", c, chunk->base, chunk[1].base, slots, d->height);
	return s;
}

typedef struct {
	int64_t entries, holes;
	int32_t low, high; /* block columns */
} contents;

static int is_zero(const bsell_data *d, int64_t slot)
{
	return tulle__value_is_zero(d->val, slot, tulle__value_size(d->value_type));
}

/* One block: is every slot an entry of the matrix or a hole? */
static int check_block(const bsell_data *d, int64_t c, tulle__lane *at, contents *sum)
{
	const bsell_chunk *chunk = &d->chunk[c];
	const int32_t row = d->row[c * d->height + at->r], b = d->b;
	const int32_t column = bsell_column_at(d, chunk, at->at);
	const int lanes = tulle__lane_width(at);
	int64_t slot = bsell_slot_at(chunk, at, b);

	sum->low = column < sum->low ? column : sum->low;
	sum->high = column > sum->high ? column : sum->high;
	for (int p = 0; p < b * b; p++, slot += lanes) {
		const unsigned mask = chunk->mask == BSELL_WHOLE
		                          ? (1u << lanes) - 1
		                          : bsell_mask_at(d, chunk->mask + at->step * b * b + p);

		if (mask >> lanes)
			return 0;
		if (mask >> at->r & 1) {
			sum->entries++;
			if (row + p % b >= d->rows || column < 0 || (int64_t)column * b + p / b >= d->cols)
				return 0;
		} else {
			sum->holes++;
			if (!is_zero(d, slot))
				return 0;
		}
	}
	return 1;
}

static tulle_status check_chunk(const bsell_data *d, int64_t c, int64_t *entries)
{
	const bsell_chunk *chunk = &d->chunk[c];
	contents sum = { .low = TULLE__I32_MAX };

	for (int r = 0; r < chunk->lanes; r++)
		for (tulle__lane at = bsell_top_of(d, c, r); at.step < at.length[r]; tulle__lane_down(&at))
			if (!check_block(d, c, &at, &sum))
				return wrong(c, "a block");
	if (chunk->origin != (chunk->width == 0                  ? 0
	                      : sum.high - sum.low <= UINT16_MAX ? sum.low
	                                                         : BSELL_FAR))
		return wrong(c, "origin");
	if ((chunk->mask == BSELL_WHOLE) != (sum.holes == 0))
		return wrong(c, "masks");
	*entries += sum.entries;
	return TULLE_OK;
}

tulle_status tulle__bsell_check(const void *data, tulle__env *env)
{
	const bsell_data *d = data;
	tulle_status s = check_rows(d, env);
	int64_t entries = 0;

	for (int64_t c = 0; c < d->chunks && s == TULLE_OK; c++)
		s = check_shape(d, c);
	for (int64_t c = 0; c < d->chunks && s == TULLE_OK; c++)
		s = check_chunk(d, c, &entries);
	if (s != TULLE_OK)
		return s;
	if (entries != d->nnz)
		return tulle__fail(TULLE_E_INTERNAL, "bsell: %" PRId64 " entries, not %" PRId64, entries,
		                   d->nnz);
	return tulle__check_cuts("bsell", d->cut, d->parts, d->chunks);
}
