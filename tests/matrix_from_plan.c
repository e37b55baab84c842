/* matrix_from_plan.c -- the way back from a plan: tulle_matrix_from_plan() gives the planned operator with its
 * latest values, in a life of its own. */
#include "inner.h"
#include "shapes.h"

/* Values that differ from each other, some of them stored zeros. */
static void number_values(matrix *m, int64_t first)
{
	for (int64_t k = 0; k < m->nnz; k++)
		m->val[k] = k % 11 == 5 ? 0.0 : (double)((first + k) % 65521) + 0.5;
	matrix_mirror_values(m);
}

/* The operator as the test knows it. */
static int is(const tulle_matrix *got, const matrix *m, tulle_op op, tulle_value_type type)
{
	matrix want = op == TULLE_TRANSPOSED ? matrix_transposed(m) : *m;
	arrays arr = cast(&want, pairs[0], type, 0);
	const tulle__csr a = { want.rows, want.cols,   want.nnz, pairs[0].offset, pairs[0].column,
		                   type,      arr.row_ptr, arr.col,  arr.val };
	const tulle__csr b = inner_csr(got);
	const int same = inner_same(&b, &a);

	arrays_free(&arr);
	if (op == TULLE_TRANSPOSED)
		matrix_free(&want);
	return same;
}

/* 0 when the format refuses this matrix. */
static int check_back(tulle_context *context, matrix *m, const char *spec, tulle_op op,
                      tulle_value_type type)
{
	const tulle_plan_options o = { .size = sizeof o, .format = spec, .op = op };
	arrays old, new;
	tulle_matrix *a, *back = NULL;
	tulle_plan *plan = NULL;
	tulle_status status;

	check_about("%s, op %d, %s, %s", spec, (int)op, type_name(type), m->name);
	number_values(m, 1);
	old = cast(m, pairs[0], type, 0);
	a = borrow(context, m, pairs[0], type, &old);
	status = tulle_plan_create(a, &o, &plan);
	if (!refused(spec, status) && status != TULLE_E_UNSUPPORTED && CHECK_OK(status)) {
		if (CHECK_OK(tulle_matrix_from_plan(plan, &back)))
			CHECK_THAT(is(back, m, op, type), "the matrix back is another one");
		tulle_matrix_destroy(back);
		number_values(m, 1000);
		new = cast(m, pairs[0], type, 0);
		CHECK_OK(tulle_plan_update(plan, new.val));
		CHECK_OK(tulle_matrix_from_plan(plan, &back));
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
		arrays_free(&new);
		a = NULL;
		if (back)
			CHECK_THAT(is(back, m, op, type), "updated values did not come back");
		tulle_matrix_destroy(back);
	}
	tulle_matrix_destroy(a);
	arrays_free(&old);
	return status == TULLE_OK;
}

/* Formats prove the way back themselves (roundtrip.c): tunables get a look only. */
static int check_shape(const void *arg, const char *spec, int n, matrix *m, int shape)
{
	tulle_context *const *context = arg;
	int done = 0;

	if (n > 0 && shape % 7 != 0)
		return 0;
	for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++)
		for (int type = TULLE_F32; type <= TULLE_F64; type++)
			done += check_back(*context, m, spec, (tulle_op)op, (tulle_value_type)type);
	return done;
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	tulle_context *context = context_for(o.isa, 0, 0);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++) {
		int done;

		if (!wants_format(&o, format))
			continue;
		done = each_shape(format, check_shape, &context);
		CHECK(done > 0);
		check_group("%s: the way back from %d plans", format, done);
	}
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return walk_end();
}
