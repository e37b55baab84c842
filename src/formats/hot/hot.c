/* hot.c -- the format hot: columns of many nonzeros in dense blocks (README.md draws it).
 *
 *   invariant 1   the hot columns are different columns, block after block
 *   invariant 2   parts are ranges of rows in whole windows, and span the matrix
 *   invariant 3   a chunk's rows are of its part, none is longer than the one before it or twice in
 *                 a layer; all rows are in the first layer
 *   invariant 4   full and width are the shortest and the longest length of the chunk's lanes
 *   invariant 5   chunks are contiguous and begin at multiples of the height
 *   invariant 6   every nonzero of the CSR matrix is the source of one slot, in its own row
 */
#include "formats/hot/hot.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/chunks.h"
#include "csr/csr_matrix.h"
#include "csr/value_codes.h"
#include "formats/hot/hot_build.h"

#include <inttypes.h>
#include <stdio.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, hot, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, hot_many, );

enum { PARAM_BLOCKS, PARAM_COLUMNS };

/* ---- build ---- */

static void release(void *data, tulle__env *env)
{
	hot_data *d = data;

	if (!d)
		return;
	for (int64_t n = 0; n <= d->blocks; n++) {
		const hot_layer *l = &d->layer[n];

		tulle__free(env, l->cut);
		tulle__free(env, l->chunk);
		tulle__free(env, l->row);
		tulle__free(env, l->length);
		tulle__free(env, l->col);
		tulle__free(env, l->val);
		tulle__free(env, l->source);
	}
	tulle__free(env, d->column);
	tulle__free(env, d->cut);
	tulle__free(env, d);
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	return tulle__hot_set_values(data, a, env);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	hot_rank *rank = NULL;
	hot_data *d;
	tulle_status s;

	*data = NULL;
	s = tulle__check_32_bits("hot", a, HOT_TALLEST);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *d, &d);
	if (s != TULLE_OK)
		return s;
	d->rows = a->rows;
	d->cols = a->cols;
	d->nnz = a->nnz;
	d->value_type = a->value_type;
	d->source_type = tulle__index_type_for(a->nnz);
	d->height = HOT_LANE_BYTES / (int)tulle__element_size(a->value_type);
	d->width = request->params.value[PARAM_COLUMNS];
	s = tulle__hot_choose(d, a, request->params.value[PARAM_BLOCKS], env, &rank);
	if (s == TULLE_OK)
		s = tulle__hot_lay_out(d, a, rank, env);
	tulle__free(env, rank);
	if (s == TULLE_OK)
		s = tulle__hot_set_values(d, a, env);
	if (s != TULLE_OK) {
		release(d, env);
		return s;
	}
	*data = d;
	return TULLE_OK;
}

/* ---- describe ---- */

static void describe(const void *data, tulle__layout *out)
{
	const hot_data *d = data;
	const size_t cuts = (size_t)d->parts + 1;
	const size_t value = tulle__code_size(d->code.class, d->value_type);
	const int64_t cold = d->layer[d->blocks].nnz;

	*out = (tulle__layout){
		.bytes = (size_t)d->hot * sizeof *d->column,
		.own_bytes = sizeof *d + cuts * sizeof *d->cut,
		.scratch = tulle__bytes(d->hot + d->rows, tulle__element_size(d->value_type)),
		.parts = { d->copy_parts, d->parts },
		.main_phase = 1,
		.finishing_phase = 1,
		.values = tulle__class_name(d->code.class),
	};
	for (int64_t n = 0; n <= d->blocks; n++) {
		const hot_layer *l = &d->layer[n];
		const size_t lane = sizeof *l->row + sizeof *l->length;
		const size_t column = n == d->blocks ? sizeof(int32_t) : sizeof(uint16_t);

		out->bytes += (size_t)l->slots * (value + column) +
		              (size_t)l->chunks * (sizeof *l->chunk + (size_t)d->height * lane);
		out->own_bytes += (size_t)l->slots * tulle__index_size(d->source_type) +
		                  cuts * sizeof *l->cut + sizeof *l->chunk;
	}
	out->own_bytes += out->bytes;
	snprintf(out->note, sizeof out->note, "%" PRId64 " hot blocks hold %.0f %% of the nonzeros",
	         d->blocks, d->nnz > 0 ? 100 * (double)(d->nnz - cold) / (double)d->nnz : 100.0);
}

static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const hot_data *d = data;

	*begin = d->cut[part];
	*end = d->cut[part + 1];
}

/* ---- prove ---- */

static tulle_status check_parts(const hot_data *d)
{
	for (int64_t p = 0; p < d->parts; p++)
		if (d->cut[p] % d->window != 0 && d->cut[p] != d->rows)
			return tulle__fail(TULLE_E_INTERNAL, "hot: part %" PRId64 " begins wrong", p);
	return tulle__check_cuts("hot", d->cut, d->parts, d->rows);
}

static tulle_status check_chunk(const hot_data *d, const hot_layer *l, int64_t c, int64_t part,
                                unsigned char *seen)
{
	const int32_t *row = l->row + c * d->height, *length = l->length + c * d->height;
	const hot_chunk chunk = l->chunk[c];
	const int lanes = chunk.lanes == HOT_ONE_ROW ? d->height : chunk.lanes;
	const tulle_status s =
	    tulle__check_lanes("hot", c, length, d->height, lanes, chunk.full, chunk.width);

	if (s != TULLE_OK)
		return s;
	for (int r = 0; r < hot_rows_of(l, c); r++)
		if (row[r] < d->cut[part] || row[r] >= d->cut[part + 1] || seen[row[r]]++)
			return tulle__fail(TULLE_E_INTERNAL,
			                   "hot: row %" PRId32 " is not in this part, or twice", row[r]);
	return tulle__check_place("hot", c, chunk.base, l->chunk[c + 1].base,
	                          tulle__chunk_entries(length, d->height), d->height);
}

static tulle_status check_layer(const hot_data *d, int64_t n, tulle__env *env)
{
	const hot_layer *l = &d->layer[n];
	unsigned char *seen;
	tulle_status s = tulle__alloc_zero(env, d->rows, 1, &seen);

	for (int64_t part = 0; part < d->parts && s == TULLE_OK; part++)
		for (int64_t c = l->cut[part]; c < l->cut[part + 1] && s == TULLE_OK; c++)
			s = check_chunk(d, l, c, part, seen);
	for (int64_t i = 0; i < d->rows && n == 0 && s == TULLE_OK; i++)
		if (!seen[i])
			s = tulle__fail(TULLE_E_INTERNAL, "hot: row %" PRId64 " is not written", i);
	if (s == TULLE_OK &&
	    (l->cut[0] != 0 || l->cut[d->parts] != l->chunks || l->chunk[l->chunks].base != l->slots))
		s = tulle__fail(TULLE_E_INTERNAL, "hot: layer %" PRId64 " does not end where it should", n);
	tulle__free(env, seen);
	return s;
}

/* Callback for the nonzero of a slot in row i. */
typedef tulle_status visit_slot(const hot_data *d, int64_t n, int64_t slot, int64_t i, void *arg);

static tulle_status each_slot(const hot_data *d, visit_slot *visit, void *arg)
{
	tulle_status s = TULLE_OK;

	for (int64_t n = 0; n <= d->blocks; n++)
		for (int64_t c = 0; c < d->layer[n].chunks; c++)
			for (int r = 0; r < hot_rows_of(&d->layer[n], c); r++) {
				const hot_layer *l = &d->layer[n];
				const int64_t length = hot_row_length(d, l, c, r);
				tulle__lane at = hot_top_of(d, l, c * d->height + r);

				for (; at.step < length && s == TULLE_OK; tulle__lane_down(&at))
					s = visit(d, n, at.at, l->row[c * d->height + r], arg);
			}
	return s;
}

/* The inverse conversion, and its check. */
typedef struct {
	int64_t *row_ptr;
	int32_t *col;
	char *val;
	unsigned char *seen;
} inverse;

static tulle_status prove_slot(const hot_data *d, int64_t n, int64_t slot, int64_t i, void *arg)
{
	const hot_layer *l = &d->layer[n];
	const inverse *to = arg;
	const int64_t k = tulle__index_at(l->source, d->source_type, slot);
	const int64_t j = n == d->blocks ? ((const int32_t *)l->col)[slot]
	                                 : n * d->width + ((const uint16_t *)l->col)[slot];

	if (j < 0 || j >= (n == d->blocks ? d->cols : d->hot))
		return tulle__fail(TULLE_E_INTERNAL, "hot: slot %" PRId64 " has no column", slot);
	if (k < to->row_ptr[i] || k >= to->row_ptr[i + 1] || to->seen[k]++)
		return tulle__fail(TULLE_E_INTERNAL, "hot: the source of slot %" PRId64 " is wrong", slot);
	return TULLE_OK;
}

static tulle_status give_back(const hot_data *d, int64_t n, int64_t slot, int64_t i, void *arg)
{
	const hot_layer *l = &d->layer[n];
	const inverse *to = arg;
	const tulle__type *type = tulle__type_of(d->value_type);
	const int64_t k = tulle__index_at(l->source, d->source_type, slot);

	(void)i;
	to->col[k] = n == d->blocks ? ((const int32_t *)l->col)[slot]
	                            : d->column[n * d->width + ((const uint16_t *)l->col)[slot]];
	if (d->code.class == TULLE__ONES)
		tulle__value_move(to->val, k, type->one, 0, type->size);
	else
		tulle__decode_value(l->val, slot, &d->code, d->code.class, type->size,
		                    to->val + (size_t)k * type->size);
	return TULLE_OK;
}

static void set_row_ptr(const hot_data *d, int64_t *row_ptr)
{
	for (int64_t n = 0; n <= d->blocks; n++)
		for (int64_t c = 0; c < d->layer[n].chunks; c++)
			for (int r = 0; r < hot_rows_of(&d->layer[n], c); r++) {
				const hot_layer *l = &d->layer[n];

				row_ptr[l->row[c * d->height + r] + 1] += hot_row_length(d, l, c, r);
			}
	for (int64_t i = 0; i < d->rows; i++)
		row_ptr[i + 1] += row_ptr[i];
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const hot_data *d = data;
	inverse to;
	void *val;
	const tulle_status s = tulle__csr_new(env, d->rows, d->cols, d->nnz, d->value_type, out,
	                                      &to.row_ptr, &to.col, &val);

	if (s != TULLE_OK)
		return s;
	to.val = val;
	set_row_ptr(d, to.row_ptr);
	return each_slot(d, give_back, &to);
}

static tulle_status check_sources(const hot_data *d, tulle__env *env)
{
	inverse to = { .seen = NULL };
	tulle_status s = tulle__alloc_zero(env, d->rows + 1, sizeof *to.row_ptr, &to.row_ptr);

	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, d->nnz, 1, &to.seen);
	if (s == TULLE_OK) {
		set_row_ptr(d, to.row_ptr);
		if (to.row_ptr[d->rows] != d->nnz)
			s = tulle__fail(TULLE_E_INTERNAL, "hot: the rows have not all nonzeros");
	}
	if (s == TULLE_OK)
		s = each_slot(d, prove_slot, &to);
	tulle__free(env, to.row_ptr);
	tulle__free(env, to.seen);
	return s;
}

static tulle_status check(const void *data, tulle__env *env)
{
	const hot_data *d = data;
	tulle_status s = tulle__check_distinct(env, d->column, d->hot, d->cols, "hot: column");

	if (s == TULLE_OK)
		s = check_parts(d);
	for (int64_t n = 0; n <= d->blocks && s == TULLE_OK; n++)
		s = check_layer(d, n, env);
	if (s == TULLE_OK)
		s = check_sources(d, env);
	return s;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	const hot_data *d = data;

	/* The kernel multiplies by ones, which a complex Inf does not survive; a single product adds. */
	if (d->code.class == TULLE__ONES && tulle__type_of(type)->parts == 2)
		return NULL;
	return many_kernels[isa][type];
}

const tulle__format tulle__format_hot = {
	.name = "hot",
	.summary = "SELL with frequently used columns of x stored together",
	.tunables = "blocks=0..16:0 columns=16..65536:65536",
	.version = 1,
	.flags = TULLE__HAS_COMPLEX,
	.estimator = &tulle__hot_estimator,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
};
