/* differential.c -- random systems through random formats, tunables, types, operations and instruction sets, each product
 * within the bound of the oracle.
 *
 * Usage: test_differential [--seconds S] [--state FILE] [--case SEED]
 *
 * Every case is made of one seed, which a failure names: --case runs it alone. With --state, a run begins after the last seed
 * of the runs before it, and a line about it is added: first seed, cases, rows, failures, CPU-seconds. A case that fails has a line
 * "seed N" there, and is run first by all later runs. */
#include "chosen.h"
#include "inner.h"
#include "judged.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SINGLE, MANY, UPDATE, BOTH, STEP, OPERATIONS, MOST_FORMATS = 32, TYPES = 2 };
static const char *const operation_names[OPERATIONS] = { "single", "many", "update", "both",
	                                                     "step" };

static struct {
	int64_t cases, rows, overflowed, refused;
	double worst;
	char seen[MOST_FORMATS][ISAS][TYPES][OPERATIONS];
} tally;

/* ---- products ---- */

static void judge(const chosen_system *s, kit_oracle *o, const void *y, const char *what)
{
	kit_verdict v;

	if (!o)
		return;
	v = judged(o, s->type, y, what);
	tally.rows += v.rows;
	tally.overflowed += v.overflowed;
	tally.worst = v.worst > tally.worst ? v.worst : tally.worst;
	kit_oracle_free(o);
}

static void check_single(choices *c, const chosen_system *s, const tulle_plan *plan)
{
	const call_kind call = (call_kind)choose(c, CALLS);

	if (CHECK_OK(multiply(plan, s->type, call, s->alpha, s->x, s->beta, s->b, s->y, s->rows)))
		judge(s, chosen_oracle(s, s->op, s->alpha, s->x, s->beta, s->b), s->y, call_names[call]);
}

static tulle_status mul_many(const chosen_system *s, const tulle_plan *plan, int64_t k,
                             tulle_order order, const void *x, int64_t ldx, void *y, int64_t ldy)
{
	if (s->type == TULLE_F32)
		return tulle_mul_many_f32(plan, k, order, (float)s->alpha, x, ldx, 0, y, ldy);
	return tulle_mul_many_f64(plan, k, order, s->alpha, x, ldx, 0, y, ldy);
}

/* Vector v is x, rotated by v elements. */
static void check_many(choices *c, const chosen_system *s, const tulle_plan *plan)
{
	const int64_t k = 1 + choose(c, 20);
	const tulle_order order = choose(c, 2) ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR;
	const int by_rows = order == TULLE_ROW_MAJOR;
	const int64_t ldx = (by_rows ? k : s->cols) + choose(c, 4),
	              ldy = (by_rows ? k : s->rows) + choose(c, 4);
	void *x = grab(ldx * (by_rows ? s->cols : k) + 1, value_size(s->type));
	void *y = grab(ldy * (by_rows ? s->rows : k) + 1, value_size(s->type));
	void *one = grab(s->cols, value_size(s->type));

	value_fill(s->type, y, ldy * (by_rows ? s->rows : k), (double)NAN);
	for (int64_t v = 0; v < k; v++)
		for (int64_t j = 0; j < s->cols; j++)
			value_set(s->type, x, by_rows ? j * ldx + v : v * ldx + j,
			          value_at(s->type, s->x, (j + v) % s->cols));
	if (CHECK_OK(mul_many(s, plan, k, order, x, ldx, y, ldy)))
		for (int64_t v = 0; v < k; v++) {
			for (int64_t j = 0; j < s->cols; j++)
				value_set(s->type, one, j, value_at(s->type, s->x, (j + v) % s->cols));
			for (int64_t i = 0; i < s->rows; i++)
				value_set(s->type, s->y, i,
				          value_at(s->type, y, by_rows ? i * ldy + v : v * ldy + i));
			judge(s, chosen_oracle(s, s->op, s->alpha, one, 0, NULL), s->y, "many");
		}
	free(one);
	free(y);
	free(x);
}

static void check_updates(choices *c, chosen_system *s, tulle_plan *plan)
{
	check_single(c, s, plan);
	for (int64_t n = 1 + choose(c, 3); n > 0; n--) {
		chosen_system_renew(c, s);
		CHECK_OK(tulle_plan_update(plan, s->arr.val));
		check_single(c, s, plan);
	}
}

/* The plan is for both directions. */
static void check_both(chosen_system *s, const tulle_plan *plan)
{
	const int64_t rows = s->m.rows, cols = s->m.cols;
	void *x = grab(rows > cols ? rows : cols, value_size(s->type));
	void *y = grab(rows > cols ? rows : cols, value_size(s->type));
	tulle_status status;

	for (int64_t j = 0; j < rows || j < cols; j++)
		value_set(s->type, x, j, value_at(s->type, s->x, s->cols > 0 ? j % s->cols : 0));
	value_fill(s->type, y, rows > cols ? rows : cols, (double)NAN);
	if (CHECK_OK(mul(plan, s->type, s->alpha, x, 0, y)))
		judge(s, chosen_oracle(s, TULLE_NORMAL, s->alpha, x, 0, NULL), y, "A of both");
	value_fill(s->type, y, rows > cols ? rows : cols, (double)NAN);
	status = s->type == TULLE_F32 ? tulle_mul_transposed_f32(plan, (float)s->alpha, x, 0, y)
	                              : tulle_mul_transposed_f64(plan, s->alpha, x, 0, y);
	if (CHECK_OK(status))
		judge(s, chosen_oracle(s, TULLE_TRANSPOSED, s->alpha, x, 0, NULL), y, "A^T of both");
	free(y);
	free(x);
}

static void check_step(const chosen_system *s, const tulle_plan *plan)
{
	double rr = -1;
	const tulle_status status = s->type == TULLE_F32
	                                ? tulle_residual_f32(plan, s->x, s->b, s->y, &rr)
	                                : tulle_residual_f64(plan, s->x, s->b, s->y, &rr);

	if (CHECK_OK(status))
		judge(s, chosen_oracle(s, s->op, -1, s->x, 1, s->b), s->y, "residual");
}

/* ---- plans ---- */

/* The plan gives the matrix back. */
static void check_back(const chosen_system *s, const tulle_plan *plan, tulle_op op)
{
	matrix t = { .rows = 0 };
	tulle_matrix *back = NULL;
	tulle__csr got, want;
	arrays arr;

	if (!CHECK_OK(tulle_matrix_from_plan(plan, &back)))
		return;
	if (op == TULLE_TRANSPOSED)
		t = matrix_transposed(&s->m);
	arr = cast(op == TULLE_TRANSPOSED ? &t : &s->m, s->pair, s->type, 0);
	want = (tulle__csr){ op == TULLE_TRANSPOSED ? s->m.cols : s->m.rows,
		                 op == TULLE_TRANSPOSED ? s->m.rows : s->m.cols,
		                 s->m.nnz,
		                 s->pair.offset,
		                 s->pair.column,
		                 s->type,
		                 arr.row_ptr,
		                 arr.col,
		                 arr.val };
	got = inner_csr(back);
	CHECK_THAT(inner_same(&got, &want), "the plan does not give the matrix back");
	arrays_free(&arr);
	if (op == TULLE_TRANSPOSED)
		matrix_free(&t);
	tulle_matrix_destroy(back);
}

static tulle_status from_source(choices *c, tulle_context *context, const chosen_system *s,
                                tulle_matrix **out)
{
	const matrix *m = &s->m;
	int64_t *row;
	void *rows, *cols;
	tulle_status status;

	if (choose(c, 4) > 0) {
		*out = borrow(context, m, s->pair, s->type, &s->arr);
		return *out ? TULLE_OK : TULLE_E_INTERNAL;
	}
	row = grab(m->nnz, sizeof *row);
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			row[k] = i;
	rows = cast_indices(row, m->nnz, s->pair.column, 0);
	cols = cast_indices(m->col, m->nnz, s->pair.column, 0);
	status = tulle_matrix_from_coo(context, m->rows, m->cols, m->nnz, s->pair.column, rows, cols,
	                               s->type, s->arr.val, NULL, out);
	free(cols);
	free(rows);
	free(row);
	return status;
}

static void check_plan(choices *c, chosen_system *s, tulle_plan *plan, int operation)
{
	switch (operation) {
	case MANY: check_many(c, s, plan); break;
	case UPDATE: check_updates(c, s, plan); break;
	case BOTH: check_both(s, plan); break;
	case STEP: check_step(s, plan); break;
	default: check_single(c, s, plan);
	}
}

typedef struct {
	int format, isa, operation; /* format: number in the registry; past its end: automatic */
	char spec[CHOSEN_SPEC];
} way;

static void run_case(choices *c, chosen_system *s, const way *w)
{
	const tulle_plan_options o = { .size = sizeof o,
		                           .format = *w->spec ? w->spec : NULL,
		                           .op = w->operation == BOTH ? TULLE_BOTH : s->op,
		                           .multiplies = choose(c, 2) ? 1 : 1e6 };
	tulle_context *context =
	    context_for(isas[w->isa], 1 + (int)choose(c, 3), choose(c, 2) ? 0 : -1);
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	tulle_status status;

	if (context && CHECK_OK(from_source(c, context, s, &a))) {
		status = tulle_plan_create(a, &o, &plan);
		if (*w->spec && refused(w->spec, status)) {
			tally.refused++;
		} else if (CHECK_OK(status)) {
			if (w->format < MOST_FORMATS)
				tally.seen[w->format][w->isa][s->type - TULLE_F32][w->operation] = 1;
			check_plan(c, s, plan, w->operation);
			check_back(s, plan, o.op);
		}
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

static int formats(void)
{
	int n = 0;

	while (tulle_formats(n))
		n++;
	return n;
}

/* Most matrices are small; some have several parts. */
static void check_seed(uint64_t seed)
{
	static const int64_t sizes[] = { 12, 40, 64, 64, 64, 64, 150, 400 };
	choices c = choices_of_seed(seed);
	const int64_t most = sizes[choose(&c, 8)];
	chosen_system s = chosen_system_new(&c, most);
	way w = { .format = (int)choose(&c, formats() + 1) };

	do
		w.isa = (int)choose(&c, ISAS);
	while (!isa_available(isas[w.isa]));
	w.operation = (int)choose(&c, OPERATIONS);
	if (tulle_formats(w.format))
		chosen_spec(&c, tulle_formats(w.format), w.spec);
	check_about("--case %" PRIu64 ": %s, %s, %s, %s, op %d, %s, %s, alpha %g, beta %g", seed,
	            *w.spec ? w.spec : "automatic", isas[w.isa], type_name(s.type),
	            operation_names[w.operation], (int)s.op, s.m.name, kit_values_name(s.values),
	            s.alpha, s.beta);
	run_case(&c, &s, &w);
	chosen_system_free(&s);
	tally.cases++;
}

/* ---- runs that continue each other ---- */

typedef struct {
	double first, cases, rows, failures, seconds;
} record;

/* The sum of all runs; `first` becomes the seed after the last one. `again`: run the cases that failed. */
static record sum_of(const char *path, int again)
{
	record all = { .first = 1 }, r;
	FILE *f = path ? fopen(path, "r") : NULL;
	uint64_t seed;
	char line[128];

	while (f && fgets(line, sizeof line, f)) {
		if (again && sscanf(line, "seed %" SCNu64, &seed) == 1)
			check_seed(seed);
		if (sscanf(line, "%lf %lf %lf %lf %lf", &r.first, &r.cases, &r.rows, &r.failures,
		           &r.seconds) != 5)
			continue;
		all.first = fmax(all.first, r.first + r.cases);
		all.cases += r.cases;
		all.rows += r.rows;
		all.failures += r.failures;
		all.seconds += r.seconds;
	}
	if (f)
		fclose(f);
	return all;
}

static void __attribute__((format(printf, 2, 3)))
add_line(const char *path, const char *format, ...)
{
	FILE *f = path ? fopen(path, "a") : NULL;
	va_list values;

	if (!path || !CHECK_THAT(f, "%s cannot be written", path))
		return;
	va_start(values, format);
	vfprintf(f, format, values);
	va_end(values);
	CHECK(fclose(f) == 0);
}

static void run_next(record *now, const char *state)
{
	const long before = check_failures();
	const uint64_t seed = (uint64_t)now->first + (uint64_t)now->cases++;

	check_seed(seed);
	if (check_failures() > before)
		add_line(state, "seed %" PRIu64 "\n", seed);
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static int combinations(void)
{
	int count = 0;

	for (size_t n = 0; n < sizeof tally.seen; n++)
		count += ((const char *)tally.seen)[n];
	return count;
}

static void run_for(double seconds, const char *state)
{
	record now = { .first = sum_of(state, 1).first }, all;

	while (cpu_seconds() < seconds)
		run_next(&now, state);
	now.rows = (double)tally.rows;
	now.failures = (double)check_failures();
	now.seconds = cpu_seconds();
	add_line(state, "%.0f\t%.0f\t%.0f\t%.0f\t%.1f\n", now.first, now.cases, now.rows, now.failures,
	         now.seconds);
	check_group("seeds %.0f .. %.0f: %.0f random cases, %.0f rows, %.0f failures, worst error %.3f "
	            "of its bound, %lld rows may overflow, %lld plans refused, %d combinations of "
	            "format, instruction set, type and operation",
	            now.first, now.first + now.cases - 1, now.cases, now.rows, now.failures,
	            tally.worst, (long long)tally.overflowed, (long long)tally.refused, combinations());
	all = state ? sum_of(state, 0) : now;
	printf("all runs: %.0f random cases, %.0f rows, %.0f failures, %.0f CPU-seconds\n", all.cases,
	       all.rows, all.failures, all.seconds);
}

int main(int argc, char **argv)
{
	const char *seconds = "2", *state = NULL, *seed = NULL;

	for (int n = 1; n < argc; n += 2) {
		const char **value = !strcmp(argv[n], "--seconds") ? &seconds
		                     : !strcmp(argv[n], "--state") ? &state
		                     : !strcmp(argv[n], "--case")  ? &seed
		                                                   : NULL;

		if (!value || n + 1 >= argc) {
			printf("usage: %s [--seconds S] [--state FILE] [--case SEED]\n", argv[0]);
			return 2;
		}
		*value = argv[n + 1];
	}
	kit_set_threads(1);
	if (seed)
		check_seed(strtoull(seed, NULL, 10));
	else
		run_for(strtod(seconds, NULL), state);
	return check_end();
}
