/* classes.c -- classes of values: ones, few different ones, floats, one a diagonal. What a format makes
 * of them must not show: every product is within its bound, values come back to the last bit, and an
 * update from any class to any other gives the bits of a fresh plan. */
#include "inner.h"
#include "kit.h"
#include "shapes.h"
#include "value_rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

static double seventeen(int64_t row, int64_t col, int64_t k)
{
	return (double)((row + 3 * col + k) % 17) / 3 - 1;
}

static double floats(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	return 0.25 + (double)k;
}

static double zeros(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	return k % 2 ? 0.0 : -0.0;
}

static double by_diagonal(int64_t row, int64_t col, int64_t k)
{
	(void)k;
	return 1.0 / (double)(3 + (row > col ? row - col : col - row));
}

static double by_diagonal_but_one(int64_t row, int64_t col, int64_t k)
{
	return row == 40 && col == 41 ? 7 : by_diagonal(row, col, k);
}

static double one_but_one(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	return k == 30 ? 3 : 1;
}

static const struct {
	const char *name;
	value_rule *rule;
} classes[] = {
	{ "any", any },
	{ "ones", one },
	{ "sixteen values", sixteen },
	{ "seventeen values", seventeen },
	{ "floats", floats },
	{ "zeros", zeros },
	{ "one a diagonal", by_diagonal },
	{ "one a diagonal, but for one", by_diagonal_but_one },
	{ "ones, but for one", one_but_one },
};

enum { CLASSES = sizeof classes / sizeof *classes };

static void set_values(matrix *m, value_rule *rule)
{
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			m->val[k] = rule(i, m->col[k], k);
	matrix_mirror_values(m);
}

/* ---- one shape, with values of every class ---- */

typedef struct {
	matrix *m;
	tulle_value_type type;
	int step; /* class c is updated to class c + step; 0: to all */
	arrays arr[CLASSES];
	tulle_matrix *a[CLASSES];
	kit_oracle *oracle[CLASSES];
	void *x, *y, *want;
} problem;

static void open_problem(problem *p, tulle_context *context)
{
	matrix *m = p->m;

	p->x = grab(m->cols, value_size(p->type));
	p->y = grab(m->rows, value_size(p->type));
	p->want = grab(m->rows, value_size(p->type));
	kit_random_fill(KIT_UNIFORM, 5, p->type, m->cols, p->x);
	for (int c = 0; c < CLASSES; c++) {
		tulle_csr_view view = { .size = sizeof view };

		set_values(m, classes[c].rule);
		p->arr[c] = cast(m, pairs[0], p->type, 0);
		p->a[c] = borrow(context, m, pairs[0], p->type, &p->arr[c]);
		CHECK_OK(tulle_matrix_view_csr(p->a[c], &view));
		p->oracle[c] = kit_oracle_create(&view, TULLE_NORMAL, 1, p->x, 0, NULL);
		CHECK_THAT(p->oracle[c], "the oracle: %s", kit_error());
	}
}

static void close_problem(problem *p)
{
	for (int c = 0; c < CLASSES; c++) {
		kit_oracle_free(p->oracle[c]);
		tulle_matrix_destroy(p->a[c]);
		arrays_free(&p->arr[c]);
	}
	free(p->x);
	free(p->y);
	free(p->want);
}

static void check_product(problem *p, const tulle_plan *plan, int c)
{
	kit_verdict v;

	value_fill(p->type, p->y, p->m->rows, -77);
	if (!CHECK_OK(mul(plan, p->type, 1, p->x, 0, p->y)) || !p->oracle[c])
		return;
	v = kit_oracle_check(p->oracle[c], p->y);
	CHECK_THAT(v.violations == 0, "%lld rows beyond the bound, the first of them row %lld",
	           (long long)v.violations, (long long)v.worst_row);
}

static void check_values_back(problem *p, const tulle_plan *plan, int c)
{
	tulle_matrix *back = NULL;

	if (CHECK_OK(tulle_matrix_from_plan(plan, &back))) {
		const tulle__csr got = inner_csr(back), want = inner_csr(p->a[c]);

		CHECK_THAT(inner_same(&got, &want), "the values that come back are others");
	}
	tulle_matrix_destroy(back);
}

/* From values of class c to those of every other class and back again. A format that takes one kind of
 * matrix only may refuse the new values, and is then as it was. */
static void check_updates(problem *p, const char *format, int c)
{
	tulle_plan *plan = plan_for(p->a[c], format, TULLE_NORMAL);

	if (!plan)
		return;
	check_product(p, plan, c);
	check_values_back(p, plan, c);
	for (int to = 0; to < CLASSES; to++) {
		tulle_plan *fresh;
		tulle_status s;

		if (p->step && to != (c + p->step) % CLASSES)
			continue;
		fresh = plan_for(p->a[to], format, TULLE_NORMAL);
		s = tulle_plan_update(plan, p->arr[to].val);
		check_about("%s, %s, %s, from %s to %s", format, type_name(p->type), p->m->name,
		            classes[c].name, classes[to].name);
		if (fresh && CHECK_OK(s)) {
			CHECK_OK(mul(fresh, p->type, 1, p->x, 0, p->want));
			check_product(p, plan, to);
			CHECK_THAT(memcmp(p->y, p->want, (size_t)p->m->rows * value_size(p->type)) == 0,
			           "not the bits of a fresh plan");
			check_values_back(p, plan, to);
			CHECK_OK(tulle_plan_update(plan, p->arr[c].val));
		} else {
			CHECK_THAT(s != TULLE_OK, "an update to values that a fresh plan refuses");
		}
		check_product(p, plan, c);
		tulle_plan_destroy(fresh);
	}
	tulle_plan_destroy(plan);
}

/* Those that have chunks, rows and blocks of every kind; the rest would only take time. */
static int is_wanted(const matrix *m, int brief)
{
	static const char *const names[] = { "band",        "dense row",    "long row 5", "wide",
		                                 "row lengths", "empty row 17", "blocks",     "apart" };
	const size_t count = brief ? 3 : sizeof names / sizeof *names;

	for (size_t n = 0; n < count; n++)
		if (strncmp(m->name, names[n], strlen(names[n])) == 0)
			return 1;
	return m->kind != TULLE_GENERAL;
}

/* Briefly: one update from each class, over shapes and types to each of the others. */
static void check_shape(const options *o, const char *isa, int turn, matrix *m)
{
	tulle_context *context = context_for(isa, 0, 0);
	const char *format;

	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		problem p = { .m = m, .type = (tulle_value_type)t };

		if (o->brief)
			p.step = 1 + (turn + (t == TULLE_F64 ? CLASSES / 2 : 0)) % (CLASSES - 1);
		if (!wants_type(o, p.type))
			continue;
		open_problem(&p, context);
		for (int f = 0; (format = tulle_formats(f)); f++)
			for (int c = 0; c < CLASSES && wants_format(o, format); c++) {
				check_about("%s, %s, %s, %s, %s", format, isa, type_name(p.type), m->name,
				            classes[c].name);
				check_updates(&p, format, c);
			}
		close_problem(&p);
	}
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	matrix m;

	for (int i = 0; i < ISAS; i++) {
		int turn = 0;

		for (int shape = 0; wants_isa(&o, isas[i]) && shape_at(shape, &m); shape++) {
			if (is_wanted(&m, o.brief))
				check_shape(&o, isas[i], turn++, &m);
			matrix_free(&m);
		}
		check_group("classes of values, %s", isas[i]);
	}
	return walk_end();
}
