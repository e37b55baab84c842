/* csr.c -- plain CSR as a format: no conversion, only a division into parts.
 *
 * The caller's arrays are used as they are. Only the cuts between parts are computed here, a few
 * hundred numbers found by bisection in row_ptr. So planning takes microseconds for any size.
 *
 *   invariant 1   cut[0] = (0, 0), cut[parts] = (rows, nnz), and cuts never go back
 *   invariant 2   row_ptr[cut.row] <= cut.k < row_ptr[cut.row + 1], or both are equal (clean cut)
 *   invariant 3   the split rows are those with an unclean cut, in order, each listed once
 *   invariant 4   the parts that scatter cover all rows, and their copies are inside the columns
 */
#include "formats/csr/csr.h"
#include "formats/csr/csr_gpu.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "csr/csr_matrix.h"
#include "csr/scatter_parts.h"
#include "csr/widened.h"

#include <inttypes.h>
#include <string.h>

TULLE__KERNEL_TABLE_ANY(kernels_i32_i32, csr, _i32_i32);
TULLE__KERNEL_TABLE_ANY(kernels_i64_i32, csr, _i64_i32);
TULLE__KERNEL_TABLE_ANY(kernels_i64_i64, csr, _i64_i64);
TULLE__KERNEL_TABLE_ANY_WITHOUT_GATHERS(many_i32_i32, csr_many, _i32_i32);
TULLE__KERNEL_TABLE_ANY_WITHOUT_GATHERS(many_i64_i32, csr_many, _i64_i32);
TULLE__KERNEL_TABLE_ANY_WITHOUT_GATHERS(many_i64_i64, csr_many, _i64_i64);

enum { PARAM_KERNEL, PARAM_TRANSPOSE };
enum { AUTO, SCALAR, VECTOR, BALANCED };
enum { TRANSPOSE_AUTO, TRANSPOSE_BUILD, TRANSPOSE_SCATTER };

/* The view for kernels, and members for this file only. */
typedef struct {
	csr_data shared;
	tulle__csr a;
	void
	    *wide; /* its values, where they were given in a type without kernels; NULL: the caller's */
	int kernel;
	csr_cut *cut;
	tulle__split_row *split;
} plain_csr;

/* Cut after `target` units of work. A row of more than `splittable` nonzeros may be split. In other
 * rows the cut moves to the nearer end of the row. */
static csr_cut cut_at(const tulle__csr *a, int64_t row_work, int64_t target, int64_t splittable)
{
	const int64_t row = tulle__csr_row_at(a, row_work, target);
	const int64_t begin = tulle__csr_offset(a, row), end = tulle__csr_offset(a, row + 1);
	const int64_t inside = target - (begin + row_work * row);

	if (inside > 0 && inside < end - begin && end - begin > splittable)
		return (csr_cut){ row, begin + inside };
	if (2 * inside < end - begin + row_work)
		return (csr_cut){ row, begin };
	return (csr_cut){ row + 1, end };
}

static void make_cuts(plain_csr *p, int64_t parts, int64_t row_work, int64_t splittable)
{
	const tulle__csr *a = &p->a;
	const int64_t work = a->nnz + row_work * a->rows;

	p->cut[0] = (csr_cut){ 0, 0 };
	for (int64_t part = 1; part < parts; part++)
		p->cut[part] = cut_at(a, row_work, tulle__cut(work, parts, part), splittable);
	p->cut[parts] = (csr_cut){ a->rows, a->nnz };
	p->shared.parts = parts;
	p->shared.cut = p->cut;
}

static int64_t find_splits(const plain_csr *p, tulle__split_row *split)
{
	int64_t count = 0;

	for (int64_t part = 1; part < p->shared.parts; part++) {
		const csr_cut cut = p->cut[part];

		if (cut.k == tulle__csr_offset(&p->a, cut.row))
			continue;
		if (count > 0 && split[count - 1].row == cut.row)
			split[count - 1].last = part;
		else
			split[count++] = (tulle__split_row){ cut.row, part - 1, part };
	}
	return count;
}

static int scatters(const tulle__request *request)
{
	if (request->params.value[PARAM_TRANSPOSE] == TRANSPOSE_AUTO)
		return request->multiplies < TULLE__FEW_MULTIPLIES;
	return request->params.value[PARAM_TRANSPOSE] == TRANSPOSE_SCATTER;
}

static void release(void *data, tulle__env *env)
{
	plain_csr *p = data;

	if (!p)
		return;
	tulle__release_scatter(env, &p->shared.scatter);
	tulle__free(env, p->wide);
	tulle__free(env, p->split);
	tulle__free(env, p->cut);
	tulle__free(env, p);
}

/* The arrays of `a`. Values without kernels are widened to a block of our own. */
static tulle_status set_arrays(plain_csr *p, const tulle__csr *a, tulle__env *env)
{
	void *wide, *old = p->wide;
	tulle__csr taken;
	const tulle_status s = tulle__csr_widen(
	    env, a, tulle__format_type(&tulle__format_csr, a->value_type), &taken, &wide);

	if (s != TULLE_OK)
		return s;
	p->wide = wide;
	p->a = taken;
	tulle__free(env, old);
	p->shared.rows = a->rows;
	p->shared.cols = a->cols;
	p->shared.nnz = a->nnz;
	p->shared.row_ptr = a->row_ptr;
	p->shared.col = a->col;
	p->shared.val = taken.val;
	return TULLE_OK;
}

/* Cuts for A x. */
static tulle_status cut_rows(plain_csr *p, tulle__env *env)
{
	const int64_t work = p->a.nnz + p->a.rows, parts = tulle__parts(work);
	tulle_status s = tulle__alloc(env, parts + 1, sizeof *p->cut, &p->cut);

	if (s == TULLE_OK)
		s = tulle__alloc(env, parts, sizeof *p->split, &p->split);
	if (s != TULLE_OK)
		return s;
	if (p->kernel == CSR_BALANCED)
		make_cuts(p, parts, 0, 0);
	else
		make_cuts(p, parts, 1, parts > 0 ? work / parts / 2 : 0);
	p->shared.splits = find_splits(p, p->split);
	p->shared.split = p->split;
	return TULLE_OK;
}

static int64_t part_begins(const void *data, int64_t parts, int64_t part)
{
	return tulle__csr_cut(data, parts, part);
}

static tulle__columns columns_of(const void *data, int64_t i, int64_t end)
{
	const tulle__csr *a = data;

	return tulle__widen_columns((tulle__columns){ INT64_MAX, 0 }, a, tulle__csr_offset(a, i),
	                            tulle__csr_offset(a, end));
}

/* Parts for A^T x. Finding the columns of each part takes as long as a multiplication. A plan for A^T alone omits
 * this: its copies have all columns, and borrowed indices may change afterwards. */
static tulle_status cut_scatter(plain_csr *p, int looks, tulle__env *env)
{
	const tulle__scattered of = { .data = &p->a,
		                          .work = p->a.nnz + p->a.rows,
		                          .nnz = p->a.nnz,
		                          .cols = p->a.cols,
		                          .begins = part_begins,
		                          .columns = looks ? columns_of : NULL };

	return tulle__cut_scatter(env, &of, &p->shared.scatter);
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	static const int kernel_of[] = { CSR_ROWS, CSR_SCALAR, CSR_VECTOR, CSR_BALANCED };
	const int transposed = request->op == TULLE_TRANSPOSED, both = request->op == TULLE_BOTH;
	plain_csr *p;
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *p, &p);

	*data = NULL;
	if (s != TULLE_OK)
		return s;
	s = set_arrays(p, a, env);
	p->kernel = transposed ? CSR_SCATTER : kernel_of[request->params.value[PARAM_KERNEL]];
	if (s == TULLE_OK && !transposed)
		s = cut_rows(p, env);
	if (s == TULLE_OK && (transposed || both))
		s = cut_scatter(p, both && request->multiplies >= TULLE__FEW_MULTIPLIES, env);
	if (s != TULLE_OK) {
		release(p, env);
		return s;
	}
	*data = p;
	return TULLE_OK;
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	return set_arrays(data, a, env);
}

/* A^T x. */
static void describe_scatter(const void *data, tulle__layout *out)
{
	const plain_csr *p = data;
	const tulle__scatter_parts *by = &p->shared.scatter;

	*out = (tulle__layout){
		.bytes = tulle__csr_bytes(&p->a),
		.scratch = tulle__bytes(by->elements, tulle__element_size(p->a.value_type)),
		.parts = { by->parts, by->column_parts },
	};
}

static void describe(const void *data, tulle__layout *out)
{
	const plain_csr *p = data;
	const size_t cuts = p->cut ? (size_t)(p->shared.parts + 1) * sizeof(csr_cut) : 0;
	const size_t splits = (size_t)p->shared.parts * sizeof(tulle__split_row);

	if (p->kernel == CSR_SCATTER)
		describe_scatter(data, out);
	else
		*out = (tulle__layout){ .bytes = tulle__csr_bytes(&p->a), .parts = { p->shared.parts } };
	out->own_bytes = sizeof *p + cuts + splits + tulle__scatter_bytes(&p->shared.scatter);
	if (p->wide) {
		out->own_bytes += (size_t)p->a.nnz * tulle__value_size(p->a.value_type);
		out->values = "f32";
	}
	if (p->shared.splits > 0) {
		out->scratch = 2 * (size_t)p->shared.parts * tulle__element_size(p->a.value_type);
		out->parts[1] = 1;
	}
}

/* A split row is finished later, with its carries. */
static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const plain_csr *p = data;
	csr_cut from, to;

	*begin = *end = 0;
	if (p->kernel == CSR_SCATTER)
		return;
	from = p->shared.cut[part];
	to = p->shared.cut[part + 1];
	*begin = from.row + (from.k > tulle__csr_offset(&p->a, from.row));
	*end = to.row;
}

static tulle_status check_rows(const plain_csr *p)
{
	const tulle__csr *a = &p->a;
	const int64_t parts = p->shared.parts;
	int64_t unclean = 0;

	for (int64_t c = 0; c <= parts; c++) {
		const csr_cut cut = p->cut[c];
		const int64_t begin = tulle__csr_offset(a, cut.row);

		if (c > 0 && (cut.row < p->cut[c - 1].row || cut.k < p->cut[c - 1].k))
			return tulle__fail(TULLE_E_INTERNAL, "csr: cut %" PRId64 " goes back", c);
		if (cut.k != begin &&
		    (cut.k < begin || cut.row == a->rows || cut.k >= tulle__csr_offset(a, cut.row + 1)))
			return tulle__fail(TULLE_E_INTERNAL, "csr: cut %" PRId64 " is outside its row", c);
		unclean += cut.k != begin;
	}
	if (p->cut[0].k != 0 || p->cut[parts].row != a->rows || p->cut[parts].k != a->nnz)
		return tulle__fail(TULLE_E_INTERNAL, "csr: the cuts do not span the matrix");
	for (int64_t r = 0; r < p->shared.splits; r++)
		unclean -= p->split[r].last - p->split[r].first;
	if (unclean != 0)
		return tulle__fail(TULLE_E_INTERNAL, "csr: split rows and unclean cuts disagree");
	return TULLE_OK;
}

static tulle_status check(const void *data, tulle__env *env)
{
	const plain_csr *p = data;
	const tulle__csr *a = &p->a;
	tulle_status s =
	    tulle__csr_check_offsets(env, a->rows, a->offset_type, a->row_ptr, 0, &tulle__words_of_csr);

	if (s == TULLE_OK)
		s = tulle__csr_check_indices(env, a->rows, a->cols, a->offset_type, a->row_ptr,
		                             a->column_type, a->col, 0, &tulle__words_of_csr);
	if (s == TULLE_OK && p->cut)
		s = check_rows(p);
	if (s == TULLE_OK && p->shared.scatter.cut)
		s = tulle__check_scatter("csr", &p->shared.scatter, a->rows, a->cols);
	return s;
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	const plain_csr *p = data;

	return tulle__csr_copy(env, &p->a, out);
}

/* The index of this matrix's pair of index types. */
static int pair(const tulle__csr *a)
{
	return (a->offset_type == TULLE_I64) + (a->column_type == TULLE_I64);
}

static const tulle__kernel *find_kernel(const plain_csr *p, int which, tulle__isa isa,
                                        tulle_value_type type)
{
	static const tulle__kernel_table *const tables[] = { &kernels_i32_i32, &kernels_i64_i32,
		                                                 &kernels_i64_i64 };
	const tulle__kernel *variants = (*tables[pair(&p->a)])[isa][type];

	return variants ? &variants[2 * which + (p->a.val == NULL)] : NULL;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	const plain_csr *p = data;

	return find_kernel(p, p->kernel, isa, type);
}

static const tulle__kernel *scatter_kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	return find_kernel(data, CSR_SCATTER, isa, type);
}

/* One loop for all row kernels: they differ only in the use of lanes, and here a lane is a
 * vector. */
static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	static const tulle__kernel_table *const tables[] = { &many_i32_i32, &many_i64_i32,
		                                                 &many_i64_i64 };
	const plain_csr *p = data;
	const tulle__kernel *variants = (*tables[pair(&p->a)])[isa][type];

	return variants && p->kernel != CSR_SCATTER ? &variants[p->a.val == NULL] : NULL;
}

static const tulle__backward backward = { &tulle__csr_scatter_estimator, describe_scatter,
	                                      scatter_kernel };

const tulle__format tulle__format_csr = {
	.name = "csr",
	.summary = "your CSR arrays, without conversion",
	.tunables = "kernel=auto,scalar,vector,balanced transpose=auto,build,scatter",
	.version = 1,
	.flags =
	    TULLE__BORROWS | TULLE__SLICES | TULLE__ANY_TYPE | TULLE__HAS_COMPLEX | TULLE__BASELINE,
	.estimator = &tulle__csr_estimator,
	.scatter_estimator = &tulle__csr_scatter_estimator,
	.scatters = scatters,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
	.backward = &backward,
	.gpu = &tulle__csr_gpu,
};
