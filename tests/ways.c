/* ways.c -- plans for A^T: scattered from A, from A^T that is built, or from A that equals it. */
#include "kit.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char UNSYMMETRIC[] = "random:rows=2000,cols=1000,mean=100";
static const char SYMMETRIC[] = "fem:n=24,b=3";

static const double FEW = 20, MANY = 1e5; /* both enough for the matrix to be looked at */

typedef struct {
	kit_matrix m;
	tulle_context *context;
	tulle_matrix *a;
	double *x, *y;
} subject;

static int measured_lines;

static void hear(void *user, tulle_log_level level, const char *line)
{
	(void)user;
	CHECK_THAT(level != TULLE_LOG_WARNING, "%s", line);
	measured_lines += !strncmp(line, "measured ", 9);
}

static void set_up(subject *s, const char *spec, int threads)
{
	tulle_context_options o = { .size = sizeof o, .threads = threads, .log = hear };
	tulle_csr_view v;

	check_about("%s", spec);
	CHECK_THAT(kit_generate(spec, &s->m) == 0, "%s", kit_error());
	v = kit_view(&s->m);
	CHECK_OK(tulle_context_create(&o, &s->context));
	CHECK_OK(tulle_matrix_from_csr(s->context, v.rows, v.cols, v.offset_type, v.row_ptr,
	                               v.column_type, v.col, v.value_type, v.val, NULL, &s->a));
	s->x = grab(v.rows, sizeof *s->x);
	s->y = grab(v.cols, sizeof *s->y);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, v.rows, s->x);
}

static void tear_down(subject *s)
{
	tulle_context_info info = { .size = sizeof info };

	tulle_matrix_destroy(s->a);
	CHECK_OK(tulle_context_describe(s->context, &info));
	CHECK_EQUAL(info.blocks_held, 0);
	tulle_context_destroy(s->context);
	kit_free(&s->m);
	free(s->x);
	free(s->y);
}

/* y = A^T x with values `val` in the pattern of the subject. */
static void check_product(subject *s, const tulle_plan *p, const double *val)
{
	tulle_csr_view v = kit_view(&s->m);
	kit_oracle *oracle;

	v.val = val;
	oracle = kit_oracle_create(&v, TULLE_TRANSPOSED, 1, s->x, 0, NULL);
	CHECK_OK(tulle_mul_f64(p, 1, s->x, 0, s->y));
	CHECK_EQUAL(kit_oracle_check(oracle, s->y).violations, 0);
	kit_oracle_free(oracle);
}

/* A plan for A^T that multiplies right; its figures in *info. The same choice on every machine, unless it is
 * to measure. */
static tulle_plan *plan(subject *s, tulle_plan_options o, tulle_plan_info *info)
{
	tulle_plan *p = NULL;

	o.size = sizeof o;
	o.op = TULLE_TRANSPOSED;
	o.reproducible = o.effort == TULLE_ESTIMATE;
	*info = (tulle_plan_info){ .size = sizeof *info, .format = "", .way = "" };
	if (!CHECK_OK(tulle_plan_create(s->a, &o, &p)))
		return NULL;
	CHECK_OK(tulle_plan_describe(p, info));
	check_product(s, p, s->m.val);
	return p;
}

static int is_way(const tulle_plan_info *info, const char *way)
{
	return CHECK_THAT(!strcmp(info->way, way), "%s, %s: not %s", info->format, info->way, way);
}

/* The candidate of this format and way; its `size` is 0 if there is none. */
static tulle_candidate_info candidate(const tulle_plan *p, const char *format, const char *way)
{
	tulle_candidate_info c = { .size = sizeof c };

	for (int n = 0; tulle_plan_candidate(p, n, &c) == TULLE_OK; n++)
		if (!strcmp(c.format, format) && !strcmp(c.way, way))
			return c;
	return (tulle_candidate_info){ .size = 0 };
}

/* ---- how often decides ---- */

static void test_counts(void)
{
	tulle_candidate_info scatter, built;
	subject s;
	tulle_plan_info info;
	tulle_plan *p;

	set_up(&s, UNSYMMETRIC, 2);
	tulle_plan_destroy(plan(&s, (tulle_plan_options){ .multiplies = 5 }, &info));
	is_way(&info, "scatter");
	CHECK_EQUAL(info.candidates, 0);
	p = plan(&s, (tulle_plan_options){ .multiplies = FEW }, &info);
	scatter = candidate(p, "csr", "scatter");
	built = candidate(p, "csr", "built");
	CHECK(info.candidates > 0 && scatter.chosen + built.chosen <= 1);
	CHECK_THAT(built.convert_seconds > 3 * built.multiply_seconds,
	           "A^T is said to be built in no time");
	/* The one is chosen before the break-even of the other. */
	if (built.total_seconds > scatter.total_seconds)
		CHECK(built.break_even > FEW && !built.chosen);
	tulle_plan_destroy(p);
	p = plan(&s, (tulle_plan_options){ .multiplies = MANY }, &info);
	is_way(&info, "built");
	CHECK(candidate(p, info.format, "built").chosen);
	tulle_plan_destroy(p);
	tear_down(&s);
	check_group("few scatter, many build");
}

/* ---- memory ---- */

static void test_memory(void)
{
	subject s;
	tulle_plan_info free_info, info;
	tulle_plan *p;
	size_t copy;

	set_up(&s, UNSYMMETRIC, 2);
	copy = (size_t)s.m.nnz * (sizeof(int32_t) + sizeof(double));
	tulle_plan_destroy(plan(&s, (tulle_plan_options){ .multiplies = MANY }, &free_info));
	CHECK_THAT(free_info.extra_bytes > copy, "%zu bytes", free_info.extra_bytes);

	/* Room for A^T alone, but not for what updates need besides, nor for a conversion. */
	p = plan(&s, (tulle_plan_options){ .multiplies = MANY, .max_bytes = copy }, &info);
	CHECK_THAT(!strcmp(info.way, "scatter") && info.extra_bytes < copy,
	           "max_bytes is not kept: %s, %s, %zu bytes", info.format, info.way, info.extra_bytes);
	CHECK_THAT(candidate(p, "csr", "built").out, "the copy is not counted");
	tulle_plan_destroy(p);

	tulle_plan_destroy(
	    plan(&s, (tulle_plan_options){ .multiplies = MANY, .max_bytes = 2 * free_info.extra_bytes },
	         &info));
	is_way(&info, "built");
	tear_down(&s);
	check_group("no room for the copy");
}

/* ---- symmetric: neither ---- */

static void negate_upper(const kit_matrix *m, double *val)
{
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			val[k] = m->col[k] == i ? 0 : m->col[k] > i ? -m->val[k] : m->val[k];
}

static void test_symmetric(void)
{
	subject s;
	tulle_plan_info info;
	tulle_plan *p;
	double *val;

	set_up(&s, SYMMETRIC, 2);
	p = plan(&s, (tulle_plan_options){ .multiplies = 1e6 }, &info);
	CHECK_THAT(!strcmp(info.format, "sym"), "half of it would do, but %s is chosen", info.format);
	is_way(&info, "as is");
	CHECK_THAT(info.extra_bytes < (size_t)s.m.nnz * sizeof(double), "%zu bytes", info.extra_bytes);

	/* Of skew values A^T is -A: what was chosen for symmetric ones does not do. */
	val = grab(s.m.nnz, sizeof *val);
	negate_upper(&s.m, val);
	CHECK_OK(tulle_plan_update(p, val));
	check_product(&s, p, val);
	CHECK_OK(tulle_plan_describe(p, &info));
	CHECK_THAT(strcmp(info.way, "as is") != 0, "%s takes A for its transpose", info.format);
	CHECK_OK(tulle_plan_update(p, s.m.val));
	check_product(&s, p, s.m.val);
	tulle_plan_destroy(p);
	free(val);

	/* One value that no sample meets. */
	s.m.val[s.m.row_ptr[77] + 1] *= 1.5;
	tulle_plan_destroy(plan(&s, (tulle_plan_options){ .multiplies = 1e6 }, &info));
	CHECK_THAT(strcmp(info.way, "as is") != 0, "%s takes A for its transpose", info.format);
	tear_down(&s);
	check_group("a symmetric matrix");
}

/* Created from one triangle: A^T is A whatever the format. */
static void test_kind(void)
{
	static const int32_t row_ptr[] = { 0, 1, 3, 5 }, col[] = { 0, 0, 1, 1, 2 };
	static const double val[] = { 2, 3, 5, 7, 11 }, x[] = { 1, 10, 100 };
	const tulle_matrix_options lower = { .size = sizeof lower, .kind = TULLE_SYMMETRIC };
	tulle_plan_info info = { .size = sizeof info };
	tulle_matrix *a;
	double y[3];

	if (!CHECK_OK(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64,
	                                    val, &lower, &a)))
		return;
	for (int many = 0; many < 2; many++) {
		const tulle_plan_options o = { .size = sizeof o,
			                           .op = TULLE_TRANSPOSED,
			                           .multiplies = many ? MANY : 5 };
		tulle_plan *p;

		if (!CHECK_OK(tulle_plan_create(a, &o, &p)))
			break;
		CHECK_OK(tulle_plan_describe(p, &info));
		is_way(&info, "as is");
		CHECK_EQUAL(info.op, TULLE_TRANSPOSED);
		CHECK_OK(tulle_mul_f64(p, 1, x, 0, y));
		CHECK(y[0] == 32 && y[1] == 753 && y[2] == 1170);
		tulle_plan_destroy(p);
	}
	tulle_matrix_destroy(a);
	check_group("created as symmetric");
}

/* ---- measured, and remembered ---- */

typedef struct {
	int scatter, built, plain;
} names;

static void count_name(void *user, const tulle_wisdom_info *r)
{
	names *n = user;

	if (!r->used)
		return;
	n->scatter += strstr(r->name, "/scatter") != NULL;
	n->built += strstr(r->name, "/built") != NULL;
	n->plain += strchr(r->name, '/') == NULL;
}

static void test_measured(void)
{
	char folder[] = "/tmp/tulle-ways-XXXXXX", path[64], first[32];
	tulle_plan_options o = { .multiplies = 1000, .effort = TULLE_MEASURE, .wisdom = path };
	names found = { 0, 0, 0 };
	tulle_plan_info info;
	tulle_plan *p;
	subject s;

	if (!CHECK(mkdtemp(folder) != NULL))
		return;
	snprintf(path, sizeof path, "%s/wisdom", folder);
	set_up(&s, UNSYMMETRIC, 2);
	p = plan(&s, o, &info);
	CHECK_THAT(candidate(p, "csr", "scatter").measured_multiply > 0, "scattering is not timed");
	CHECK_THAT(candidate(p, "csr", "built").measured_multiply > 0, "A^T is not timed");
	snprintf(first, sizeof first, "%s %s", info.format, info.way);
	tulle_plan_destroy(p);
	CHECK_OK(tulle_wisdom_list(NULL, path, count_name, &found));
	CHECK_THAT(found.scatter == 1 && found.built > 0 && found.plain == 0,
	           "%d records of scattering, %d of A^T, %d of neither", found.scatter, found.built,
	           found.plain);
	measured_lines = 0;
	for (int again = 0; again < 3; again++) {
		char now[32];

		tulle_plan_destroy(plan(&s, o, &info));
		snprintf(now, sizeof now, "%s %s", info.format, info.way);
		CHECK_THAT(!strcmp(now, first), "first %s, then %s", first, now);
	}
	CHECK_EQUAL(measured_lines, 0);
	unlink(path);
	rmdir(folder);
	tear_down(&s);
	check_group("measured");
}

/* ---- bits ---- */

static void test_bits(void)
{
	subject one, three;
	tulle_plan_info first, second;

	set_up(&one, UNSYMMETRIC, 1);
	set_up(&three, UNSYMMETRIC, 3);
	for (int n = 0; n < 2; n++) {
		const tulle_plan_options o = { .multiplies = n ? MANY : FEW };

		tulle_plan_destroy(plan(&one, o, &first));
		tulle_plan_destroy(plan(&three, o, &second));
		is_way(&second, first.way);
		CHECK(!strcmp(first.format, second.format));
		CHECK_THAT(!memcmp(one.y, three.y, (size_t)one.m.cols * sizeof *one.y),
		           "%s, %s: other bits with more threads", first.format, first.way);
	}
	tear_down(&one);
	tear_down(&three);
	check_group("the same bits at any thread count");
}

int main(void)
{
	test_counts();
	test_memory();
	test_symmetric();
	test_kind();
	test_measured();
	test_bits();
	return check_end();
}
