/* block_csr.c -- matrices from block CSR: every format has the bits that it has for the expansion, formats that
 * keep blocks never see an expansion, updates take values in the order of the blocks, and what is wrong is
 * refused by the block row. */
#include "block_problem.h"
#include "heap.h"
#include "inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bits ---- */

/* y = op(A) x by both plans, filled with rubbish before. */
static void check_same(const problem *p, tulle_op op, const tulle_plan *blocks,
                       const tulle_plan *expansion, const char *what)
{
	const int64_t rows = op == TULLE_TRANSPOSED ? p->cols : p->rows;
	const size_t bytes = (size_t)rows * value_size(p->type);
	void *got = grab(rows, sizeof(double)), *want = grab(rows, sizeof(double));

	memset(got, 0x55, bytes);
	memset(want, 0x55, bytes);
	CHECK_OK(mul(blocks, p->type, 1.5, p->x, 0, got));
	CHECK_OK(mul(expansion, p->type, 1.5, p->x, 0, want));
	CHECK_THAT(memcmp(got, want, bytes) == 0, "%s: other bits than the expansion", what);
	free(got);
	free(want);
}

/* The plan gives the matrix back, all entries. */
static void check_back(const problem *p, const tulle_plan *plan)
{
	const tulle_csr_view view = expansion_view(p);
	const tulle__csr want = inner_view(&view);
	tulle_matrix *back = NULL;

	if (CHECK_OK(tulle_matrix_from_plan(plan, &back))) {
		const tulle__csr got = inner_csr(back);

		CHECK_THAT(inner_same(&got, &want), "other entries come back");
	}
	tulle_matrix_destroy(back);
}

static tulle_status plan_of(const tulle_matrix *a, const char *format, tulle_op op,
                            tulle_plan **out)
{
	return tulle_plan_create(a,
	                         &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                .format = format,
	                                                .op = op,
	                                                .reproducible = format ? 0 : 1 },
	                         out);
}

static void explain(const tulle_plan *plan, char text[4096])
{
	CHECK(tulle_plan_explain(plan, text, 4096) < 4096);
}

/* bsell is built from blocks if one of its sizes divides theirs, everything else from the expansion. */
static void check_told(const problem *p, const char *format, tulle_op op, const tulle_plan *plan)
{
	const int kept = op == TULLE_NORMAL && !strncmp(format, "bsell", 5) && keeps(p, format);
	tulle_plan_info info = { .size = sizeof info };
	char text[4096];

	explain(plan, text);
	if (p->height == 1 && p->width == 1) {
		CHECK(!strstr(text, "\nblocks"));
		return;
	}
	CHECK_THAT((strstr(text, "kept: no expansion") != NULL) == kept, "%s:\n%s", format, text);
	CHECK_THAT((strstr(text, "expanded to CSR") == NULL) == kept, "%s:\n%s", format, text);
	CHECK_OK(tulle_plan_describe(plan, &info));
	if (!kept && op == TULLE_NORMAL)
		CHECK_THAT(info.extra_bytes >= expansion_bytes(p), "%s: the expansion is not counted",
		           format);
	CHECK_EQUAL(info.borrows_values, 0);
}

/* Plans of one format from both forms of the matrix. */
static void compare(const problem *p, const char *format, tulle_op op)
{
	tulle_matrix *a = from_blocks(p, NULL), *b = from_expansion(p);
	tulle_plan *blocks = NULL, *expansion = NULL;
	const tulle_status s = plan_of(b, format, op, &expansion), t = plan_of(a, format, op, &blocks);

	check_about("%s, %s, op %d", p->name, format, (int)op);
	CHECK_EQUAL(t, s);
	if (s == TULLE_OK && t == TULLE_OK) {
		check_same(p, op, blocks, expansion, format);
		check_told(p, format, op, blocks);
		if (op == TULLE_NORMAL)
			check_back(p, blocks);
		CHECK_OK(tulle_plan_update(blocks, p->other));
		CHECK_OK(tulle_plan_update(expansion, p->other_expanded));
		check_same(p, op, blocks, expansion, "updated");
		CHECK_OK(tulle_plan_update(blocks, NULL));
		CHECK_OK(tulle_plan_update(expansion, NULL));
		check_same(p, op, blocks, expansion, "updated to ones");
	}
	tulle_plan_destroy(blocks);
	tulle_plan_destroy(expansion);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
}

/* The planner's choice: the product of the expansion by csr, exactly, since values and x are whole numbers. */
static void compare_automatic(const problem *p, double multiplies, tulle_effort effort)
{
	const tulle_plan_options o = { .size = sizeof o, .multiplies = multiplies, .effort = effort };
	tulle_matrix *a = from_blocks(p, NULL), *b = from_expansion(p);
	tulle_plan *chosen = NULL, *csr = NULL;

	check_about("%s, %.0f multiplications, effort %d", p->name, multiplies, (int)effort);
	if (CHECK_OK(tulle_plan_create(a, &o, &chosen)) &&
	    CHECK_OK(plan_of(b, "csr", TULLE_NORMAL, &csr))) {
		check_same(p, TULLE_NORMAL, chosen, csr, "chosen");
		CHECK_OK(tulle_plan_update(chosen, p->other));
		CHECK_OK(tulle_plan_update(csr, p->other_expanded));
		check_same(p, TULLE_NORMAL, chosen, csr, "chosen and updated");
	}
	tulle_plan_destroy(chosen);
	tulle_plan_destroy(csr);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(b);
}

static const struct {
	int64_t height, width;
} sizes[] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },   { 6, 6 }, { 5, 5 }, { 8, 8 },
	          { 9, 9 }, { 6, 3 }, { 4, 2 }, { 12, 12 }, { 2, 3 }, { 1, 4 }, { 3, 1 } };

enum { SIZES = sizeof sizes / sizeof *sizes };

static void check_formats(const options *o)
{
	static const char *const specs[] = { "bsell:block=2", "bsell:block=3", "bsell:sigma=1",
		                                 "csr:transpose=scatter" };
	uint64_t seed = 11;

	for (int n = 0; n < SIZES; n++) {
		const recipe r = { .height = sizes[n].height,
			               .width = sizes[n].width,
			               .block_rows = 37,
			               .block_cols = 41,
			               .order = n % 2 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR,
			               .pair = pairs[n % PAIRS],
			               .type = n % 3 ? TULLE_F64 : TULLE_F32,
			               .base = n % 4 == 3 };
		problem p = problem_new(&r, &seed);
		const char *format;

		for (int f = 0; (format = tulle_formats(f)); f++)
			for (int op = 0; op < 2 && wants_format(o, format); op++)
				compare(&p, format, op ? TULLE_TRANSPOSED : TULLE_NORMAL);
		for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
			compare(&p, specs[s], s == 3 ? TULLE_TRANSPOSED : TULLE_NORMAL);
		problem_free(&p);
	}
	check_group("formats");
}

static void check_automatic(void)
{
	uint64_t seed = 12;

	for (int n = 0; n < SIZES; n++) {
		const recipe r = { .height = sizes[n].height,
			               .width = sizes[n].width,
			               .block_rows = 400,
			               .block_cols = 400,
			               .order = n % 2 ? TULLE_COLUMN_MAJOR : TULLE_ROW_MAJOR,
			               .pair = pairs[0],
			               .type = TULLE_F64,
			               .sorted = n % 3 != 0,
			               .whole = 1 };
		problem p = problem_new(&r, &seed);

		compare_automatic(&p, 1, TULLE_ESTIMATE);
		compare_automatic(&p, 10000, TULLE_ESTIMATE);
		compare_automatic(&p, 300, TULLE_MEASURE);
		problem_free(&p);
	}
	check_group("automatic");
}

/* ---- zeros and numbers that are none ---- */

/* A zero in a block is an entry: it makes NaN of an infinite x, in all formats alike. */
static void check_zeros(void)
{
	const int32_t ptr[] = { 0, 1 }, col[] = { 0 };
	const double val[] = { 1, 0, 2, 3 }, x[] = { 1, INFINITY };
	static const char *const formats[] = { "bsell", "csr", "sell", "coo" };
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_bsr(NULL, 1, 1, 2, 2, TULLE_ROW_MAJOR, TULLE_I32, ptr, TULLE_I32,
	                               col, TULLE_F64, val, NULL, &a));
	for (size_t n = 0; n < sizeof formats / sizeof *formats; n++) {
		tulle_plan *plan = NULL;
		double y[2] = { 0, 0 };

		check_about("%s", formats[n]);
		if (CHECK_OK(plan_of(a, formats[n], TULLE_NORMAL, &plan))) {
			CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
			CHECK_THAT(isnan(y[0]), "a stored zero was left out: %g", y[0]);
			CHECK(isinf(y[1]));
		}
		tulle_plan_destroy(plan);
	}
	tulle_matrix_destroy(a);
	check_group("zeros");
}

/* ---- memory ---- */

static tulle_context *counting_context(size_t limit)
{
	tulle_context *context = NULL;

	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .threads = 2,
	                                                        .alloc = heap_alloc,
	                                                        .free = heap_free,
	                                                        .memory_limit = limit,
	                                                        .user = &heap },
	                              &context));
	return context;
}

/* The most that creating a plan held beyond what the plan keeps; `format` NULL: automatic. */
static long surplus(const problem *p, const char *format, double multiplies, int kept)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = format, .multiplies = multiplies, .reproducible = 1
	};
	tulle_context *context = counting_context(0);
	tulle_matrix *a = from_blocks(p, context);
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan = NULL;
	const long before = atomic_load(&heap.live_bytes);
	long most = 0;

	atomic_store(&heap.most_bytes, before);
	if (CHECK_OK(tulle_plan_create(a, &o, &plan)) && CHECK_OK(tulle_plan_describe(plan, &info))) {
		const long keeps = atomic_load(&heap.live_bytes) - before;

		most = atomic_load(&heap.most_bytes) - before - keeps;
		CHECK_THAT((strcmp(info.format, "bsell") == 0) == kept, "%s was chosen", info.format);
		/* scratch, pools and headers of blocks of memory are not counted as the plan's */
		CHECK_THAT(labs(keeps - (long)info.extra_bytes) < 8192 + (long)info.scratch,
		           "%s: keeps %ld bytes and says %zu", info.format, keeps, info.extra_bytes);
	}
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return most;
}

static void check_memory(void)
{
	uint64_t seed = 13;
	const recipe r = { .height = 3,
		               .width = 3,
		               .block_rows = 6000,
		               .block_cols = 6000,
		               .order = TULLE_ROW_MAJOR,
		               .pair = pairs[0],
		               .type = TULLE_F64,
		               .sorted = 1 };
	problem p = problem_new(&r, &seed);
	const long columns = (long)p.nnz * 4; /* less than any expansion */
	tulle_context *context;
	tulle_matrix *a;
	tulle_plan *plan = NULL;
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix_info info = { .size = sizeof info };

	check_about("memory");
	CHECK_THAT(surplus(&p, "bsell", 0, 1) < columns / 4, "blocks were expanded for bsell");
	CHECK_THAT(surplus(&p, NULL, 5, 1) < columns / 4, "blocks were expanded for few products");
	CHECK_THAT(surplus(&p, NULL, 10000, 1) < columns / 4, "blocks were expanded to choose");
	surplus(&p, "csr", 0, 0);

	/* room for bsell, not for an expansion besides */
	context = counting_context((size_t)p.nnz * 8 + (size_t)columns);
	a = from_blocks(&p, context);
	CHECK_OK(tulle_plan_create(a, NULL, &plan));
	CHECK_STATUS(tulle_matrix_view_csr(a, &view), TULLE_E_LIMIT);
	tulle_plan_destroy(plan);
	CHECK_OK(tulle_matrix_describe(a, &info));
	CHECK(info.shares_offsets && info.shares_columns && info.shares_values);
	CHECK_THAT(info.bytes < 4096, "a borrowed matrix has %zu bytes", info.bytes);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	problem_free(&p);
	check_group("memory");
}

/* The least max_bytes with which a plan is made, for few multiplications and for many. */
static size_t least_limit(const tulle_matrix *a, double multiplies)
{
	tulle_plan_options o = { .size = sizeof o, .multiplies = multiplies };
	tulle_plan *plan = NULL;

	o.max_bytes = 1;
	while (tulle_plan_create(a, &o, &plan) == TULLE_E_LIMIT) {
		CHECK_WORDS(tulle_last_error(), "max_bytes");
		o.max_bytes += o.max_bytes / 16 + 1;
	}
	CHECK_THAT(plan != NULL, "%s", tulle_last_error());
	tulle_plan_destroy(plan);
	return o.max_bytes;
}

/* Blocks are kept or expanded within max_bytes. An expansion that the matrix keeps is not the plan's. */
static void check_limits(void)
{
	uint64_t seed = 17;

	for (int64_t size = 3; size <= 5; size += 2) { /* kept, and not kept */
		const recipe r = { .height = size,
			               .width = size,
			               .block_rows = 400,
			               .block_cols = 400,
			               .order = TULLE_ROW_MAJOR,
			               .pair = pairs[0],
			               .type = TULLE_F64,
			               .sorted = 1 };
		problem p = problem_new(&r, &seed);
		tulle_matrix *a = from_blocks(&p, NULL);
		const size_t values = (size_t)p.nnz * sizeof(double);

		for (int few = 0; few < 2; few++) {
			const size_t least = least_limit(a, few ? 5 : 1e6);

			check_about("max_bytes, %s, few %d", p.name, few);
			CHECK_THAT(least > values / 2, "%zu bytes are enough", least);
			CHECK_THAT(least < 2 * values, "%zu bytes are not enough", least);
		}
		for (int online = 0; online < 2; online++) {
			const tulle_plan_options o = { .size = sizeof o,
				                           .op = online ? TULLE_NORMAL : TULLE_BOTH,
				                           .online = online,
				                           .max_bytes = 1 };
			tulle_plan *plan = NULL;

			check_about("max_bytes, %s, online %d", p.name, online);
			CHECK_OK(tulle_plan_create(a, &o, &plan));
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		problem_free(&p);
	}
	check_group("limits");
}

/* ---- as CSR ---- */

static void check_view(void)
{
	uint64_t seed = 14;
	const recipe r = { .height = 2,
		               .width = 3,
		               .block_rows = 20,
		               .block_cols = 30,
		               .order = TULLE_COLUMN_MAJOR,
		               .pair = pairs[0],
		               .type = TULLE_F64 };
	problem p = problem_new(&r, &seed);
	const tulle_csr_view view = expansion_view(&p);
	const tulle__csr want = inner_view(&view);
	tulle_matrix_info before = { .size = sizeof before }, after = { .size = sizeof after };

	for (int copied = 0; copied < 2; copied++) {
		const tulle_matrix_options o = { .size = sizeof o,
			                             .ownership = copied ? TULLE_COPY : TULLE_BORROW };
		tulle_matrix *a = NULL;

		check_about("view, copied %d", copied);
		if (!CHECK_OK(tulle_matrix_from_bsr(NULL, r.block_rows, r.block_cols, 2, 3, r.order,
		                                    r.pair.offset, p.ptr, r.pair.column, p.col, r.type,
		                                    p.val, &o, &a)))
			continue;
		CHECK_OK(tulle_matrix_describe(a, &before));
		const tulle__csr got = inner_csr(a);

		CHECK_THAT(inner_same(&got, &want), "the view is not the expansion");
		CHECK_OK(tulle_matrix_describe(a, &after));
		CHECK_THAT(after.bytes - before.bytes >= expansion_bytes(&p), "the view is not counted");
		CHECK_EQUAL(after.rows, p.rows);
		CHECK_EQUAL(after.cols, p.cols);
		CHECK_EQUAL(after.nnz, p.nnz);
		CHECK_EQUAL(after.stored_nnz, p.nnz);
		CHECK_EQUAL(after.shares_values, !copied);
		CHECK_EQUAL(before.bytes > 4096, copied);
		tulle_matrix_destroy(a);
	}
	problem_free(&p);
	check_group("view");
}

/* ---- no memory ---- */

/* All that allocates; 0: a step failed and left nothing behind, or what it left is released here. */
static int try_all(const problem *p, tulle_context *context, const char *format, tulle_op op)
{
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	tulle_status s = tulle_matrix_from_bsr(
	    context, p->recipe.block_rows, p->recipe.block_cols, p->height, p->width, p->recipe.order,
	    p->recipe.pair.offset, p->ptr, p->recipe.pair.column, p->col, p->type, p->val, &o, &a);

	CHECK((a != NULL) == (s == TULLE_OK));
	if (s == TULLE_OK)
		s = plan_of(a, format, op, &plan);
	CHECK((plan != NULL) == (s == TULLE_OK));
	if (s == TULLE_OK)
		s = tulle_plan_update(plan, p->other);
	if (s == TULLE_OK)
		s = tulle_matrix_view_csr(a, &view);
	if (s != TULLE_OK)
		CHECK_STATUS(s, TULLE_E_MEMORY);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	return s == TULLE_OK;
}

static void check_allocations(void)
{
	static const char *const formats[] = { NULL, "bsell", "csr", "sell" };
	uint64_t seed = 15;
	const recipe r = { .height = 4,
		               .width = 4,
		               .block_rows = 30,
		               .block_cols = 30,
		               .order = TULLE_ROW_MAJOR,
		               .pair = pairs[0],
		               .type = TULLE_F64 };
	problem p = problem_new(&r, &seed);
	tulle_context *context = counting_context(0);

	for (int n = 0; n < 8; n++) {
		const tulle_op op = n % 2 ? TULLE_TRANSPOSED : TULLE_NORMAL;
		long k = 0;

		do {
			check_about("%s, op %d, allocation %ld", n < 2 ? "auto" : formats[n / 2], (int)op,
			            k + 1);
			atomic_store(&heap.asked, 0);
			heap.fail_at = ++k;
		} while (!try_all(&p, context, formats[n / 2], op) && k < 1000);
		CHECK_THAT(k > 5 && k < 1000, "%ld allocations", k);
		heap.fail_at = 0;
	}
	tulle_context_destroy(context);
	problem_free(&p);
	check_group("allocations");
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	check_formats(&o);
	check_automatic();
	check_zeros();
	check_memory();
	check_limits();
	check_view();
	check_block_misuse();
	check_combined();
	check_allocations();
	return check_end();
}
