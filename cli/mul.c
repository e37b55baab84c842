/* mul.c -- `tulle mul FILE`: plan, multiply, check against the oracle, and time it. */
#include "cli.h"
#include "kit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *format, *isa;
	double multiplies, seconds;
	tulle_op op;
} wishes;

typedef struct {
	int samples, repeats; /* samples of `repeats` multiplications each */
	double best, median;  /* seconds of one multiplication */
	int threads;          /* that took part in the last one */
	double bytes;         /* that one multiplication moves at least */
} timing;

/* ---- multiply -------------------------------------------------------------------------------- */

static void multiply(const tulle_plan *plan, tulle_value_type type, const void *x, void *y)
{
	const tulle_status status =
	    type == TULLE_F32 ? tulle_mul_f32(plan, 1, x, 0, y) : tulle_mul_f64(plan, 1, x, 0, y);
	if (status)
		cli_fail_status(status, 0);
}

/* Not-a-numbers, so that an element that is never written shows. */
static void spoil(tulle_value_type type, void *y, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		if (type == TULLE_F32)
			((float *)y)[i] = NAN;
		else
			((double *)y)[i] = NAN;
	}
}

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;
	return (u > v) - (u < v);
}

static double sample(const tulle_plan *plan, tulle_value_type type, const void *x, void *y,
                     int repeats)
{
	const double start = cli_now();

	for (int n = 0; n < repeats; n++)
		multiply(plan, type, x, y);
	return (cli_now() - start) / repeats;
}

/* Samples of at least a millisecond for as long as is wished, but a few in any case. */
static timing measure(const tulle_plan *plan, tulle_value_type type, const void *x, void *y,
                      double seconds)
{
	enum { FEWEST = 5, MOST = 100000, LONGEST = 1 << 20 };
	const double least = 1e-3;
	double *const taken = cli_alloc(MOST, sizeof *taken);
	timing t = { .repeats = 1 };

	/* The first one wakes the threads and fills the caches: it says nothing about the others. */
	multiply(plan, type, x, y);
	while (t.repeats < LONGEST && sample(plan, type, x, y, t.repeats) * t.repeats < least)
		t.repeats *= 2;
	const double start = cli_now();
	for (double now = start; t.samples < MOST && (t.samples < FEWEST || now - start < seconds);) {
		taken[t.samples++] = sample(plan, type, x, y, t.repeats);
		now = cli_now();
		cli_progress_set(NULL, (now - start) / seconds);
	}
	qsort(taken, (size_t)t.samples, sizeof *taken, by_size);
	t.best = taken[0];
	t.median = (taken[(t.samples - 1) / 2] + taken[t.samples / 2]) / 2;
	cli_free(taken);
	return t;
}

/* ---- tell ------------------------------------------------------------------------------------ */

static double gflops(const tulle_plan_info *info, double seconds)
{
	return seconds > 0 ? 2e-9 * (double)info->nnz / seconds : 0;
}

static double gbytes(const timing *t, double seconds)
{
	return seconds > 0 ? 1e-9 * t->bytes / seconds : 0;
}

static void print_result(const cli_matrix *m, const tulle_plan *plan, const tulle_plan_info *info,
                         const timing *t, const kit_verdict *v)
{
	char *const text = cli_explain(plan, 1);

	cli_print_matrix(m);
	printf("%s", text);
	cli_free(text);
	printf("time        median %.6f ms, best %.6f ms; %d samples of %d, %d thread%s\n",
	       1e3 * t->median, 1e3 * t->best, t->samples, t->repeats, t->threads,
	       t->threads == 1 ? "" : "s");
	printf("speed       %.3f GFlop/s, %.3f GB/s by the median (matrix, x and y once each)\n",
	       gflops(info, t->median), gbytes(t, t->median));
	if (v->violations)
		printf("check       %sWRONG%s: %s of %s rows beyond their error bound, worst is row %s\n",
		       cli_bold(), cli_plain(), cli_commas(v->violations), cli_commas(v->rows),
		       cli_commas(v->worst_row + 1));
	else
		printf("check       right: %s rows within their error bound, the worst at %.3f of it\n",
		       cli_commas(v->rows), v->worst);
	if (v->overflowed)
		printf("            %s rows may overflow and were not checked\n",
		       cli_commas(v->overflowed));
}

static void json_result(const cli_matrix *m, const tulle_plan *plan, const tulle_plan_info *info,
                        const timing *t, const kit_verdict *v)
{
	char *const text = cli_explain(plan, 0);

	cli_json_open(NULL, '{');
	cli_json_matrix(m);
	cli_json_open("plan", '{');
	cli_json_text("format", info->format);
	cli_json_text("kernel", info->kernel);
	cli_json_text("isa", info->isa);
	cli_json_bool("transposed", info->op == TULLE_TRANSPOSED);
	cli_json_text("value_type", info->value_type == TULLE_F32 ? "f32" : "f64");
	cli_json_integer("bytes", (int64_t)info->bytes);
	cli_json_number("seconds", info->seconds);
	cli_json_text("note", info->note);
	cli_json_text("explain", text);
	cli_free(text);
	cli_json_close();
	cli_json_open("time", '{');
	cli_json_integer("samples", t->samples);
	cli_json_integer("multiplications_a_sample", t->repeats);
	cli_json_integer("threads", t->threads);
	cli_json_number("median_seconds", t->median);
	cli_json_number("best_seconds", t->best);
	cli_json_number("gflops", gflops(info, t->median));
	cli_json_number("gbytes_per_second", gbytes(t, t->median));
	cli_json_close();
	cli_json_open("check", '{');
	cli_json_bool("right", !v->violations);
	cli_json_integer("rows", v->rows);
	cli_json_integer("violations", v->violations);
	cli_json_integer("overflowed", v->overflowed);
	cli_json_number("worst_error_over_bound", v->worst);
	cli_json_close();
	cli_json_close();
}

/* ---- the whole ------------------------------------------------------------------------------- */

static tulle_plan *make_plan(const cli_matrix *m, const wishes *w)
{
	tulle_plan *plan = NULL;
	const tulle_status status =
	    tulle_plan_create(m->matrix,
	                      &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                             .multiplies = w->multiplies,
	                                             .op = w->op,
	                                             .format = w->format,
	                                             .wisdom = w->format ? NULL : cli_wisdom(0) },
	                      &plan);
	if (status)
		cli_fail_status(status, 0);
	return plan;
}

static int run(const cli_common *common, const char *path, const wishes *w)
{
	cli_matrix m = cli_read(common, path, w->isa);
	const tulle_value_type type = m.view.value_type;
	const size_t size = type == TULLE_F32 ? sizeof(float) : sizeof(double);
	tulle_plan_info info = { .size = sizeof info };
	tulle_context_info context = { .size = sizeof context };

	cli_progress_begin(common, "planning", m.name);
	tulle_plan *const plan = make_plan(&m, w);
	tulle_plan_describe(plan, &info);
	void *const x = cli_alloc(info.cols, size), *const y = cli_alloc(info.rows, size);
	kit_random_fill(KIT_UNIFORM, 1, type, info.cols, x);
	spoil(type, y, info.rows);
	cli_progress_end();

	cli_progress_begin(common, "timing", m.name);
	timing t = measure(plan, type, x, y, w->seconds);
	tulle_context_describe(m.context, &context);
	t.threads = context.last_team;
	t.bytes = (double)info.bytes + (double)(info.rows + info.cols) * (double)size;
	cli_progress_end();

	/* The y of the last timed multiplication is the one to check. */
	cli_progress_begin(common, "checking", m.name);
	kit_oracle *const oracle = kit_oracle_create(&m.view, w->op, 1, x, 0, NULL);
	if (!oracle)
		cli_fail(CLI_MEMORY, "%s", kit_error());
	const kit_verdict v = kit_oracle_check(oracle, y);
	kit_oracle_free(oracle);
	cli_progress_end();

	if (common->json)
		json_result(&m, plan, &info, &t, &v);
	else
		print_result(&m, plan, &info, &t, &v);
	cli_free(x);
	cli_free(y);
	tulle_plan_destroy(plan);
	cli_close(&m);
	return v.violations ? CLI_WRONG : CLI_OK;
}

int cli_mul(int argc, char **argv)
{
	enum { FORMAT = 'f', TRANSPOSED = 't', MULTIPLIES = 1, SECONDS, ISA };
	static const struct option options[] = { { "format", required_argument, NULL, FORMAT },
		                                     { "transposed", no_argument, NULL, TRANSPOSED },
		                                     { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "seconds", required_argument, NULL, SECONDS },
		                                     { "isa", required_argument, NULL, ISA },
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "mul" };
	wishes w = { .seconds = 0.5 };
	int option;

	while ((option = cli_option(argc, argv, "f:t", options, &common)) != -1) {
		switch (option) {
		case FORMAT: w.format = optarg; break;
		case TRANSPOSED: w.op = TULLE_TRANSPOSED; break;
		case MULTIPLIES: w.multiplies = cli_number("--multiplies", optarg, 1, 1e18); break;
		case SECONDS: w.seconds = cli_number("--seconds", optarg, 0.001, 86400); break;
		default: w.isa = optarg; break;
		}
	}
	return run(&common, cli_arguments(argc, argv, 1, "FILE")[0], &w);
}
