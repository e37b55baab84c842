/* compact.c -- matrices that leave out rows and columns without entries: lists, products, whole vectors.
 *
 * Values and x are small whole numbers, so that every sum is exact in f32 and in any order. */
#include "heap.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };

typedef struct {
	int64_t rows, cols, nnz;
	int64_t row[MOST], col[MOST]; /* from 0 */
	double val[MOST];
	tulle_kind kind;
	int base;
	tulle_index_type index_type;
	tulle_value_type type;
} problem;

static double x_at(int64_t j)
{
	return (double)(j % 13) - 6;
}

/* Few rows and columns are drawn again and again, so that rows have several entries. */
static int64_t draw(uint64_t *state, int64_t size)
{
	const int64_t corner = size < 40 ? size : 40;
	const int64_t n = random_below(state, size);

	return random_below(state, 3) ? n : n % corner;
}

static problem draw_problem(uint64_t *state, int64_t most_size, int64_t nnz)
{
	problem p = { .rows = 1 + random_below(state, most_size),
		          .cols = 1 + random_below(state, most_size),
		          .nnz = nnz,
		          .kind = (tulle_kind)random_below(state, 3),
		          .base = (int)random_below(state, 2),
		          .type = random_below(state, 2) ? TULLE_F64 : TULLE_F32 };

	if (p.kind == TULLE_SKEW && p.rows == 1)
		p.kind = TULLE_GENERAL;
	if (p.kind != TULLE_GENERAL)
		p.cols = p.rows;
	p.index_type =
	    p.rows < INT32_MAX && p.cols < INT32_MAX && random_below(state, 2) ? TULLE_I32 : TULLE_I64;
	for (int64_t k = 0; k < nnz; k++) {
		int64_t i = draw(state, p.rows), j = draw(state, p.cols);

		while (p.kind == TULLE_SKEW && i == j)
			j = random_below(state, p.cols);
		if (p.kind != TULLE_GENERAL && j > i) {
			const int64_t other = i;

			i = j;
			j = other;
		}
		p.row[k] = i;
		p.col[k] = j;
		p.val[k] = (double)(1 + random_below(state, 9));
	}
	return p;
}

static tulle_matrix *make(tulle_context *context, const problem *p, tulle_compact compact)
{
	const tulle_matrix_options o = { .size = sizeof o, .base = p->base, .kind = p->kind };
	void *const row = cast_indices(p->row, p->nnz, p->index_type, p->base);
	void *const col = cast_indices(p->col, p->nnz, p->index_type, p->base);
	void *const val = cast_values(p->val, p->nnz, p->type);
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_coo_compact(context, p->rows, p->cols, p->nnz, p->index_type, row,
	                                       col, p->type, val, compact, &o, &a));
	free(row);
	free(col);
	free(val);
	return a;
}

/* Does a row (or a column) of the whole matrix have an entry? */
static int is_present(const problem *p, int rows, int64_t i)
{
	for (int64_t k = 0; k < p->nnz; k++)
		if (p->kind != TULLE_GENERAL ? p->row[k] == i || p->col[k] == i
		                             : (rows ? p->row[k] : p->col[k]) == i)
			return 1;
	return 0;
}

static void check_list(const problem *p, int rows, const int64_t *list, int64_t present,
                       int64_t whole)
{
	int64_t entries = 0;

	for (int64_t n = 0; n < present; n++) {
		CHECK_THAT(list[n] >= 0 && list[n] < whole, "element %ld is outside", (long)n);
		CHECK_THAT(n == 0 || list[n - 1] < list[n], "element %ld does not ascend", (long)n);
		CHECK_THAT(is_present(p, rows, list[n]), "element %ld has no entry", (long)n);
		for (int64_t k = 0; k < p->nnz; k++)
			entries += (rows ? p->row[k] : p->col[k]) == list[n];
	}
	CHECK_EQUAL(entries, p->nnz);
}

/* Row i of A x, or of A^T x, in numbers of the whole matrix. `factor`: of the values. */
static double expected(const problem *p, tulle_op op, int64_t i, double factor)
{
	const int turned = op == TULLE_TRANSPOSED;
	double sum = 0;

	for (int64_t k = 0; k < p->nnz; k++) {
		const int64_t r = turned ? p->col[k] : p->row[k], c = turned ? p->row[k] : p->col[k];
		const double mirrored = p->kind == TULLE_SKEW ? -p->val[k] : p->val[k];

		if (r == i)
			sum += p->val[k] * x_at(c);
		/* The lower triangle is given, so that A^T of a skew matrix is the mirrored one. */
		if (p->kind != TULLE_GENERAL && r != c && c == i)
			sum += mirrored * x_at(r);
	}
	return factor * sum;
}

static int64_t listed(const int64_t *list, int64_t n)
{
	return list ? list[n] : n;
}

static void check_product(const problem *p, const tulle_plan *plan, const tulle_lists *l,
                          tulle_op op, double factor)
{
	const int turned = op == TULLE_TRANSPOSED;
	const int64_t rows = turned ? l->present_cols : l->present_rows;
	const int64_t cols = turned ? l->present_rows : l->present_cols;
	void *const x = grab(cols, value_size(p->type)), *const y = grab(rows, value_size(p->type));

	for (int64_t j = 0; j < cols; j++)
		value_set(p->type, x, j, x_at(listed(turned ? l->row : l->col, j)));
	value_fill(p->type, y, rows, (double)NAN);
	CHECK_OK(mul(plan, p->type, 1, x, 0, y));
	for (int64_t i = 0; i < rows; i++) {
		const double want = expected(p, op, listed(turned ? l->col : l->row, i), factor);

		CHECK_THAT(value_at(p->type, y, i) == want, "y[%ld] = %g, not %g", (long)i,
		           value_at(p->type, y, i), want);
	}
	free(x);
	free(y);
}

static void check_plans(const problem *p, const tulle_matrix *a, const tulle_lists *l)
{
	static const char *const formats[] = { NULL, "csr", "sell", "csr5" };
	double doubled[MOST];

	for (int64_t k = 0; k < p->nnz; k++)
		doubled[k] = 2 * p->val[k];
	void *const val = cast_values(doubled, p->nnz, p->type);
	for (int f = 0; f < 4; f++)
		for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++) {
			const tulle_plan_options o = { .size = sizeof o,
				                           .format = formats[f],
				                           .op = (tulle_op)op };
			tulle_plan *plan = NULL;

			if (!CHECK_OK(tulle_plan_create(a, &o, &plan)))
				continue;
			check_product(p, plan, l, (tulle_op)op, 1);
			if (CHECK_OK(tulle_plan_update(plan, val)))
				check_product(p, plan, l, (tulle_op)op, 2);
			tulle_plan_destroy(plan);
		}
	free(val);
}

static tulle_lists lists_of(const tulle_matrix *a)
{
	tulle_lists l = { .size = sizeof l };

	CHECK_OK(tulle_matrix_lists(a, &l));
	return l;
}

/* Sizes that no vector could have: time and memory follow the entries. */
static void check_hypersparse(tulle_context *context, uint64_t *state, int64_t most_size)
{
	const problem p = draw_problem(state, most_size, 1 + random_below(state, MOST));
	tulle_matrix *const a = make(context, &p, TULLE_COMPACT_BOTH);

	check_about("%ld x %ld, %ld entries, kind %d, base %d", (long)p.rows, (long)p.cols, (long)p.nnz,
	            (int)p.kind, p.base);
	if (!a)
		return;
	const tulle_lists l = lists_of(a);
	CHECK_EQUAL(l.rows, p.rows);
	CHECK_EQUAL(l.cols, p.cols);
	if (CHECK(l.row && l.col)) {
		check_list(&p, 1, l.row, l.present_rows, p.rows);
		check_list(&p, 0, l.col, l.present_cols, p.cols);
		check_plans(&p, a, &l);
	}
	tulle_matrix_destroy(a);
}

/* ---- vectors of the whole matrix ---- */

static tulle_status gather(const tulle_plan *plan, tulle_value_type type, const void *whole,
                           void *x)
{
	return type == TULLE_F32 ? tulle_gather_f32(plan, whole, x) : tulle_gather_f64(plan, whole, x);
}

static tulle_status scatter(const tulle_plan *plan, tulle_value_type type, const void *y,
                            double beta, void *whole)
{
	return type == TULLE_F32 ? tulle_scatter_f32(plan, y, (float)beta, whole)
	                         : tulle_scatter_f64(plan, y, beta, whole);
}

/* y = A x + beta y with vectors of the whole matrix. */
static void check_whole(const problem *p, const tulle_plan *plan, tulle_op op, double beta)
{
	const int64_t rows = op == TULLE_TRANSPOSED ? p->cols : p->rows;
	const int64_t cols = op == TULLE_TRANSPOSED ? p->rows : p->cols;
	const size_t size = value_size(p->type);
	tulle_plan_info info = { .size = sizeof info };

	tulle_plan_describe(plan, &info);
	void *const x = grab(cols, size), *const y = grab(rows, size);
	void *const xs = grab(info.cols, size), *const ys = grab(info.rows, size);
	for (int64_t j = 0; j < cols; j++)
		value_set(p->type, x, j, x_at(j));
	for (int64_t i = 0; i < rows; i++)
		value_set(p->type, y, i, beta == 0 ? (double)NAN : (double)(i % 5));
	CHECK_OK(gather(plan, p->type, x, xs));
	CHECK_OK(mul(plan, p->type, 1, xs, 0, ys));
	CHECK_OK(scatter(plan, p->type, ys, beta, y));
	for (int64_t i = 0; i < rows; i++) {
		const double want = expected(p, op, i, 1) + (beta == 0 ? 0 : beta * (double)(i % 5));

		CHECK_THAT(value_at(p->type, y, i) == want, "whole y[%ld] = %g, not %g; beta %g", (long)i,
		           value_at(p->type, y, i), want, beta);
	}
	free(x);
	free(y);
	free(xs);
	free(ys);
}

/* The same matrix once more, from its arrays and lists. */
static tulle_matrix *make_again(tulle_context *context, tulle_matrix *a)
{
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	const tulle_lists l = lists_of(a);
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *again = NULL;

	CHECK_OK(tulle_matrix_view_csr(a, &v));
	CHECK_OK(tulle_matrix_from_csr_lists(context, &l, v.offset_type, v.row_ptr, v.column_type,
	                                     v.col, v.value_type, v.val, &o, &again));
	tulle_matrix_destroy(a);
	return again;
}

static void check_vectors(tulle_context *context, uint64_t *state, int compact)
{
	static const double betas[] = { 0, 1, 2 };
	const problem p = draw_problem(state, 3000, 1 + random_below(state, MOST));
	tulle_matrix *a = make(context, &p, (tulle_compact)compact);

	if (a && random_below(state, 2))
		a = make_again(context, a);

	check_about("%ld x %ld, %ld entries, kind %d, leaves out %d", (long)p.rows, (long)p.cols,
	            (long)p.nnz, (int)p.kind, compact);
	for (int op = TULLE_NORMAL; a && op <= TULLE_TRANSPOSED; op++) {
		const tulle_plan_options o = { .size = sizeof o, .op = (tulle_op)op };
		tulle_plan *plan = NULL;

		if (!CHECK_OK(tulle_plan_create(a, &o, &plan)))
			break;
		for (int n = 0; n < 3; n++)
			check_whole(&p, plan, (tulle_op)op, betas[n]);
		tulle_plan_destroy(plan);
	}
	if (a && p.kind == TULLE_GENERAL) {
		const tulle_lists l = lists_of(a);

		CHECK_EQUAL(l.row != NULL, compact & TULLE_COMPACT_ROWS);
		CHECK_EQUAL(l.col != NULL, (compact & TULLE_COMPACT_COLS) / TULLE_COMPACT_COLS);
	}
	tulle_matrix_destroy(a);
}

/* ---- the rest ---- */

/* Both ends of what AUTO takes. */
static void check_automatic(void)
{
	enum { ENTRIES = 5, FIRST = (1 << 22) + 2 * ENTRIES + 2 };
	const int32_t at[ENTRIES] = { 0, 7, 7, 9, 0 };
	tulle_matrix *a = NULL;

	check_about("automatic");
	for (int n = 0; n < 4; n++) {
		const int wide_rows = n & 1, wide_cols = n >> 1;

		if (CHECK_OK(tulle_matrix_from_coo_compact(
		        NULL, FIRST - 1 + wide_rows, FIRST - 1 + wide_cols, ENTRIES, TULLE_I32, at, at,
		        TULLE_F64, NULL, TULLE_COMPACT_AUTO, NULL, &a))) {
			const tulle_lists l = lists_of(a);

			CHECK_EQUAL(l.present_rows, wide_rows ? 3 : FIRST - 1);
			CHECK_EQUAL(l.present_cols, wide_cols ? 3 : FIRST - 1);
			CHECK_EQUAL(l.rows, FIRST - 1 + wide_rows);
			CHECK(!l.row == !wide_rows && !l.col == !wide_cols);
		}
		tulle_matrix_destroy(a);
	}
}

static void check_empty(void)
{
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	double whole[3] = { 1, 2, 3 };

	check_about("no entries");
	CHECK_OK(tulle_matrix_from_coo_compact(NULL, 3, 0, 0, TULLE_I32, NULL, NULL, TULLE_F64, NULL,
	                                       TULLE_COMPACT_BOTH, NULL, &a));
	const tulle_lists l = lists_of(a);
	CHECK(l.present_rows == 0 && l.present_cols == 0 && l.rows == 3 && l.cols == 0);
	CHECK_OK(tulle_plan_create(a, NULL, &plan));
	CHECK_OK(tulle_gather_f64(plan, NULL, NULL));
	CHECK_OK(tulle_mul_f64(plan, 1, NULL, 0, NULL));
	CHECK_OK(tulle_scatter_f64(plan, NULL, 1, whole));
	CHECK(whole[0] == 1 && whole[2] == 3);
	CHECK_OK(tulle_scatter_f64(plan, NULL, 0, whole));
	CHECK(whole[0] == 0 && whole[1] == 0 && whole[2] == 0);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

static void check_refusals(void)
{
	const int64_t at[2] = { 5, 1000000000000 };
	double x[4] = { 0 };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;

	check_about("refusals");
	CHECK_STATUS(tulle_matrix_from_coo_compact(NULL, 9, 9, 0, TULLE_I64, at, at, TULLE_F64, NULL,
	                                           (tulle_compact)5, NULL, &a),
	             TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "compact = 5");
	CHECK_STATUS(tulle_matrix_from_coo_compact(NULL, 9, 9, 2, TULLE_I64, at, at, TULLE_F64, NULL,
	                                           TULLE_COMPACT_BOTH, NULL, &a),
	             TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), "row[1] 1000000000000");
	CHECK_STATUS(tulle_matrix_lists(NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_matrix_from_coo_compact(NULL, at[1] + 1, at[1] + 1, 2, TULLE_I64, at, at,
	                                       TULLE_F64, NULL, TULLE_COMPACT_AUTO, NULL, &a));
	CHECK_OK(tulle_plan_create(a, NULL, &plan));
	CHECK_STATUS(tulle_plan_save(plan, "nowhere.tulle", NULL), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "leaves out tuned");
	CHECK_STATUS(tulle_matrix_write(a, "nowhere.tulle", NULL), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_gather_f64(NULL, x, x + 2), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_gather_f64(plan, NULL, x), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_gather_f64(plan, x, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_gather_f64(plan, x, x + 2), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "overlap");
	CHECK_STATUS(tulle_scatter_f32(plan, (float *)x, 0, (float *)x), TULLE_E_TYPE);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

/* Rows 3 and 70 of 90, columns 0 .. 1; each line changes one thing. */
static void check_given_lists(void)
{
	static const struct {
		int64_t rows, present, row[2];
		int without_list;
		tulle_kind kind;
		tulle_status status;
		const char *words;
	} given[] = {
		{ 90, 2, { 3, 70 }, 0, TULLE_GENERAL, TULLE_OK, "" },
		{ 2, 2, { 0, 0 }, 1, TULLE_GENERAL, TULLE_OK, "" },
		{ 90, 2, { 70, 3 }, 0, TULLE_GENERAL, TULLE_E_MATRIX, "lists.row[1] before" },
		{ 90, 2, { 3, 3 }, 0, TULLE_GENERAL, TULLE_E_MATRIX, "lists.row[1] before" },
		{ 90, 2, { 3, 90 }, 0, TULLE_GENERAL, TULLE_E_MATRIX, "lists.row[1] outside 89" },
		{ 90, 2, { -1, 3 }, 0, TULLE_GENERAL, TULLE_E_MATRIX, "lists.row[0] outside" },
		{ 90, 2, { 3, 70 }, 1, TULLE_GENERAL, TULLE_E_ARGUMENT, "lists.row NULL" },
		{ 90, 2, { 3, 70 }, 0, TULLE_SYMMETRIC, TULLE_E_UNSUPPORTED, "kind" },
		{ -1, 2, { 3, 70 }, 0, TULLE_GENERAL, TULLE_E_ARGUMENT, "lists.rows" },
		{ 90, -2, { 3, 70 }, 0, TULLE_GENERAL, TULLE_E_ARGUMENT, "rows" },
	};
	const int32_t ptr[] = { 0, 1, 3 }, col[] = { 1, 0, 1 };
	const double val[] = { 2, 3, 4 }, x[] = { 10, 1 };
	double whole[90];
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;

	for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
		const tulle_lists l = { .size = sizeof l,
			                    .rows = given[n].rows,
			                    .cols = 2,
			                    .present_rows = given[n].present,
			                    .present_cols = 2,
			                    .row = given[n].without_list ? NULL : given[n].row };
		const tulle_matrix_options o = { .size = sizeof o, .kind = given[n].kind };

		check_about("given lists, line %zu", n);
		CHECK_STATUS(tulle_matrix_from_csr_lists(NULL, &l, TULLE_I32, ptr, TULLE_I32, col,
		                                         TULLE_F64, val, &o, &a),
		             given[n].status);
		if (given[n].status != TULLE_OK)
			CHECK_WORDS(tulle_last_error(), given[n].words);
		if (n == 0 && CHECK_OK(tulle_plan_create(a, NULL, &plan))) {
			double y[2];

			CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
			CHECK_OK(tulle_scatter_f64(plan, y, 0, whole));
			for (int i = 0; i < 90; i++)
				CHECK_EQUAL(whole[i], i == 3 ? 2 : i == 70 ? 34 : 0);
			tulle_plan_destroy(plan);
		}
		tulle_matrix_destroy(a);
		a = NULL;
	}
	CHECK_STATUS(tulle_matrix_from_csr_lists(NULL, NULL, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64,
	                                         val, NULL, &a),
	             TULLE_E_ARGUMENT);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const int rounds = o.brief ? 40 : o.full ? 4000 : 400;
	uint64_t state = 20;
	tulle_context *context = NULL;
	const tulle_context_options how = { .size = sizeof how,
		                                .threads = 3,
		                                .serial_below = -1,
		                                .alloc = heap_alloc,
		                                .free = heap_free,
		                                .user = &heap };

	if (!CHECK_OK(tulle_context_create(&how, &context)))
		return check_end();
	for (int n = 0; n < rounds; n++)
		check_hypersparse(context, &state, n % 2 ? (int64_t)1 << 58 : 1000000);
	CHECK_THAT(heap.most_bytes < 1 << 20, "%ld bytes were held", (long)heap.most_bytes);
	check_group("hypersparse");
	for (int n = 0; n < rounds; n++)
		check_vectors(context, &state, n % 4);
	check_group("whole vectors");
	check_automatic();
	check_empty();
	check_refusals();
	check_given_lists();
	check_group("the rest");
	tulle_context_destroy(context);
	CHECK_EQUAL(heap.live_blocks, 0);
	return check_end();
}
