/* plan_updates.c -- an automatic plan takes every update of its values: whatever format was chosen for the
 * old ones, and whatever class the new ones are of. When the format does not take them, the plan gets
 * another one; when that fails, the plan is as it was. */
#include "plan_updates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a walk: one plan, one class after the other ---- */

enum { TEAMS = 2 };
static const int teams[TEAMS] = { 1, 3 };

/* What all walks over one matrix share. */
typedef struct {
	const subject *s;
	kit_matrix m;
	double *x;
	kit_oracle *oracle[2][CLASSES]; /* for A and A^T, made when first needed */
} ground;

typedef struct {
	ground *g;
	source from;
	tulle_op op;
	int64_t rows; /* of the operator */
	tulle_context *context[TEAMS];
	tulle_matrix *matrix[TEAMS];
	tulle_plan *plan[TEAMS];
	double *y[TEAMS], *given[TEAMS]; /* given: the values that a plan may go on reading */
	int changes;                     /* of the format */
} walk;

static const kit_oracle *oracle_of(ground *g, tulle_op op, int class)
{
	kit_oracle **oracle = &g->oracle[op == TULLE_TRANSPOSED][class];

	if (!*oracle) {
		kit_matrix m = g->m;
		tulle_csr_view view;

		m.val = given_values(&g->m, BORROWED, class);
		view = kit_view(&m);
		*oracle = kit_oracle_create(&view, op, 1, g->x, 0, NULL);
		free(m.val);
	}
	return *oracle;
}

/* Products of both plans: the same bits, and within the bound of this class's values. */
static void check_products(walk *w, int class)
{
	const char *format = info_of(w->plan[0]).format;

	for (int t = 0; t < TEAMS; t++)
		CHECK_OK(tulle_mul_f64(w->plan[t], 1, w->g->x, 0, w->y[t]));
	CHECK_THAT(memcmp(w->y[0], w->y[1], (size_t)w->rows * sizeof *w->y[0]) == 0,
	           "%s: other bits with %d threads", format, teams[1]);
	CHECK_THAT(kit_oracle_check(oracle_of(w->g, w->op, class), w->y[0]).violations == 0,
	           "%s: wrong product", format);
}

/* A plan of the same format and way for a matrix that was made of these values has the same bits. */
static void check_against_fresh(walk *w, int class)
{
	tulle_plan_options o = options_of(w->g->s, w->op);
	double *val = given_values(&w->g->m, w->from, class), *y = grab(w->rows, sizeof *y);
	tulle_matrix *a = make_matrix(w->context[0], &w->g->m, w->from, val);
	tulle_plan *fresh = NULL;

	o.format = info_of(w->plan[0]).format;
	if (!strcmp(info_of(w->plan[0]).way, "scatter"))
		o.format = "csr:transpose=scatter";
	if (CHECK_OK(tulle_plan_create(a, &o, &fresh))) {
		CHECK_OK(tulle_mul_f64(fresh, 1, w->g->x, 0, y));
		CHECK_THAT(memcmp(y, w->y[0], (size_t)w->rows * sizeof *y) == 0,
		           "%s: not the bits of a fresh plan", o.format);
	}
	tulle_plan_destroy(fresh);
	tulle_matrix_destroy(a);
	free(val);
	free(y);
}

/* What is told of a plan whose format was changed. */
static void check_change(walk *w, const char *before)
{
	const tulle_plan_info now = info_of(w->plan[0]);
	char text[EXPLAINED], words[64];

	w->changes++;
	snprintf(words, sizeof words, "%s refused the values of an update", before);
	CHECK_THAT(strstr(now.why, words) != NULL, "from %s to %s: \"%s\"", before, now.format,
	           now.why);
	explain(w->plan[0], text);
	snprintf(words, sizeof words, " x with %s, kernel %s,", now.format, now.kernel);
	CHECK_THAT(strstr(text, words) != NULL, "no \"%s\" in\n%s", words, text);
	snprintf(words, sizeof words, "ruled out: %s: ", before);
	CHECK_THAT(strstr(text, words) != NULL, "no \"%s\" in\n%s", words, text);
}

/* Ones may be given as NULL; do so where the arrays are the caller's. */
static const double *told(source from, int class, const double *val)
{
	return from == BORROWED && class == ONES ? NULL : val;
}

/* Values that the caller gave are spoilt as soon as the plan says that it does not read them. */
static void update(walk *w, int class)
{
	for (int t = 0; t < TEAMS; t++) {
		double *given = given_values(&w->g->m, w->from, class);
		char before[16];
		int borrows;

		snprintf(before, sizeof before, "%s", info_of(w->plan[t]).format);
		borrows = info_of(w->plan[t]).borrows_values;
		CHECK_THAT(!borrows || !strcmp(before, "csr"), "borrows_values: %s has its own", before);
		CHECK_OK(tulle_plan_update(w->plan[t], told(w->from, class, given)));
		CHECK_EQUAL(info_of(w->plan[t]).borrows_values, borrows);
		free(w->given[t]);
		w->given[t] = given;
		for (int64_t k = 0; !borrows && k < w->g->m.nnz; k++)
			given[k] = NAN;
		if (t == 0 && strcmp(before, info_of(w->plan[t]).format) != 0)
			check_change(w, before);
	}
	CHECK_THAT(!strcmp(info_of(w->plan[0]).format, info_of(w->plan[1]).format), "%s and %s",
	           info_of(w->plan[0]).format, info_of(w->plan[1]).format);
}

static void begin(walk *w, int class)
{
	const tulle_plan_options o = options_of(w->g->s, w->op);

	for (int t = 0; t < TEAMS; t++) {
		w->given[t] = given_values(&w->g->m, w->from, class);
		w->context[t] = context_for(NULL, teams[t], -1);
		w->matrix[t] =
		    make_matrix(w->context[t], &w->g->m, w->from, told(w->from, class, w->given[t]));
		CHECK_OK(tulle_plan_create(w->matrix[t], &o, &w->plan[t]));
		w->y[t] = grab(w->rows, sizeof *w->y[t]);
	}
}

static void end(walk *w)
{
	for (int t = 0; t < TEAMS; t++) {
		tulle_plan_destroy(w->plan[t]);
		tulle_matrix_destroy(w->matrix[t]);
		CHECK_EQUAL(context_info(w->context[t]).blocks_held, 0);
		tulle_context_destroy(w->context[t]);
		free(w->y[t]);
		free(w->given[t]);
	}
}

/* From one class through all others and back to it, or through some of them. Returns how often the format
 * was changed. */
static int walk_from(ground *g, int first, source from, tulle_op op)
{
	const subject *s = g->s;
	walk w = { .g = g, .from = from, .op = op };

	w.rows = op == TULLE_TRANSPOSED ? g->m.cols : g->m.rows;
	check_about("%s, %s, op %d, from %s", s->spec, source_names[from], (int)op, class_names[first]);
	begin(&w, first);
	if (first == s->class && op == TULLE_NORMAL)
		CHECK_THAT(!strcmp(info_of(w.plan[0]).format, s->format), "%s is chosen, not %s",
		           info_of(w.plan[0]).format, s->format);
	check_products(&w, first);
	for (int n = 1; n <= CLASSES; n += s->large ? 3 : 1) {
		const int class = (first + n) % CLASSES;

		check_about("%s, %s, op %d, from %s, at %s", s->spec, source_names[from], (int)op,
		            class_names[first], class_names[class]);
		update(&w, class);
		check_products(&w, class);
		if (n == 1 || !s->large)
			check_against_fresh(&w, class);
	}
	end(&w);
	return w.changes;
}

static void test_walks(const subject *s)
{
	ground g = { .s = s };
	int changes = 0;

	if (!make_subject(s, &g.m))
		return;
	g.x = grab(g.m.rows + g.m.cols, sizeof *g.x);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, g.m.rows + g.m.cols, g.x);
	if (s->large)
		changes = walk_from(&g, s->class, BORROWED, TULLE_NORMAL);
	for (int n = 0; !s->large && n < 2 * CLASSES; n++)
		changes += walk_from(&g, n / 2, (source)(n / 2 % SOURCES), (tulle_op)(n % 2));
	CHECK_THAT((changes > 0) == !strcmp(s->format, "sym"), "%d changes of the format", changes);
	for (int n = 0; n < 2 * CLASSES; n++)
		kit_oracle_free(g.oracle[n / CLASSES][n % CLASSES]);
	kit_free(&g.m);
	free(g.x);
	check_group("%s, %s first, %d changes of the format", s->spec, s->format, changes);
}

int main(void)
{
	for (int n = 0; n < SUBJECTS; n++)
		test_walks(&subjects[n]);
	test_allocations();
	test_limits();
	test_asked_for();
	test_measured();
	return check_end();
}
