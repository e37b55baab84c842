/* fuzz_updates.c -- bytes choose a plan and what is done to it, step by step: updates, single entries, allocations that fail.
 * After every step the plan has the values that it should have: it multiplies within their bound and gives them back. */
#include "chosen.h"
#include "fuzz.h"
#include "heap.h"
#include "inner.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 6 };

typedef struct {
	chosen_system s;
	tulle_plan *plan;
	int named; /* the plan has a format that it may not leave */
} scene;

static void check_product(scene *e)
{
	chosen_system *s = &e->s;
	kit_oracle *oracle = chosen_oracle(s, s->op, s->alpha, s->x, s->beta, s->b);

	if (CHECK_OK(multiply(e->plan, s->type, MUL_ADD, s->alpha, s->x, s->beta, s->b, s->y, s->rows)))
		CHECK_EQUAL(kit_oracle_check(oracle, s->y).violations, 0);
	kit_oracle_free(oracle);
}

static void check_back(scene *e)
{
	const tulle_csr_view view = chosen_view(&e->s);
	tulle_matrix *back = NULL;

	if (e->s.op == TULLE_NORMAL && CHECK_OK(tulle_matrix_from_plan(e->plan, &back))) {
		const tulle__csr got = inner_csr(back), want = inner_view(&view);

		CHECK_THAT(inner_same(&got, &want), "the plan does not give its values back");
	}
	tulle_matrix_destroy(back);
}

/* New values, or ones. An update that fails leaves the old ones. */
static void update(choices *c, scene *e, int ones, long fail_at)
{
	chosen_system *s = &e->s;
	double *old = grab(s->m.nnz, sizeof *old);
	tulle_status status;

	if (s->m.nnz > 0)
		memcpy(old, s->m.val, (size_t)s->m.nnz * sizeof *old);
	if (ones) {
		for (int64_t k = 0; k < s->m.nnz; k++)
			s->m.val[k] = 1;
		chosen_system_take(s);
	} else {
		chosen_system_renew(c, s);
	}
	heap.fail_at = fail_at ? atomic_load(&heap.asked) + fail_at : 0;
	status = tulle_plan_update(e->plan, ones ? NULL : s->arr.val);
	heap.fail_at = 0;
	if (status != TULLE_OK) {
		CHECK_THAT((status == TULLE_E_MEMORY && fail_at) ||
		               (status == TULLE_E_UNSUPPORTED && e->named),
		           "%s: %s", tulle_status_name(status), tulle_last_error());
		if (s->m.nnz > 0)
			memcpy(s->m.val, old, (size_t)s->m.nnz * sizeof *old);
		chosen_system_take(s);
	}
	free(old);
}

/* The first entry at this position of the operator, or -1 if there is no entry. */
static int64_t find(const chosen_system *s, int64_t i, int64_t j)
{
	const int64_t row = s->op == TULLE_NORMAL ? i : j, col = s->op == TULLE_NORMAL ? j : i;

	for (int64_t k = s->m.row_ptr[row]; k < s->m.row_ptr[row + 1]; k++)
		if (s->m.col[k] == col)
			return k;
	return -1;
}

/* One entry is read, or changed. */
static void touch_entry(choices *c, scene *e, int change)
{
	chosen_system *s = &e->s;
	const int64_t i = choose(c, s->rows), j = choose(c, s->cols);
	const double value = (double)(choose(c, 9) - 4) / 2;
	double got = 77;
	int64_t k;
	tulle_status status;

	if (s->rows == 0 || s->cols == 0)
		return;
	k = find(s, i, j);
	status = change ? tulle_plan_set(e->plan, i, j, value) : tulle_plan_get(e->plan, i, j, &got);
	if (status == TULLE_E_UNSUPPORTED)
		return;
	if (change && k < 0) {
		CHECK_EQUAL(status, TULLE_E_ARGUMENT);
	} else if (CHECK_OK(status) && change) {
		s->m.val[k] = value;
		chosen_system_take(s);
	} else if (status == TULLE_OK) {
		const double want = k < 0 ? 0 : s->m.val[k];

		CHECK_THAT(got == want || (isnan(got) && isnan(want)), "entry %lld, %lld is %g, not %g",
		           (long long)i, (long long)j, got, want);
	}
}

static void take_steps(choices *c, scene *e)
{
	for (int64_t n = 1 + choose(c, MOST_STEPS); n > 0; n--) {
		switch (choose(c, 5)) {
		case 0: update(c, e, 1, 0); break;
		case 1: update(c, e, 0, 1 + choose(c, 8)); break;
		case 2: touch_entry(c, e, 1); break;
		case 3: touch_entry(c, e, 0); break;
		default: update(c, e, 0, 0);
		}
		check_product(e);
		check_back(e);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const tulle_context_options with = {
		.size = sizeof with, .threads = 1, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	choices c = choices_of_bytes(data, size);
	const char *format = tulle_formats((int)choose(&c, 16)); /* NULL: automatic */
	scene e = { .s = chosen_system_new(&c, 30), .named = format != NULL };
	char spec[CHOSEN_SPEC] = "";
	tulle_plan_options o = { .size = sizeof o, .op = e.s.op };
	tulle_context *context;
	tulle_matrix *a;
	tulle_status status;

	if (format)
		chosen_spec(&c, format, spec);
	o.format = format ? spec : NULL;
	check_about("%s, %s, op %d", spec, e.s.m.name, (int)e.s.op);
	REQUIRE(tulle_context_create(&with, &context) == TULLE_OK);
	a = borrow(context, &e.s.m, e.s.pair, e.s.type, &e.s.arr);
	status = tulle_plan_create(a, &o, &e.plan);
	tulle_matrix_destroy(a); /* the plan holds it */
	if (!(format && refused(spec, status)) && CHECK_OK(status)) {
		check_product(&e);
		take_steps(&c, &e);
	}
	tulle_plan_destroy(e.plan);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	chosen_system_free(&e.s);
	REQUIRE(check_failures() == 0);
	return 0;
}
