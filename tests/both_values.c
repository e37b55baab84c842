/* both_values.c -- plans for both directions: new values for both, or for none. */
#include "both.h"
#include "heap.h"

#include <stdlib.h>
#include <string.h>

static const char SYMMETRIC[] = "fem:n=10,b=3", RECTANGULAR[] = "random:rows=900,cols=400,mean=30";

static double *new_values(const both_subject *s, uint64_t seed)
{
	double *val = grab(s->m.nnz, sizeof *val);

	kit_random_fill(KIT_UNIFORM, seed, TULLE_F64, s->m.nnz, val);
	return val;
}

/* Values, ones, values that a byte selects, values again. */
static void check_updates(both_subject *s, const char *format, int stores)
{
	const tulle_plan_options o = {
		.size = sizeof o, .op = TULLE_BOTH, .format = format, .stores = stores, .multiplies = 1e5
	};
	double *val = new_values(s, 5), *few = grab(s->m.nnz, sizeof *few);
	tulle_plan *p;

	for (int64_t k = 0; k < s->m.nnz; k++)
		few[k] = (double)(k % 5) + 0.1;
	if (CHECK_OK(tulle_plan_create(s->a, &o, &p))) {
		double value;

		CHECK_OK(tulle_plan_update(p, val));
		both_check(s, p, val);
		CHECK_OK(tulle_plan_update(p, NULL));
		both_check(s, p, NULL);
		CHECK_OK(tulle_plan_update(p, few));
		both_check(s, p, few);
		CHECK_OK(tulle_plan_update(p, val));
		both_check(s, p, val);
		if (tulle_plan_get(p, 7, s->m.col[s->m.row_ptr[7]], &value) == TULLE_OK &&
		    tulle_plan_set(p, 7, s->m.col[s->m.row_ptr[7]], 99) == TULLE_OK) {
			val[s->m.row_ptr[7]] = 99;
			both_check(s, p, val);
		}
		tulle_plan_destroy(p);
	}
	free(val);
	free(few);
}

void test_updates(void)
{
	const char *format;
	both_subject s;

	both_set_up(&s, RECTANGULAR, NULL);
	for (int f = 0; (format = tulle_formats(f)); f++)
		for (int stores = 1; stores <= 2; stores++) {
			if (!strcmp(format, "sym") ||
			    (stores == 1 && strcmp(format, "csr") != 0 && strcmp(format, "sell") != 0))
				continue;
			check_about("%s, stores %d", format, stores);
			check_updates(&s, format, stores);
		}
	for (int stores = 0; stores <= 2; stores++) {
		check_about("automatic, stores %d", stores);
		check_updates(&s, NULL, stores);
	}
	both_tear_down(&s);
	check_group("updates");
}

/* A^T equals A, until an update. */
void test_separation(void)
{
	both_subject s;

	both_set_up(&s, SYMMETRIC, NULL);
	for (int stores = 0; stores <= 2; stores++) {
		const tulle_plan_options o = {
			.size = sizeof o, .op = TULLE_BOTH, .multiplies = 1e6, .stores = stores
		};
		double *val = new_values(&s, 9);
		tulle_plan *p;

		check_about("stores %d", stores);
		if (CHECK_OK(tulle_plan_create(s.a, &o, &p))) {
			/* By scalar kernels sell may be faster. */
			CHECK_THAT(stores != 1 || tulle_plan_transposed(p) == p ||
			               !strcmp(both_info(p).isa, "scalar"),
			           "%s does not use the symmetry", both_info(p).format);
			both_check(&s, p, s.m.val);
			CHECK_OK(tulle_plan_update(p, val));
			both_check(&s, p, val);
			CHECK_THAT(tulle_plan_transposed(p) != p, "A is taken for its transpose");
			CHECK_OK(tulle_plan_update(p, s.m.val));
			both_check(&s, p, s.m.val);
			tulle_plan_destroy(p);
		}
		free(val);
	}
	both_tear_down(&s);
	check_group("values that are no longer symmetric");
}

/* ---- a matrix that was created as symmetric ---- */

enum { ROWS = 300 };

/* Three diagonals, the lower triangle stored; more different values than a byte selects from. */
static tulle_matrix *make_symmetric(int32_t *row_ptr, int32_t *col, double *val)
{
	const tulle_matrix_options o = { .size = sizeof o, .kind = TULLE_SYMMETRIC };
	tulle_matrix *a = NULL;
	int32_t k = 0;

	row_ptr[0] = 0;
	for (int32_t i = 0; i < ROWS; i++) {
		for (int32_t j = i > 0 ? i - 1 : 0; j <= i; j++, k++) {
			col[k] = j;
			val[k] = 1 + k;
		}
		row_ptr[i + 1] = k;
	}
	CHECK_OK(tulle_matrix_from_csr(NULL, ROWS, ROWS, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                               val, &o, &a));
	return a;
}

/* No values change that A^T equals A, so a plan that cannot store them has no other way out. */
static void check_refused(const tulle_matrix *a, double *val)
{
	static const int kinds[] = { TULLE_LOSSY_F32, TULLE_LOSSY_F16, TULLE_LOSSY_BF16 };
	const double kept = val[0];

	for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
		const tulle_plan_options o = { .size = sizeof o, .op = TULLE_BOTH, .lossy = kinds[n] };
		double x[ROWS] = { 1 }, before[ROWS], after[ROWS];
		tulle_plan *p;

		check_about("lossy %d", kinds[n]);
		if (!CHECK_OK(tulle_plan_create(a, &o, &p)))
			continue;
		CHECK_OK(tulle_mul_f64(p, 1, x, 0, before));
		val[0] = 1e300;
		CHECK_STATUS(tulle_plan_update(p, val), TULLE_E_UNSUPPORTED);
		val[0] = kept;
		CHECK_OK(tulle_mul_f64(p, 1, x, 0, after));
		CHECK(memcmp(before, after, sizeof before) == 0);
		tulle_plan_destroy(p);
	}
}

/* An entry above the diagonal is set alone: then A^T differs from A. */
static void check_entries(const tulle_matrix *a)
{
	for (int stores = 1; stores <= 2; stores++) {
		const tulle_plan_options o = {
			.size = sizeof o, .op = TULLE_BOTH, .format = "csr5", .stores = stores
		};
		double x[ROWS] = { 1 }, y[ROWS];
		tulle_plan *p;

		check_about("csr5, stores %d", stores);
		if (!CHECK_OK(tulle_plan_create(a, &o, &p)))
			continue;
		CHECK_OK(tulle_plan_set(p, 0, 0, -7));
		if (stores == 1) {
			CHECK_STATUS(tulle_plan_set(p, 0, 1, 10), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), "i = 0, j = 1 stores = 2");
			CHECK_STATUS(tulle_plan_set(p, 0, 5, 10), TULLE_E_ARGUMENT); /* not stored */
		} else {
			CHECK_OK(tulle_plan_set(p, 0, 1, 10));
		}
		CHECK_OK(tulle_mul_transposed_f64(p, 1, x, 0, y));
		CHECK_EQUAL(y[0], -7);
		CHECK_EQUAL(y[1], stores == 1 ? 2 : 10);
		tulle_plan_destroy(p);
	}
}

void test_created_symmetric(void)
{
	int32_t row_ptr[ROWS + 1], col[2 * ROWS];
	double val[2 * ROWS];
	tulle_matrix *a = make_symmetric(row_ptr, col, val);

	if (a) {
		check_refused(a, val);
		check_entries(a);
	}
	tulle_matrix_destroy(a);
	check_group("a matrix that was created as symmetric");
}

/* ---- without memory ---- */

typedef struct {
	both_subject s;
	tulle_plan *p;
	double *before[2]; /* A x and A^T x */
} stage;

static void multiply_both(const stage *g, double *const y[2])
{
	CHECK_OK(tulle_mul_f64(g->p, 1, g->s.x, 0, y[0]));
	CHECK_OK(tulle_mul_transposed_f64(g->p, 1, g->s.x, 0, y[1]));
}

static void check_unchanged(const stage *g, double *const y[2], size_t held)
{
	CHECK_EQUAL(context_info(g->s.context).bytes_held, held);
	multiply_both(g, y);
	CHECK_THAT(!memcmp(y[0], g->before[0], (size_t)g->s.m.rows * sizeof(double)),
	           "a failed update changed A");
	CHECK_THAT(!memcmp(y[1], g->before[1], (size_t)g->s.m.cols * sizeof(double)),
	           "a failed update changed A^T");
}

static const tulle_context_options failing = {
	.size = sizeof failing, .threads = 2, .alloc = heap_alloc, .free = heap_free, .user = &heap
};

/* The k-th allocation fails, for every k: only that one, or all from there on. */
static void fail_updates(const char *spec, const char *format, int stores, int for_ever)
{
	const tulle_plan_options o = {
		.size = sizeof o, .op = TULLE_BOTH, .format = format, .stores = stores, .multiplies = 1e6
	};
	double *y[2], *val;
	tulle_status status = TULLE_E_MEMORY;
	long points = 0;
	size_t held;
	stage g;

	heap.fail_at = 0;
	heap.for_ever = for_ever;
	both_set_up(&g.s, spec, &failing);
	val = new_values(&g.s, 3);
	for (int n = 0; n < 2; n++) {
		y[n] = grab(n ? g.s.m.cols : g.s.m.rows, sizeof **y);
		g.before[n] = grab(n ? g.s.m.cols : g.s.m.rows, sizeof **y);
	}
	if (CHECK_OK(tulle_plan_create(g.s.a, &o, &g.p))) {
		CHECK_OK(tulle_plan_update(g.p, format ? NULL : g.s.m.val)); /* ones need no memory */
		multiply_both(&g, g.before);
		held = context_info(g.s.context).bytes_held;
		for (; status == TULLE_E_MEMORY && points < 1000; points++) {
			check_about("%s, %s, stores %d, allocation %ld fails", spec,
			            format ? format : "automatic", stores, points + 1);
			heap.fail_at = points + 1;
			atomic_store(&heap.asked, 0);
			status = tulle_plan_update(g.p, val);
			heap.fail_at = 0;
			if (status == TULLE_E_MEMORY)
				check_unchanged(&g, y, held);
		}
		CHECK_OK(status);
		both_check(&g.s, g.p, val);
		tulle_plan_destroy(g.p);
	}
	for (int n = 0; n < 2; n++) {
		free(y[n]);
		free(g.before[n]);
	}
	free(val);
	both_tear_down(&g.s);
	check_group("%s, %s, stores %d: %ld points of failure", spec, format ? format : "automatic",
	            stores, points - 1);
}

void test_failing_updates(void)
{
	for (int for_ever = 0; for_ever < 2; for_ever++) {
		fail_updates(RECTANGULAR, "csr", 1, for_ever);
		fail_updates(RECTANGULAR, "csr", 2, for_ever);
		fail_updates(RECTANGULAR, "sell", 1, for_ever);
		fail_updates(RECTANGULAR, "sell", 2, for_ever);
		fail_updates(RECTANGULAR, "csr5", 2, for_ever);
		fail_updates(SYMMETRIC, NULL, 1, for_ever);
	}
}

void test_failing_creation(void)
{
	for (int mix = 0; mix < 6; mix++) {
		const tulle_plan_options o = {
			.size = sizeof o, .op = TULLE_BOTH, .multiplies = 1e6, .stores = mix % 3
		};
		tulle_status status = TULLE_E_MEMORY;
		long points = 0;
		size_t held;
		both_subject s;

		heap.fail_at = 0;
		heap.for_ever = mix / 3;
		both_set_up(&s, RECTANGULAR, &failing);
		held = context_info(s.context).bytes_held;
		for (; status == TULLE_E_MEMORY && points < 1000; points++) {
			tulle_plan *p = NULL;

			check_about("stores %d, allocation %ld fails", o.stores, points + 1);
			heap.fail_at = points + 1;
			atomic_store(&heap.asked, 0);
			status = tulle_plan_create(s.a, &o, &p);
			heap.fail_at = 0;
			tulle_plan_destroy(p);
			CHECK_EQUAL(context_info(s.context).bytes_held, held);
			CHECK_THAT((status == TULLE_OK) == (p != NULL), "a failed call must give no plan");
		}
		CHECK_OK(status);
		CHECK_THAT(points > 5, "no allocation failed");
		both_tear_down(&s);
	}
	check_group("creation without memory");
}
