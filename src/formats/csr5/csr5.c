/* csr5.c -- CSR cut into 2-D tiles of omega x sigma nonzeros (Liu & Vinter 2015, sec. 3).
 *
 * Every tile holds the same number of nonzeros, so lanes and threads get equal work whatever the row
 * lengths are. In return, a row may cross lanes, tiles and parts. So a tile stores where rows begin
 * (bit_flag) and where its sums go (y_offset, seg_offset), and a second phase adds the carries. */
#include "formats/csr5/csr5.h"

#include "core/kernel_table.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "formats/csr5/csr5_convert.h"
#include "formats/csr5/csr5_gpu.h"

#include <stdio.h>
#include <string.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, csr5, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, csr5_many, );

enum { PARAM_SIGMA };

/* omega: the lanes of the instruction set whose kernels serve this one (sec. 3.2). */
static int lanes(tulle__isa isa, tulle_value_type type)
{
	while (!kernels[isa][type] && tulle__isa_lower(isa) != TULLE__NONE)
		isa = tulle__isa_lower(isa);
	return tulle__kernel_lanes(isa, tulle__element_size(type));
}

static void release(void *data, tulle__env *env)
{
	tulle__csr5 *p = data;

	if (!p)
		return;
	tulle__free(env, p->tile_ptr);
	tulle__free(env, p->tile_desc);
	tulle__free(env, p->empty_ptr);
	tulle__free(env, p->empty_offset);
	tulle__free(env, p->cut);
	tulle__free(env, p->row_ptr);
	tulle__free(env, p->col);
	tulle__free(env, p->val);
	tulle__free(env, p);
}

static tulle_status allocate(tulle__csr5 *p, const tulle__csr *a, tulle__env *env)
{
	csr5_data *d = &p->shared;
	const int64_t units = csr5_units(d->omega, d->sigma);
	tulle_status s = tulle__alloc(env, d->tiles + 1, sizeof *p->tile_ptr, &p->tile_ptr);

	if (s == TULLE_OK)
		s = tulle__alloc(env, d->tiles * units * d->omega, sizeof *p->tile_desc, &p->tile_desc);
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->parts + 1, sizeof *p->cut, &p->cut);
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->rows + 1, tulle__index_size(a->offset_type), &p->row_ptr);
	if (s == TULLE_OK)
		s = tulle__alloc(env, a->nnz, sizeof *p->col, &p->col);
	if (s == TULLE_OK && a->val)
		s = tulle__alloc(env, a->nnz, tulle__value_size(a->value_type), &p->val);
	d->tile_ptr = p->tile_ptr;
	d->tile_desc = p->tile_desc;
	d->cut = p->cut;
	d->row_ptr = p->row_ptr;
	d->col = p->col;
	d->val = p->val;
	return s;
}

/* Parts of equal work, counted in nonzeros + rows, that begin at tiles; each has at least one
 * tile. */
static void make_cuts(tulle__csr5 *p)
{
	const csr5_data *d = &p->shared;
	const int64_t tile = (int64_t)d->omega * d->sigma, work = d->nnz + d->rows;

	for (int64_t part = 0; part <= d->parts; part++)
		p->cut[part] = part == d->parts ? d->tiles : 0;
	for (int64_t part = 1; part < d->parts; part++) {
		const int64_t target = tulle__cut(work, d->parts, part);
		int64_t low = p->cut[part - 1], high = d->tiles - 1;

		while (low < high) {
			const int64_t middle = low + (high - low) / 2;

			if (middle * tile + csr5_tile_row(d, middle) < target)
				low = middle + 1;
			else
				high = middle;
		}
		p->cut[part] = low;
	}
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	const int64_t sigma = request->params.value[PARAM_SIGMA],
	              parts = tulle__parts(a->nnz + a->rows);
	const double start = tulle__seconds();
	csr5_data *d;
	tulle__csr5 *p;
	tulle_status s;

	*data = NULL;
	s = tulle__check_32_bits("csr5", a, 0);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *p, &p);
	if (s != TULLE_OK)
		return s;
	p->value_type = a->value_type;
	p->column_type = a->column_type;
	d = &p->shared;
	d->rows = a->rows;
	d->cols = a->cols;
	d->nnz = a->nnz;
	d->wide = a->offset_type == TULLE_I64;
	d->omega = lanes(env->isa, a->value_type);
	d->sigma = sigma > 0 ? (int)sigma : CSR5_SIGMA;
	d->tiles = a->nnz / ((int64_t)d->omega * d->sigma);
	d->parts = d->tiles > parts ? parts : d->tiles > 0 ? d->tiles : a->rows > 0;
	s = allocate(p, a, env);
	if (s == TULLE_OK) {
		memcpy(p->row_ptr, a->row_ptr, (size_t)(a->rows + 1) * tulle__index_size(a->offset_type));
		s = tulle__csr5_fill(p, a, start, env);
	}
	if (s != TULLE_OK) {
		release(p, env);
		return s;
	}
	make_cuts(p);
	*data = p;
	return TULLE_OK;
}

/* Tile descriptors are kept, only values are written: in place, or into a new block if all values
 * were one. Complex ones are dropped: a product with 1 + 0i would make NaN of an Inf. */
static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	tulle__csr5 *p = data;

	if (a->val && !p->val) {
		const tulle_status s = tulle__alloc(env, a->nnz, tulle__value_size(a->value_type), &p->val);

		if (s != TULLE_OK)
			return s;
		p->shared.val = p->val;
	}
	if (!a->val && tulle__type_of(p->value_type)->parts == 2) {
		tulle__free(env, p->val);
		p->val = NULL;
		p->shared.val = NULL;
	}
	if (p->val)
		tulle__csr5_fill_values(p, a->val, env);
	return TULLE_OK;
}

/* Sec. 3.6: a row is found by row_ptr, its nonzeros by their place in the tiles. */
static tulle_status entry(void *data, int64_t i, int64_t j, void **value)
{
	const tulle__csr5 *p = data;
	const csr5_data *d = &p->shared;
	const int64_t end = csr5_row_ptr(d, i + 1);

	*value = NULL;
	if (!p->val)
		return tulle__fail(TULLE_E_UNSUPPORTED, "csr5: the plan of a matrix of ones has no values");
	for (int64_t k = csr5_row_ptr(d, i); k < end; k++) {
		const int64_t at = csr5_place(d, k);

		if (d->col[at] == j) {
			*value = (char *)p->val + (size_t)at * tulle__value_size(p->value_type);
			break;
		}
	}
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const tulle__csr5 *p = data;
	const csr5_data *d = &p->shared;
	const size_t value = tulle__value_size(p->value_type);
	const size_t arrays = (size_t)d->nnz * (sizeof *p->col + (p->val ? value : 0));
	const size_t rows = (size_t)(d->rows + 1) * (d->wide ? 8 : 4);
	const size_t tiles =
	    (size_t)(d->tiles + 1) * sizeof *p->tile_ptr +
	    (size_t)(d->tiles * csr5_units(d->omega, d->sigma) * d->omega) * sizeof *p->tile_desc +
	    (p->empty_ptr ? (size_t)d->tiles * sizeof *p->empty_ptr : 0) +
	    (size_t)p->empty_offsets * sizeof *p->empty_offset;

	*out = (tulle__layout){
		.bytes = arrays + tiles,
		.own_bytes = sizeof *p + arrays + tiles + rows + (size_t)(d->parts + 1) * sizeof *p->cut,
		.scratch = 2 * (size_t)d->parts * tulle__element_size(p->value_type),
		.parts = { d->parts, d->parts > 0 },
	};
	snprintf(out->note, sizeof out->note, "omega %d, sigma %d, %.1f %% larger than CSR", d->omega,
	         d->sigma, 100.0 * (double)tiles / (double)(arrays + rows));
}

/* The first row of each part is finished later, with its carries. */
static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const csr5_data *d = &((const tulle__csr5 *)data)->shared;

	*begin = (d->tiles > 0 ? csr5_tile_row(d, d->cut[part]) : 0) + 1;
	*end = part + 1 < d->parts ? csr5_tile_row(d, d->cut[part + 1]) : d->rows;
}

static tulle_status check(const void *data, tulle__env *env)
{
	return tulle__csr5_check(data, env);
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const tulle__csr5 *p = data;
	const csr5_data *d = &p->shared;
	void *row_ptr, *col, *val = NULL;
	tulle_status s;

	*out = (tulle__csr){ d->rows,   d->cols,       d->nnz, d->wide ? TULLE_I64 : TULLE_I32,
		                 TULLE_I32, p->value_type, NULL,   NULL,
		                 NULL };
	s = tulle__alloc(env, d->rows + 1, d->wide ? 8 : 4, &row_ptr);
	out->row_ptr = row_ptr;
	if (s == TULLE_OK)
		s = tulle__alloc(env, d->nnz, sizeof *p->col, &col);
	if (s == TULLE_OK) {
		out->col = col;
		if (p->val)
			s = tulle__alloc(env, d->nnz, tulle__value_size(p->value_type), &val);
		out->val = val;
	}
	if (s != TULLE_OK) {
		tulle__csr_release(env, out);
		return s;
	}
	memcpy(row_ptr, p->row_ptr, (size_t)(d->rows + 1) * (d->wide ? 8 : 4));
	tulle__csr5_restore(p, col, val, env);
	return TULLE_OK;
}

/* A layout has a kernel only for the instruction set with the number of lanes it was built for. */
static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	const tulle__csr5 *p = data;
	const tulle__kernel *variants = kernels[isa][type];

	return variants && lanes(isa, type) == p->shared.omega
	           ? &variants[p->val ? CSR5_VALUES : CSR5_ONES]
	           : NULL;
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	const tulle__csr5 *p = data;
	const tulle__kernel *variants = many_kernels[isa][type];

	return variants ? &variants[p->val ? CSR5_VALUES : CSR5_ONES] : NULL;
}

const tulle__format tulle__format_csr5 = {
	.name = "csr5",
	.summary = "tiles of equal numbers of nonzeros (CSR5 paper)",
	.tunables = "sigma=0..48:0",
	.version = 1,
	.flags = TULLE__SLICES | TULLE__HAS_COMPLEX,
	.estimator = &tulle__csr5_estimator,
	.convert = convert,
	.update = update,
	.release = release,
	.entry = entry,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
	.gpu = &tulle__csr5_gpu,
};
