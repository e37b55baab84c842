/* probe.c -- the timing of gathers: what it may take, and when it is asked. */
#include "probe/probe.h"

#include "core/gather.h"
#include "fake_time.h"

#include <math.h>

/* ---- kernels ---- */

static void test_kernels(void)
{
	enum { COUNT = 4 * TULLE__PROBE_STEP };
	double x[COUNT], sum;
	int32_t col[COUNT];
	const tulle__probe_work w = { x, col, COUNT, &sum };

	for (int i = 0; i < COUNT; i++)
		x[i] = i;
	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		double want = 0;

		if (!tulle__isa_available(isa))
			continue;
		check_about("%s", tulle__isa_name(isa));
		tulle__probe_columns(col, COUNT, COUNT, 7);
		for (int k = 0; k < COUNT; k++) {
			CHECK(col[k] >= 0 && col[k] < COUNT);
			want += x[col[k]];
		}
		CHECK(tulle__probe_time(isa, TULLE__PROBE_GATHER, &w, 1, INFINITY) >= 0);
		CHECK_EQUAL(sum, want);
		CHECK(tulle__probe_time(isa, TULLE__PROBE_READ, &w, 1, INFINITY) >= 0);
		CHECK_EQUAL(sum, COUNT * (COUNT - 1) / 2);
		fake_begin(0);
		fake.per_look = 1e-6;
		CHECK(tulle__probe_time(isa, TULLE__PROBE_GATHER, &w, 1000000, fake.now + 40e-6) > 0);
		CHECK_THAT(fake.now - 1 <= 50e-6, "%g s", fake.now - 1);
		fake_begin(0);
		fake.per_look = 1e-6;
		CHECK(tulle__known_gathers(isa).fastest < TULLE__ISAS);
		CHECK_THAT(fake.now - 1 <= 50e-6, "%g s", fake.now - 1);
		fake.now = 1;
		CHECK(tulle__known_gathers(isa).fastest < TULLE__ISAS);
		CHECK_THAT(fake.now == 1, "timed twice in a process");
		fake.own = 0;
	}
	check_group("kernels");
}

/* ---- which set gathers ---- */

/* Only where neither the user nor the model of the processor says it a timing decides, once. */
static void test_settled(void)
{
	tulle__env env;

	inner_env(&env, tulle__isa_best());
	check_about("which set gathers");
	for (int wish = TULLE__GATHER_INSTRUCTION; wish <= TULLE__GATHER_LOADS; wish++) {
		env.gather = (tulle__gather)wish;
		fake_begin(0);
		tulle__settle_gathers(&env);
		CHECK_THAT(fake.looks == 0, "timed although it is known");
	}
	env.gather = TULLE__GATHER_UNKNOWN;
	for (int again = 0; again < 2; again++) {
		const tulle__isa loads = tulle__isa_loads(env.isa);

		fake_begin(0);
		fake.per_look = 1e-6;
		tulle__settle_gathers(&env);
		CHECK_THAT(fake.now - 1 <= 50e-6, "%g s", fake.now - 1);
		CHECK(tulle__kernel_isa(&env) == env.isa || tulle__kernel_isa(&env) == loads);
		if (again || tulle__gather_of_model() != TULLE__GATHER_UNKNOWN)
			CHECK_THAT(fake.looks == 0, "timed again");
	}
	fake.own = 0;
	check_group("which set gathers");
}

int main(void)
{
	test_kernels();
	test_settled();
	return check_end();
}
