/* vectors.c -- plans for several vectors at once: what options.vectors changes in prices, measurements, wisdom and
 * texts, and that it changes no result. */
#include "kit.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { K = 8, MOST = 32 };

typedef struct {
	kit_matrix m;
	tulle_context *context;
	tulle_matrix *a;
	int64_t rows, cols;
} subject;

static void set_up(subject *s, const char *spec)
{
	const tulle_context_options o = { .size = sizeof o, .threads = 2 };
	tulle_csr_view v;

	*s = (subject){ .a = NULL };
	check_about("%s", spec);
	CHECK_THAT(kit_generate(spec, &s->m) == 0, "%s", kit_error());
	v = kit_view(&s->m);
	s->rows = v.rows;
	s->cols = v.cols;
	CHECK_OK(tulle_context_create(&o, &s->context));
	CHECK_OK(tulle_matrix_from_csr(s->context, v.rows, v.cols, v.offset_type, v.row_ptr,
	                               v.column_type, v.col, v.value_type, v.val, NULL, &s->a));
}

static void tear_down(subject *s)
{
	tulle_matrix_destroy(s->a);
	tulle_context_destroy(s->context);
	kit_free(&s->m);
}

static tulle_plan *plan(const subject *s, tulle_plan_options o, tulle_plan_info *info)
{
	tulle_plan *p = NULL;

	o.size = sizeof o;
	*info = (tulle_plan_info){ .size = sizeof *info, .format = "", .why = "", .wisdom_key = "" };
	if (CHECK_OK(tulle_plan_create(s->a, &o, &p)))
		CHECK_OK(tulle_plan_describe(p, info));
	return p;
}

/* Vectors that are multiples of the first: all columns of Y tell of one result. */
static void check_products(const subject *s, const tulle_plan *p, tulle_op op)
{
	const int64_t rows = op == TULLE_NORMAL ? s->rows : s->cols;
	const int64_t cols = op == TULLE_NORMAL ? s->cols : s->rows;
	const tulle_csr_view v = kit_view(&s->m);
	double *x = grab(cols, sizeof *x), *many = grab(K * cols, sizeof *many);
	double *y = grab(K * rows, sizeof *y), *one = grab(rows, sizeof *one);
	kit_oracle *oracle;

	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, cols, x);
	oracle = kit_oracle_create(&v, op, 1, x, 0, NULL);
	for (int64_t j = 0; j < cols; j++)
		for (int k = 0; k < K; k++)
			many[j * K + k] = ldexp(x[j], k);
	CHECK_OK(tulle_mul_many_f64(p, K, TULLE_ROW_MAJOR, 1, many, K, 0, y, K));
	for (int k = 0; k < K; k++) {
		for (int64_t i = 0; i < rows; i++)
			one[i] = ldexp(y[i * K + k], -k);
		CHECK_THAT(kit_oracle_check(oracle, one).violations == 0, "vector %d is beyond the bound",
		           k);
	}
	kit_oracle_free(oracle);
	free(x);
	free(many);
	free(y);
	free(one);
}

/* ---- prices ---- */

/* A candidate, and its predicted seconds; 0 if ruled out. */
typedef struct {
	const char *format, *way;
	double seconds;
} candidate;

static void list_candidates(const tulle_plan *p, int count, candidate known[MOST])
{
	for (int n = 0; n < count && n < MOST; n++) {
		tulle_candidate_info c = { .size = sizeof c };

		CHECK_OK(tulle_plan_candidate(p, n, &c));
		known[n] = (candidate){ c.format, c.way, c.out ? 0 : c.multiply_seconds };
	}
}

/* A plan for k vectors, and how many times the time of one vector each candidate is priced; 0 if ruled out. */
static tulle_plan *priced_plan(const subject *s, tulle_op op, int k, double ratio[MOST],
                               candidate known[MOST], int *count)
{
	candidate one[MOST];
	tulle_plan_info info;
	tulle_plan *p = plan(s, (tulle_plan_options){ .multiplies = 1000, .op = op }, &info);

	CHECK_EQUAL(info.vectors, 1);
	*count = info.candidates;
	list_candidates(p, *count, one);
	tulle_plan_destroy(p);
	p = plan(s, (tulle_plan_options){ .multiplies = 1000, .op = op, .vectors = k }, &info);
	CHECK_EQUAL(info.vectors, k);
	CHECK_EQUAL(info.candidates, *count);
	list_candidates(p, *count, known);
	for (int n = 0; n < *count && n < MOST; n++)
		ratio[n] = one[n].seconds > 0 ? known[n].seconds / one[n].seconds : 0;
	return p;
}

/* All formats that can be chosen read the matrix once for all vectors; scattering takes one after the other, and
 * copies them for that. */
static void check_prices(const char *spec, tulle_op op)
{
	candidate known[MOST];
	double ratio[MOST], least = K;
	tulle_plan *p;
	subject s;
	int count;

	set_up(&s, spec);
	p = priced_plan(&s, op, K, ratio, known, &count);
	for (int n = 0; n < count && n < MOST; n++) {
		if (ratio[n] > 0)
			least = fmin(least, ratio[n]);
		if (ratio[n] > 0 && !strcmp(known[n].way, "scatter"))
			CHECK_THAT(ratio[n] > K && ratio[n] < 1.5 * K, "scattering is priced %g times",
			           ratio[n]);
		else if (ratio[n] > 0)
			CHECK_THAT(ratio[n] >= 1 - 1e-9 && ratio[n] < 1.5 * K, "%s is priced %g times",
			           known[n].format, ratio[n]);
	}
	CHECK_THAT(least < 0.99 * K, "no candidate is priced less than single products: %g", least);
	check_products(&s, p, op);
	tulle_plan_destroy(p);
	tear_down(&s);
}

/* Two doubles are single products and copies, except in csr. */
static void check_few(const char *spec)
{
	candidate known[MOST];
	double ratio[MOST];
	subject s;
	int count;

	set_up(&s, spec);
	tulle_plan_destroy(priced_plan(&s, TULLE_NORMAL, 2, ratio, known, &count));
	for (int n = 0; n < count && n < MOST; n++)
		if (ratio[n] > 0)
			CHECK_THAT(!strcmp(known[n].format, "csr") ? ratio[n] < 2 : ratio[n] > 2,
			           "two vectors by %s are priced %g times", known[n].format, ratio[n]);
	tear_down(&s);
}

static void test_prices(void)
{
	check_prices("stencil27:n=30,values=varying", TULLE_NORMAL);
	check_prices("rmat:scale=14,order=shuffled", TULLE_NORMAL);
	check_prices("random:rows=20000,cols=30000,mean=16", TULLE_NORMAL);
	check_prices("random:rows=20000,cols=30000,mean=16", TULLE_TRANSPOSED);
	check_few("stencil27:n=30,values=varying");
	check_few("random:rows=20000,cols=30000,mean=16");
	check_group("prices");
}

/* ---- texts and arguments ---- */

static void test_texts(void)
{
	char text[8192];
	tulle_plan_info info;
	tulle_plan *p;
	subject s;

	set_up(&s, "stencil5:n=100,values=constant");
	p = plan(&s, (tulle_plan_options){ .multiplies = 1000, .vectors = K }, &info);
	tulle_plan_explain(p, text, sizeof text);
	CHECK_THAT(strstr(text, "8 at once") && strstr(info.why, "of 8 vectors at once"), "\"%s\"",
	           text);
	tulle_plan_destroy(p);
	for (int csr = 0; csr < 2; csr++) {
		p = plan(&s, (tulle_plan_options){ .format = csr ? "csr" : "sell", .vectors = 2 }, &info);
		tulle_plan_explain(p, text, sizeof text);
		CHECK_THAT(strstr(text, csr ? "all together" : "all one after the other"),
		           "two vectors by %s", text);
		tulle_plan_destroy(p);
	}
	p = plan(&s, (tulle_plan_options){ .multiplies = 1000 }, &info);
	tulle_plan_explain(p, text, sizeof text);
	CHECK_THAT(!strstr(text, "at once"), "\"%s\"", text);
	tulle_plan_destroy(p);
	CHECK_STATUS(
	    tulle_plan_create(
	        s.a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .vectors = -1 }, &p),
	    TULLE_E_ARGUMENT);
	CHECK_THAT(strstr(tulle_last_error(), "options.vectors = -1"), "\"%s\"", tulle_last_error());
	tear_down(&s);
	check_group("texts and arguments");
}

/* ---- measurements ---- */

/* Times of eight vectors are no times of one: each has a key in the file. More vectors than are tried at once
 * are measured, too. */
static void test_measured(void)
{
	static const int64_t vectors[] = { 1, K, 100 };
	char path[] = "/tmp/tulle-vectors-XXXXXX", key[3][17];
	const int fd = mkstemp(path);
	tulle_plan_info info;
	subject s;

	CHECK_THAT(fd >= 0, "no temporary file");
	close(fd);
	unlink(path);
	set_up(&s, "stencil27:n=12,values=varying");
	for (int n = 0; n < 3; n++) {
		tulle_plan *p = plan(&s,
		                     (tulle_plan_options){ .multiplies = 20000,
		                                           .effort = TULLE_MEASURE,
		                                           .wisdom = path,
		                                           .vectors = vectors[n] },
		                     &info);

		snprintf(key[n], sizeof key[n], "%s", info.wisdom_key);
		CHECK_EQUAL(info.vectors, vectors[n]);
		check_products(&s, p, TULLE_NORMAL);
		tulle_plan_destroy(p);
	}
	CHECK_THAT(strcmp(key[0], key[1]) != 0 && strcmp(key[1], key[2]) != 0,
	           "numbers of vectors share a record of wisdom");
	unlink(path);
	tear_down(&s);
	check_group("measurements");
}

int main(void)
{
	test_prices();
	test_texts();
	test_measured();
	return check_end();
}
