/* complex_sym.c -- Hermitian and complex-symmetric matrices in the format sym: what it takes and what it refuses, signs of
 * zeros, both directions, updates, and the planner. */
#include "complex_problem.h"
#include "inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tulle_status plan_by(const tulle_matrix *a, const char *format, tulle_op op, int stores,
                            tulle_plan **plan)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .op = op, .stores = stores };

	return tulle_plan_create(a, &o, plan);
}

/* ---- pairs of entries ---- */

/* a(1,0) and a(0,1), a(2,1) and a(1,2). */
static const struct {
	tulle_c128 below[2], above[2];
	const char *says; /* the note of a plan, or words of the refusal */
	int taken;
} table[] = {
	{ { { 1, 2 }, { 3, -4 } }, { { 1, 2 }, { 3, -4 } }, "symmetric, no blocks", 1 },
	{ { { 1, 2 }, { 3, -4 } }, { { -1, -2 }, { -3, 4 } }, "skew, no blocks", 1 },
	{ { { 1, 2 }, { 3, -4 } }, { { 1, -2 }, { 3, 4 } }, "Hermitian, no blocks", 1 },
	/* A zero's conjugate is the other zero, or a sum that made it 0 again. */
	{ { { 1, 2 }, { 3, 0 } }, { { 1, -2 }, { 3, -0.0 } }, "Hermitian, no blocks", 1 },
	{ { { 1, 2 }, { 3, 0 } }, { { 1, -2 }, { 3, 0 } }, "Hermitian, no blocks", 1 },
	{ { { 1, 2 }, { 3, -0.0 } }, { { 1, -2 }, { 3, -0.0 } }, "Hermitian, no blocks", 1 },
	/* Both at once are neither. */
	{ { { 1, 0 }, { 3, 0 } }, { { 1, 0 }, { 3, -0.0 } }, "a(1,2) = 3-0i a(2,1) = 3+0i", 0 },
	{ { { 1, 2 }, { 3, 4 } }, { { 1, 2 }, { 3, -4 } }, "a(1,2) = 3-4i but a(2,1) = 3+4i", 0 },
	{ { { 1, 2 }, { 3, 4 } }, { { 1, -2 }, { 3, 4 } }, "a(2,1) = 3+4i, not its conjugate", 0 },
	{ { { 1, 2 }, { 3, 4 } }, { { -1, -2 }, { 3, 4 } }, "a(2,1) = 3+4i, not its opposite", 0 },
	{ { { 1, 2 }, { 3, 4 } }, { { -1, 2 }, { -3, 4 } }, "a(0,1) = -1+2i but a(1,0) = 1+2i", 0 },
};

/* Bits of all values come back. */
static void check_back(const tulle_matrix *a, const tulle_plan *plan)
{
	tulle_matrix *back = NULL;
	tulle_csr_view was = { .size = sizeof was }, is = { .size = sizeof is };

	if (!CHECK_OK(tulle_matrix_from_plan(plan, &back)))
		return;
	CHECK_OK(tulle_matrix_view_csr(a, &was));
	CHECK_OK(tulle_matrix_view_csr(back, &is));
	if (CHECK_EQUAL(is.nnz, was.nnz))
		CHECK_THAT(memcmp(is.val, was.val, (size_t)was.nnz * sizeof(tulle_c128)) == 0,
		           "values come back with other bits");
	tulle_matrix_destroy(back);
}

static void check_table(void)
{
	static const int32_t row_ptr[] = { 0, 2, 4, 6 }, col[] = { 0, 1, 0, 2, 1, 2 };

	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		const tulle_c128 val[] = { { 5, 1 },          table[t].above[0], table[t].below[0],
			                       table[t].above[1], table[t].below[1], { 6, 0 } };
		const tulle_plan_info blank = { .size = sizeof blank };
		tulle_plan_info info = blank;
		tulle_matrix *a = NULL;
		tulle_plan *plan = NULL;

		check_about("pairs %d", (int)t);
		CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_C128,
		                               val, NULL, &a));
		CHECK_STATUS(plan_by(a, "sym", TULLE_NORMAL, 0, &plan),
		             table[t].taken ? TULLE_OK : TULLE_E_UNSUPPORTED);
		if (!table[t].taken) {
			CHECK_WORDS(tulle_last_error(), table[t].says);
		} else if (CHECK_OK(tulle_plan_describe(plan, &info))) {
			CHECK_THAT(strcmp(info.note, table[t].says) == 0, "\"%s\"", info.note);
			check_back(a, plan);
		}
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
	}
	check_group("pairs of entries");
}

/* ---- both directions ---- */

/* A^H x of a Hermitian matrix is A x, from one store; not if the diagonal has imaginary parts. A^T x of a symmetric one
 * likewise. */
static void check_both(uint64_t seed, tulle_op op, int stores)
{
	complex_problem p =
	    complex_problem_new(matrix_grid(20), TULLE_C128, pairs[0], 0, KIT_UNIFORM, seed);
	const size_t bytes = (size_t)p.m.rows * sizeof(tulle_c128);
	tulle_matrix *a = complex_matrix(&p, NULL);
	tulle_plan *plan = NULL;
	tulle_plan_info info = { .size = sizeof info };

	check_about("both directions, kind %d, op %d", (int)p.m.kind, (int)op);
	if (CHECK_OK(plan_by(a, "sym", op, 0, &plan)) && CHECK_OK(tulle_plan_describe(plan, &info))) {
		const kit_complex one = { 1, 0 }, zero = { 0, 0 };

		CHECK_EQUAL(info.stores, stores);
		CHECK_EQUAL(info.op, op);
		CHECK_OK(complex_mul(plan, p.type, one, p.x[0].at, zero, p.y[0].at));
		CHECK_OK(complex_mul_transposed(plan, p.type, one, p.x[0].at, zero, p.y[1].at));
		CHECK_EQUAL(memcmp(p.y[0].at, p.y[1].at, bytes) == 0, stores == 1);
	}
	tulle_plan_destroy(plan);
	plan = NULL;
	CHECK_STATUS(plan_by(a, "sym", op, 1, &plan), stores == 1 ? TULLE_OK : TULLE_E_UNSUPPORTED);
	if (stores == 2)
		CHECK_WORDS(tulle_last_error(), op == TULLE_BOTH ? "A^T is not A" : "A^H is not A");
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	complex_problem_free(&p);
}

/* ---- updates ---- */

/* Values of another kind are taken, values of none are refused and leave the plan as it was. */
static void check_update(tulle_value_type type, const char *spec)
{
	complex_problem p = complex_problem_new(matrix_nodes(2), type, pairs[0], 0, KIT_UNIFORM, 3);
	complex_problem q = complex_problem_new(matrix_nodes(2), type, pairs[0], 0, KIT_UNIFORM, 4);
	const kit_complex one = { 1, 0 }, zero = { 0, 0 };
	const size_t bytes = (size_t)p.m.rows * tulle__value_size(type);
	tulle_matrix *a = complex_matrix(&p, NULL), *b = complex_matrix(&q, NULL);
	tulle_plan *plan = NULL, *fresh = NULL;

	check_about("%s, %s, update", spec, tulle__type_of(type)->name);
	CHECK(p.m.kind == TULLE_HERMITIAN && q.m.kind == TULLE_SYMMETRIC);
	if (CHECK_OK(plan_by(a, spec, TULLE_NORMAL, 0, &plan)) &&
	    CHECK_OK(plan_by(b, spec, TULLE_NORMAL, 0, &fresh))) {
		char *spoilt = grab(p.m.nnz, tulle__value_size(type));

		CHECK_OK(complex_mul(plan, type, one, p.x[0].at, zero, p.y[0].at));
		memcpy(spoilt, p.val.at, (size_t)p.m.nnz * tulle__value_size(type));
		tulle__value_conjugate(tulle__type_of(type), spoilt, 1); /* a(0,1) */
		CHECK_EQUAL(p.m.col[1], 1);
		CHECK_STATUS(tulle_plan_update(plan, spoilt), TULLE_E_UNSUPPORTED);
		CHECK_WORDS(tulle_last_error(), "sym: a( but a(");
		CHECK_OK(complex_mul(plan, type, one, p.x[0].at, zero, p.y[1].at));
		CHECK_THAT(memcmp(p.y[0].at, p.y[1].at, bytes) == 0, "a refused update changed the plan");
		CHECK_OK(tulle_plan_update(plan, q.val.at));
		CHECK_OK(complex_mul(plan, type, one, p.x[0].at, zero, p.y[0].at));
		CHECK_OK(complex_mul(fresh, type, one, p.x[0].at, zero, p.y[1].at));
		CHECK_THAT(memcmp(p.y[0].at, p.y[1].at, bytes) == 0,
		           "values of another kind differ from a fresh plan");
		free(spoilt);
	}
	tulle_plan_destroy(plan);
	tulle_plan_destroy(fresh);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
	complex_problem_free(&p);
	complex_problem_free(&q);
}

/* ---- the planner ---- */

/* It weighs sym, for A and for A^H as it is, and gives the reason. */
static void check_planner(uint64_t seed, tulle_op op, const char *kind, const char *way)
{
	complex_problem p =
	    complex_problem_new(matrix_grid(120), TULLE_C128, pairs[0], 0, KIT_UNIFORM, seed);
	tulle_matrix *a = complex_matrix(&p, NULL);
	tulle_plan *plan = NULL;
	tulle_plan_info info = { .size = sizeof info };
	int found = 0;

	check_about("the planner, seed %d, op %d", (int)seed, (int)op);
	if (CHECK_OK(plan_by(a, NULL, op, 0, &plan)) && CHECK_OK(tulle_plan_describe(plan, &info)))
		for (int n = 0; n < info.candidates; n++) {
			tulle_candidate_info c = { .size = sizeof c };

			if (!CHECK_OK(tulle_plan_candidate(plan, n, &c)) || strcmp(c.format, "sym") != 0)
				continue;
			found++;
			CHECK_THAT(!c.out, "sym is ruled out: %s", c.because);
			CHECK_THAT(strcmp(c.way, way) == 0, "%s", c.way);
			CHECK_THAT(strncmp(c.because, "the matrix is ", 14) == 0 &&
			               strncmp(c.because + 14, kind, strlen(kind)) == 0,
			           "%s", c.because);
		}
	CHECK_EQUAL(found, 1);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	complex_problem_free(&p);
}

int main(void)
{
	static const char *const specs[] = { "sym", "sym:block=1", "sym:block=3", "sym:strips=yes" };

	check_table();
	check_both(1, TULLE_BOTH_CONJUGATE, 1);
	check_both(3, TULLE_BOTH_CONJUGATE, 2);
	check_both(2, TULLE_BOTH_CONJUGATE, 2);
	check_both(2, TULLE_BOTH, 1);
	check_both(1, TULLE_BOTH, 2);
	check_group("both directions");
	for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
		check_update(TULLE_C64, specs[s]);
		check_update(TULLE_C128, specs[s]);
	}
	check_group("updates");
	check_planner(1, TULLE_NORMAL, "Hermitian", "as is");
	check_planner(1, TULLE_CONJUGATE, "Hermitian", "as is");
	check_planner(1, TULLE_TRANSPOSED, "Hermitian", "built");
	check_planner(2, TULLE_NORMAL, "symmetric", "as is");
	check_planner(2, TULLE_TRANSPOSED, "symmetric", "as is");
	check_group("the planner");
	return check_end();
}
