/* csr5_check.c -- the invariants of CSR5, read back from the descriptors bit by bit. */
#include "formats/csr5/csr5_convert.h"

#include "core/split.h"
#include "core/status.h"

#include <inttypes.h>

/* A flag must be set exactly where nonzero k is the first of its row or of its tile. Check all
 * flags of tile t, and compute the expected y_offset and seg_offset. */
static const char *wrong_in_tile(const csr5_data *d, int64_t t)
{
	const int64_t tile = (int64_t)d->omega * d->sigma, begin = t * tile;
	int64_t row = csr5_tile_row(d, t);
	const int64_t first = row, rows = csr5_tile_row(d, t + 1) - row;
	const uint16_t *offset = d->empty_ptr ? d->empty_offset + d->empty_ptr[t] : NULL;
	int64_t segments = 0;
	int apart = 0, unflagged = 0;

	if ((d->tile_ptr[t] & CSR5_EMPTY) && !offset)
		return "rows are marked as empty, and none are listed";
	for (int64_t k = 0; k < tile; k++) {
		const int i = (int)(k / d->sigma), j = (int)(k % d->sigma);
		const uint64_t flags = csr5_flags(d, t, i);
		int begins;

		while (row < d->rows && csr5_row_ptr(d, row + 1) <= begin + k)
			row++;
		begins = k == 0 || csr5_row_ptr(d, row) == begin + k;
		if (begins != (int)(flags >> j & 1))
			return "bit_flag and row_ptr disagree";
		if (j == 0 && csr5_y_offset(d, t, i) != segments)
			return "y_offset does not count the flags before it";
		if (begins && (d->tile_ptr[t] & CSR5_EMPTY) &&
		    csr5_empty_offset(offset, csr5_empty_size(rows), segments) != row - first)
			return "empty_offset is not the row of its segment";
		apart |= begins && row - first != segments;
		segments += begins;
	}
	for (int i = d->omega - 1; i >= 0; i--) {
		if (csr5_seg_offset(d, t, i) != unflagged)
			return "seg_offset does not count the columns without a flag";
		unflagged = csr5_flags(d, t, i) ? 0 : unflagged + 1;
	}
	/* The rows after the last segment may also be empty. */
	apart |= row < csr5_tile_row(d, t + 1) && row + 1 != csr5_tile_row(d, t + 1);
	if (apart != (d->tile_ptr[t] >= CSR5_EMPTY))
		return "the mark of empty rows is wrong";
	return NULL;
}

static const char *wrong_pointer(const csr5_data *d, int64_t t)
{
	const int64_t row = csr5_tile_row(d, t), k = t * d->omega * d->sigma;

	if (k == d->nnz)
		return row == d->rows ? NULL : "the last tile pointer is not the number of rows";
	if (row >= d->rows || csr5_row_ptr(d, row) > k || csr5_row_ptr(d, row + 1) <= k)
		return "tile_ptr is not the row of the tile's first nonzero";
	return NULL;
}

tulle_status tulle__csr5_check(const tulle__csr5 *p, tulle__env *env)
{
	const csr5_data *d = &p->shared;
	const char *wrong = NULL;
	tulle_status s = tulle__csr_check_offsets(env, d->rows, d->wide ? TULLE_I64 : TULLE_I32,
	                                          d->row_ptr, 0, &tulle__words_of_csr);

	if (s != TULLE_OK)
		return s;
	if (csr5_row_ptr(d, d->rows) != d->nnz)
		return tulle__fail(TULLE_E_INTERNAL, "csr5: row_ptr does not end at the nonzeros");
	if (tulle__check_indices(env, d->nnz, d->cols, TULLE_I32, d->col, 0) != d->nnz)
		return tulle__fail(TULLE_E_INTERNAL, "csr5: a column is outside the matrix");
	for (int64_t t = 0; t <= d->tiles && !wrong; t++) {
		wrong = wrong_pointer(d, t);
		if (!wrong && t < d->tiles)
			wrong = wrong_in_tile(d, t);
		if (wrong)
			return tulle__fail(TULLE_E_INTERNAL, "csr5: tile %" PRId64 ": %s", t, wrong);
	}
	for (int64_t part = 0; part < d->parts; part++)
		if (d->cut[part] > d->cut[part + 1] || (d->tiles > 0 && d->cut[part] >= d->tiles))
			return tulle__fail(TULLE_E_INTERNAL, "csr5: part %" PRId64 " has no tile", part);
	if (d->parts > 0 && (d->cut[0] != 0 || d->cut[d->parts] != d->tiles))
		return tulle__fail(TULLE_E_INTERNAL, "csr5: the parts do not span the tiles");
	return TULLE_OK;
}
