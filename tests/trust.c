/* trust.c -- a plan that measures: which times it uses, which it stores, and which stored ones it believes. */
#include "inner.h"
#include "made_up_times.h"
#include "planner/wisdom.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64]; /* of the wisdom file */

/* ---- a matrix whose rows are all alike: several formats are likely for it ---- */

enum { ROWS = 9000, LENGTH = 9 }; /* more nonzeros than one part has */

static struct {
	tulle_context *context;
	tulle_matrix *a;
	int32_t row_ptr[ROWS + 1], col[ROWS * LENGTH];
	double val[ROWS * LENGTH];
} subject;

static void set_up(int threads)
{
	for (int i = 0; i < ROWS; i++) {
		subject.row_ptr[i + 1] = (i + 1) * LENGTH;
		for (int e = 0; e < LENGTH; e++) {
			subject.col[i * LENGTH + e] = (i * 7 + e * 311) % ROWS;
			subject.val[i * LENGTH + e] = i + .1 * e;
		}
	}
	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .threads = threads,
	                                                        .serial_below = -1 },
	                              &subject.context));
	CHECK_OK(tulle_matrix_from_csr(subject.context, ROWS, ROWS, TULLE_I32, subject.row_ptr,
	                               TULLE_I32, subject.col, TULLE_F64, subject.val, NULL,
	                               &subject.a));
}

static void tear_down(void)
{
	tulle_matrix_destroy(subject.a);
	tulle_context_destroy(subject.context);
}

/* ---- multiplications on the calling thread alone, whatever the context has, or with one helper ---- */

enum { CALLERS_CPU, OTHER_CPU, NO_HELPER };

static int helpers_cpu = NO_HELPER;
static _Thread_local int cpu = CALLERS_CPU;

int my_cpu(void) __asm__("__wrap_sched_getcpu");

int my_cpu(void)
{
	return cpu;
}

/* The parts of one phase from `first` on, each `step`-th. */
typedef struct {
	tulle__work *work;
	const void *arg;
	int64_t first, step, parts;
} turns;

static void do_turns(const turns *t)
{
	for (int64_t part = t->first; part < t->parts; part += t->step)
		t->work(t->arg, part);
}

/* A multiplication with a helper lasts one second by this clock, in which the helper joins after `helpers_delay`. */
static double helpers_delay, skipped, run_begins;
static _Thread_local double delay;

double real_seconds(void) __asm__("__real_tulle__seconds");
double my_seconds(void) __asm__("__wrap_tulle__seconds");

double my_seconds(void)
{
	return (run_begins > 0 ? run_begins + delay : real_seconds()) + skipped;
}

static void *help(void *arg)
{
	cpu = helpers_cpu;
	delay = helpers_delay;
	do_turns(arg);
	return NULL;
}

static void with_helper(tulle__work *work, const void *arg, int64_t parts)
{
	const turns mine = { work, arg, 0, 2, parts };
	turns theirs = { work, arg, 1, 2, parts };
	pthread_t helper;

	do_turns(&mine); /* first: the helper is the last to join */
	CHECK_EQUAL(pthread_create(&helper, NULL, help, &theirs), 0);
	pthread_join(helper, NULL);
}

void my_run(tulle__env *env, const tulle__phases *phases, const void *arg,
            int64_t work) __asm__("__wrap_tulle__run");

void my_run(tulle__env *env, const tulle__phases *phases, const void *arg, int64_t work)
{
	(void)env;
	(void)work;
	if (helpers_cpu != NO_HELPER)
		run_begins = real_seconds();
	for (int p = 0; p < TULLE__PHASES && phases->work[p]; p++)
		if (helpers_cpu == NO_HELPER)
			do_turns(&(turns){ phases->work[p], arg, 0, 1, phases->parts[p] });
		else
			with_helper(phases->work[p], arg, phases->parts[p]);
	if (helpers_cpu != NO_HELPER) {
		run_begins = 0;
		skipped += 1;
	}
}

static tulle_plan *plan(tulle_effort effort)
{
	tulle_plan *p = NULL;

	CHECK_OK(tulle_plan_create(subject.a,
	                           &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                  .multiplies = 1e4,
	                                                  .effort = effort,
	                                                  .wisdom = path },
	                           &p));
	return p;
}

/* ---- what the file has ---- */

typedef struct {
	int records, search; /* of matrices */
	double csr, spread;  /* seconds of a multiplication with csr; 0: not stored */
} stored;

static void look(void *user, const tulle__wisdom_record *r)
{
	stored *s = user;

	if (r->matrix == 0)
		return; /* of the machine, which a quiet one lets the plan time */
	s->records++;
	s->search += !strcmp(r->name, "search");
	if (!strcmp(r->name, "csr")) {
		s->csr = r->number[1];
		s->spread = r->number[3];
	}
}

static stored read_wisdom(void)
{
	tulle__env env;
	stored s = { .records = 0 };

	inner_env(&env, TULLE__SCALAR);
	CHECK_OK(tulle__wisdom_walk(&env, path, look, &s));
	return s;
}

/* ---- a candidate ---- */

static tulle_candidate_info candidate(const tulle_plan *p, int n)
{
	tulle_candidate_info c = { .size = sizeof c };

	CHECK_OK(tulle_plan_candidate(p, n, &c));
	return c;
}

/* A time that is not trusted decides nothing: the plan is that of ESTIMATE, and nothing is stored. */
static void test_disturbed(void)
{
	tulle_plan *estimated = plan(TULLE_ESTIMATE), *p;
	tulle_plan_info want = { .size = sizeof want }, got = { .size = sizeof got };
	int doubts = 0;

	made_up_times.disturbed = 1;
	made_up_times.taken = 0;
	p = plan(TULLE_MEASURE);
	CHECK(made_up_times.taken > 0);
	made_up_times.disturbed = 0;
	CHECK_OK(tulle_plan_describe(estimated, &want));
	CHECK_OK(tulle_plan_describe(p, &got));
	CHECK_THAT(!strcmp(got.format, want.format), "%s, but ESTIMATE takes %s", got.format,
	           want.format);
	CHECK_EQUAL(got.measured, 0);
	CHECK_WORDS(got.why, "disturbed");
	for (int n = 0; n < got.candidates; n++) {
		const tulle_candidate_info c = candidate(p, n);

		doubts += c.doubt != NULL;
		CHECK_THAT(!(c.measured_multiply > 0), "%s: an untrusted time is used", c.format);
		CHECK_THAT(!(c.spread > 0), "%s: spread %g", c.format, c.spread);
	}
	CHECK(doubts > 0);
	CHECK_THAT(read_wisdom().records == 0, "%d untrusted records are stored",
	           read_wisdom().records);
	tulle_plan_destroy(estimated);
	tulle_plan_destroy(p);
	check_group("disturbed");
}

/* On a machine far slower than predicted: the prediction of csr, whose time is not trusted, is set right by the
 * time of another format. Else it would win over it. */
static void test_first_disturbed(void)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *p;
	double measured = 0;

	unlink(path);
	made_up_times.bandwidth /= 1000;
	made_up_times.taken = 0;
	made_up_times.quiet_from = 1;
	p = plan(TULLE_MEASURE);
	made_up_times.quiet_from = 0;
	made_up_times.bandwidth *= 1000;
	CHECK_OK(tulle_plan_describe(p, &info));
	CHECK(candidate(p, 0).doubt != NULL);
	for (int n = 1; n < info.candidates; n++)
		measured = fmax(measured, candidate(p, n).measured_multiply);
	CHECK(measured > 0);
	CHECK_THAT(candidate(p, 0).multiply_seconds > measured / 2, "csr %g s, beside %g s measured",
	           candidate(p, 0).multiply_seconds, measured);
	CHECK_EQUAL(read_wisdom().search, 0);
	tulle_plan_destroy(p);
	check_group("only csr disturbed");
}

/* A multiplication that the caller does alone, where it has a team, says so. */
static void test_missing_helpers(void)
{
	unlink(path);
	for (int team = 2; team >= 1; team--) {
		tear_down();
		set_up(team);
		made_up_times.taken = made_up_times.incomplete = 0;
		made_up_times.disturbed =
		    1; /* so that nothing is stored, and the second plan measures too */
		tulle_plan_destroy(plan(TULLE_MEASURE));
		CHECK(made_up_times.taken > 0);
		CHECK_THAT(made_up_times.incomplete == (team > 1 ? made_up_times.taken : 0),
		           "team of %d: %d of %d multiplications miss threads", team,
		           made_up_times.incomplete, made_up_times.taken);
	}
	made_up_times.disturbed = 0;
	check_group("helpers missing");
}

/* So does one whose threads take turns on one CPU. */
static void test_shared_cpu(void)
{
	tear_down();
	set_up(2);
	made_up_times.disturbed = 1;
	for (helpers_cpu = CALLERS_CPU; helpers_cpu < NO_HELPER; helpers_cpu++) {
		made_up_times.taken = made_up_times.incomplete = 0;
		tulle_plan_destroy(plan(TULLE_MEASURE));
		CHECK(made_up_times.taken > 0);
		CHECK_THAT(made_up_times.incomplete ==
		               (helpers_cpu == CALLERS_CPU ? made_up_times.taken : 0),
		           "CPU %d beside %d: %d of %d multiplications share it", helpers_cpu, CALLERS_CPU,
		           made_up_times.incomplete, made_up_times.taken);
	}
	made_up_times.disturbed = 0;
	tear_down();
	set_up(1);
	check_group("one CPU for two threads");
}

/* And one whose helper joins late, and still does its share of the parts. */
static void test_late_helper(void)
{
	tear_down();
	set_up(2);
	made_up_times.disturbed = 1;
	helpers_cpu = OTHER_CPU;
	for (int late = 0; late < 2; late++) {
		helpers_delay = late ? .2 : .1;
		made_up_times.taken = made_up_times.incomplete = 0;
		tulle_plan_destroy(plan(TULLE_MEASURE));
		CHECK(made_up_times.taken > 0);
		CHECK_THAT(made_up_times.incomplete == (late ? made_up_times.taken : 0),
		           "a helper after %g of the time: %d of %d multiplications wait for it",
		           helpers_delay, made_up_times.incomplete, made_up_times.taken);
	}
	made_up_times.disturbed = 0;
	helpers_delay = 0;
	helpers_cpu = NO_HELPER;
	tear_down();
	set_up(1);
	check_group("a late helper");
}

/* After that a quiet MEASURE finds out what it wants, and stores it with its spread. */
static void test_stored(void)
{
	tulle_plan *p = plan(TULLE_MEASURE);
	const tulle_candidate_info csr = candidate(p, 0);
	stored s = read_wisdom();

	CHECK(csr.measured_multiply > 0 && !csr.doubt && csr.spread >= 1);
	CHECK_THAT(s.csr == csr.measured_multiply, "stored %g, measured %g", s.csr,
	           csr.measured_multiply);
	CHECK(s.spread >= 1);
	CHECK_EQUAL(s.search, 1);
	tulle_plan_destroy(p);
	check_group("stored");
}

/* A second MEASURE only tries the winner once more; ESTIMATE times nothing. */
static void test_confirmed(void)
{
	const stored before = read_wisdom();

	made_up_times.taken = 0;
	tulle_plan_destroy(plan(TULLE_ESTIMATE));
	CHECK_EQUAL(made_up_times.taken, 0);
	made_up_times.bandwidth *= 1.3; /* within what machines differ from day to day */
	tulle_plan_destroy(plan(TULLE_MEASURE));
	CHECK_EQUAL(made_up_times.taken, 1);
	CHECK_EQUAL(read_wisdom().records, before.records);
	CHECK(read_wisdom().csr == before.csr);
	made_up_times.bandwidth /= 1.3;
	check_group("confirmed");
}

/* Times that were 30 times too large, or too small, are replaced, all of them; but not by disturbed ones. */
static void test_contradicted(double factor)
{
	const stored before = read_wisdom();
	stored after;
	tulle_plan *p;

	check_about("%g times as fast as stored", factor);
	made_up_times.bandwidth *= factor;
	made_up_times.disturbed = 1;
	tulle_plan_destroy(plan(TULLE_MEASURE));
	CHECK_THAT(read_wisdom().csr == before.csr, "a disturbed time replaces a stored one");
	made_up_times.disturbed = 0;
	tulle_plan_destroy(plan(TULLE_ESTIMATE));
	CHECK_THAT(read_wisdom().csr == before.csr, "ESTIMATE writes");
	made_up_times.taken = 0;
	p = plan(TULLE_MEASURE);
	CHECK_THAT(made_up_times.taken > 1, "no new search");
	after = read_wisdom();
	CHECK_THAT(after.csr == candidate(p, 0).measured_multiply, "stored %g, measured %g", after.csr,
	           candidate(p, 0).measured_multiply);
	CHECK(after.csr != before.csr);
	CHECK_EQUAL(after.search, 1);
	tulle_plan_destroy(p);
	made_up_times.taken = 0;
	tulle_plan_destroy(plan(TULLE_MEASURE));
	CHECK_EQUAL(made_up_times.taken, 1);
	check_group("contradicted");
}

/* ---- a file of a release that believed any time ---- */

typedef struct {
	tulle__wisdom_record record[TULLE__WISDOM_NUMBERS];
	int count;
} old_file;

/* Its records had no spread. */
static void make_old(void *user, const tulle__wisdom_record *r)
{
	old_file *old = user;
	const int search = !strcmp(r->name, "search");
	tulle__wisdom_record *to;

	if (r->matrix == 0)
		return; /* of the machine, see look() */
	to = &old->record[old->count++];
	*to = *r;
	to->version = search ? 1 : r->version;
	to->count = search ? 1 : 3;
}

static void test_old_records(void)
{
	old_file old = { .count = 0 };
	tulle__env env;
	tulle_plan *p;

	inner_env(&env, TULLE__SCALAR);
	CHECK_OK(tulle__wisdom_walk(&env, path, make_old, &old));
	CHECK(old.count > 1);
	unlink(path);
	tulle__wisdom_add(&env, path, old.record, old.count);
	CHECK_EQUAL(read_wisdom().records, old.count);
	p = plan(TULLE_ESTIMATE);
	CHECK_THAT(!(candidate(p, 0).measured_multiply > 0), "a time without a spread is believed");
	tulle_plan_destroy(p);
	made_up_times.taken = 0;
	tulle_plan_destroy(plan(TULLE_MEASURE));
	CHECK_THAT(made_up_times.taken > 1, "an old search is believed");
	CHECK(read_wisdom().spread >= 1);
	check_group("old records");
}

/* ---- the public calls ---- */

static void count_times(void *user, const tulle_wisdom_info *info)
{
	int *const times = user;

	CHECK_EQUAL(info->size, sizeof *info);
	CHECK_EQUAL(info->used, info->multiply_seconds > 0);
	CHECK(strlen(info->matrix) == 16 && strlen(info->machine) == 16 && *info->name);
	CHECK(!info->used || (info->spread >= 1 && info->convert_seconds >= 0));
	*times += info->used;
}

static void test_public(void)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *p = plan(TULLE_MEASURE);
	int64_t forgotten = 0;
	int times = 0;

	CHECK_OK(tulle_plan_describe(p, &info));
	CHECK_EQUAL(strlen(info.wisdom_key), 16);
	CHECK_OK(tulle_wisdom_list(NULL, path, count_times, &times));
	CHECK(times > 1);
	CHECK_STATUS(tulle_wisdom_list(NULL, NULL, count_times, &times), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_wisdom_list(NULL, path, NULL, NULL), TULLE_E_ARGUMENT);
	forgotten = 7;
	CHECK_STATUS(tulle_wisdom_forget(NULL, "", NULL, &forgotten), TULLE_E_ARGUMENT);
	CHECK_EQUAL(forgotten, 7);
	CHECK_STATUS(tulle_wisdom_forget(NULL, path, "0123456789abcde", NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_wisdom_forget(NULL, path, "0123456789abcdefg", NULL), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "0123456789abcdefg 16 digits");
	CHECK_OK(tulle_wisdom_forget(NULL, path, "0123456789abcdef", &forgotten));
	CHECK_EQUAL(forgotten, 0);
	CHECK_OK(tulle_wisdom_forget(NULL, path, info.wisdom_key, &forgotten));
	CHECK(forgotten > times); /* the record of the search as well */
	times = 0;
	CHECK_OK(tulle_wisdom_list(NULL, path, count_times, &times));
	CHECK_EQUAL(times, 0);
	tulle_plan_destroy(p);
	CHECK_OK(tulle_plan_create(subject.a, NULL, &p));
	CHECK_OK(tulle_plan_describe(p, &info));
	CHECK_THAT(!*info.wisdom_key, "%s, without a file", info.wisdom_key);
	tulle_plan_destroy(p);
	check_group("public calls");
}

int main(void)
{
	char folder[] = "/tmp/tulle-trust-XXXXXX";

	if (!CHECK(mkdtemp(folder) != NULL))
		return check_end();
	snprintf(path, sizeof path, "%s/wisdom", folder);
	set_up(1);
	test_disturbed();
	test_first_disturbed();
	test_missing_helpers();
	test_shared_cpu();
	test_late_helper();
	test_stored();
	test_confirmed();
	test_contradicted(30);
	test_contradicted(1. / 30);
	test_old_records();
	test_public();
	tear_down();
	unlink(path);
	rmdir(folder);
	return check_end();
}
