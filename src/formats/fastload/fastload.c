/* fastload.c -- columns sorted by length, in blocks (README.md draws it).
 *
 *   invariant 1   `permutation` names every column once, in ascending order of length
 *   invariant 2   blocks follow each other; each has `length` times `height` entries, lies within the
 *                 columns, and is `lanes` long unless it ends with the last column
 *   invariant 3   rows are inside the matrix; `kind` says how they are stored in a block
 *   invariant 4   `order` names every entry of the CSR once
 *   invariant 5   the parts' cuts span the blocks and never go back
 */
#include "formats/fastload/fastload.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "formats/fastload/fastload_gpu.h"
#include "formats/fastload/fastload_layers.h"

#include <inttypes.h>
#include <stdio.h>

TULLE__KERNEL_TABLE(kernels, fastload, );

enum { PARAM_LANES, PARAM_HEIGHT };

static void release(void *data, tulle__env *env)
{
	fastload_data *d = data;

	if (!d)
		return;
	tulle__free(env, d->permutation);
	tulle__free(env, d->first);
	tulle__free(env, d->column);
	tulle__free(env, d->length);
	tulle__free(env, d->height);
	tulle__free(env, d->kind);
	tulle__free(env, d->row);
	tulle__free(env, d->val);
	tulle__free(env, d->order.source);
	tulle__free(env, d->cut);
	tulle__free(env, d);
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	fastload_data *d = data;
	tulle_status s = TULLE_OK;

	if (!a->val) {
		tulle__free(env, d->val);
		d->val = NULL;
		return TULLE_OK;
	}
	if (!d->val)
		s = tulle__alloc(env, d->nnz, tulle__value_size(d->value_type), &d->val);
	if (s == TULLE_OK)
		tulle__csr_values(env, &d->order, d->nnz, d->value_type, a->val, d->val);
	return s;
}

/* The first block that begins at or after this entry. */
static int64_t block_at(const fastload_data *d, int64_t entry)
{
	int64_t low = 0, high = d->blocks;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (d->first[middle] < entry)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static tulle_status cut(fastload_data *d, tulle__env *env)
{
	tulle_status s;

	d->column_parts = d->nnz > 0 ? tulle__parts(d->cols) : 0;
	d->parts = d->rows > 0 ? tulle__private_parts(d->nnz + d->rows, d->nnz, d->rows) : 0;
	d->row_parts = tulle__parts(d->rows * (d->parts + 1));
	if (d->row_parts > d->rows)
		d->row_parts = d->rows;
	s = tulle__alloc(env, d->parts + 1, sizeof *d->cut, &d->cut);
	for (int64_t p = 0; s == TULLE_OK && p <= d->parts; p++)
		d->cut[p] = block_at(d, p < d->parts ? tulle__cut(d->nnz, d->parts, p) : d->nnz);
	return s;
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	const int64_t height = request->params.value[PARAM_HEIGHT];
	fastload_data *d;
	tulle_status s;

	*data = NULL;
	s = tulle__check_32_bits("fastload", a, 0);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *d, &d);
	if (s != TULLE_OK)
		return s;
	d->rows = a->rows;
	d->cols = a->cols;
	d->nnz = a->nnz;
	d->value_type = a->value_type;
	d->lanes = (int32_t)request->params.value[PARAM_LANES];
	d->limit = height > 0 ? (int32_t)height : TULLE__I32_MAX;
	s = tulle__fastload_build(d, a, env);
	if (s == TULLE_OK)
		s = cut(d, env);
	if (s == TULLE_OK)
		s = update(d, a, env);
	if (s != TULLE_OK) {
		release(d, env);
		return s;
	}
	*data = d;
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const fastload_data *d = data;
	const size_t value = tulle__value_size(d->value_type);
	const size_t blocks = (size_t)d->blocks;
	const size_t bytes = (size_t)d->nnz * (sizeof *d->row + (d->val ? value : 0)) +
	                     (size_t)d->cols * sizeof *d->permutation +
	                     blocks * (sizeof *d->first + sizeof *d->column + sizeof *d->length +
	                               sizeof *d->height + sizeof *d->kind) +
	                     sizeof *d->first;

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *d + bytes + (size_t)d->nnz * tulle__index_size(d->order.type) +
		             (size_t)(d->parts + 1) * sizeof *d->cut,
		.scratch = tulle__bytes(tulle__plus(d->cols, tulle__times(d->parts, d->rows)),
		                        tulle__element_size(d->value_type)),
		.parts = { d->column_parts, d->parts, d->row_parts },
		.main_phase = 1,
	};
	snprintf(out->note, sizeof out->note, "%" PRId64 " blocks of %" PRId32 " columns", d->blocks,
	         d->lanes);
}

/* ---- prove ---- */

static tulle_status wrong(const char *what, int64_t number)
{
	return tulle__fail(TULLE_E_INTERNAL, "fastload: %s, number %" PRId64, what, number);
}

/* Is `list` a permutation of 0 .. count-1? `seen` has that many zeros. */
static int64_t first_repeated(const void *list, tulle_index_type type, int64_t count, uint8_t *seen)
{
	for (int64_t k = 0; k < count; k++) {
		const int64_t at = tulle__index_at(list, type, k);

		if (at < 0 || at >= count || seen[at])
			return k;
		seen[at] = 1;
	}
	return count;
}

static tulle_status check_list(tulle__env *env, const void *list, tulle_index_type type,
                               int64_t count, const char *what)
{
	uint8_t *seen;
	int64_t repeated;
	const tulle_status s = tulle__alloc_zero(env, count, 1, &seen);

	if (s != TULLE_OK)
		return s;
	repeated = first_repeated(list, type, count, seen);
	tulle__free(env, seen);
	return repeated == count ? TULLE_OK : wrong(what, repeated);
}

static tulle_status check_block(const fastload_data *d, int64_t b)
{
	const int64_t length = d->length[b], height = d->height[b], column = d->column[b];
	const int32_t *row = d->row + d->first[b];

	if (length < 1 || height < 1 || height > d->limit || column < 0 || column + length > d->cols ||
	    d->first[b + 1] - d->first[b] != length * height)
		return wrong("a block has a wrong size", b);
	if (length != d->lanes && (length > d->lanes || column + length != d->cols))
		return wrong("a block is short before the last column", b);
	for (int64_t k = 0; k < length * height; k++)
		if (row[k] < 0 || row[k] >= d->rows)
			return wrong("a row is outside the matrix", d->first[b] + k);
	return d->kind[b] == tulle__fastload_kind(row, length, height)
	           ? TULLE_OK
	           : wrong("a block is of another kind", b);
}

/* Lengths of the sorted columns, from their blocks, never decrease. */
static tulle_status check_order(const fastload_data *d, tulle__env *env)
{
	int64_t *length;
	tulle_status s = tulle__alloc_zero(env, d->cols, sizeof *length, &length);

	if (s != TULLE_OK)
		return s;
	for (int64_t b = 0; b < d->blocks; b++)
		for (int64_t l = 0; l < d->length[b]; l++)
			length[d->column[b] + l] += d->height[b];
	for (int64_t c = 1; c < d->cols && s == TULLE_OK; c++)
		if (length[c] < length[c - 1])
			s = wrong("a column is shorter than the one before", c);
	tulle__free(env, length);
	return s;
}

static tulle_status check(const void *data, tulle__env *env)
{
	const fastload_data *d = data;
	tulle_status s = TULLE_OK;

	if (d->first[0] != 0 || d->first[d->blocks] != d->nnz)
		return wrong("the blocks do not span the entries", d->blocks);
	for (int64_t b = 0; b < d->blocks && s == TULLE_OK; b++)
		s = check_block(d, b);
	if (s == TULLE_OK)
		s = check_order(d, env);
	if (s == TULLE_OK)
		s = check_list(env, d->permutation, TULLE_I32, d->cols, "a column is named twice");
	if (s == TULLE_OK)
		s = check_list(env, d->order.source, d->order.type, d->nnz, "an entry is named twice");
	if (s != TULLE_OK)
		return s;
	for (int64_t p = 0; p < d->parts; p++)
		if (d->cut[p] > d->cut[p + 1])
			return wrong("a cut goes back", p);
	return d->cut[0] == 0 && d->cut[d->parts] == d->blocks
	           ? TULLE_OK
	           : wrong("the cuts do not span the blocks", d->parts);
}

/* `order` has the index of each entry in the original CSR. */
static void give_back(const fastload_data *d, int64_t *row_ptr, int32_t *col, void *val)
{
	const size_t size = tulle__value_size(d->value_type);

	for (int64_t b = 0; b < d->blocks; b++) {
		for (int64_t k = d->first[b]; k < d->first[b + 1]; k++) {
			const int64_t at = tulle__index_at(d->order.source, d->order.type, k);
			const int64_t lane = (k - d->first[b]) % d->length[b];

			row_ptr[d->row[k] + 1]++;
			col[at] = d->permutation[d->column[b] + lane];
			if (d->val)
				tulle__value_move(val, at, d->val, k, size);
		}
	}
	for (int64_t i = 0; i < d->rows; i++)
		row_ptr[i + 1] += row_ptr[i];
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const fastload_data *d = data;
	int64_t *row_ptr;
	int32_t *col;
	void *val = NULL;
	const tulle_status s = tulle__csr_new(env, d->rows, d->cols, d->nnz, d->value_type, out,
	                                      &row_ptr, &col, d->val ? &val : NULL);

	if (s == TULLE_OK)
		give_back(d, row_ptr, col, val);
	return s;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

const tulle__format tulle__format_fastload = {
	.name = "fastload",
	.summary = "columns sorted by length, blocks of coalesced loads (FastLoad paper)",
	.tunables = "lanes=4..32:32 height=0..32:0",
	.version = 1,
	.flags = TULLE__SCATTERS,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.gpu = &tulle__fastload_gpu,
};
