/* conformance.c -- every format against the oracle and its proven bound (no tolerances).
 *
 * Walks registry x tunables x instruction set x type x index pair x shape x class of values x op x
 * alpha x beta x the three ways to say b, and demands of each plan that it runs the kernel that was
 * asked for: bit for bit what the format's own kernel of that instruction set gives. */
#include "chosen.h"
#include "inner.h"
#include "judged.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 5, FACTORS = 4, COMBINATIONS = FACTORS * FACTORS, OPS = 2 };

static const double factors[FACTORS] = { 1, 0, -0.5, 2 };

static struct {
	int64_t plans, rows, overflowed, violations;
	double worst;
} tally;

/* One system A, x, b in the type under test, with what A x and A^T x have to be. */
typedef struct {
	matrix m;
	tulle_value_type type;
	kit_values values;
	void *x[OPS], *b[OPS], *y;
	kit_oracle *oracle[OPS][COMBINATIONS];
} problem;

static int64_t rows_of(const matrix *m, int op)
{
	return op == TULLE_NORMAL ? m->rows : m->cols;
}

/* Values and vectors for the pattern. */
static void fill(problem *p, uint64_t seed)
{
	matrix *m = &p->m;

	for (int op = 0; op < OPS; op++) {
		p->x[op] = grab(rows_of(m, !op), value_size(p->type));
		p->b[op] = grab(rows_of(m, op), value_size(p->type));
		kit_random_fill(p->values, seed + 1, p->type, rows_of(m, op), p->b[op]);
	}
	p->y = grab(m->rows > m->cols ? m->rows : m->cols, value_size(p->type));
	fill_system(m, p->type, p->values, seed, p->x[TULLE_NORMAL]);
	kit_random_fill(p->values, seed + 2, p->type, m->rows, p->x[TULLE_TRANSPOSED]);
}

static void ask_oracle(problem *p, unsigned wanted)
{
	const arrays a = cast(&p->m, pairs[2], p->type, 0);
	const tulle_csr_view view = { .size = sizeof view,
		                          .rows = p->m.rows,
		                          .cols = p->m.cols,
		                          .nnz = p->m.nnz,
		                          .offset_type = TULLE_I64,
		                          .column_type = TULLE_I64,
		                          .value_type = p->type,
		                          .row_ptr = a.row_ptr,
		                          .col = a.col,
		                          .val = a.val };

	for (int op = 0; op < OPS; op++) {
		for (int c = 0; c < COMBINATIONS; c++) {
			if (!(wanted >> c & 1))
				continue;
			p->oracle[op][c] = kit_oracle_create(&view, (tulle_op)op, factors[c / FACTORS],
			                                     p->x[op], factors[c % FACTORS], p->b[op]);
			CHECK_THAT(p->oracle[op][c], "the oracle: %s", kit_error());
		}
	}
	arrays_free(&(arrays){ a.row_ptr, a.col, a.val });
}

static void discard(problem *p)
{
	for (int op = 0; op < OPS; op++) {
		free(p->x[op]);
		free(p->b[op]);
		for (int c = 0; c < COMBINATIONS; c++)
			kit_oracle_free(p->oracle[op][c]);
	}
	free(p->y);
	matrix_free(&p->m);
}

/* ---- checks of one plan ---- */

static void check_result(const problem *p, int op, int combination, call_kind call)
{
	kit_verdict v;
	char what[80];

	snprintf(what, sizeof what, "%s, alpha %g, beta %g", call_names[call],
	         factors[combination / FACTORS], factors[combination % FACTORS]);
	v = judged(p->oracle[op][combination], p->type, p->y, what);
	tally.rows += v.rows;
	tally.overflowed += v.overflowed;
	tally.violations += v.violations;
	if (v.worst > tally.worst)
		tally.worst = v.worst;
}

static void check_description(const problem *p, const tulle_plan *plan, const char *spec,
                              const char *isa, int op)
{
	tulle_plan_info info = { .size = sizeof info };

	if (!CHECK_OK(tulle_plan_describe(plan, &info)))
		return;
	CHECK_THAT(strcmp(info.isa, isa) == 0, "the plan runs %s, not %s", info.isa, isa);
	CHECK_THAT(strncmp(info.format, spec, strcspn(spec, ":")) == 0, "format is %s", info.format);
	CHECK_EQUAL(info.op, op);
	CHECK_EQUAL(info.rows, rows_of(&p->m, op));
	CHECK_EQUAL(info.cols, rows_of(&p->m, !op));
	CHECK_EQUAL(info.nnz, p->m.nnz);
	CHECK_EQUAL(info.value_type, p->type);
}

/* The plan gives the bits of the format's own kernel for this instruction set, and formats have
 * different kernels for different sets: so what the plan says it runs is what it runs. */
static void check_kernel(problem *p, const tulle_matrix *a, const tulle_plan *plan,
                         const char *spec, const char *isa)
{
	const tulle__csr csr = inner_csr(a);
	const size_t bytes = (size_t)p->m.rows * value_size(p->type);
	void *y = grab(p->m.rows, value_size(p->type));
	tulle__isa number = TULLE__SCALAR;
	inner in;

	CHECK_OK(tulle__isa_find(isa, &number));
	if (inner_convert(&in, spec, number, &csr)) {
		for (tulle__isa lower = 0; lower < number; lower++)
			CHECK_THAT(in.format->kernel(in.data, lower, p->type) !=
			               in.format->kernel(in.data, number, p->type),
			           "one kernel stands for %s and %s", tulle__isa_name(lower), isa);
		value_fill(p->type, y, p->m.rows, NAN);
		if (inner_multiply(&in, number, p->type, 2, p->x[0], -0.5, p->b[0], y)) {
			CHECK_OK(multiply(plan, p->type, MUL_ADD, 2, p->x[0], -0.5, p->b[0], p->y, p->m.rows));
			CHECK_THAT(memcmp(y, p->y, bytes) == 0, "not the bits of the %s kernel", isa);
		}
		inner_release(&in);
	}
	free(y);
}

/* Combination c goes through one of the three calls; over plans each combination meets each call. */
static void check_plan(problem *p, const tulle_plan *plan, int op, unsigned wanted, int turn)
{
	for (int c = 0; c < COMBINATIONS; c++) {
		const call_kind call = (call_kind)((c + turn) % CALLS);

		if (!(wanted >> c & 1) || !p->oracle[op][c])
			continue;
		if (CHECK_OK(multiply(plan, p->type, call, factors[c / FACTORS], p->x[op],
		                      factors[c % FACTORS], p->b[op], p->y, rows_of(&p->m, op))))
			check_result(p, op, c, call);
	}
}

/* One of the three index pairs, by turns, or each of them. */
static void check_spec(problem *p, tulle_context *context, const char *spec, const char *isa,
                       unsigned wanted, int turn, int all_pairs)
{
	for (int pair = 0; pair < PAIRS; pair++) {
		arrays arr;
		tulle_matrix *a;

		if (!all_pairs && pair != turn % PAIRS)
			continue;
		arr = cast(&p->m, pairs[pair], p->type, 0);
		a = borrow(context, &p->m, pairs[pair], p->type, &arr);

		for (int op = 0; a && op < OPS; op++) {
			tulle_plan *plan;

			check_about("%s, %s, %s, %s, op %d, %s, %s", spec, isa, type_name(p->type),
			            pairs[pair].name, op, p->m.name, kit_values_name(p->values));
			plan = plan_for(a, spec, (tulle_op)op);
			if (!plan)
				continue;
			check_description(p, plan, spec, isa, op);
			check_plan(p, plan, op, wanted, turn + pair + op);
			if (op == TULLE_NORMAL)
				check_kernel(p, a, plan, spec, isa);
			tally.plans++;
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		arrays_free(&arr);
	}
}

static void check_shape(const options *o, const char *format, const char *isa,
                        tulle_value_type type, int shape, int values)
{
	/* The quick tier takes four of the sixteen combinations, others for each shape; the brief one
	 * a single one. */
	const unsigned wanted = o->full    ? 0xffff
	                        : o->brief ? 1u << (shape + values) % COMBINATIONS
	                                   : 0x1111u << shape % 4;
	tulle_context *context = context_for(isa, 0, 0);
	problem p = { .type = type, .values = (kit_values)values };
	char *spec;

	if (context && shape_at(shape, &p.m)) {
		fill(&p, (uint64_t)shape * CLASSES + (uint64_t)values);
		ask_oracle(&p, wanted);
		for (int n = 0; (spec = format_spec(format, n)); n++) {
			/* Every shape meets every index pair with one of the classes of values; briefly, with a
			 * format's own choice only. */
			if (wants_shape(o, n, shape))
				check_spec(&p, context, spec, isa, wanted, shape + n + values,
				           values == shape % CLASSES && (n == 0 || !o->brief));
			free(spec);
		}
		discard(&p);
	}
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

static int shapes(void)
{
	int n = 0;

	for (matrix m; shape_at(n, &m); n++)
		matrix_free(&m);
	return n;
}

/* The wanted bits 0x1111 << k hold beta = factors[k] with every alpha. */
static void check_format(const options *o, const char *format, const char *isa,
                         tulle_value_type type)
{
	const int count = shapes();

	memset(&tally, 0, sizeof tally);
	for (int shape = 0; shape < count; shape++)
		for (int values = 0; values < CLASSES; values++)
			if (o->full || values == shape % CLASSES)
				check_shape(o, format, isa, type, shape, values);
	check_group("%s %s %s: %d shapes, %lld plans, %lld rows, %lld violations, worst error %.3f of "
	            "its bound, %lld rows may overflow",
	            format, isa, type_name(type), count, (long long)tally.plans, (long long)tally.rows,
	            (long long)tally.violations, tally.worst, (long long)tally.overflowed);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;

	for (int f = 0; (format = tulle_formats(f)); f++)
		for (int i = 0; i < ISAS; i++)
			for (int t = TULLE_F32; t <= TULLE_F64; t++)
				if (wants_format(&o, format) && wants_isa(&o, isas[i]) &&
				    wants_type(&o, (tulle_value_type)t))
					check_format(&o, format, isas[i], (tulle_value_type)t);
	return walk_end();
}
