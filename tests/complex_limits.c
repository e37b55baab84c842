/* complex_limits.c -- options.max_bytes of plans that build A^H, also for few multiplications and online: they stay within it.
 * For both directions it suffices if A^H alone stays within it, since A can stay as it is. */
#include "complex_problem.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 3000, COLS = 700, EACH = 12 };

/* Parts of a plan that no option limits: the plan itself, its candidates. */
enum { FIXED = 32768 };

typedef struct {
	complex_problem p;
	tulle_context *context;
	tulle_matrix *a;
	kit_complex_oracle *oracle[2]; /* of A, of A^H */
} subject;

static void set_up(subject *s)
{
	static int64_t lengths[ROWS];
	uint64_t state = 3;
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = EACH;
	m = matrix_new("limits", ROWS, COLS, lengths);
	matrix_random_columns(&m, &state);
	s->p = complex_problem_new(m, TULLE_C128, pairs[0], 0, KIT_UNIFORM, 5);
	s->context = context_for(NULL, 0, 0);
	s->a = complex_matrix(&s->p, s->context);
	s->oracle[0] = complex_oracle(&s->p, TULLE_NORMAL);
	s->oracle[1] = complex_oracle(&s->p, TULLE_CONJUGATE);
}

static void tear_down(subject *s)
{
	tulle_matrix_destroy(s->a);
	CHECK_EQUAL(context_info(s->context).blocks_held, 0);
	tulle_context_destroy(s->context);
	for (int n = 0; n < 2; n++)
		kit_complex_oracle_free(s->oracle[n]);
	complex_problem_free(&s->p);
}

static tulle_status create(const subject *s, tulle_plan_options o, tulle_plan **plan)
{
	*plan = NULL;
	o.size = sizeof o;
	return tulle_plan_create(s->a, &o, plan);
}

/* Requests for which no format is compared before the plan is made, and one for which all are. */
static const tulle_plan_options requests[] = { { .multiplies = 5 },
	                                           { .multiplies = 1e6, .online = 1 },
	                                           { .multiplies = 1e6 } };
enum { REQUESTS = sizeof requests / sizeof *requests };

/* Is there a plan within this limit? What it says of its memory and of the limit is checked. */
static int fits(const subject *s, tulle_plan_options o, size_t limit)
{
	char words[48];
	tulle_plan *plan;
	tulle_status status;

	o.max_bytes = limit;
	status = create(s, o, &plan);
	snprintf(words, sizeof words, "max_bytes = %zu", limit);
	if (status == TULLE_OK)
		CHECK_THAT(info_of(plan).extra_bytes <= limit + FIXED, "max_bytes = %zu, but it has %zu",
		           limit, info_of(plan).extra_bytes);
	else if (CHECK_STATUS(status, TULLE_E_LIMIT))
		CHECK_THAT(strstr(tulle_last_error(), words) != NULL, "\"%s\"", tulle_last_error());
	tulle_plan_destroy(plan);
	return status == TULLE_OK;
}

/* The least limit within which there is a plan. */
static size_t least_limit(const subject *s, tulle_plan_options o)
{
	size_t none = 1, some = (size_t)1 << 30;

	CHECK_THAT(!fits(s, o, none), "max_bytes is ignored");
	CHECK(fits(s, o, some));
	while (some - none > 1) {
		const size_t limit = none + (some - none) / 2;

		if (fits(s, o, limit))
			some = limit;
		else
			none = limit;
	}
	return some;
}

/* A^H is built even if nothing is compared; A beside it needs nothing more. */
static void test_least(const subject *s)
{
	const size_t built = (size_t)s->p.m.nnz * (sizeof(tulle_c128) + 2 * sizeof(int32_t));

	for (int n = 0; n < REQUESTS; n++) {
		tulle_plan_options o = requests[n];
		size_t one;

		check_about("A^H, %g multiplications, online %d", o.multiplies, o.online);
		o.op = TULLE_CONJUGATE;
		one = least_limit(s, o);
		CHECK_THAT(one >= built && one < built + FIXED, "%zu bytes suffice", one);
		o.op = TULLE_BOTH_CONJUGATE;
		if (!o.online) /* which excludes both directions */
			CHECK_EQUAL(least_limit(s, o), one);
	}
}

/* Bytes of A^H and what csr adds to it. */
static size_t built_bytes(const subject *s)
{
	tulle_plan *plan;
	size_t bytes = 0;

	if (CHECK_OK(create(s, (tulle_plan_options){ .op = TULLE_CONJUGATE, .format = "csr" }, &plan)))
		bytes = info_of(plan).extra_bytes;
	tulle_plan_destroy(plan);
	return bytes;
}

static void check_products(subject *s, const tulle_plan *plan)
{
	const kit_complex one = { 1, 0 }, zero = { 0, 0 };
	complex_problem *p = &s->p;

	CHECK_OK(complex_mul(plan, p->type, one, p->x[0].at, zero, p->y[0].at));
	complex_judge(s->oracle[0], "mul", one, zero, NULL, p->y[0].at);
	CHECK_OK(complex_mul_transposed(plan, p->type, one, p->x[1].at, zero, p->y[1].at));
	complex_judge(s->oracle[1], "mul_transposed", one, zero, NULL, p->y[1].at);
}

/* From room for A^H alone to room for anything. The choice is the same on every machine: on some, no conversion pays off. */
static void test_both(subject *s)
{
	const size_t least = built_bytes(s);
	size_t most = 0;

	for (size_t limit = least; limit < 5 * least; limit += limit / 8) {
		tulle_plan *plan;

		check_about("both directions, max_bytes = %zu", limit);
		if (CHECK_OK(create(s,
		                    (tulle_plan_options){ .op = TULLE_BOTH_CONJUGATE,
		                                          .multiplies = 1e6,
		                                          .reproducible = 1,
		                                          .max_bytes = limit },
		                    &plan))) {
			const tulle_plan_info info = info_of(plan);

			CHECK_EQUAL(info.stores, 2);
			CHECK_THAT(info.extra_bytes <= limit + FIXED, "it has %zu bytes", info.extra_bytes);
			check_products(s, plan);
			most = info.extra_bytes > most ? info.extra_bytes : most;
		}
		tulle_plan_destroy(plan);
	}
	CHECK_THAT(most > 2 * least, "no limit leaves room for conversions");
}

/* Whether a conversion pays off depends on the machine. A^H stays, since calls may be reading it. */
static void test_online(subject *s)
{
	const size_t least = built_bytes(s);

	for (int room = 0; room < 2; room++) {
		const size_t limit = room ? 5 * least : least;
		tulle_plan *plan;

		check_about("online, max_bytes = %zu", limit);
		if (CHECK_OK(create(
		        s,
		        (tulle_plan_options){
		            .op = TULLE_CONJUGATE, .multiplies = 1e9, .online = 1, .max_bytes = limit },
		        &plan))) {
			complex_decide(plan, &s->p);
			CHECK_THAT(info_of(plan).extra_bytes <= limit + FIXED, "%s: it has %zu bytes",
			           info_of(plan).format, info_of(plan).extra_bytes);
		}
		tulle_plan_destroy(plan);
	}
}

/* Sums in stored order exclude csr, so A needs memory, too. A limit that is too small is the caller's, not what A^H leaves
 * of it. */
static void test_message(const subject *s)
{
	const size_t least = built_bytes(s);
	int refused = 0, made = 0;

	for (size_t limit = least / 4; limit < 5 * least; limit += limit / 8) {
		const tulle_plan_options o = { .op = TULLE_BOTH_CONJUGATE,
			                           .reproducible = 2,
			                           .max_bytes = limit };
		tulle_plan *plan;
		const tulle_status status = create(s, o, &plan);
		char words[48];

		check_about("both directions, ordered, max_bytes = %zu", limit);
		snprintf(words, sizeof words, "max_bytes = %zu ", limit);
		if (status != TULLE_OK) {
			CHECK_STATUS(status, TULLE_E_LIMIT);
			CHECK_THAT(strstr(tulle_last_error(), words) != NULL, "\"%s\"", tulle_last_error());
			refused++;
		} else {
			CHECK(info_of(plan).extra_bytes <= limit + FIXED);
			made++;
		}
		tulle_plan_destroy(plan);
	}
	CHECK_THAT(refused > 0 && made > 0, "%d refused, %d made", refused, made);
}

void check_complex_limits(void)
{
	subject s;

	check_about("limits");
	set_up(&s);
	test_least(&s);
	test_both(&s);
	test_online(&s);
	if (fused_available())
		test_message(&s);
	tear_down(&s);
	check_group("limits of memory");
}
