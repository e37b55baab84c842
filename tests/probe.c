/* probe.c -- the probe of the machine: what it may take, and what it believes. */
#include "probe/probe.h"

#include "analysis/machine_probe.h"
#include "core/gather.h"
#include "fake_time.h"
#include "tulle_machine.h"

#include <math.h>
#include <string.h>

/* ---- sizes of caches ---- */

static void test_caches(void)
{
	static const struct {
		long reported[TULLE__MEMORY];
		double want[TULLE__MEMORY];
	} cases[] = {
		{ { 32768, 1048576, 37486592 }, { 32768, 1048576, 37486592 } },
		{ { 49152, 2097152, 0 }, { 49152, 2097152, 32e6 } },
		{ { 0, 0, 0 }, { 48e3, 2e6, 32e6 } },
		{ { -1, -1, -1 }, { 48e3, 2e6, 32e6 } },
		{ { 1, 2, 3 }, { 48e3, 2e6, 32e6 } },
		{ { 65536, 4194304, 1048576 }, { 65536, 4194304, 4194304 } }, /* the third is smaller */
		{ { 4000000, 65536, 37486592 }, { 4000000, 4000000, 37486592 } },
		{ { 32768, 1048576, 1L << 62 }, { 32768, 1048576, 32e6 } },
	};

	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		double cache[TULLE__MEMORY];

		check_about("caches, case %zu", n);
		tulle__machine_caches(cases[n].reported, cache);
		for (int level = 0; level < TULLE__MEMORY; level++)
			CHECK_THAT(cache[level] == cases[n].want[level], "level %d: %g, not %g", level + 1,
			           cache[level], cases[n].want[level]);
	}
	check_group("sizes of caches");
}

/* ---- time ---- */

static void test_budget(void)
{
	static const double run[] = { 1e-6, 50e-6, 200e-6, 400e-6, 490e-6 };

	for (int threads = 1; threads <= 64; threads *= 8)
		for (size_t n = 0; n < sizeof run / sizeof *run; n++) {
			tulle__env env;
			tulle__machine m, before;
			double begin;

			check_about("%d threads, %g s per run", threads, run[n]);
			env_begin(&env, threads);
			fake_begin(run[n]);
			tulle__machine_assume(&env, &m);
			before = m;
			begin = fake.now;
			CHECK_OK(tulle__machine_probe(&env, &huge_values, &m));
			CHECK_THAT(fake.now - begin <= TULLE__PROBE_SECONDS, "took %g s", fake.now - begin);
			CHECK(fake.runs > 3);
			CHECK_EQUAL(m.caches_timed, run[n] < 100e-6);
			CHECK_EQUAL(m.memory_timed, run[n] < 100e-6);
			CHECK_EQUAL(m.region > 0, m.caches_timed && threads > 1);
			if (!m.caches_timed)
				CHECK_THAT(!memcmp(&m, &before, sizeof m), "half of a probe is kept");
			CHECK_EQUAL(atomic_load(&env.blocks_held), 0);
		}
	fake.own = 0;
	check_group("budget of a probe");
}

/* Runs that do not agree, or a team that is not whole: nothing is believed. */
static void test_disturbed(void)
{
	tulle__env env;
	tulle__machine m;

	check_about("a busy machine");
	env_begin(&env, 4);
	fake_begin(100e-6);
	fake.growth = .6; /* all within the budget, no two alike */
	tulle__machine_assume(&env, &m);
	CHECK_OK(tulle__machine_probe(&env, &huge_values, &m));
	CHECK(!m.caches_timed && !m.memory_timed);
	check_about("a team of one");
	fake_begin(1e-6);
	fake.team = 1;
	CHECK_OK(tulle__machine_probe(&env, &huge_values, &m));
	CHECK(!m.caches_timed && !m.memory_timed);
	check_about("small values");
	fake_begin(1e-6);
	CHECK_OK(tulle__machine_probe(
	    &env, &(tulle__csr){ .nnz = 1000, .value_type = TULLE_F64, .val = &m }, &m));
	CHECK(m.caches_timed && !m.memory_timed);
	fake.runs = 0;
	CHECK_OK(tulle__machine_probe(&env, &huge_values, &m));
	CHECK(m.memory_timed && fake.runs == 3);
	fake.own = 0;
	check_group("disturbed probes");
}

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

/* ---- the public functions ---- */

static void test_public(void)
{
	tulle_machine_info info = { .size = sizeof info };
	tulle_machine_table table = { .size = sizeof table };
	tulle_context *context = context_for("scalar", 2, 0);

	check_about("tulle_machine.h");
	CHECK_OK(tulle_machine_describe(context, NULL, &info));
	CHECK(!info.caches_timed && !info.memory_timed && info.threads == 2 &&
	      info.region_seconds == 0);
	CHECK(!strcmp(info.isa, "scalar") && !strcmp(info.sets[0], "scalar") && info.processor);
	for (int level = 0; level < TULLE_MACHINE_LEVELS; level++)
		CHECK(info.read_bandwidth[level] > 0 && info.gather_seconds[level] > 0);
	CHECK_STATUS(tulle_machine_describe(context, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_machine_measure(context, NULL, NULL), TULLE_E_ARGUMENT);
	info.size = 1;
	CHECK_STATUS(tulle_machine_describe(context, NULL, &info), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_machine_time_table(context, NULL, 4096, &table));
	CHECK(table.read_bandwidth > 0 && table.gather_seconds > 0);
	CHECK_OK(tulle_machine_time_table(context, "scalar", 100001, &table));
	CHECK_STATUS(tulle_machine_time_table(context, NULL, 4095, &table), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "4095 4096");
	CHECK_STATUS(tulle_machine_time_table(context, NULL, SIZE_MAX, &table), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_machine_time_table(context, "mmx", 4096, &table), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_machine_time_table(context, NULL, 4096, NULL), TULLE_E_ARGUMENT);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	check_group("public functions");
}

int main(void)
{
	test_caches();
	test_budget();
	test_disturbed();
	test_kernels();
	test_settled();
	test_public();
	return check_end();
}
