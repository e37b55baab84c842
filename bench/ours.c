/* ours.c -- libtulle as contenders of the bench, through its public header only. */
#include "ours.h"

#include "tulle_machine.h"

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
	    context, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32, a->col,
	    a->val_f32 ? TULLE_F32 : TULLE_F64,
	    a->val_f32 ? (const void *)a->val_f32 : (const void *)a->val,
	    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .check = check }, &matrix);
	tulle_context_destroy(context);
	return matrix;
}

/* ---- transposed plans ---- */

static const char transposed[] = "transposed:";

/* The variant without "transposed:"; *op says whether it had this prefix. */
static const char *without_op(const char *variant, tulle_op *op)
{
	const size_t length = strlen(transposed);
	*op = strncmp(variant, transposed, length) ? TULLE_NORMAL : TULLE_TRANSPOSED;
	return *op == TULLE_TRANSPOSED ? variant + length : variant;
}

/* A^T: a plan for its transpose multiplies by A. The latest one is cached, because the harness prepares a
 * contender several times. */
typedef struct {
	bench_matrix of;
	int32_t *row_ptr, *col;
	double *val;
} transpose_of;

static transpose_of latest;

/* A new matrix may have the address of one that was freed. It is recognized by other sizes, or other
 * entries in A^T. */
static int is_latest(const bench_matrix *a)
{
	if (latest.of.row_ptr != a->row_ptr || latest.of.col != a->col || latest.of.val != a->val ||
	    latest.of.rows != a->rows || latest.of.cols != a->cols || latest.of.nnz != a->nnz)
		return 0;
	for (int64_t i = 0; i < a->rows; i += 1 + a->rows / 64) {
		const int64_t k = a->row_ptr[i];
		int found = k == a->row_ptr[i + 1];
		for (int64_t t = found ? 0 : latest.row_ptr[a->col[k]];
		     !found && t < latest.row_ptr[a->col[k] + 1]; t++)
			found = latest.col[t] == i && latest.val[t] == a->val[k];
		if (!found)
			return 0;
	}
	return 1;
}

static int fill_transpose(const bench_matrix *a, transpose_of *t)
{
	t->row_ptr = calloc((size_t)a->cols + 2, sizeof *t->row_ptr);
	t->col = malloc(((size_t)a->nnz + 1) * sizeof *t->col);
	t->val = malloc(((size_t)a->nnz + 1) * sizeof *t->val);
	if (!t->row_ptr || !t->col || !t->val)
		return -1;
	int32_t *next = t->row_ptr + 1;
	for (int64_t k = 0; k < a->nnz; k++)
		next[a->col[k] + 1]++;
	for (int64_t j = 0; j < a->cols; j++)
		next[j + 1] += next[j];
	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
			const int32_t at = next[a->col[k]]++;
			t->col[at] = (int32_t)i;
			t->val[at] = a->val[k];
		}
	return 0;
}

static void release_transpose(transpose_of *t)
{
	free(t->row_ptr);
	free(t->col);
	free(t->val);
}

static int transpose(const bench_matrix *a, bench_matrix *out)
{
	if (!is_latest(a)) {
		transpose_of made = { .of = *a };
		if (fill_transpose(a, &made)) {
			release_transpose(&made);
			return -1;
		}
		release_transpose(&latest);
		latest = made;
	}
	*out = (bench_matrix){ a->cols, a->rows, a->nnz, latest.row_ptr, latest.col, latest.val, NULL };
	return 0;
}

/* ---- plans ---- */

int bench_ours_chose(const char *variant)
{
	tulle_op op;
	variant = without_op(variant, &op);
	size_t length = strcspn(variant, ":");
	return bench_is_word(variant, length, "auto") || bench_is_word(variant, length, "measure");
}

/* "auto:500" and "measure:500" are plans for 500 multiplications whose format the planner chooses; any
 * other variant names a format. */
static tulle_plan_options wanted_by(const char *variant)
{
	tulle_plan_options o = { .size = sizeof o };
	variant = without_op(variant, &o.op);
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
                             const char *variant, int vectors, tulle_plan **plan)
{
	/* Not checked, as for every peer; bench_check reports the cost of the check. */
	bench_matrix given = *a;
	tulle_plan_options wanted = wanted_by(variant);
	*plan = NULL;
	wanted.vectors = vectors;
	if (wanted.op == TULLE_TRANSPOSED && transpose(a, &given))
		return TULLE_E_MEMORY;
	tulle_matrix *matrix = borrow(&given, options, TULLE_CHECK_NONE);
	tulle_status status = matrix ? tulle_plan_create(matrix, &wanted, plan) : TULLE_E_MATRIX;
	tulle_matrix_destroy(matrix);
	return status;
}

static void complain(const char *format)
{
	fprintf(stderr, "tulle:%s: %s\n", format, tulle_last_error());
}

tulle_plan *bench_ours_plan(const bench_matrix *a, const tulle_context_options *options,
                            const char *format, int vectors)
{
	tulle_plan *plan;
	if (plan_for(a, options, format, vectors, &plan))
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

/* Work is written in units of this machine, so that fitted prices do not depend on the machine. */
static void measure_machine_once(const tulle_context_options *options)
{
	static int measured; /* for this number of threads */
	tulle_machine_info info = { .size = sizeof info };
	tulle_context *context = NULL;
	if (measured == options->threads)
		return;
	measured = options->threads;
	if (tulle_context_create(options, &context) || tulle_machine_measure(context, NULL, &info))
		fprintf(stderr, "tulle: the machine was not measured: %s\n", tulle_last_error());
	else
		for (int level = 0; level < TULLE_MACHINE_LEVELS; level++)
			fprintf(work_file, "level %d %g GB/s %g ns\n", level, info.read_bandwidth[level] * 1e-9,
			        info.gather_seconds[level] * 1e9);
	tulle_context_destroy(context);
}

static void *prepare(const bench_problem *p, const char *variant)
{
	tulle_context_options options = { .size = sizeof options,
		                              .threads = p->threads,
		                              .log = work_file ? log_line : NULL };
	tulle_plan *plan;
	if (work_file)
		measure_machine_once(&options);
	tulle_status status = plan_for(p->a, &options, variant, 1, &plan);
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

double bench_ours_planning(const void *state, char *choice, size_t size)
{
	tulle_plan_info info = { .size = sizeof info };
	if (tulle_plan_describe(state, &info))
		return 0;
	const int as_is = !strcmp(info.way, "as is");
	snprintf(choice, size, "%s%s%s", info.format, as_is ? "" : "/", as_is ? "" : info.way);
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
	/* SSE4_2 is the lowest set that MKL accepts. */
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
