/* planner.c -- what a plan chooses by itself: within its limits, told truly, and right whatever it is. */
#include "kit.h"
#include "support.h"

#include "core/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a context that hears what is logged ---- */

typedef struct {
	int measured;   /* lines that tell of a measurement */
	int complaints; /* warnings */
	char last[256]; /* the latest warning */
} ear;

static void hear(void *user, tulle_log_level level, const char *line)
{
	ear *e = user;

	e->measured += !strncmp(line, "measured ", 9);
	if (level == TULLE_LOG_WARNING) {
		e->complaints++;
		snprintf(e->last, sizeof e->last, "%s", line);
	}
}

typedef struct {
	kit_matrix m;
	tulle_context *context;
	tulle_matrix *a;
	ear ear;
	double *x, *y;
	kit_oracle *oracle;
} subject;

static void set_up(subject *s, const char *spec, int threads, size_t memory_limit)
{
	tulle_context_options o = { .size = sizeof o,
		                        .threads = threads,
		                        .memory_limit = memory_limit,
		                        .log = hear,
		                        .user = &s->ear };
	tulle_csr_view v;

	memset(s, 0, sizeof *s);
	check_about("%s", spec);
	CHECK_THAT(kit_generate(spec, &s->m) == 0, "%s", kit_error());
	v = kit_view(&s->m);
	CHECK_OK(tulle_context_create(&o, &s->context));
	CHECK_OK(tulle_matrix_from_csr(s->context, v.rows, v.cols, v.offset_type, v.row_ptr,
	                               v.column_type, v.col, v.value_type, v.val, NULL, &s->a));
	s->x = grab(v.cols, sizeof *s->x);
	s->y = grab(v.rows, sizeof *s->y);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, v.cols, s->x);
	s->oracle = kit_oracle_create(&v, TULLE_NORMAL, 1, s->x, 0, NULL);
}

static void tear_down(subject *s)
{
	tulle_context_info info = { .size = sizeof info };

	tulle_matrix_destroy(s->a);
	CHECK_OK(tulle_context_describe(s->context, &info));
	CHECK_EQUAL(info.blocks_held, 0);
	tulle_context_destroy(s->context);
	kit_oracle_free(s->oracle);
	kit_free(&s->m);
	free(s->x);
	free(s->y);
}

/* A plan that multiplies right; its figures in *info. */
static tulle_plan *plan(subject *s, tulle_plan_options o, tulle_plan_info *info)
{
	tulle_plan *p = NULL;
	kit_verdict v;

	o.size = sizeof o;
	*info = (tulle_plan_info){ .size = sizeof *info, .format = "" };
	if (!CHECK_OK(tulle_plan_create(s->a, &o, &p)))
		return NULL;
	CHECK_OK(tulle_plan_describe(p, info));
	CHECK_OK(tulle_mul_f64(p, 1, s->x, 0, s->y));
	v = kit_oracle_check(s->oracle, s->y);
	CHECK_THAT(v.violations == 0, "%s: row %lld is %g of its bound off", info->format,
	           (long long)v.worst_row, v.worst);
	return p;
}

static const char *format_of(subject *s, tulle_plan_options o)
{
	tulle_plan_info info;

	tulle_plan_destroy(plan(s, o, &info));
	return info.format;
}

static const char *const kinds[] = { "stencil5:n=150,values=constant",
	                                 "stencil27:n=20,values=varying",
	                                 "random:rows=20000,cols=20000,mean=6",
	                                 "rmat:scale=13,order=shuffled",
	                                 "circuit:rows=20000",
	                                 "lp:rows=50,cols=20000,mean=2000",
	                                 "random:rows=300,cols=300,mean=5",
	                                 "stencil5:n=2" };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- few multiplications: the arrays as they are, nothing looked at ---- */

static void test_few(void)
{
	for (int n = 0; n < KINDS; n++)
		for (int multiplies = 1; multiplies < 20; multiplies += 6) {
			subject s;
			tulle_plan_info info;

			set_up(&s, kinds[n], 2, 0);
			tulle_plan_destroy(plan(&s, (tulle_plan_options){ .multiplies = multiplies }, &info));
			CHECK_THAT(!strcmp(info.format, "csr"), "%d multiplications by %s", multiplies,
			           info.format);
			CHECK(info.borrows_values);
			CHECK_EQUAL(info.candidates, 0);
			tear_down(&s);
		}
	check_group("few multiplications");
}

/* ---- what is told of the candidates is consistent ---- */

static void check_candidates(const tulle_plan *p, const tulle_plan_info *info)
{
	int chosen = 0;
	double least = INFINITY, total = INFINITY;

	CHECK(info->candidates > 1 && info->multiply_seconds > 0 && info->read_bandwidth > 0);
	for (int n = 0; n < info->candidates; n++) {
		tulle_candidate_info c = { .size = sizeof c };

		CHECK_OK(tulle_plan_candidate(p, n, &c));
		CHECK_THAT(*c.because, "%s says nothing", c.format);
		if (!c.out) {
			const double mul = c.measured_multiply > 0 ? c.measured_multiply : c.multiply_seconds;
			const double conv = c.measured_convert > 0 ? c.measured_convert : c.convert_seconds;

			CHECK_THAT(c.bytes > 0 || info->nnz == 0, "%s reads %g bytes", c.format, c.bytes);
			CHECK_THAT(fabs(c.total_seconds - (conv + info->multiplies * mul)) <=
			               1e-9 * c.total_seconds,
			           "%s: total %g", c.format, c.total_seconds);
			if (!info->measured || c.measured_multiply > 0)
				least = fmin(least, c.total_seconds);
		}
		if (c.chosen) {
			CHECK_THAT(!strcmp(c.format, info->format) && !c.out, "%s is chosen, %s runs", c.format,
			           info->format);
			total = c.total_seconds;
			chosen++;
		}
	}
	CHECK_EQUAL(chosen, 1);
	/* The least, or within a tenth of it where that was measured. */
	CHECK_THAT(total <= (info->measured ? 1.1 : 1) * least * (1 + 1e-12), "%g s, but %g is there",
	           total, least);
	CHECK_STATUS(tulle_plan_candidate(p, info->candidates, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_candidate(p, -1, NULL), TULLE_E_ARGUMENT);
}

static void test_candidates(void)
{
	for (int n = 0; n < KINDS; n++)
		for (int effort = TULLE_ESTIMATE; effort <= TULLE_MEASURE; effort++) {
			subject s;
			tulle_plan_info info;
			tulle_plan *p;

			set_up(&s, kinds[n], 2, 0);
			p = plan(&s, (tulle_plan_options){ .multiplies = 500, .effort = (tulle_effort)effort },
			         &info);
			if (p)
				check_candidates(p, &info);
			CHECK_EQUAL(info.measured, effort == TULLE_MEASURE);
			tulle_plan_destroy(p);
			tear_down(&s);
		}
	check_group("candidates");
}

/* ---- limits ---- */

static void test_limits(void)
{
	subject s;
	tulle_plan_info info;
	tulle_plan *p;

	set_up(&s, "stencil5:n=150,values=constant", 2, 0);
	CHECK(strcmp(format_of(&s, (tulle_plan_options){ .multiplies = 1e6 }), "csr") != 0);
	CHECK_THAT(
	    !strcmp(format_of(&s, (tulle_plan_options){ .multiplies = 1e6, .max_bytes = 1 }), "csr"),
	    "max_bytes is not kept");
	CHECK_STATUS(tulle_plan_create(s.a,
	                               &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                      .multiplies = 1e6,
	                                                      .lossy = 1,
	                                                      .max_bytes = 1 },
	                               &p),
	             TULLE_E_LIMIT);
	CHECK_THAT(strstr(tulle_last_error(), "max_bytes"), "\"%s\"", tulle_last_error());
	tear_down(&s);

	/* No memory for a conversion: csr needs none. */
	set_up(&s, "random:rows=20000,cols=20000,mean=6", 2, 400000);
	CHECK(!strcmp(format_of(&s, (tulle_plan_options){ .multiplies = 1e6 }), "csr"));
	tear_down(&s);

	/* Nor for the analysis of the matrix or for trials. */
	for (size_t limit = 20000; limit <= 320000; limit *= 2) {
		set_up(&s, "random:rows=20000,cols=20000,mean=6", 2, limit);
		check_about("a limit of %zu bytes", limit);
		CHECK(!strcmp(
		    format_of(&s, (tulle_plan_options){ .multiplies = 1e6, .effort = TULLE_MEASURE }),
		    "csr"));
		tear_down(&s);
	}

	/* A search that may take no time still ends with a plan. */
	set_up(&s, "rmat:scale=13,order=shuffled", 2, 0);
	tulle_plan_destroy(plan(
	    &s, (tulle_plan_options){ .multiplies = 1e6, .effort = TULLE_MEASURE, .max_seconds = 1e-9 },
	    &info));
	tear_down(&s);
	check_group("limits");
}

/* ---- promises about bits ---- */

static void test_reproducible(void)
{
	for (int n = 0; n < KINDS; n++) {
		subject one, three;
		const tulle_plan_options fixed = { .multiplies = 300,
			                               .reproducible = 1,
			                               .effort = TULLE_MEASURE };
		tulle_plan_info info;

		set_up(&one, kinds[n], 1, 0);
		set_up(&three, kinds[n], 3, 0);
		CHECK(!strcmp(format_of(&one, fixed), format_of(&three, fixed)));
		CHECK_EQUAL(one.ear.measured + three.ear.measured, 0);
		if (tulle__isa_fused(tulle__isa_best())) {
			tulle_plan_destroy(
			    plan(&one, (tulle_plan_options){ .multiplies = 5, .reproducible = 2 }, &info));
			CHECK_THAT(!strcmp(info.format, "sell"), "%s does not sum in order", info.format);
		}
		tear_down(&one);
		tear_down(&three);
	}
	check_group("reproducible choices");
}

/* ---- a matrix that looks symmetric and is not ---- */

static void test_deceived(void)
{
	subject s;
	tulle_csr_view view;
	tulle_plan_info info;

	set_up(&s, "fem:n=24,b=3", 2, 0);
	tulle_plan_destroy(
	    plan(&s, (tulle_plan_options){ .multiplies = 1e6, .reproducible = 1 }, &info));
	CHECK_THAT(!strcmp(info.format, "sym"), "half of it would do, but %s is chosen", info.format);
	/* One value that no sample meets: sym has to refuse, and another format to step in. */
	s.m.val[s.m.row_ptr[77] + 1] *= 1.5;
	kit_oracle_free(s.oracle);
	view = kit_view(&s.m);
	s.oracle = kit_oracle_create(&view, TULLE_NORMAL, 1, s.x, 0, NULL);
	tulle_plan_destroy(
	    plan(&s, (tulle_plan_options){ .multiplies = 1e6, .reproducible = 1 }, &info));
	CHECK_THAT(strcmp(info.format, "sym") != 0, "sym took a matrix that is not symmetric");
	tulle_plan_destroy(
	    plan(&s, (tulle_plan_options){ .multiplies = 1e6, .effort = TULLE_MEASURE }, &info));
	CHECK_THAT(strcmp(info.format, "sym") != 0, "sym took a matrix that is not symmetric");
	tear_down(&s);
	check_group("deceived by a sample");
}

/* ---- wisdom ---- */

static void test_wisdom(void)
{
	char folder[] = "/tmp/tulle-planner-XXXXXX", path[64];

	if (!CHECK(mkdtemp(folder) != NULL))
		return;
	snprintf(path, sizeof path, "%s/wisdom", folder);
	for (int n = 0; n < KINDS; n++) {
		const tulle_plan_options o = { .multiplies = 500, .effort = TULLE_MEASURE, .wisdom = path };
		subject s;
		char first[16];

		set_up(&s, kinds[n], 2, 0);
		snprintf(first, sizeof first, "%s", format_of(&s, o));
		CHECK_THAT(s.ear.measured > 0, "nothing was measured");
		for (int again = 0; again < 3; again++) {
			s.ear.measured = 0;
			CHECK_THAT(!strcmp(format_of(&s, o), first), "first %s, then another", first);
			CHECK_THAT(s.ear.measured == 0, "measured again");
		}
		CHECK_EQUAL(s.ear.complaints, 0);
		tear_down(&s);
	}
	unlink(path);

	/* Wisdom that cannot be had is a line in the log, never an error. */
	for (int bad = 0; bad < 3; bad++) {
		static const char *const paths[] = { "/", "/nowhere/at/all", "/dev/full" };
		subject s;

		set_up(&s, "random:rows=20000,cols=20000,mean=6", 2, 0);
		format_of(&s, (tulle_plan_options){
		                  .multiplies = 500, .effort = TULLE_MEASURE, .wisdom = paths[bad] });
		CHECK_THAT(s.ear.complaints > 0, "%s: no word about it", paths[bad]);
		tear_down(&s);
	}
	rmdir(folder);
	check_group("wisdom");
}

/* ---- the transposed ---- */

static void test_transposed(void)
{
	static const double counts[] = { 3, 15, 300 };

	for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
		subject s;
		tulle_plan_options o = { .size = sizeof o,
			                     .multiplies = counts[n],
			                     .op = TULLE_TRANSPOSED };
		tulle_plan *p;

		set_up(&s, "stencil27:n=12,values=varying", 2, 0);
		check_about("A^T, %g multiplications", counts[n]);
		if (CHECK_OK(tulle_plan_create(s.a, &o, &p))) {
			tulle_csr_view v = kit_view(&s.m);
			kit_oracle *t = kit_oracle_create(&v, TULLE_TRANSPOSED, 1, s.x, 0, NULL);

			CHECK_OK(tulle_mul_f64(p, 1, s.x, 0, s.y));
			CHECK_EQUAL(kit_oracle_check(t, s.y).violations, 0);
			kit_oracle_free(t);
			tulle_plan_destroy(p);
		}
		tear_down(&s);
	}
	check_group("transposed");
}

/* One format needs no conversion and can do everything that is asked of any. */
static void test_baseline(void)
{
	const tulle__format *f;
	int count = 0;

	for (int n = 0; (f = tulle__format_at(n)); n++)
		count += (f->flags & TULLE__BASELINE) != 0;
	CHECK_EQUAL(count, 1);
	f = tulle__baseline_format();
	CHECK((f->flags & TULLE__BASELINE) && (f->flags & TULLE__BORROWS) && f->estimator);
	check_group("the baseline");
}

int main(void)
{
	test_baseline();
	test_few();
	test_candidates();
	test_limits();
	test_reproducible();
	test_deceived();
	test_wisdom();
	test_transposed();
	return check_end();
}
