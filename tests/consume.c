/* consume.c -- tulle_plan_consume: the bits of an ordinary plan, updates, the matrix after a failure, and the memory
 * at the peak of both ways. */
#include "consume.h"

#include "api/handles.h"
#include "core/memory.h"
#include "heap.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tulle_matrix *copy(tulle_context *context, const matrix *m, index_pair pair,
                          tulle_value_type type, const arrays *a)
{
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	tulle_matrix *out = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, m->rows, m->cols, pair.offset, a->row_ptr, pair.column,
	                               a->col, type, a->val, &o, &out));
	return out;
}

/* ---- the same as without ---- */

typedef struct {
	const char *format; /* NULL: the library chooses */
	int lossy, reproducible;
	double multiplies;
} way;

static tulle_plan_options options_of(const way *w)
{
	return (tulle_plan_options){ .size = sizeof(tulle_plan_options),
		                         .format = w->format,
		                         .lossy = w->lossy,
		                         .reproducible = w->reproducible,
		                         .multiplies = w->multiplies };
}

/* The matrix, a plan of each kind for it, and vectors. */
typedef struct {
	const matrix *m;
	tulle_value_type type;
	tulle_plan *kept, *consumed;
	void *x, *y[2];
} subject;

static void compare_products(const subject *s, const char *when)
{
	const size_t bytes = (size_t)s->m->rows * value_size(s->type);

	value_fill(s->type, s->y[0], s->m->rows, -1);
	value_fill(s->type, s->y[1], s->m->rows, -2);
	CHECK_OK(mul(s->kept, s->type, 1, s->x, 0, s->y[0]));
	CHECK_OK(mul(s->consumed, s->type, 1, s->x, 0, s->y[1]));
	CHECK_THAT(memcmp(s->y[0], s->y[1], bytes) == 0, "other bits %s", when);
}

/* Entry by entry what the ordinary plan gives back. */
static void compare_matrices(const subject *s)
{
	tulle_csr_view a = { .size = sizeof a }, b = { .size = sizeof b };
	tulle_matrix *kept = NULL, *consumed = NULL;

	CHECK_OK(tulle_matrix_from_plan(s->kept, &kept));
	CHECK_OK(tulle_matrix_from_plan(s->consumed, &consumed));
	CHECK_OK(tulle_matrix_view_csr(kept, &a));
	CHECK_OK(tulle_matrix_view_csr(consumed, &b));
	CHECK_EQUAL(a.nnz, b.nnz);
	CHECK(memcmp(a.col, b.col, (size_t)a.nnz * index_size(a.column_type)) == 0);
	CHECK(!a.val == !b.val &&
	      (!a.val || memcmp(a.val, b.val, (size_t)a.nnz * value_size(a.value_type)) == 0));
	tulle_matrix_destroy(kept);
	tulle_matrix_destroy(consumed);
}

static void compare_figures(const subject *s)
{
	tulle_plan_info a = { .size = sizeof a }, b = { .size = sizeof b };

	CHECK_OK(tulle_plan_describe(s->kept, &a));
	CHECK_OK(tulle_plan_describe(s->consumed, &b));
	CHECK_EQUAL(a.bytes, b.bytes);
	CHECK_EQUAL(a.extra_bytes, b.extra_bytes);
	CHECK(strcmp(a.format, b.format) == 0 && strcmp(a.note, b.note) == 0);
}

/* A file holds the matrix, which only the plan has. */
static void compare_saved(subject *s, tulle_context *context)
{
	char path[] = "/tmp/tulle_consume_XXXXXX.tulle";
	const int file = mkstemps(path, 6);
	tulle_plan *consumed = s->consumed;

	if (!CHECK(file >= 0))
		return;
	close(file);
	CHECK_OK(tulle_plan_save(consumed, path, NULL));
	if (CHECK_OK(tulle_plan_load(context, path, NULL, NULL, &s->consumed)))
		compare_products(s, "from a file");
	tulle_plan_destroy(s->consumed);
	s->consumed = consumed;
	unlink(path);
}

static void check_way(tulle_context *context, const matrix *m, index_pair pair,
                      tulle_value_type type, const way *w, int has_values)
{
	const tulle_plan_options o = options_of(w);
	subject s = { .m = m, .type = type };
	arrays a = cast(m, pair, type, 0);
	void *const given = a.val;
	tulle_matrix *first, *second;
	size_t bytes, held;

	if (!has_values)
		a.val = NULL;
	first = copy(context, m, pair, type, &a);
	second = copy(context, m, pair, type, &a);
	s.x = grab(m->cols, value_size(type));
	s.y[0] = grab(m->rows, value_size(type));
	s.y[1] = grab(m->rows, value_size(type));
	for (int64_t j = 0; j < m->cols; j++)
		value_set(type, s.x, j, (double)(j % 17) - 8.5);
	bytes = context_info(context).bytes_held;
	CHECK_OK(tulle_plan_create(first, &o, &s.kept));
	bytes = context_info(context).bytes_held - bytes;
	held = context_info(context).bytes_held;
	if (CHECK_OK(tulle_plan_consume(&second, &o, &s.consumed)) && CHECK(s.kept && !second)) {
		if (m->nnz > 0 && s.consumed->format->fill) {
			const size_t entry = index_size(pair.column) + (has_values ? value_size(type) : 0);
			const size_t lines = has_values ? 2 * TULLE__ALIGN : TULLE__ALIGN; /* before blocks */

			CHECK_EQUAL(context_info(context).bytes_held + (size_t)m->nnz * entry + lines,
			            held + bytes);
		}
		compare_figures(&s);
		compare_products(&s, "after planning");
		compare_saved(&s, context);
		if (has_values) { /* the other way around */
			void *const others = cast_values(m->val, m->nnz, type);

			for (int64_t k = 0; k < m->nnz; k++)
				value_set(type, others, k, value_at(type, given, m->nnz - 1 - k));
			CHECK_OK(tulle_plan_update(s.kept, others));
			CHECK_OK(tulle_plan_update(s.consumed, others));
			compare_products(&s, "after an update");
			free(others);
		}
		compare_matrices(&s);
		compare_saved(&s, context);
	}
	tulle_plan_destroy(s.kept);
	tulle_plan_destroy(s.consumed);
	tulle_matrix_destroy(first);
	tulle_matrix_destroy(second);
	a.val = given;
	arrays_free(&a);
	free(s.x);
	free(s.y[0]);
	free(s.y[1]);
}

static void check_ways(tulle_context *context, const matrix *m, const options *o)
{
	static const way ways[] = {
		{ "sell", 0, 0, 0 },
		{ "sell:sigma=1,height=4", 0, 0, 0 },
		{ "sell:sigma=65536", 0, 0, 0 },
		{ "sell:longest=5", 0, 0, 0 },
		{ "sell:longest=0,height=32", 0, 0, 0 },
		{ NULL, 0, 1, 1e6 },
		{ "csr", 0, 0, 0 },
		{ "csr5", 0, 0, 0 },
	};
	const int count = (int)(sizeof ways / sizeof *ways);

	for (int n = 0; n < count; n++)
		for (tulle_value_type type = TULLE_F32; type <= TULLE_F64; type++)
			if (wants_type(o, type)) {
				check_about("%s, %s, %s", m->name, ways[n].format ? ways[n].format : "chosen",
				            type_name(type));
				check_way(context, m, pairs[n % PAIRS], type, &ways[n], n % 2 == 0 || n == 5);
			}
	if (wants_type(o, TULLE_F64)) {
		check_about("%s, f16", m->name);
		check_way(context, m, pairs[0], TULLE_F64, &(way){ "sell", TULLE_LOSSY_F16, 0, 0 }, 1);
		check_about("%s, in order", m->name);
		if (fused_available())
			check_way(context, m, pairs[1], TULLE_F64, &(way){ "sell", 0, 2, 0 }, 1);
	}
}

static void check_bits(const options *o)
{
	for (int threads = 1; threads <= (o->brief ? 1 : 4); threads += 3) {
		tulle_context *context = context_for(NULL, threads, -1);
		matrix many[] = { matrix_large(7), matrix_level(8), matrix_grid(211), matrix_nodes(9),
			              matrix_grid(3) };

		for (size_t n = 0; n < sizeof many / sizeof *many; n++) {
			uint64_t state = n + 1;

			/* Neither few different values nor all floats, except for the grids: these are stencils. */
			for (int64_t k = 0; many[n].kind != TULLE_GENERAL && n == 3 && k < many[n].nnz; k++)
				many[n].val[k] = random_unit(&state);
			check_ways(context, &many[n], o);
			matrix_free(&many[n]);
		}
		CHECK_EQUAL(context_info(context).bytes_held, 0);
		tulle_context_destroy(context);
	}
	check_group("plans that have consumed their matrix");
}

/* ---- failures ---- */

/* Whether a plan could be made under a limit of so many bytes; if not, the matrix is as it was. */
static int try_limit(const matrix *m, const arrays *a, size_t limit, int consumes)
{
	const tulle_context_options co = { .size = sizeof co, .memory_limit = limit, .threads = 1 };
	const tulle_plan_options o = { .size = sizeof o, .format = "sell" };
	tulle_csr_view view = { .size = sizeof view };
	tulle_context *context = NULL;
	tulle_matrix *of;
	tulle_plan *plan = NULL;
	size_t bytes;
	tulle_status s;

	CHECK_OK(tulle_context_create(&co, &context));
	of = copy(context, m, pairs[0], TULLE_F64, a);
	bytes = context_info(context).bytes_held;
	s = consumes ? tulle_plan_consume(&of, &o, &plan) : tulle_plan_create(of, &o, &plan);
	if (s != TULLE_OK) {
		CHECK_STATUS(s, TULLE_E_LIMIT);
		CHECK(!plan);
		CHECK_EQUAL(context_info(context).bytes_held, bytes);
		CHECK_OK(tulle_matrix_view_csr(of, &view));
		CHECK(view.col && memcmp(view.col, a->col, (size_t)m->nnz * sizeof(int32_t)) == 0);
		CHECK(view.val && memcmp(view.val, a->val, (size_t)m->nnz * sizeof(double)) == 0);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(of);
	tulle_context_destroy(context);
	return s == TULLE_OK;
}

/* The least limit under which it works, to 4096 bytes. */
static size_t least_limit(const matrix *m, const arrays *a, size_t low, size_t high, int consumes)
{
	while (high - low > 4096) {
		const size_t middle = low + (high - low) / 2;

		if (try_limit(m, a, middle, consumes))
			high = middle;
		else
			low = middle;
	}
	return high;
}

static void check_limits(void)
{
	matrix m = matrix_level(3);
	uint64_t state = 4;
	arrays a;
	size_t csr, kept, consumed;

	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = random_unit(&state);
	a = cast(&m, pairs[0], TULLE_F64, 0);
	csr = 12 * (size_t)m.nnz + 4 * (size_t)(m.rows + 1);
	/* The matrix fits with a little more: its handle, and a header per block. */
	for (size_t limit = csr + 4096; limit < 3 * csr; limit += csr / 23)
		try_limit(&m, &a, limit, 1);
	kept = least_limit(&m, &a, csr + 4096, 4 * csr, 0);
	consumed = least_limit(&m, &a, csr + 4096, 4 * csr, 1);
	CHECK_THAT((double)consumed < 1.25 * (double)csr, "limit %zu for a matrix of %zu bytes",
	           consumed, csr);
	CHECK_THAT((double)kept > 1.5 * (double)csr, "limit %zu without, for a matrix of %zu bytes",
	           kept, csr);
	check_group("limits: %zu bytes of CSR, %zu if consumed, %zu if kept", csr, consumed, kept);
	arrays_free(&a);
	matrix_free(&m);
}

/* ---- matrices that stay ---- */

static void check_stays(tulle_context *context, const char *why, tulle_matrix *of,
                        tulle_plan_options o)
{
	tulle_matrix *held = of;
	tulle_plan *plan = NULL, *before = NULL;

	check_about("%s", why);
	o.size = sizeof o;
	if (strcmp(why, "another plan") == 0)
		CHECK_OK(tulle_plan_create(of, &(tulle_plan_options){ .size = sizeof o, .format = "csr" },
		                           &before));
	CHECK_OK(tulle_plan_consume(&held, &o, &plan));
	CHECK(!held);
	CHECK(!plan || plan->consumed == 0);
	tulle_plan_destroy(plan);
	tulle_plan_destroy(before);
	(void)context;
}

static void check_others(void)
{
	static const tulle_context_options own = {
		.size = sizeof own, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	matrix m = matrix_grid(20);
	arrays a = cast(&m, pairs[0], TULLE_F64, 0), a32 = cast(&m, pairs[0], TULLE_F32, 0);
	tulle_context *context = NULL;
	tulle_plan *plan = NULL;
	tulle_matrix *of = NULL;

	check_stays(NULL, "borrowed", borrow(NULL, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .format = "sell" });
	check_stays(NULL, "another plan", copy(NULL, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .format = "sell" });
	check_stays(NULL, "transposed", copy(NULL, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .format = "sell", .op = TULLE_TRANSPOSED });
	check_stays(NULL, "both", copy(NULL, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .format = "sell", .op = TULLE_BOTH });
	check_stays(NULL, "online", copy(NULL, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .online = 1 });
	check_stays(NULL, "f64 vectors", copy(NULL, &m, pairs[0], TULLE_F32, &a32),
	            (tulle_plan_options){ .format = "sell", .vector_type = TULLE_F64 });
	CHECK_OK(tulle_context_create(&own, &context));
	check_stays(context, "own allocator", copy(context, &m, pairs[0], TULLE_F64, &a),
	            (tulle_plan_options){ .format = "sell" });
	tulle_context_destroy(context);
	CHECK_EQUAL(heap.live_blocks, 0);

	check_about("misuse");
	CHECK_STATUS(tulle_plan_consume(NULL, NULL, &plan), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_consume(&of, NULL, &plan), TULLE_E_ARGUMENT);
	of = copy(NULL, &m, pairs[0], TULLE_F64, &a);
	CHECK_STATUS(tulle_plan_consume(&of, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_plan_consume(
	                 &of,
	                 &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "none" },
	                 &plan),
	             TULLE_E_ARGUMENT);
	CHECK(of && !plan);
	tulle_matrix_destroy(of);
	check_group("matrices that stay, and misuse");
	arrays_free(&a);
	arrays_free(&a32);
	matrix_free(&m);
}

/* A lossy plan refuses values, and keeps the ones that it has: it cannot take another format. */
static void check_refused_values(void)
{
	matrix m = matrix_grid(40);
	uint64_t state = 5;
	arrays a;
	tulle_matrix *of;
	tulle_plan *plan = NULL;
	double *x = grab(m.cols, sizeof *x), *y = grab(m.rows, sizeof *y),
	       *again = grab(m.rows, sizeof *y);

	check_about("values that are refused");
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = random_unit(&state);
	a = cast(&m, pairs[0], TULLE_F64, 0);
	of = copy(NULL, &m, pairs[0], TULLE_F64, &a);
	for (int64_t j = 0; j < m.cols; j++)
		x[j] = (double)j;
	CHECK_OK(tulle_plan_consume(
	    &of, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .lossy = TULLE_LOSSY_F16 },
	    &plan));
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	((double *)a.val)[0] = 1e300;
	CHECK_STATUS(tulle_plan_update(plan, a.val), TULLE_E_UNSUPPORTED);
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, again));
	CHECK(memcmp(y, again, (size_t)m.rows * sizeof *y) == 0);
	tulle_plan_destroy(plan);
	arrays_free(&a);
	matrix_free(&m);
	free(x);
	free(y);
	free(again);
}

int main(int argc, char **argv)
{
	options o;

	if (argc == 4 && strcmp(argv[1], "--child") == 0)
		return consume_child(argv[2], argv[3]);
	o = read_options(argc, argv);
	check_bits(&o);
	check_limits();
	check_others();
	check_refused_values();
#ifndef CONSUME_SANITIZED
	check_peak();
#endif
	return check_end();
}
