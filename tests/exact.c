/* exact.c -- whole numbers so small that every sum is exact in any order: all formats, instruction
 * sets and thread counts must give the same number, the one that integer arithmetic gives. */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>

/* |a| <= 8, |x| <= 8, rows and columns of at most 64 * 128 entries: 64 * 8192 * 2 + 16 < 2^24, so
 * sums are exact in f32 too, with |alpha|, |beta| <= 2 and halves. */
enum { LIMIT = 8, MOST = 64, OPS = 2 };

typedef struct {
	matrix m;
	int64_t x[OPS][MOST], b[OPS][MOST];
	int64_t sum[OPS][MOST]; /* A x and A^T x */
} problem;

static void invent(problem *p, uint64_t *state)
{
	p->m = matrix_small(state, MOST);
	matrix_whole_values(&p->m, state, LIMIT);
	for (int op = 0; op < OPS; op++) {
		for (int i = 0; i < MOST; i++) {
			p->x[op][i] = random_below(state, 2 * LIMIT + 1) - LIMIT;
			p->b[op][i] = random_below(state, 2 * LIMIT + 1) - LIMIT;
			p->sum[op][i] = 0;
		}
	}
	for (int64_t i = 0; i < p->m.rows; i++) {
		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++) {
			const int64_t a = (int64_t)p->m.val[k], j = p->m.col[k];

			p->sum[TULLE_NORMAL][i] += a * p->x[TULLE_NORMAL][j];
			p->sum[TULLE_TRANSPOSED][j] += a * p->x[TULLE_TRANSPOSED][i];
		}
	}
}

/* Zeros are compared as numbers: whether a sum of nothing but zeros is +0 or -0 depends on where
 * the sum begins, which a format is free to choose. */
static void check_plan(const problem *p, const tulle_plan *plan, tulle_value_type type, int op,
                       int turn)
{
	static const double factors[][2] = { { 1, 0 }, { 2, -0.5 }, { -0.5, 1 }, { 0, 2 } };
	const double alpha = factors[turn % 4][0], beta = factors[turn % 4][1];
	const int64_t rows = op == TULLE_NORMAL ? p->m.rows : p->m.cols;
	double x[MOST], b[MOST], y[MOST] = { 0 }; /* room for either type */
	int64_t wrong = -1, shown;

	for (int i = 0; i < MOST; i++) {
		value_set(type, x, i, (double)p->x[op][i]);
		value_set(type, b, i, (double)p->b[op][i]);
	}
	if (!CHECK_OK(multiply(plan, type, (call_kind)(turn % CALLS), alpha, x, beta, b, y, rows)))
		return;
	for (int64_t i = 0; i < rows && wrong < 0; i++)
		if (value_at(type, y, i) != alpha * (double)p->sum[op][i] + beta * (double)p->b[op][i])
			wrong = i;
	shown = wrong < 0 ? 0 : wrong;
	CHECK_THAT(wrong < 0, "y[%" PRId64 "] = %.17g, not %.17g", shown, value_at(type, y, shown),
	           alpha * (double)p->sum[op][shown] + beta * (double)p->b[op][shown]);
}

static void check_problem(const problem *p, tulle_context *context, const char *spec,
                          tulle_value_type type, int turn)
{
	const index_pair pair = pairs[turn % PAIRS];
	arrays arr = cast(&p->m, pair, type, 0);
	tulle_matrix *a = borrow(context, &p->m, pair, type, &arr);

	for (int op = 0; a && op < OPS; op++) {
		tulle_plan *plan = plan_for(a, spec, (tulle_op)op);

		check_about("%s, %s, %s, op %d, matrix %d", spec, type_name(type), pair.name, op, turn);
		if (plan)
			check_plan(p, plan, type, op, turn + op);
		tulle_plan_destroy(plan);
	}
	tulle_matrix_destroy(a);
	arrays_free(&arr);
}

/* Every instruction set, serially and with teams of 2 and 3. */
static void check_format(const options *o, const char *format, int matrices)
{
	static const int threads[] = { 1, 2, 3 };
	uint64_t state = 5;
	char *spec;

	for (int n = 0; n < matrices; n++) {
		problem p;
		const int team = threads[n % 50 == 0 ? 1 + n / 50 % 2 : 0];

		invent(&p, &state);
		for (int i = 0; i < ISAS; i++) {
			tulle_context *context =
			    wants_isa(o, isas[i]) ? context_for(isas[i], team, team > 1 ? -1 : 0) : NULL;

			for (int s = 0; context && (spec = format_spec(format, s)); s++) {
				check_problem(&p, context, spec, n / 2 % 2 ? TULLE_F32 : TULLE_F64, n);
				free(spec);
			}
			tulle_context_destroy(context);
		}
		matrix_free(&p.m);
	}
	check_group("%s: %d matrices of whole numbers", format, matrices);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++)
		if (wants_format(&o, format))
			check_format(&o, format, o.full ? 10000 : o.brief ? 200 : 1000);
	return walk_end();
}
