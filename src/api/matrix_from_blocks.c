/* matrix_from_blocks.c -- A from block CSR: checked, and kept as it is. */
#include "api/matrix_given.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>

static const tulle__csr_words words = { "block_ptr", "block_col", "block row" };

/* The number of rows or columns in `blocks` blocks of `size` each. */
static tulle_status check_blocks(const char *name, int64_t blocks, const char *size_name,
                                 int64_t size, int64_t *count)
{
	*count = 0;
	if (blocks < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is negative", name, blocks);
	if (size < 1)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is not positive", size_name, size);
	*count = tulle__times(blocks, size);
	if (size <= TULLE__MOST && *count <= TULLE__MOST)
		return TULLE_OK;
	return tulle__fail(TULLE_E_ARGUMENT,
	                   "%s = %" PRId64 " with %s = %" PRId64 " is more than %" PRId64
	                   ": arrays of this size cannot be addressed",
	                   name, blocks, size_name, size, TULLE__MOST);
}

/* What block CSR has besides CSR. */
static tulle_status check_block_options(const tulle__given *s, const tulle__bsr *a)
{
	if (a->order != TULLE_ROW_MAJOR && a->order != TULLE_COLUMN_MAJOR)
		return tulle__fail(TULLE_E_ARGUMENT, "order = %d is unknown", (int)a->order);
	if (s->options.kind != TULLE_GENERAL)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.kind = %d: block CSR has all blocks, not those of a triangle",
		                   (int)s->options.kind);
	return TULLE_OK;
}

static tulle_status check_block_count(const tulle__bsr *a, int base)
{
	if (tulle__times(tulle__times(a->height, a->width), a->blocks) <= TULLE__MOST)
		return TULLE_OK;
	return tulle__fail(TULLE_E_MATRIX,
	                   "block_ptr[%" PRId64 "] = %" PRId64 ": blocks of %" PRId64 " x %" PRId64
	                   " have more than %" PRId64 " entries",
	                   a->block_rows, a->blocks + base, a->height, a->width, TULLE__MOST);
}

/* Checked block CSR: the caller's arrays, or copies where necessary. */
static tulle_status from_blocks(const tulle__given *s, const tulle__bsr *a, tulle_matrix **out)
{
	const int copies = s->options.ownership == TULLE_COPY, base = s->options.base;
	tulle_matrix *m;
	tulle_status status =
	    tulle__matrix_new(s->context, TULLE_GENERAL, a->blocks * a->height * a->width, &m);

	if (status != TULLE_OK)
		return status;
	m->blocks = *a;
	if (copies || base != 0) {
		status = tulle__bsr_copy(&s->context->env, a, base, copies, &m->owned_blocks);
		m->blocks = m->owned_blocks;
		if (!copies)
			m->blocks.val = a->val;
	}
	if (status != TULLE_OK) {
		tulle_matrix_destroy(m);
		return status;
	}
	m->a = tulle__bsr_shape(&m->blocks);
	*out = m;
	return TULLE_OK;
}

tulle_status tulle_matrix_from_bsr(tulle_context *context, int64_t block_rows, int64_t block_cols,
                                   int64_t height, int64_t width, tulle_order order,
                                   tulle_index_type offset_type, const void *block_ptr,
                                   tulle_index_type column_type, const void *block_col,
                                   tulle_value_type value_type, const void *val,
                                   const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle__given s = { .value_type = value_type, .val = val };
	tulle__bsr a = { block_rows,  block_cols,  0,          height,    width,     order,
		             offset_type, column_type, value_type, block_ptr, block_col, val };
	tulle_status status;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	status = check_blocks("block_rows", block_rows, "height", height, &s.rows);
	if (status == TULLE_OK)
		status = check_blocks("block_cols", block_cols, "width", width, &s.cols);
	if (status == TULLE_OK)
		status = tulle__check_given(&s, context, options, out);
	if (status == TULLE_OK)
		status = check_block_options(&s, &a);
	if (status == TULLE_OK)
		status = tulle__check_compressed(&s, block_rows, block_cols, offset_type, block_ptr,
		                                 column_type, block_col, &words, &a.blocks);
	if (status == TULLE_OK)
		status = check_block_count(&a, s.options.base);
	if (status != TULLE_OK)
		return status;
	if (height == 1 && width == 1) {
		const tulle__csr csr = { s.rows,     s.cols,    a.blocks,  offset_type, column_type,
			                     value_type, block_ptr, block_col, val };

		return tulle__matrix_from_checked(&s, &csr, out);
	}
	return from_blocks(&s, &a, out);
}
