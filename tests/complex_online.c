/* complex_online.c -- options.online for A^H, which is built before formats are compared: products before and after the
 * change of format, and after updates, have the bits of an ordinary plan; its memory is counted once. */
#include "complex_problem.h"

#include <sched.h>
#include <string.h>

/* A vector that is too short would be written beyond its end, where y is fenced. */
enum { ROWS = 3000, COLS = 40, EACH = 12, MOST_PRODUCTS = 1000000 };

static tulle_plan *plan_by(const tulle_matrix *a, const char *format, int online)
{
	tulle_plan *plan = NULL;

	CHECK_OK(tulle_plan_create(a,
	                           &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                  .op = TULLE_CONJUGATE,
	                                                  .multiplies = 1e9,
	                                                  .format = format,
	                                                  .online = online },
	                           &plan));
	return plan;
}

static void multiply_by(const tulle_plan *plan, const complex_problem *p, void *y)
{
	CHECK_OK(
	    complex_mul(plan, p->type, (kit_complex){ 1, 0 }, p->x[1].at, (kit_complex){ 0, 0 }, y));
}

/* `val`: NULL for the values of the matrix. */
static void check_bits(const tulle_plan *plan, const tulle_matrix *a, const complex_problem *p,
                       const void *val, const char *when)
{
	const size_t bytes = (size_t)COLS * sizeof(tulle_c128);
	fenced want = fence(COLS, sizeof(tulle_c128));
	tulle_plan *ordinary = plan_by(a, info_of(plan).format, 0);

	if (val)
		CHECK_OK(tulle_plan_update(ordinary, val));
	multiply_by(ordinary, p, want.at);
	memset(p->y[1].at, -1, bytes);
	multiply_by(plan, p, p->y[1].at);
	CHECK_THAT(memcmp(p->y[1].at, want.at, bytes) == 0, "%s: other bits than %s", when,
	           info_of(plan).format);
	tulle_plan_destroy(ordinary);
	unfence(&want);
}

/* Whether a conversion pays off depends on the machine. */
void complex_decide(const tulle_plan *plan, const complex_problem *p)
{
	tulle_online_phase phase = TULLE_ONLINE_COUNTING;

	for (int n = 0; n < MOST_PRODUCTS && phase < TULLE_ONLINE_CONVERTED; n++) {
		multiply_by(plan, p, p->y[1].at);
		phase = info_of(plan).online;
		if (phase == TULLE_ONLINE_CONVERTING)
			sched_yield();
	}
	CHECK_THAT(phase >= TULLE_ONLINE_CONVERTED, "still in phase %d", (int)phase);
}

/* What the plan says that it holds is what the context holds beside the matrix. Scratch, pools and headers of blocks of
 * memory are not counted as the plan's. */
static void check_bytes(const tulle_plan *plan, const tulle_context *context, size_t before)
{
	const size_t held = context_info(context).bytes_held - before;
	const tulle_plan_info info = info_of(plan);
	const size_t off = info.extra_bytes > held ? info.extra_bytes - held : held - info.extra_bytes;

	CHECK_THAT(off < 8192 + info.scratch, "%s: holds %zu bytes and says %zu", info.format, held,
	           info.extra_bytes);
}

/* `early`: the first update comes before formats are compared. */
static void check_plan(const complex_problem *p, const complex_problem *other, int early)
{
	tulle_context *context = context_for(NULL, 0, 0);
	tulle_matrix *a = complex_matrix(p, context);
	const size_t before = context_info(context).bytes_held;
	tulle_plan *plan = plan_by(a, NULL, 1);
	const void *val = early ? other->val.at : NULL;

	check_about("online plan of A^H, update %s", early ? "before the comparison" : "after it");
	CHECK(strcmp(info_of(plan).format, "csr") == 0);
	if (early)
		CHECK_OK(tulle_plan_update(plan, val));
	check_bits(plan, a, p, val, "new");
	check_bytes(plan, context, before);
	complex_decide(plan, p);
	check_bits(plan, a, p, val, "decided");
	check_bytes(plan, context, before);
	CHECK(!info_of(plan).borrows_values);
	CHECK_OK(tulle_plan_update(plan, p->val.at));
	check_bits(plan, a, p, NULL, "updated");
	CHECK_OK(tulle_plan_update(plan, other->val.at));
	check_bits(plan, a, p, other->val.at, "updated again");
	check_bytes(plan, context, before);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

static complex_problem tall(uint64_t seed)
{
	static int64_t lengths[ROWS];
	uint64_t state = 3; /* one pattern */
	matrix m;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = EACH;
	m = matrix_new("tall", ROWS, COLS, lengths);
	matrix_random_columns(&m, &state);
	return complex_problem_new(m, TULLE_C128, pairs[0], 0, KIT_UNIFORM, seed);
}

void check_complex_online(void)
{
	complex_problem p = tall(5), other = tall(6);

	for (int early = 0; early < 2; early++)
		check_plan(&p, &other, early);
	complex_problem_free(&other);
	complex_problem_free(&p);
	check_group("online plans of A^H");
}
