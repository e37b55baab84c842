/* bench_measure.c -- measures each format in turn with csr, so that only two layouts are in memory at a time. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layouts that need more than this many times the bytes of CSR are not measured: they are slow and may not fit
 * in memory. */
enum { MOST_MEMORY = 8 };

typedef struct {
	const cli_matrix *matrix;
	double seconds;
	tulle_plan *csr;
	double csr_seconds[CLI_MOST_MEASURED + 1]; /* beside each contender */
	int count;                                 /* of these */
	void *x, *y;
	kit_oracle *oracle; /* of A x */
} field;

/* ---- one contender --------------------------------------------------------------------------- */

static double csr_bytes(const tulle_csr_view *a)
{
	const double value = a->val ? (a->value_type == TULLE_F32 ? 4 : 8) : 0;
	const double column = a->column_type == TULLE_I32 ? 4 : 8;
	const double offset = a->offset_type == TULLE_I32 ? 4 : 8;

	return (double)a->nnz * (value + column) + (double)(a->rows + 1) * offset;
}

static tulle_status plan_for(const field *f, const char *format, tulle_plan **out)
{
	const double limit = MOST_MEMORY * csr_bytes(&f->matrix->view) + (1 << 20);

	return tulle_plan_create(f->matrix->matrix,
	                         &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                .format = format,
	                                                .max_bytes = (size_t)limit },
	                         out);
}

/* Time it in turn with csr. The last y is the one to check. */
static void time_beside_csr(field *f, cli_timed of, cli_measured *m)
{
	const tulle_value_type type = f->matrix->view.value_type;
	cli_product csr = { f->csr, type, f->x, f->y };
	const cli_timed both[] = { { cli_multiply, &csr }, of };
	cli_timing t[2];

	cli_measure_in_turn(both, 2, f->seconds, t);
	f->csr_seconds[f->count++] = t[0].median;
	m->time = t[1];
	m->over_csr = t[0].median / t[1].median;
	cli_spoil(type, f->y, f->matrix->view.rows);
	of.multiply(of.work, 1);
	m->wrong = kit_oracle_check(f->oracle, f->y).violations > 0;
}

static void measure_format(field *f, const char *format, cli_measured *m)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan = NULL;

	m->name = format;
	if (plan_for(f, format, &plan)) {
		snprintf(m->refused, sizeof m->refused, "%s", tulle_last_error());
		return;
	}
	tulle_plan_describe(plan, &info);
	m->convert = info.convert_seconds;
	m->bytes = (double)info.bytes;
	m->allocated = (double)info.extra_bytes;
	time_beside_csr(
	    f,
	    (cli_timed){ cli_multiply, &(cli_product){ plan, f->matrix->view.value_type, f->x, f->y } },
	    m);
	tulle_plan_destroy(plan);
}

static void measure_plain(field *f, cli_measured *m)
{
	m->name = "plain loop";
	m->kind = CLI_PLAIN_LOOP;
	m->bytes = csr_bytes(&f->matrix->view);
	time_beside_csr(
	    f, (cli_timed){ cli_plain_multiply, &(cli_plain_product){ &f->matrix->view, f->x, f->y } },
	    m);
}

/* ---- all ------------------------------------------------------------------------------------- */

double cli_bench_total(const cli_bench_results *r, const cli_measured *m)
{
	return m->convert + r->multiplies * m->product;
}

const cli_measured *cli_bench_csr(const cli_bench_results *r)
{
	for (int n = 0; n < r->count; n++)
		if (!strcmp(r->of[n].name, "csr"))
			return &r->of[n];
	return NULL;
}

const cli_measured *cli_bench_chosen(const cli_bench_results *r)
{
	for (int n = 0; n < r->count; n++)
		if (r->of[n].chosen && !*r->of[n].refused)
			return &r->of[n];
	return NULL;
}

/* By the time of csr that was taken in turn with this one. */
double cli_bench_break_even(const cli_bench_results *r, const cli_measured *m)
{
	const cli_measured *const csr = cli_bench_csr(r);
	const double gain = m->product * (m->over_csr - 1);
	const double cost = m->convert - (csr ? csr->convert : 0);

	return !(gain > 0) ? INFINITY : cost > 0 ? ceil(cost / gain) : 0;
}

static double spread_of(const cli_measured *m)
{
	return m->time.best > 0 ? m->time.median / m->time.best : 1;
}

double cli_bench_spread(const cli_bench_results *r)
{
	double most = spread_of(&r->plain);

	for (int n = 0; n < r->count; n++)
		most = fmax(most, spread_of(&r->of[n]));
	return most;
}

/* The time of each format is its ratio to csr times the time of csr, which is the median of all its times. */
static void set_products(field *f, cli_bench_results *r)
{
	const double csr = cli_median(f->csr_seconds, f->count);

	for (int n = 0; n < r->count; n++) {
		cli_measured *const m = &r->of[n];

		if (*m->refused)
			continue;
		if (!strcmp(m->name, "csr"))
			m->over_csr = 1;
		m->product = csr / m->over_csr;
	}
	r->plain.product = csr / r->plain.over_csr;
}

static const cli_bench_results *sorted; /* qsort() has no argument for it */

static int by_total(const void *a, const void *b)
{
	const cli_measured *const u = a, *const v = b;
	const double s = cli_bench_total(sorted, u), t = cli_bench_total(sorted, v);

	if (!*u->refused != !*v->refused)
		return *u->refused ? 1 : -1;
	return *u->refused ? strcmp(u->name, v->name) : (s > t) - (s < t);
}

void cli_bench_sort(const cli_bench_results *r, cli_measured *of, int count)
{
	sorted = r;
	qsort(of, (size_t)count, sizeof *of, by_total);
}

void cli_bench_measure(const cli_common *common, double seconds, cli_bench_results *r)
{
	const tulle_csr_view *const a = &r->matrix->view;
	const size_t size = cli_value_size(a->value_type);
	field f = { .matrix = r->matrix, .seconds = seconds };
	const char *format;

	if (cli_parts(a->value_type) != 1)
		cli_fail(CLI_INTERNAL, "the bench has real values only");
	f.x = cli_alloc(a->cols, size);
	f.y = cli_alloc(a->rows, size);
	kit_random_fill(KIT_UNIFORM, 1, a->value_type, a->cols, f.x);
	f.oracle = cli_oracle(&r->matrix->view, TULLE_NORMAL, f.x);
	const tulle_status status = plan_for(&f, "csr", &f.csr);
	if (status)
		cli_fail_status(status, 0);
	for (int n = 0; (format = tulle_formats(n)) && r->count < CLI_MOST_MEASURED; n++) {
		cli_measured *const m = &r->of[r->count++];

		cli_progress_begin(common, "timing", format);
		measure_format(&f, format, m);
		m->chosen = !strcmp(format, r->info.format);
		cli_progress_end();
	}
	cli_progress_begin(common, "timing", "the plain loop");
	measure_plain(&f, &r->plain);
	cli_progress_end();
	set_products(&f, r);
	cli_bench_sort(r, r->of, r->count);
	tulle_plan_destroy(f.csr);
	kit_oracle_free(f.oracle);
	cli_free(f.x);
	cli_free(f.y);
}
