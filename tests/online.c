/* online.c -- options.online: which call starts what, bits before and after the swap, updates, destroys and
 * concurrent calls while a conversion is running. */
#include "online_stage.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SECONDS = 120, EXPLAINED = 1 << 14 };

static const tulle_op ops[] = { TULLE_NORMAL, TULLE_TRANSPOSED };

static void check_explained(const stage *g, const char *words)
{
	static char text[EXPLAINED];

	CHECK(tulle_plan_explain(g->plan, text, sizeof text) < sizeof text);
	CHECK_WORDS(text, words);
}

/* ---- from csr to sell ---- */

static void check_new(const stage *g)
{
	const tulle_plan_info info = info_of(g);

	CHECK_EQUAL(info.online, TULLE_ONLINE_COUNTING);
	CHECK(!strcmp(info.format, "csr") && info.borrows_values && info.candidates == 0);
	CHECK(info.online_multiplies == 0 && info.online_threshold == 0);
	CHECK_EQUAL(hooks.creates, 0);
	check_explained(g, "online CSR so far; too few multiplications");
}

static void check_converted(const stage *g)
{
	const tulle_plan_info info = info_of(g);

	CHECK_EQUAL(info.online, TULLE_ONLINE_CONVERTED);
	CHECK(!strcmp(info.format, "sell") && !info.borrows_values && info.candidates > 0);
	CHECK_THAT(info.online_multiplies >= CONVERTED_AT, "%g calls", info.online_multiplies);
	CHECK(info.online_seconds >= info.online_threshold && info.online_threshold > 0);
	CHECK_WORDS(info.online_why, "a conversion to sell would have been repaid after");
	check_explained(g, "with sell online converted; repaid multiplications by CSR in");
}

/* The first call of each job is the one that the rule says, and no earlier one. */
static void test_phases(tulle_op op)
{
	stage g;
	double counted;

	check_about("op %d", (int)op);
	reset_hooks();
	set_up(&g, op, NULL);
	check_new(&g);
	multiply_times(&g, COMPARED_AT - 1, BY_CSR);
	CHECK(hooks.creates == 0 && hooks.helps == 0);
	hooks.hold = COMPARING;
	multiply_by(&g, BY_CSR);
	CHECK_EQUAL(hooks.creates, 1);
	wait_until_held();
	multiply_times(&g, 5, BY_CSR);
	let_go();
	wait_until_compared(&g);
	CHECK_EQUAL(info_of(&g).online, TULLE_ONLINE_COUNTING);
	multiply_times(&g, CONVERTED_AT - 1 - COMPARED_AT - 5, BY_CSR);
	CHECK_EQUAL(hooks.creates, 1);
	hooks.hold = CONVERTING;
	multiply_until_held(&g);
	CHECK_EQUAL(hooks.creates, 2);
	CHECK_EQUAL(info_of(&g).online, TULLE_ONLINE_CONVERTING);
	hooks.helps = 0;
	multiply_times(&g, 5, BY_CSR);
	CHECK_EQUAL(hooks.helps, 5);
	hooks.hold = CONVERTED;
	let_go();
	wait_until_held();
	multiply_times(&g, 5, BY_CSR); /* all is done but the swap */
	check_explained(&g, "with csr online CSR so far; the conversion is running");
	let_go();
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	counted = info_of(&g).online_multiplies;
	multiply_times(&g, 5, BY_SELL);
	CHECK(info_of(&g).online_multiplies == counted); /* nobody counts any longer */
	check_converted(&g);
	tear_down(&g);
}

/* The thread leaves the CPU to others. */
static void test_priority(void)
{
	const int mine = getpriority(PRIO_PROCESS, 0);
	stage g;

	check_about("priority");
	reset_hooks();
	hooks.convert = 0;
	set_up(&g, TULLE_NORMAL, NULL);
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	CHECK_EQUAL(hooks.niceness, mine + 10 < 19 ? mine + 10 : 19);
	CHECK_EQUAL(getpriority(PRIO_PROCESS, 0), mine);
	CHECK_EQUAL(hooks.creates, 1); /* compared and converted by one thread */
	tear_down(&g);
}

/* csr is the best: the plan stays with it, and knows what it was compared with. */
static void test_stays(void)
{
	tulle_plan_info info;
	stage g;

	check_about("stays");
	reset_hooks();
	hooks.multiply = TICK;
	set_up(&g, TULLE_NORMAL, NULL);
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_for_phase(&g, TULLE_ONLINE_STAYED);
	info = info_of(&g);
	CHECK(!strcmp(info.format, "csr") && info.candidates > 0 && info.borrows_values);
	CHECK_WORDS(info.online_why, "no conversion would pay off");
	multiply_times(&g, CONVERTED_AT, BY_CSR);
	CHECK_EQUAL(hooks.creates, 1);
	update(&g, 1);
	multiply_by(&g, BY_CSR);
	check_explained(&g, "online stays with CSR; no conversion");
	tear_down(&g);
}

/* Every call that multiplies counts, by its vectors; those that fail do not. */
static void test_counts(void)
{
	double xy, *block;
	stage g;

	check_about("counts");
	reset_hooks();
	set_up(&g, TULLE_NORMAL, NULL);
	block = grab(8 * g.rows, sizeof *block);
	CHECK_OK(tulle_mul_dot_f64(g.plan, g.x, g.y, &xy, NULL));
	CHECK_OK(tulle_residual_f64(g.plan, g.x, g.x, g.y, &xy));
	CHECK_OK(tulle_mul_add_f64(g.plan, 1, g.x, 1, g.x, g.y));
	CHECK_OK(tulle_mul_many_f64(g.plan, 4, TULLE_ROW_MAJOR, 1, block, 4, 0, block + 4 * g.rows, 4));
	CHECK_STATUS(tulle_mul_f64(g.plan, 1, NULL, 0, g.y), TULLE_E_ARGUMENT);
	CHECK_EQUAL(info_of(&g).online_multiplies, 7);
	free(block);
	tear_down(&g);
}

/* ---- several vectors ---- */

enum { VECTORS = 4 };

/* Products of copies of x. sell gives each vector the bits of a single product. */
static void multiply_vectors(const stage *g, int times, int format)
{
	double *x = grab(g->cols * VECTORS, sizeof *x), *y = grab(g->rows * VECTORS, sizeof *y);

	for (int64_t k = 0; k < g->cols * VECTORS; k++)
		x[k] = g->x[k / VECTORS];
	for (int n = 0; n < times; n++) {
		CHECK_OK(
		    tulle_mul_many_f64(g->plan, VECTORS, TULLE_ROW_MAJOR, 1, x, VECTORS, 0, y, VECTORS));
		for (int64_t k = 0; format == BY_SELL && k < g->rows * VECTORS; k++)
			CHECK(y[k] == g->want[0][BY_SELL][k / VECTORS]);
	}
	free(x);
	free(y);
}

/* With options.vectors a multiplication is one of that many: predictions are for those, and so is the time that
 * they are compared with. Here csr takes half of what is predicted. */
static void test_vectors(void)
{
	const tulle_plan_options o = { .size = sizeof o, .vectors = VECTORS };
	const double threshold = (CONVERTED_AT - .5) * TICK / 2;
	stage g;

	check_about("vectors");
	reset_hooks();
	hooks.csr = 2 * TICK;
	hooks.multiply = TICK;
	set_up(&g, TULLE_NORMAL, &o);
	multiply_vectors(&g, COMPARED_AT - 1, BY_CSR);
	CHECK_EQUAL(hooks.creates, 0);
	multiply_vectors(&g, 1, BY_CSR);
	wait_until_compared(&g);
	/* A call is timed in whole nanoseconds, 1e-5 of a TICK. */
	CHECK_THAT(fabs(info_of(&g).online_threshold - threshold) <= 2e-5 * threshold, "%g, not %g",
	           info_of(&g).online_threshold, threshold);
	multiply_vectors(&g, CONVERTED_AT / 2 - 1 - COMPARED_AT, BY_CSR);
	CHECK_EQUAL(hooks.creates, 1);
	while (hooks.creates < 2 && check_failures() == 0)
		multiply_vectors(&g, 1, BY_CSR);
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	multiply_vectors(&g, 1, BY_SELL);
	CHECK_EQUAL(info_of(&g).vectors, VECTORS);
	check_explained(&g, "with sell vectors 4 at once online converted; repaid vectors by CSR in");
	tear_down(&g);
}

/* ---- updates ---- */

/* Hold the thread at a line, update, and go on with new values until the end. */
static void test_update_at(const char *line, tulle_op op)
{
	int joins;
	stage g;

	check_about("update at \"%s\"", line);
	reset_hooks();
	set_up(&g, op, NULL);
	hooks.hold = line;
	multiply_until_held(&g);
	multiply_by(&g, BY_CSR);
	hooks.opens = 1;
	joins = hooks.joins;
	update(&g, 1);
	CHECK_EQUAL(hooks.joins, joins + 1); /* it has waited */
	hooks.opens = 0;
	hooks.hold = NULL;
	if (!strcmp(line, COMPARING))
		while (info_of(&g).online != TULLE_ONLINE_CONVERTING &&
		       info_of(&g).online != TULLE_ONLINE_CONVERTED && check_failures() == 0)
			multiply_by(&g, BY_CSR);
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	multiply_by(&g, BY_SELL);
	update(&g, 0);
	multiply_by(&g, BY_SELL);
	tear_down(&g);
}

static void test_update_between(tulle_op op)
{
	stage g;

	check_about("update between jobs");
	reset_hooks();
	set_up(&g, op, NULL);
	update(&g, 1); /* before anything was counted */
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_until_compared(&g);
	update(&g, 0); /* before the conversion */
	multiply_by(&g, BY_CSR);
	update(&g, 1);
	hooks.hold = CONVERTED;
	multiply_until_held(&g);
	let_go();
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	multiply_by(&g, BY_SELL);
	tear_down(&g);
}

/* ---- destroy ---- */

static void test_destroy_at(const char *line, tulle_op op)
{
	int joins;
	stage g;

	check_about("destroy at \"%s\"", line);
	reset_hooks();
	set_up(&g, op, NULL);
	hooks.hold = line;
	multiply_until_held(&g);
	hooks.opens = 1;
	joins = hooks.joins;
	tulle_plan_destroy(g.plan);
	g.plan = NULL;
	if (!CHECK_EQUAL(hooks.joins, joins + 1)) /* it has not waited: the thread uses what is freed */
		exit(1);
	CHECK_EQUAL(hooks.lines, !strcmp(line, CONVERTED)); /* nothing was made that nobody wants */
	tear_down(&g);
}

/* ---- several callers ---- */

enum { CALLERS = 4, SELL_PRODUCTS = 20 };

/* Each call has the bits of one of the two; after the first by sell none is by csr. */
static void *multiply_on(void *arg)
{
	const stage *g = arg;
	const size_t bytes = (size_t)g->rows * sizeof *g->y;
	double *y = grab(g->rows, sizeof *y);

	for (int after = 0; after < SELL_PRODUCTS && check_failures() == 0;) {
		tulle_plan_info info = { .size = sizeof info };

		CHECK_OK(tulle_plan_describe(g->plan, &info));
		CHECK_OK(tulle_mul_f64(g->plan, 1, g->x, 0, y));
		after += info.online == TULLE_ONLINE_CONVERTED;
		CHECK(after > 0 ? !memcmp(y, g->want[0][BY_SELL], bytes)
		                : !memcmp(y, g->want[0][BY_CSR], bytes) ||
		                      !memcmp(y, g->want[0][BY_SELL], bytes));
	}
	free(y);
	return NULL;
}

static void test_callers(void)
{
	pthread_t caller[CALLERS];
	stage g;

	check_about("callers");
	reset_hooks();
	set_up(&g, TULLE_NORMAL, NULL);
	for (int n = 0; n < CALLERS; n++)
		CHECK_EQUAL(pthread_create(&caller[n], NULL, multiply_on, &g), 0);
	for (int n = 0; n < CALLERS; n++)
		pthread_join(caller[n], NULL);
	/* One job, if enough products were made while it compared; else two. */
	CHECK(hooks.creates == CALLERS + 1 || hooks.creates == CALLERS + 2);
	check_converted(&g);
	tear_down(&g);
}

int main(void)
{
	static const char *const lines[] = { COMPARING, CONVERTING, CONVERTED };

	alarm(SECONDS); /* what waits for ever fails */
	for (int n = 0; n < 2; n++)
		test_phases(ops[n]);
	test_priority();
	test_stays();
	test_counts();
	check_group("phases");
	test_vectors();
	check_group("several vectors");
	for (int n = 0; n < 2; n++) {
		for (int l = 0; l < 3; l++)
			test_update_at(lines[l], ops[n]);
		test_update_between(ops[n]);
	}
	check_group("updates");
	test_halves();
	check_group("updates of 16-bit values");
	for (int n = 0; n < 2; n++)
		for (int l = 0; l < 3; l++)
			test_destroy_at(lines[l], ops[n]);
	check_group("destroyed during a conversion");
	for (int n = 0; n < 10; n++)
		test_callers();
	check_group("several callers");
	test_no_memory();
	test_memory_limits();
	check_group("no memory");
	test_no_thread();
	check_group("no thread");
	test_options();
	check_group("options");
	test_fork();
	check_group("fork");
	return check_end();
}
