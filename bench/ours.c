/* ours.c -- libtulle as contenders of the bench, through its public header only. */
#include "ours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(text, word, length);
}

static tulle_matrix *borrow(const bench_matrix *a, const tulle_context_options *options,
                            tulle_check check)
{
	tulle_context *context;
	tulle_matrix *matrix;
	if (tulle_context_create(options, &context))
		return NULL;
	tulle_matrix_from_csr(
	    context, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32, a->col, TULLE_F64, a->val,
	    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .check = check }, &matrix);
	tulle_context_destroy(context);
	return matrix;
}

int bench_ours_chose(const char *variant)
{
	size_t length = strcspn(variant, ":");
	return bench_is_word(variant, length, "auto") || bench_is_word(variant, length, "measure");
}

/* "auto:500" and "measure:500" are plans for so many multiplications that choose by themselves; what
 * else there is names a format. */
static tulle_plan_options wanted_by(const char *variant)
{
	tulle_plan_options o = { .size = sizeof o };
	size_t length = strcspn(variant, ":");
	if (!bench_ours_chose(variant)) {
		o.format = variant;
		return o;
	}
	o.effort = bench_is_word(variant, length, "measure") ? TULLE_MEASURE : TULLE_ESTIMATE;
	o.multiplies = variant[length] ? atof(variant + length + 1) : 0;
	return o;
}

static tulle_status plan_for(const bench_matrix *a, const tulle_context_options *options,
                             const char *variant, tulle_plan **plan)
{
	/* Unchecked, as every peer takes it; bench_check tells what the check costs. */
	tulle_matrix *matrix = borrow(a, options, TULLE_CHECK_NONE);
	tulle_plan_options wanted = wanted_by(variant);
	*plan = NULL;
	tulle_status status = matrix ? tulle_plan_create(matrix, &wanted, plan) : TULLE_E_MATRIX;
	tulle_matrix_destroy(matrix);
	return status;
}

static void complain(const char *format)
{
	fprintf(stderr, "tulle:%s: %s\n", format, tulle_last_error());
}

tulle_plan *bench_ours_plan(const bench_matrix *a, const tulle_context_options *options,
                            const char *format)
{
	tulle_plan *plan;
	if (plan_for(a, options, format, &plan))
		complain(format);
	return plan;
}

static FILE *work_file;

void bench_log_work(FILE *to)
{
	work_file = to;
}

static void log_line(void *user, tulle_log_level level, const char *line)
{
	(void)user;
	(void)level;
	if (!strncmp(line, "work ", 5))
		fprintf(work_file, "%s\n", line);
}

static void *prepare(const bench_problem *p, const char *variant)
{
	tulle_context_options options = { .size = sizeof options,
		                              .threads = p->threads,
		                              .log = work_file ? log_line : NULL };
	tulle_plan *plan;
	tulle_status status = plan_for(p->a, &options, variant, &plan);
	if (status && status != TULLE_E_UNSUPPORTED)
		complain(variant);
	return plan;
}

static int multiply(void *s, const double *x, double *y)
{
	return tulle_mul_f64(s, 1.0, x, 0.0, y) != TULLE_OK;
}

static size_t bytes(const void *s)
{
	tulle_plan_info info = { .size = sizeof info };
	return tulle_plan_describe(s, &info) ? 0 : info.bytes;
}

size_t bench_ours_held(const void *state, const bench_matrix *a)
{
	tulle_plan_info info = { .size = sizeof info };
	if (tulle_plan_describe(state, &info))
		return 0;
	return info.extra_bytes + (info.borrows_values ? bench_matrix_bytes(a) : 0);
}

void bench_ours_note(const void *state, char *note, size_t size)
{
	tulle_plan_info info = { .size = sizeof info };
	if (!tulle_plan_describe(state, &info))
		snprintf(note, size, "%s", info.note);
}

double bench_ours_planning(const void *state, const char **choice)
{
	tulle_plan_info info = { .size = sizeof info };
	if (tulle_plan_describe(state, &info))
		return 0;
	*choice = info.format;
	return info.seconds - info.convert_seconds;
}

static void release(void *s)
{
	tulle_plan_destroy(s);
}

const bench_competitor bench_ours = {
	"tulle", BENCH_ONE | BENCH_F64, prepare, multiply, bytes, release, NULL
};

const char *bench_ours_isa(void)
{
	tulle_context_info info = { .size = sizeof info };
	return tulle_context_describe(NULL, &info) ? "" : info.isa;
}

int bench_limit_isa(const char *isa)
{
	/* SSE4_2 is the least that MKL can be told. */
	static const char *const words[][2] = { { "scalar", "SSE4_2" },
		                                    { "avx2", "AVX2" },
		                                    { "avx512", "AVX512" } };
	tulle_context *context;
	if (tulle_context_create(
	        &(tulle_context_options){ .size = sizeof(tulle_context_options), .isa = isa },
	        &context)) {
		fprintf(stderr, "--isa: %s\n", tulle_last_error());
		return -1;
	}
	tulle_context_destroy(context);
	for (size_t n = 0; n < sizeof words / sizeof *words; n++)
		if (!strcmp(words[n][0], isa))
			setenv("MKL_ENABLE_INSTRUCTIONS", words[n][1], 1);
	return setenv("TULLE_ISA", isa, 1);
}

const char *bench_mkl_limit(void)
{
	const char *limit = getenv("MKL_ENABLE_INSTRUCTIONS");
	return limit ? limit : "";
}

/* ---- check ----------------------------------------------------------------------------------- */

typedef struct {
	bench_matrix a;
	int threads;
} checker;

static void *check_prepare(const bench_problem *p, const char *variant)
{
	checker *c = *variant ? NULL : malloc(sizeof *c);
	if (c)
		*c = (checker){ *p->a, p->threads };
	return c;
}

static int check_multiply(void *s, const double *x, double *y)
{
	const checker *c = s;
	tulle_context_options options = { .size = sizeof options, .threads = c->threads };
	tulle_matrix *matrix = borrow(&c->a, &options, TULLE_CHECK_FULL);
	(void)x;
	(void)y;
	tulle_matrix_destroy(matrix);
	return !matrix;
}

static size_t check_bytes(const void *s)
{
	return bench_matrix_bytes(&((const checker *)s)->a);
}

const bench_competitor bench_check = { "check",     0,    check_prepare, check_multiply,
	                                   check_bytes, free, NULL };
