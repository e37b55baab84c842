/* block_combined.c -- block CSR with plans for both directions, online plans and several vectors. */
#include "block_problem.h"

#include <stdlib.h>
#include <string.h>

/* Whole numbers: every format and every order of a sum give the same value. */
static problem whole_problem(int64_t size, uint64_t *seed)
{
	return problem_new(&(recipe){ .height = size,
	                              .width = size,
	                              .block_rows = 300,
	                              .block_cols = 200,
	                              .order = TULLE_ROW_MAJOR,
	                              .pair = pairs[0],
	                              .type = TULLE_F64,
	                              .sorted = 1,
	                              .whole = 1 },
	                   seed);
}

/* y = op(A) x from the expansion, by its definition. */
static double *product(const problem *p, tulle_op op, const void *values)
{
	const double *x = p->x, *val = values;
	double *y = grab(op == TULLE_TRANSPOSED ? p->cols : p->rows, sizeof *y);

	for (int64_t i = 0; i < p->rows; i++)
		for (int64_t k = p->row_ptr[i]; k < p->row_ptr[i + 1]; k++) {
			const int64_t j = p->expanded_col[k];

			if (op == TULLE_TRANSPOSED)
				y[j] += val[k] * x[i];
			else
				y[i] += val[k] * x[j];
		}
	return y;
}

/* `plan` multiplies by op(A). */
static void check_product(const problem *p, const tulle_plan *plan, tulle_op op, const void *values)
{
	const int64_t rows = op == TULLE_TRANSPOSED ? p->cols : p->rows;
	double *want = product(p, op, values), *got = grab(rows, sizeof *got);
	int64_t wrong = 0;

	CHECK_OK(tulle_mul_f64(plan, 1, p->x, 0, got));
	for (int64_t i = 0; i < rows; i++)
		wrong += got[i] != want[i];
	CHECK_EQUAL(wrong, 0);
	free(want);
	free(got);
}

static size_t matrix_bytes(const tulle_matrix *a)
{
	tulle_matrix_info info = { .size = sizeof info };

	CHECK_OK(tulle_matrix_describe(a, &info));
	return info.bytes;
}

static tulle_plan_info plan_info(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info;
}

static void check_explained(const tulle_plan *plan, const char *phrase)
{
	char text[8192];

	CHECK(tulle_plan_explain(plan, text, sizeof text) < sizeof text);
	CHECK_THAT(strstr(text, phrase) != NULL, "no \"%s\" in\n%s", phrase, text);
}

static const char by_the_matrix[] = "by the matrix, which keeps that";

/* ---- both directions ---- */

/* All directions of all plans read one expansion, which is the matrix's. */
static void check_both(const problem *p, const char *format, int stores)
{
	const tulle_plan_options o = {
		.size = sizeof o, .op = TULLE_BOTH, .format = format, .stores = stores
	};
	tulle_matrix *a = from_blocks(p, NULL);
	const size_t before = matrix_bytes(a);
	tulle_plan *plan = NULL, *again = NULL;
	size_t expanded;

	check_about("%s, both by %s, %d stores", p->name, format ? format : "any", stores);
	if (CHECK_OK(tulle_plan_create(a, &o, &plan)) && CHECK_OK(tulle_plan_create(a, &o, &again))) {
		const tulle_plan *back = tulle_plan_transposed(plan);

		expanded = matrix_bytes(a) - before;
		CHECK(expanded >= expansion_bytes(p) && expanded < 2 * expansion_bytes(p));
		if (format && !strcmp(format, "csr") && stores == 1)
			CHECK(plan_info(plan).extra_bytes < expansion_bytes(p) / 2);
		CHECK_EQUAL(plan_info(plan).borrows_values, 0);
		check_explained(plan, by_the_matrix);
		check_explained(back, by_the_matrix);
		check_product(p, plan, TULLE_NORMAL, p->expanded);
		check_product(p, back, TULLE_TRANSPOSED, p->expanded);
		CHECK_OK(tulle_plan_update(plan, p->other));
		check_product(p, plan, TULLE_NORMAL, p->other_expanded);
		check_product(p, back, TULLE_TRANSPOSED, p->other_expanded);
		check_product(p, again, TULLE_NORMAL, p->expanded);
	}
	tulle_plan_destroy(plan);
	tulle_plan_destroy(again);
	tulle_matrix_destroy(a);
}

/* ---- online ---- */

enum { MOST_PRODUCTS = 2000 };

/* Until the plan has decided; a busy machine may take longer than this waits. */
static void multiply_on(const problem *p, const tulle_plan *plan, tulle_op op, const void *values)
{
	for (int n = 0; n < MOST_PRODUCTS && plan_info(plan).online < TULLE_ONLINE_CONVERTED; n++)
		check_product(p, plan, op, values);
	check_product(p, plan, op, values);
}

static void check_online(const problem *p, tulle_op op)
{
	const tulle_plan_options o = { .size = sizeof o, .op = op, .online = 1 };
	tulle_matrix *a = from_blocks(p, NULL);
	const size_t before = matrix_bytes(a);
	tulle_plan *plan = NULL;

	check_about("%s, online, op %d", p->name, (int)op);
	if (CHECK_OK(tulle_plan_create(a, &o, &plan))) {
		const tulle_plan_info info = plan_info(plan);

		CHECK(!strcmp(info.format, "csr") && info.online == TULLE_ONLINE_COUNTING);
		CHECK_EQUAL(info.borrows_values, 0);
		CHECK(matrix_bytes(a) - before >= expansion_bytes(p));
		check_explained(plan, by_the_matrix);
		check_product(p, plan, op, p->expanded);
		CHECK_OK(tulle_plan_update(plan, p->other));
		multiply_on(p, plan, op, p->other_expanded);
		check_explained(plan, by_the_matrix);
		CHECK_OK(tulle_plan_update(plan, p->val));
		check_product(p, plan, op, p->expanded);
		CHECK_EQUAL(plan_info(plan).borrows_values, 0);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

/* ---- several vectors ---- */

enum { VECTORS = 8 };

/* Y = A X, where column v of X is (v + 1) x. */
static double *multiply_many(const problem *p, const tulle_plan *plan)
{
	double *x = grab(p->cols * VECTORS, sizeof *x), *y = grab(p->rows * VECTORS, sizeof *y);

	for (int64_t k = 0; k < p->cols * VECTORS; k++)
		x[k] = (double)(k % VECTORS + 1) * ((const double *)p->x)[k / VECTORS];
	CHECK_OK(tulle_mul_many_f64(plan, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, y, VECTORS));
	free(x);
	return y;
}

static void check_vectors(const problem *p, const char *format)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .vectors = VECTORS };
	tulle_matrix *a = from_blocks(p, NULL), *b = from_expansion(p);
	tulle_plan *blocks = NULL, *expansion = NULL;
	double *want = product(p, TULLE_NORMAL, p->expanded), *got, *same;

	check_about("%s, %d vectors by %s", p->name, VECTORS, format ? format : "any");
	if (CHECK_OK(tulle_plan_create(a, &o, &blocks)) &&
	    CHECK_OK(tulle_plan_create(b, &o, &expansion))) {
		got = multiply_many(p, blocks);
		same = multiply_many(p, expansion);
		for (int64_t k = 0; k < p->rows * VECTORS; k++)
			CHECK(got[k] == (double)(k % VECTORS + 1) * want[k / VECTORS]);
		if (format) {
			CHECK(!memcmp(got, same, (size_t)(p->rows * VECTORS) * sizeof *got));
			check_explained(blocks, "kept: no expansion");
			check_explained(blocks, "8 at once: times are those of a product of all together");
		}
		free(got);
		free(same);
	}
	tulle_plan_destroy(blocks);
	tulle_plan_destroy(expansion);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	free(want);
}

void check_combined(void)
{
	static const char *const formats[] = { NULL, "csr", "sell", "bsell" };
	uint64_t seed = 16;

	for (int64_t size = 3; size < 6; size += 2) { /* kept, and not kept */
		problem p = whole_problem(size, &seed);

		for (int f = 0; f < 4; f++)
			for (int stores = f == 3 ? 2 : 0; stores < 3; stores++)
				check_both(&p, formats[f], stores);
		check_online(&p, TULLE_NORMAL);
		check_online(&p, TULLE_TRANSPOSED);
		check_vectors(&p, NULL);
		if (size == 3)
			check_vectors(&p, "bsell");
		problem_free(&p);
	}
	check_group("combined");
}
