/* bsell.c -- the format SELL-C-sigma of b x b blocks (README.md draws it).
 *
 *   invariant 1   every block row is in one lane, and lengths do not increase within a chunk
 *   invariant 2   full and width are the shortest and the longest length of the chunk's lanes
 *   invariant 3   chunks are contiguous and begin at multiples of the height
 *   invariant 4   `first` says whether lanes are neighbours, and where the last rows are cut short
 *   invariant 5   block columns of a chunk are 16-bit offsets from its smallest one where they fit
 *   invariant 6   a chunk has masks if it has holes; a hole is 0; what is no hole is in the matrix
 *   invariant 7   the cuts begin at 0, never go back, and end at the last chunk
 */
#include "formats/bsell/bsell.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "csr/csr_matrix.h"
#include "formats/bsell/bsell_convert.h"

#include <stdio.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, bsell, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, bsell_many, );

enum { PARAM_BLOCK, PARAM_SIGMA };

static const int sizes[] = { 0, 2, 3, 4, 6 }; /* of the words of the tunable; 0: auto */

/* One vector: a step has b*b multiplications for its b sums, which is enough parallelism. At least two lanes, so
 * that columns of 32 bits begin at a multiple of 4 bytes. */
static int height_for(tulle__isa isa, tulle_value_type type)
{
	const int lanes = tulle__vector_lanes(isa, tulle__element_size(type));

	return lanes > 2 ? lanes : 2;
}

static void release(void *data, tulle__env *env)
{
	bsell_data *d = data;

	if (!d)
		return;
	tulle__free(env, d->chunk);
	tulle__free(env, d->row);
	tulle__free(env, d->length);
	tulle__free(env, d->col);
	tulle__free(env, d->val);
	tulle__free(env, d->mask);
	tulle__free(env, d->cut);
	tulle__free(env, d);
}

/* One nonzero in this many is sampled. */
enum { SAMPLED = 16 };

/* The block size with the fewest bytes, judged by a sample of the rows. */
static int best_block(const tulle__csr *a, tulle__env *env)
{
	tulle__block_counts c;
	double fill[TULLE__BLOCK_SIZES];

	tulle__count_blocks(a, a->nnz / SAMPLED, env, &c);
	for (int n = 0; n < TULLE__BLOCK_SIZES; n++)
		fill[n] = tulle__block_fill(&c, n);
	return tulle__block_sizes[tulle__bsell_best_size(fill, (double)a->nnz, (double)a->rows,
	                                                 (double)tulle__value_size(a->value_type))];
}

/* `shape`: sizes and types only. b: rows of a block. */
static tulle_status build(const tulle__csr *shape, const tulle__bsell_source *from, int b,
                          const tulle__request *request, tulle__env *env, void **data)
{
	bsell_data *d;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *d, &d);

	if (s != TULLE_OK)
		return s;
	d->rows = shape->rows;
	d->cols = shape->cols;
	d->nnz = shape->nnz;
	d->value_type = shape->value_type;
	d->b = b;
	d->height = height_for(env->isa, shape->value_type);
	s = tulle__bsell_lay_out(d, from, request->params.value[PARAM_SIGMA], env);
	if (s != TULLE_OK) {
		release(d, env);
		return s;
	}
	tulle__bsell_fill(d, from, env);
	*data = d;
	return TULLE_OK;
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	const int b = sizes[request->params.value[PARAM_BLOCK]];
	const tulle_status s = tulle__check_32_bits("bsell", a, BSELL_WIDEST * BSELL_TALLEST);

	*data = NULL;
	if (s != TULLE_OK)
		return s;
	return build(a, &(tulle__bsell_source){ .a = a }, b ? b : best_block(a, env), request, env,
	             data);
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	tulle__bsell_set_values(data, &(tulle__bsell_source){ .a = a }, env);
	return TULLE_OK;
}

/* ---- from blocks ---- */

static int keeps_blocks(int64_t height, int64_t width, const tulle__request *request)
{
	return tulle__bsell_stored_size(height, width, sizes[request->params.value[PARAM_BLOCK]]) > 0;
}

static tulle_status convert_blocks(const tulle__bsr *a, const tulle__request *request,
                                   tulle__env *env, void **data)
{
	const int b =
	    tulle__bsell_stored_size(a->height, a->width, sizes[request->params.value[PARAM_BLOCK]]);
	const tulle__csr shape = tulle__bsr_shape(a);
	const tulle_status s = tulle__check_32_bits("bsell", &shape, BSELL_WIDEST * BSELL_TALLEST);

	*data = NULL;
	if (s != TULLE_OK)
		return s;
	return build(&shape, &(tulle__bsell_source){ .blocks = a }, b, request, env, data);
}

static tulle_status update_blocks(void *data, const tulle__bsr *a, tulle__env *env)
{
	tulle__bsell_set_values(data, &(tulle__bsell_source){ .blocks = a }, env);
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const bsell_data *d = data;
	const size_t blocks = (size_t)d->slots * tulle__value_size(d->value_type) +
	                      (size_t)d->units * sizeof *d->col +
	                      (size_t)d->masks * bsell_mask_size(d->value_type);
	const size_t chunks = (size_t)(d->chunks + 1) * sizeof *d->chunk;
	const size_t lengths = (size_t)d->chunks * (size_t)d->height * sizeof *d->length;
	const double places = (double)d->blocks * d->b * d->b;
	size_t scattered = 0, ragged = 0;

	for (int64_t c = 0; c < d->chunks; c++) {
		scattered += d->chunk[c].first < 0;
		ragged += d->chunk[c].full < d->chunk[c].width;
	}
	*out = (tulle__layout){
		.bytes = blocks + chunks +
		         (scattered * sizeof *d->row + ragged * sizeof *d->length) * (size_t)d->height,
		.own_bytes = sizeof *d + blocks + chunks + lengths +
		             (size_t)d->block_rows * sizeof *d->row +
		             (size_t)(d->parts + 1) * sizeof *d->cut,
		.parts = { d->parts },
	};
	snprintf(out->note, sizeof out->note, "%d x %d blocks, %.1f %% fill-in", d->b, d->b,
	         places > 0 ? 100 * (places - (double)d->nnz) / places : 0.0);
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const bsell_data *d = data;
	int64_t *row_ptr;
	int32_t *col;
	void *val;
	const tulle_status s =
	    tulle__csr_new(env, d->rows, d->cols, d->nnz, d->value_type, out, &row_ptr, &col, &val);

	if (s != TULLE_OK)
		return s;
	tulle__bsell_count_rows(d, row_ptr + 1, env);
	for (int64_t i = 0; i < d->rows; i++)
		row_ptr[i + 1] += row_ptr[i];
	tulle__bsell_give_back(d, row_ptr, col, val, env);
	return TULLE_OK;
}

/* The index of the kernel for this block size. */
static int variant(const bsell_data *d)
{
	return d->b == 2 ? 0 : d->b == 3 ? 1 : d->b == 4 ? 2 : 3;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	const bsell_data *d = data;
	const tulle__kernel *variants = kernels[isa][type];

	if (!variants)
		return NULL;
	if (tulle__kernel_lanes(isa, tulle__value_size(type)) > 1 && d->height != height_for(isa, type))
		return NULL;
	return &variants[variant(d)];
}

/* Lanes are vectors here, so every height is supported. Complex matrices without values are multiplied by one
 * vector after the other: this kernel has no form without products. */
static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	const bsell_data *d = data;
	const tulle__kernel *variants = many_kernels[isa][type];

	return variants && !d->ones ? &variants[variant(d)] : NULL;
}

const tulle__format tulle__format_bsell = {
	.name = "bsell",
	.summary = "SELL of small dense blocks, one column index per block",
	.tunables = "block=auto,2,3,4,6 sigma=1..65536:1024",
	.version = 1,
	.flags = TULLE__SLICES | TULLE__HAS_COMPLEX,
	.estimator = &tulle__bsell_estimator,
	.convert = convert,
	.update = update,
	.keeps_blocks = keeps_blocks,
	.convert_blocks = convert_blocks,
	.update_blocks = update_blocks,
	.release = release,
	.describe = describe,
	.check = tulle__bsell_check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
};
