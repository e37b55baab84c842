/* plan_updates_failing.c -- updates without memory, updates that the caller's options refuse, and updates of
 * plans that were measured. */
#include "core/format.h"
#include "heap.h"
#include "plan_updates.h"
#include "planner/wisdom_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- failures ---- */

/* A plan with symmetric values, of which values are wanted that its format does not take. */
typedef struct {
	kit_matrix m;
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
	double *old, *new, *x, *y, *want; /* want: the product with the old values */
	char text[EXPLAINED];             /* how the plan explains itself */
} stage;

static int set_up(stage *g, const subject *s, source from, tulle_op op,
                  const tulle_context_options *context)
{
	const tulle_plan_options o = options_of(s, op);

	*g = (stage){ .matrix = NULL };
	if (!make_subject(s, &g->m) || !CHECK_OK(tulle_context_create(context, &g->context)))
		return 0;
	g->old = given_values(&g->m, from, SYMMETRIC);
	g->new = given_values(&g->m, from, ALMOST_SYMMETRIC);
	g->x = grab(g->m.cols, sizeof *g->x);
	g->y = grab(g->m.rows, sizeof *g->y);
	g->want = grab(g->m.rows, sizeof *g->want);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, g->m.cols, g->x);
	g->matrix = make_matrix(g->context, &g->m, from, g->old);
	return tulle_plan_create(g->matrix, &o, &g->plan) == TULLE_OK &&
	       tulle_mul_f64(g->plan, 1, g->x, 0, g->want) == TULLE_OK &&
	       tulle_plan_explain(g->plan, g->text, EXPLAINED) < EXPLAINED;
}

static void tear_down(stage *g)
{
	tulle_plan_destroy(g->plan);
	tulle_matrix_destroy(g->matrix);
	CHECK_EQUAL(context_info(g->context).blocks_held, 0);
	tulle_context_destroy(g->context);
	kit_free(&g->m);
	free(g->old);
	free(g->new);
	free(g->x);
	free(g->y);
	free(g->want);
}

/* After a refused update: its bits, its memory and its words. */
static void check_unchanged(stage *g, size_t held)
{
	char text[EXPLAINED];

	CHECK_EQUAL(context_info(g->context).bytes_held, held);
	CHECK_OK(tulle_mul_f64(g->plan, 1, g->x, 0, g->y));
	CHECK_THAT(memcmp(g->y, g->want, (size_t)g->m.rows * sizeof *g->y) == 0,
	           "a failed update changed the plan");
	explain(g->plan, text);
	CHECK_THAT(!strcmp(text, g->text), "before\n%safter a failed update\n%s", g->text, text);
}

/* The k-th allocation of an update fails, for every k: only that one, or all from there on. */
static void fail_allocations(const subject *s, source from, tulle_op op, int for_ever)
{
	const tulle_context_options o = {
		.size = sizeof o, .threads = 2, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	tulle_status status = TULLE_E_MEMORY;
	long points = 0;
	stage g;

	heap.fail_at = 0;
	heap.for_ever = for_ever;
	if (CHECK(set_up(&g, s, from, op, &o))) {
		const size_t held = context_info(g.context).bytes_held;

		CHECK_THAT(!strcmp(info_of(g.plan).format, "sym"), "%s", info_of(g.plan).format);
		while (status == TULLE_E_MEMORY && points < 1000) {
			check_about("%s, %s, op %d, allocation %ld fails", s->spec, source_names[from], (int)op,
			            points + 1);
			heap.fail_at = points + 1;
			atomic_store(&heap.asked, 0);
			status = tulle_plan_update(g.plan, g.new);
			heap.fail_at = 0;
			if (status != TULLE_E_MEMORY)
				break;
			check_unchanged(&g, held);
			points++;
		}
		CHECK_OK(status);
		CHECK_THAT(points > 3, "no allocation failed");
		CHECK_THAT(strcmp(info_of(g.plan).format, "sym") != 0, "sym took it");
		CHECK_THAT(s != &subjects[SUBJECTS - 1] || info_of(g.plan).scratch > 0,
		           "no scratch to fail");
	}
	tear_down(&g);
	check_group("%s, %s, op %d: %ld points of failure", s->spec, source_names[from], (int)op,
	            points);
}

void test_allocations(void)
{
	const subject *small = &subjects[0], *large = &subjects[SUBJECTS - 1];

	for (int from = 0; from < SOURCES; from++)
		for (int op = 0; op < 2; op++)
			fail_allocations(small, (source)from, (tulle_op)op, op);
	fail_allocations(large, BORROWED, TULLE_NORMAL, 1);
	fail_allocations(large, FROM_COO, TULLE_TRANSPOSED, 0);
}

/* With every limit of memory that lets the plan be made: TULLE_E_LIMIT and no change, or a new format. */
void test_limits(void)
{
	int refused = 0, taken = 0;

	for (size_t limit = 150000; limit < 4000000; limit += limit / 20) {
		const tulle_context_options o = { .size = sizeof o, .memory_limit = limit };
		stage g;

		check_about("limit %zu", limit);
		if (set_up(&g, &subjects[0], BORROWED, TULLE_NORMAL, &o) &&
		    !strcmp(info_of(g.plan).format, "sym")) {
			const size_t held = context_info(g.context).bytes_held;
			const tulle_status status = tulle_plan_update(g.plan, g.new);

			if (status == TULLE_OK) {
				CHECK_THAT(strcmp(info_of(g.plan).format, "sym") != 0, "sym took it");
				taken++;
			} else {
				CHECK_STATUS(status, TULLE_E_LIMIT);
				check_unchanged(&g, held);
				refused++;
			}
		}
		tear_down(&g);
	}
	CHECK_THAT(refused > 0 && taken > 0, "%d refused, %d taken", refused, taken);
	check_group("limits of memory: %d updates refused, %d taken", refused, taken);
}

/* ---- what may still refuse: what the caller asked for ---- */

void test_asked_for(void)
{
	static const struct {
		tulle_plan_options o;
		int first, refused; /* classes */
		const char *words;
	} cases[] = {
		{ { .format = "sym" }, SYMMETRIC, ALMOST_SYMMETRIC, "sym: a( = 7 but" },
		{ { .lossy = 1 }, ANY, HUGE_VALUE, "1e+300 row float" },
		{ { .lossy = 1, .format = "sell" }, ANY, HUGE_VALUE, "1e+300 row float" },
		{ { .lossy = 1, .effort = TULLE_MEASURE }, ANY, HUGE_VALUE, "1e+300 row float" },
	};

	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		tulle_plan_options o = cases[n].o;
		char format[16];
		stage g;

		check_about("case %zu", n);
		set_up(&g, &subjects[0], BORROWED, TULLE_NORMAL, NULL);
		tulle_plan_destroy(g.plan);
		g.plan = NULL;
		o.size = sizeof o;
		o.multiplies = 1e4;
		free(g.new);
		g.new = given_values(&g.m, BORROWED, cases[n].refused);
		if (CHECK_OK(tulle_plan_create(g.matrix, &o, &g.plan))) {
			double *first = given_values(&g.m, BORROWED, cases[n].first);

			CHECK_OK(tulle_plan_update(g.plan, first));
			free(first);
			CHECK_OK(tulle_mul_f64(g.plan, 1, g.x, 0, g.want));
			explain(g.plan, g.text);
			snprintf(format, sizeof format, "%s", info_of(g.plan).format);
			CHECK_STATUS(tulle_plan_update(g.plan, g.new), TULLE_E_UNSUPPORTED);
			CHECK_WORDS(tulle_last_error(), cases[n].words);
			check_unchanged(&g, context_info(g.context).bytes_held);
			CHECK_OK(tulle_plan_update(g.plan, g.old));
			CHECK_THAT(!strcmp(info_of(g.plan).format, format), "from %s to %s", format,
			           info_of(g.plan).format);
		}
		tear_down(&g);
	}
	check_group("what the caller asked for");
}

/* ---- a search that was measured, and wisdom ---- */

static void count_measured(void *user, tulle_log_level level, const char *line)
{
	(void)level;
	*(int *)user += !strncmp(line, "measured ", 9);
}

/* Add a line to a wisdom file that has one of csr: on this matrix sym takes no time at all. */
static int praise_sym(const char *path)
{
	FILE *file = fopen(path, "r+");
	char line[TULLE__WISDOM_LINE_MAX + 1];
	tulle__wisdom_record r;
	int found = 0;

	while (!found && file && fgets(line, sizeof line, file))
		found = tulle__wisdom_read(line, line + strcspn(line, "\n"), &r) && !strcmp(r.name, "csr");
	if (found) {
		snprintf(r.name, sizeof r.name, "sym");
		r.version = tulle__format_named("sym", 3)->version;
		r.number[0] = r.number[1] = 1e-9; /* conversion and multiplication */
		fseek(file, 0, SEEK_END);
		found = fwrite(line, 1, tulle__wisdom_write(&r, line), file) > 0;
	}
	if (file)
		fclose(file);
	return found;
}

/* Nothing is timed in an update, and what wisdom knows of the old values does not bring sym back. */
void test_measured(void)
{
	char folder[] = "/tmp/tulle-updates-XXXXXX", path[64];
	const tulle_plan_options o = {
		.size = sizeof o, .multiplies = 1e4, .effort = TULLE_MEASURE, .wisdom = path
	};
	int measured = 0;
	const tulle_context_options context = { .size = sizeof context,
		                                    .log = count_measured,
		                                    .user = &measured };
	stage g;

	if (!CHECK(mkdtemp(folder) != NULL))
		return;
	snprintf(path, sizeof path, "%s/wisdom", folder);
	check_about("wisdom in %s", path);
	set_up(&g, &subjects[0], BORROWED, TULLE_NORMAL, &context);
	for (int n = 0; n < 3; n++) {
		tulle_plan_destroy(g.plan);
		g.plan = NULL;
		if (!CHECK_OK(tulle_plan_create(g.matrix, &o, &g.plan)))
			break;
		if (n == 0) {
			CHECK_THAT(measured > 0, "nothing was measured");
			CHECK(praise_sym(path));
			continue;
		}
		CHECK_THAT(!strcmp(info_of(g.plan).format, "sym"), "wisdom is not believed");
		measured = 0;
		for (int turn = 0; turn < 4; turn++) {
			CHECK_OK(tulle_plan_update(g.plan, turn % 2 ? g.old : g.new));
			CHECK_THAT(strcmp(info_of(g.plan).format, "sym") != 0, "sym came back");
		}
		CHECK_EQUAL(measured, 0);
	}
	tear_down(&g);
	unlink(path);
	rmdir(folder);
	check_group("measured, and wisdom");
}
