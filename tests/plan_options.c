/* plan_options.c -- every mix of plan options by ESTIMATE and by MEASURE: both give a plan or refuse
 * alike, for a reason that the caller's options explain, and csr is what all formats compare with. */
#include "kit.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices ---- */

typedef struct {
	const char *spec;
	double value; /* of one entry that no sample meets; 0: as generated */
	const char *name;
} subject;

static const subject subjects[] = {
	{ "stencil27:n=10,values=varying", 0, "stencil" },
	{ "fem:n=8,b=3", 0, "symmetric" },
	{ "fem:n=8,b=3", 0.125, "one value away from symmetric" },
	{ "random:rows=900,cols=700,mean=7", 0, "floats hold its values" },
	{ "random:rows=900,cols=700,mean=7", 1e300, "a value too large for a float" },
	{ "random:rows=900,cols=700,mean=7", 1e-300, "a value too small for a float" },
	{ "rmat:scale=9,order=shuffled", 0, "ones" },
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static kit_matrix make_subject(const subject *s)
{
	kit_matrix m;

	if (kit_generate(s->spec, &m) != 0) {
		CHECK_THAT(0, "%s", kit_error());
		exit(check_end());
	}
	if (s->value != 0)
		m.val[m.row_ptr[77] + 1] = s->value;
	return m;
}

/* ---- a plan and what it says ---- */

typedef struct {
	tulle_status status;
	char sentence[512];
	tulle_plan *plan;
} answer;

static answer ask(const tulle_matrix *a, tulle_plan_options o, tulle_effort effort)
{
	answer out = { .plan = NULL };

	o.effort = effort;
	out.status = tulle_plan_create(a, &o, &out.plan);
	if (out.status != TULLE_OK)
		snprintf(out.sentence, sizeof out.sentence, "%s", tulle_last_error());
	return out;
}

/* No text blames an option that the caller has not set. */
static void check_blame(const tulle_plan_options *o, const char *who, const char *text)
{
	CHECK_THAT(o->max_bytes > 0 || !strstr(text, "max_bytes"), "%s: \"%s\"", who, text);
	CHECK_THAT(o->lossy || !strstr(text, "lossy"), "%s: \"%s\"", who, text);
	CHECK_THAT(o->reproducible == 2 || !strstr(text, "reproducible"), "%s: \"%s\"", who, text);
}

static double best_known(double measured, double predicted)
{
	return measured > 0 ? measured : predicted;
}

/* From how many multiplications on c costs less than csr. */
static double break_even(const tulle_candidate_info *c, const tulle_candidate_info *csr)
{
	const double gain = best_known(csr->measured_multiply, csr->multiply_seconds) -
	                    best_known(c->measured_multiply, c->multiply_seconds);
	const double extra = best_known(c->measured_convert, c->convert_seconds) -
	                     best_known(csr->measured_convert, csr->convert_seconds);

	return extra <= 0 ? 0 : gain > 0 ? extra / gain : INFINITY;
}

static void check_candidates(const tulle_plan *plan, const tulle_plan_options *o)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_candidate_info csr = { .size = sizeof csr };
	const char *told;
	int inside = 0;

	CHECK_OK(tulle_plan_describe(plan, &info));
	if (info.candidates == 0)
		return;
	CHECK_OK(tulle_plan_candidate(plan, 0, &csr));
	CHECK_THAT(!strcmp(csr.format, "csr"), "%s is the first candidate", csr.format);
	CHECK_THAT(csr.multiply_seconds > 0, "csr takes no time");
	for (int n = 0; n < info.candidates; n++) {
		tulle_candidate_info c = { .size = sizeof c };
		double want;

		CHECK_OK(tulle_plan_candidate(plan, n, &c));
		CHECK_THAT(*c.because != 0, "%s says nothing", c.format);
		inside += !c.out;
		if (c.out)
			check_blame(o, c.format, c.because);
		want = n == 0 ? 0 : break_even(&c, &csr);
		CHECK_THAT(c.out || c.break_even == want || fabs(c.break_even - want) <= 1 + 1e-9 * want,
		           "%s breaks even at %g, not at %g", c.format, c.break_even, want);
	}
	told = strstr(info.why, "least total time of ");
	CHECK_THAT((told ? atoi(told + strlen("least total time of ")) : 1) == inside,
	           "of %d formats: \"%s\"", inside, info.why);
}

/* ---- the mixes ---- */

static long plans, refusals;

static void compare(const tulle_matrix *a, const tulle_plan_options *o)
{
	answer by[] = { ask(a, *o, TULLE_ESTIMATE), ask(a, *o, TULLE_MEASURE) };

	CHECK_THAT(by[0].status == by[1].status, "ESTIMATE %s (%s), MEASURE %s (%s)",
	           tulle_status_name(by[0].status), by[0].sentence, tulle_status_name(by[1].status),
	           by[1].sentence);
	CHECK_THAT(!strcmp(by[0].sentence, by[1].sentence), "ESTIMATE: \"%s\", MEASURE: \"%s\"",
	           by[0].sentence, by[1].sentence);
	for (int effort = 0; effort < 2; effort++) {
		plans++;
		refusals += by[effort].status != TULLE_OK;
		if (by[effort].status == TULLE_OK)
			check_candidates(by[effort].plan, o);
		else
			check_blame(o, tulle_status_name(by[effort].status), by[effort].sentence);
		tulle_plan_destroy(by[effort].plan);
	}
}

static void compare_all(const tulle_matrix *a, const char *name)
{
	static const char *const formats[] = { NULL, "csr", "sell", "sym" };
	static const size_t limits[] = { 0, 1, (size_t)1 << 40 };
	static const double counts[] = { 5, 500 };

	for (int mix = 0; mix < 4 * 3 * 2 * 3 * 2 * 3; mix++) {
		const tulle_plan_options o = { .size = sizeof o,
			                           .format = formats[mix % 4],
			                           .max_bytes = limits[mix / 4 % 3],
			                           .multiplies = counts[mix / 12 % 2],
			                           .reproducible = mix / 24 % 3,
			                           .lossy = mix / 72 % 2,
			                           .op = (tulle_op)(mix / 144) };

		check_about("%s: %s, max_bytes %zu, %g multiplications, reproducible %d, lossy %d, op %d",
		            name, o.format ? o.format : "automatic", o.max_bytes, o.multiplies,
		            o.reproducible, o.lossy, (int)o.op);
		compare(a, &o);
	}
}

int main(void)
{
	for (int n = 0; n < SUBJECTS; n++) {
		kit_matrix m = make_subject(&subjects[n]);
		const tulle_csr_view v = kit_view(&m);
		tulle_context *context;
		tulle_matrix *a;

		CHECK_OK(tulle_context_create(NULL, &context));
		CHECK_OK(tulle_matrix_from_csr(context, v.rows, v.cols, v.offset_type, v.row_ptr,
		                               v.column_type, v.col, v.value_type, v.val, NULL, &a));
		compare_all(a, subjects[n].name);
		tulle_matrix_destroy(a);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
		kit_free(&m);
		check_group("%s", subjects[n].name);
	}
	printf("%ld plans, %ld refused\n", plans, refusals);
	CHECK(plans > 0 && refusals > 0);
	return check_end();
}
