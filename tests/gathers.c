/* gathers.c -- kernels that gather by loads give the bits of those that gather by the instruction: every
 * format and tunable, all shapes, and 1 to 64 threads. And which of the two is taken when. */
#include "shapes.h"

#include "core/gather.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int counts[] = { 1, 17, 2, 3, 64 }; /* a brief test takes the first two */

typedef struct {
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
} scene;

/* serial_below = -1: the team takes part in the smallest product. */
static scene set_up(const char *isa, int threads, const matrix *m, tulle_value_type type,
                    const arrays *arr, const char *spec, tulle_op op)
{
	scene s = { .context = context_for(isa, threads, -1) };

	s.matrix = borrow(s.context, m, pairs[0], type, arr);
	s.plan = s.matrix ? plan_unless_padded(s.matrix, spec, op) : NULL;
	return s;
}

static void tear_down(scene *s)
{
	tulle_plan_destroy(s->plan);
	tulle_matrix_destroy(s->matrix);
	tulle_context_destroy(s->context);
}

/* Not all values of x are finite: a lane that reads what is not its own shows. */
static void *make_x(tulle_value_type type, int64_t n)
{
	void *x = grab(n + 1, value_size(type));

	for (int64_t j = 0; j < n; j++)
		value_set(type, x, j,
		          j % 211 == 7   ? INFINITY
		          : j % 211 == 9 ? -0.0
		                         : 1.0 / (double)(3 + j % 1009));
	return x;
}

/* Products with k = 5 vectors take the same words in other kernels. */
enum { VECTORS = 5 };

static tulle_status product(const scene *s, tulle_value_type type, int several, const void *x,
                            void *y)
{
	if (!several)
		return mul(s->plan, type, 1.5, x, 0.5, y);
	return type == TULLE_F32 ? tulle_mul_many_f32(s->plan, VECTORS, TULLE_ROW_MAJOR, 1.5F, x,
	                                              VECTORS, 0.5F, y, VECTORS)
	                         : tulle_mul_many_f64(s->plan, VECTORS, TULLE_ROW_MAJOR, 1.5, x,
	                                              VECTORS, 0.5, y, VECTORS);
}

/* Both sets, `several` vectors or one; the number of products compared. */
static int compare(const char *isa, const char *loads, const matrix *m, tulle_value_type type,
                   const arrays *arr, const char *spec, tulle_op op, int several, int most_counts)
{
	const int64_t rows = op == TULLE_NORMAL ? m->rows : m->cols;
	const int64_t cols = op == TULLE_NORMAL ? m->cols : m->rows;
	const int64_t k = several ? VECTORS : 1;
	const size_t bytes = (size_t)(rows * k) * value_size(type);
	void *x = make_x(type, cols * k), *want = grab(rows * k + 1, value_size(type));
	void *y = grab(rows * k + 1, value_size(type));
	scene s = set_up(isa, 1, m, type, arr, spec, op);
	int done = 0;

	value_fill(type, want, rows * k, -7);
	if (s.plan && CHECK_OK(product(&s, type, several, x, want)))
		for (int c = 0; c < most_counts; c++) {
			scene t = set_up(loads, counts[c], m, type, arr, spec, op);

			check_about("%s, %s, %s, %s, op %d, %d vectors, %d threads", spec, loads,
			            type_name(type), m->name, (int)op, (int)k, counts[c]);
			value_fill(type, y, rows * k, -7);
			if (t.plan && CHECK_OK(product(&t, type, several, x, y)))
				CHECK_THAT(memcmp(y, want, bytes) == 0, "other bits than with %s", isa);
			tear_down(&t);
			done++;
		}
	tear_down(&s);
	free(x);
	free(want);
	free(y);
	return done;
}

static int compare_matrix(const char *isa, const char *loads, matrix *m, const char *spec,
                          int most_counts)
{
	uint64_t state = 3;
	int done = 0;

	matrix_whole_values(m, &state, 1000);
	for (int t = TULLE_F32; t <= TULLE_F64; t++) {
		const tulle_value_type type = (tulle_value_type)t;
		arrays arr = cast(m, pairs[0], type, 0);

		for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++)
			for (int several = 0; several < 2; several++)
				done +=
				    compare(isa, loads, m, type, &arr, spec, (tulle_op)op, several, most_counts);
		arrays_free(&arr);
	}
	return done;
}

static void check_format(const options *o, const char *isa, const char *loads, const char *format)
{
	matrix large = matrix_large(1), level = matrix_level(1), nodes = matrix_nodes(1), m;
	char *spec;
	int done = 0;

	for (int n = 0; (spec = format_spec(format, n)); n++) {
		for (int shape = 0; shape_at(shape, &m); shape++) {
			if (wants_shape(o, n, shape))
				done += compare_matrix(isa, loads, &m, spec, 1);
			matrix_free(&m);
		}
		if (n == 0) {
			const int each = o->brief ? 2 : (int)(sizeof counts / sizeof *counts);

			done += compare_matrix(isa, loads, &large, spec, each);
			done += compare_matrix(isa, loads, &level, spec, each);
			done += compare_matrix(isa, loads, &nodes, spec, each);
		}
		free(spec);
	}
	CHECK(done > 0);
	check_group("%s: %d products, %s and %s", format, done, loads, isa);
	matrix_free(&large);
	matrix_free(&level);
	matrix_free(&nodes);
}

/* ---- which is taken ---- */

static const char *isa_with(const char *gather, const char *isa)
{
	static char name[32];
	tulle_context *context;

	setenv("TULLE_GATHER", gather, 1);
	context = context_for(isa, 1, 0);
	snprintf(name, sizeof name, "%s", context_info(context).isa);
	tulle_context_destroy(context);
	return name;
}

static void check_wishes(const char *isa, const char *loads)
{
	tulle_context *context = NULL;

	check_about("%s and %s", isa, loads);
	CHECK(strcmp(isa_with("instruction", isa), isa) == 0);
	CHECK(strcmp(isa_with("loads", isa), loads) == 0);
	CHECK(strcmp(isa_with("instruction", loads), loads) == 0);
	if (tulle__gather_of_model() == TULLE__GATHER_UNKNOWN) {
		tulle__gather_settle(TULLE__GATHER_INSTRUCTION);
		CHECK(strcmp(isa_with("", isa), isa) == 0);
		tulle__gather_settle(TULLE__GATHER_LOADS);
		CHECK(strcmp(isa_with("", isa), loads) == 0);
		tulle__gather_settle(TULLE__GATHER_UNKNOWN);
		CHECK(strcmp(isa_with("", isa), loads) == 0);
	}
	setenv("TULLE_GATHER", "loadz", 1);
	CHECK_STATUS(tulle_context_create(NULL, &context), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "TULLE_GATHER loadz loads instruction");
	setenv("TULLE_GATHER", "instruction", 1);
	check_group("%s: by wish, by model, by timing", isa);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	int pairs_seen = 0;

	setenv("TULLE_GATHER", "instruction", 1); /* each set by its name */
	for (tulle__isa isa = 0; isa < TULLE__ISAS; isa++) {
		const tulle__isa loads = tulle__isa_loads(isa);

		if (loads == isa || !wants_isa(&o, isas[isa]))
			continue;
		pairs_seen++;
		check_wishes(isas[isa], isas[loads]);
		for (int f = 0; (format = tulle_formats(f)); f++)
			if (wants_format(&o, format))
				check_format(&o, isas[isa], isas[loads], format);
	}
	return pairs_seen > 0 ? walk_end() : CHECK_SKIP;
}
