/* roundtrip.c -- what a format proves of itself: its invariants hold, it gives the matrix back, and
 * new values in an old plan are as good as a new plan. */
#include "inner.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

/* Values that differ from each other, some of them stored zeros, one of them negative zero. */
static void number_values(matrix *m, int64_t first)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = k % 11 == 5 ? 0.0 : k % 13 == 7 ? -0.0 : (double)((first + k) % 65521) + 0.5;
	matrix_mirror_values(m);
}

static void check_inverse(const matrix *m, const char *spec, index_pair pair, tulle_value_type type,
                          int with_values)
{
	arrays arr = cast(m, pair, type, 0);
	tulle__csr a = { m->rows,     m->cols,     m->nnz,
		             pair.offset, pair.column, type,
		             arr.row_ptr, arr.col,     with_values ? arr.val : NULL };
	tulle__csr back = { .rows = 0 };
	inner in;

	check_about("%s, %s, %s, %s, %s", spec, type_name(type), pair.name, m->name,
	            with_values ? "values" : "ones");
	if (inner_convert(&in, spec, with_values ? TULLE__AVX512 : TULLE__SCALAR, &a)) {
		CHECK_OK(in.format->check(in.data, &in.env));
		if (CHECK_OK(in.format->to_csr(in.data, &in.env, &back))) {
			CHECK_THAT(inner_same(&back, &a), "to_csr(convert(A)) is not A");
			tulle__csr_release(&in.env, &back);
		}
		inner_release(&in);
	}
	arrays_free(&arr);
}

/* A format that reads borrowed arrays must see when they are no matrix any more. */
static void check_check(const char *format)
{
	const int64_t lengths[] = { 2, 3, 1 };
	matrix m = matrix_new("corrupt", 3, 4, lengths);
	arrays arr = cast(&m, pairs[0], TULLE_F64, 0);
	tulle__csr a = { 3, 4, 6, TULLE_I32, TULLE_I32, TULLE_F64, arr.row_ptr, arr.col, arr.val };
	inner in;

	check_about("%s, corrupted arrays", format);
	if (inner_convert(&in, format, TULLE__SCALAR, &a)) {
		if (in.format->flags & TULLE__BORROWS) {
			((int32_t *)arr.col)[5] = 4;
			CHECK_THAT(in.format->check(in.data, &in.env) != TULLE_OK, "col[5] = 4 of 4 columns");
			((int32_t *)arr.col)[5] = 0;
			((int32_t *)arr.row_ptr)[1] = 6;
			CHECK_THAT(in.format->check(in.data, &in.env) != TULLE_OK, "row_ptr falls from 6 to 5");
			((int32_t *)arr.row_ptr)[1] = 2;
		}
		CHECK_OK(in.format->check(in.data, &in.env));
		inner_release(&in);
	}
	arrays_free(&arr);
	matrix_free(&m);
}

static void *vector(int64_t count, tulle_value_type type)
{
	void *v = grab(count, value_size(type));

	for (int64_t i = 0; i < count; i++)
		value_set(type, v, i, 1.0 + (double)(i % 29) / 64);
	return v;
}

/* Old values, then update() to new ones: the bits of a plan made with the new ones. */
static void check_update(matrix *m, tulle_context *context, const char *spec, tulle_value_type type,
                         tulle_op op)
{
	const int64_t rows = op == TULLE_NORMAL ? m->rows : m->cols;
	const size_t bytes = (size_t)rows * value_size(type);
	void *x = vector(m->rows + m->cols - rows, type);
	void *y = grab(rows, value_size(type)), *want = grab(rows, value_size(type));
	arrays old, new;
	tulle_matrix *a, *b;
	tulle_plan *plan, *fresh;

	number_values(m, 1000);
	old = cast(m, pairs[0], type, 0);
	number_values(m, 7);
	new = cast(m, pairs[0], type, 0);
	a = borrow(context, m, pairs[0], type, &old);
	b = borrow(context, m, pairs[0], type, &new);
	check_about("%s, %s, op %d, update, %s", spec, type_name(type), (int)op, m->name);
	plan = plan_for(a, spec, op);
	fresh = plan_for(b, spec, op);
	if (plan && fresh) {
		CHECK_OK(mul(plan, type, 1, x, 0, y));
		CHECK_OK(tulle_plan_update(plan, new.val));
		CHECK_OK(mul(plan, type, 1, x, 0, y));
		CHECK_OK(mul(fresh, type, 1, x, 0, want));
		CHECK_THAT(memcmp(y, want, bytes) == 0, "update() differs from a fresh plan");

		/* The matrix keeps its values: so does another plan of it. */
		tulle_plan_destroy(fresh);
		fresh = plan_for(a, spec, op);
		CHECK_OK(tulle_plan_update(plan, old.val));
		CHECK_OK(mul(plan, type, 1, x, 0, y));
		CHECK_OK(mul(fresh, type, 1, x, 0, want));
		CHECK_THAT(memcmp(y, want, bytes) == 0, "updating back differs from the matrix's values");
	}
	tulle_plan_destroy(plan);
	tulle_plan_destroy(fresh);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	arrays_free(&old);
	arrays_free(&new);
	free(x);
	free(y);
	free(want);
}

typedef struct {
	options o;
	tulle_context *context;
} run;

static int check_shape(const void *arg, const char *spec, int n, matrix *m, int shape)
{
	const run *r = arg;
	const int first = r->o.brief ? shape % PAIRS : 0, end = r->o.brief ? first + 1 : PAIRS;

	if (!wants_shape(&r->o, n, shape))
		return 0;
	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		const tulle_value_type type = (tulle_value_type)t;

		if (!wants_type(&r->o, type))
			continue;
		number_values(m, 1);
		for (int pair = first; pair < end; pair++)
			for (int with_values = 0; with_values < 2; with_values++)
				check_inverse(m, spec, pairs[pair], type, with_values);
		check_update(m, r->context, spec, type, TULLE_NORMAL);
		check_update(m, r->context, spec, type, TULLE_TRANSPOSED);
	}
	return 1;
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const run r = { o, context_for(o.isa, 0, 0) };
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++) {
		int shapes;

		if (!wants_format(&o, format))
			continue;
		shapes = each_shape(format, check_shape, &r);
		check_check(format);
		check_group("%s: check, to_csr, update of %d shapes", format, shapes);
	}
	CHECK_EQUAL(context_info(r.context).blocks_held, 0);
	tulle_context_destroy(r.context);
	return walk_end();
}
