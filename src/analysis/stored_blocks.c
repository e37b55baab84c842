/* stored_blocks.c -- features of a matrix in block CSR, without expanding it.
 *
 * Ranges of block rows are expanded and analysed like any matrix. This gives the features that are
 * sampled anyway. Lengths of all rows follow from the offsets, symmetry from pairs of blocks. */
#include "analysis/features.h"
#include "core/memory.h"

/* The sample: a sixteenth of the block rows, with at least LEAST_NONZEROS, in ranges. */
enum { SHARE = 16, STRETCHES = 8, LEAST_NONZEROS = 1 << 15 };

/* The first block row of range s, and the one after its last. */
static void stretch_of(const tulle__bsr *a, int64_t nnz, int64_t s, int64_t *begin, int64_t *end)
{
	const double least = LEAST_NONZEROS / ((double)nnz + 1), share = 1. / SHARE;
	const double each = (double)a->block_rows * (least > share ? least : share) / STRETCHES;

	*begin = tulle__sample(a->block_rows, STRETCHES, s);
	*end = tulle__sample(a->block_rows, STRETCHES, s + 1);
	if (*end - *begin > (int64_t)each + 1)
		*end = *begin + (int64_t)each + 1;
}

static tulle_status expand_sample(const tulle__bsr *a, int64_t nnz, tulle__env *env,
                                  tulle__csr *out)
{
	int64_t begin, end, blocks = 0, rows = 0, row = 0;
	tulle__bsr_rows to = { .val = NULL };
	tulle_status s;

	for (int64_t n = 0; n < STRETCHES; n++) {
		stretch_of(a, nnz, n, &begin, &end);
		rows += (end - begin) * a->height;
		blocks += tulle__bsr_offset(a, end) - tulle__bsr_offset(a, begin);
	}
	s = tulle__csr_new(env, rows, a->block_cols * a->width, blocks * a->height * a->width,
	                   a->value_type, out, &to.row_ptr, &to.col, a->val ? &to.val : NULL);
	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < STRETCHES; n++) {
		stretch_of(a, nnz, n, &begin, &end);
		tulle__bsr_append(a, begin, end, &to, &row);
	}
	return TULLE_OK;
}

/* Extrapolate from the sample to the whole matrix: sizes, and lengths of columns. */
static void scale(const tulle__csr *whole, const tulle__csr *sample, tulle__features *f)
{
	const double times = sample->nnz > 0 ? (double)whole->nnz / (double)sample->nnz : 1;

	f->rows = whole->rows;
	f->nnz = whole->nnz;
	f->csr_bytes = (double)tulle__csr_bytes(whole);
	f->y_bytes = (double)whole->rows * (double)tulle__element_size(whole->value_type);
	f->column.min *= times;
	f->column.mean *= times;
	f->column.max *= times;
	f->column.sd *= times;
}

/* Lengths of all rows: offsets are a small part of the matrix. */
static tulle_status analyze_lengths(const tulle__bsr *a, const tulle__csr *shape, tulle__env *env,
                                    tulle__features *f)
{
	tulle__csr rows = *shape;
	void *row_ptr;
	tulle_status s =
	    tulle__alloc(env, rows.rows + 1, tulle__index_size(rows.offset_type), &row_ptr);

	if (s != TULLE_OK)
		return s;
	tulle__bsr_offsets(env, a, shape, row_ptr);
	rows.row_ptr = row_ptr;
	s = tulle__analyze_row_lengths(&rows, env, f);
	tulle__free(env, row_ptr);
	return s;
}

void tulle__note_blocks(const tulle__bsr *a, tulle__features *f)
{
	if (!a)
		return;
	f->block_height = a->height;
	f->block_width = a->width;
	f->block_bytes = (double)tulle__bsr_bytes(a);
}

tulle_status tulle__analyse_blocks(const tulle__bsr *a, const tulle__machine *machine,
                                   tulle__env *env, tulle__features *out)
{
	const tulle__csr whole = tulle__bsr_shape(a);
	tulle__csr sample;
	tulle_status s = expand_sample(a, whole.nnz, env, &sample);

	if (s != TULLE_OK)
		return s;
	s = tulle__analyse(&sample, machine, env, out);
	tulle__csr_release(env, &sample);
	if (s != TULLE_OK)
		return s;
	scale(&whole, &sample, out);
	tulle__analyze_block_symmetry(a, env, out);
	return analyze_lengths(a, &whole, env, out);
}
