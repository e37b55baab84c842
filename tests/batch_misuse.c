/* batch_misuse.c -- batches made wrong in turn: the documented status, a sentence with problem, row and
 * value, nothing leaked; and every allocation failing once and for ever. */
#include "batch_support.h"
#include "heap.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 5, ROWS = 3 };

/* Five matrices of 3 x 3 with 4 entries each, packed; one of them is made wrong. */
typedef struct {
	int64_t rows[COUNT], cols[COUNT], at[COUNT], x_at[COUNT], y_at[COUNT];
	int32_t row_ptr[COUNT * (ROWS + 1)], col[COUNT * 4];
	double val[COUNT * 4], x[COUNT * ROWS], y[COUNT * ROWS];
	tulle_batch_source s;
	tulle_batch_options o;
} input;

static void fill(input *in)
{
	static const int32_t row_ptr[ROWS + 1] = { 0, 1, 3, 4 }, col[4] = { 0, 1, 2, 2 };

	memset(in, 0, sizeof *in);
	for (int i = 0; i < COUNT; i++) {
		in->rows[i] = in->cols[i] = ROWS;
		in->at[i] = 4 * i;
		in->x_at[i] = in->y_at[i] = ROWS * i;
		memcpy(in->row_ptr + (ROWS + 1) * i, row_ptr, sizeof row_ptr);
		memcpy(in->col + 4 * i, col, sizeof col);
		for (int k = 0; k < 4; k++)
			in->val[4 * i + k] = 1 + k + i;
	}
	for (int i = 0; i < COUNT * ROWS; i++)
		in->x[i] = 1 + i;
	in->s = (tulle_batch_source){ .size = sizeof in->s,
		                          .count = COUNT,
		                          .rows = in->rows,
		                          .cols = in->cols,
		                          .offset_type = TULLE_I32,
		                          .column_type = TULLE_I32,
		                          .value_type = TULLE_F64,
		                          .row_ptr = in->row_ptr,
		                          .col = in->col,
		                          .val = in->val };
	in->o = (tulle_batch_options){ .size = sizeof in->o };
}

/* A fault and what is said about it. */
#define FAULT(change, status, words)                \
	do {                                            \
		input in;                                   \
		fill(&in);                                  \
		change;                                     \
		check_refused(&in, status, words, #change); \
	} while (0)

static tulle_context *context;

static void check_refused(const input *in, tulle_status want, const char *words, const char *change)
{
	tulle_batch *b = (tulle_batch *)(uintptr_t)&want;

	check_about("%s", change);
	CHECK_STATUS(tulle_batch_create(context, &in->s, &in->o, &b), want);
	CHECK(b == NULL);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
}

static void check_sources(void)
{
	const tulle_status argument = TULLE_E_ARGUMENT, not_one = TULLE_E_MATRIX;

	FAULT(in.s.count = -1, argument, "count -1");
	FAULT(in.s.rows = NULL, argument, "source.rows NULL");
	FAULT(in.s.cols = NULL, argument, "source.cols NULL");
	FAULT(in.s.size = 1, argument, "size tulle_batch_source");
	FAULT(in.s.offset_type = 9, argument, "offset_type 9");
	FAULT(in.s.column_type = 9, argument, "column_type 9");
	FAULT(in.s.value_type = 9, argument, "value_type 9");
	FAULT(in.s.shared = 64, argument, "source.shared 64");
	FAULT(in.s.row_ptr = NULL, argument, "problem 0: row_ptr NULL");
	FAULT(in.s.row_ptr = (char *)in.row_ptr + 1, argument, "problem 0: row_ptr multiple");
	FAULT(in.s.col = NULL, argument, "problem 0: col NULL");
	FAULT(in.rows[3] = -2, argument, "problem 3: rows = -2");
	FAULT(in.cols[2] = -7, argument, "problem 2: cols = -7");
	FAULT(in.rows[3] = INT64_MAX, TULLE_E_UNSUPPORTED, "problem 3: rows plan");
	FAULT(in.row_ptr[8] = 1, not_one, "problem 2: row_ptr[0] = 1");
	FAULT(in.row_ptr[10] = 7, not_one, "problem 2: row_ptr[3] = 4 row_ptr[2] = 7");
	FAULT(in.row_ptr[11] = -4, not_one, "problem 2: row_ptr[3] = -4");
	FAULT(in.col[17] = 3, not_one, "problem 4: col[1] = 3 row 1 0 .. 2");
	FAULT(in.col[0] = -1, not_one, "problem 0: col[0] = -1 row 0");
	FAULT((in.s.shared = TULLE_SHARED_ROWS, in.rows[1] = 2), not_one, "problem 1: rows = 2");
	FAULT((in.s.row_at = in.at, in.at[1] = -4), argument, "problem 1: row_at = -4");
	FAULT((in.s.col_at = in.at, in.at[1] = -4), argument, "problem 1: col_at = -4");
	FAULT((in.s.val_at = in.at, in.at[1] = -4), argument, "problem 1: val_at = -4");
	FAULT((in.s.x_at = in.x_at, in.x_at[1] = -4), argument, "problem 1: x_at = -4");
	FAULT((in.s.x_at = in.x_at, in.x_at[1] = INT64_MAX), argument, "problem 1: x_at memory");
	FAULT((in.s.y_at = in.y_at, in.y_at[2] = 5), argument, "problem 2: y_at = 5 6");
	FAULT(in.o.kernel = "magic", argument, "options.kernel magic");
	FAULT(in.o.multiplies = -1, argument, "options.multiplies -1");
	FAULT(in.o.check = 7, argument, "options.check 7");
	FAULT(in.o.borrow_values = 2, argument, "options.borrow_values 2");
	FAULT((in.o.borrow_values = 1, in.o.kernel = "sell"), argument, "borrow_values sell");
	check_group("sources");
}

/* Columns of contiguous problems begin where offsets say. Those of the first one are wrong, and far away; parts that inspect
 * other problems must not look for columns there. */
static void check_far_columns(void)
{
	enum { MANY = 20000, OFFSETS = 3 };
	int64_t *rows = grab(MANY, sizeof *rows), *cols = grab(MANY, sizeof *cols);
	int32_t *row_ptr = grab((int64_t)MANY * OFFSETS, sizeof *row_ptr);
	int32_t *col = grab(MANY, sizeof *col);
	tulle_batch *b = NULL;
	input in;

	fill(&in);
	for (int i = 0; i < MANY; i++) {
		rows[i] = OFFSETS - 1;
		cols[i] = 1;
		row_ptr[OFFSETS * i + 1] = row_ptr[OFFSETS * i + 2] = 1;
	}
	row_ptr[1] = INT32_MAX - 100;
	row_ptr[2] = INT32_MAX - 101;
	in.s.count = MANY;
	in.s.rows = rows;
	in.s.cols = cols;
	in.s.row_ptr = row_ptr;
	in.s.col = col;
	in.s.val = NULL;
	check_about("columns far away");
	CHECK_STATUS(tulle_batch_create(context, &in.s, &in.o, &b), TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), "problem 0: row_ptr[2]");
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	free(rows);
	free(cols);
	free(row_ptr);
	free(col);
	check_group("columns far away");
}

static void check_calls(void)
{
	const double *xs[COUNT] = { 0 };
	double *ys[COUNT] = { 0 };
	tulle_batch_info info = { .size = 1 };
	tulle_batch_class_info class = { .size = sizeof class };
	tulle_batch *b = NULL;
	input in;

	fill(&in);
	check_about("calls");
	in.col[0] = 1; /* not all of one pattern */
	CHECK_STATUS(tulle_batch_create(context, NULL, NULL, &b), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_create(context, &in.s, NULL, NULL), TULLE_E_ARGUMENT);
	if (!CHECK_OK(tulle_batch_create(context, &in.s, NULL, &b)))
		return;
	CHECK_STATUS(tulle_batch_mul_f64(NULL, TULLE_PACKED, 1, in.x, 0, in.y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_f64(b, 7, 1, in.x, 0, in.y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_PACKED, 1, NULL, 0, in.y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_PACKED, 1, in.x, 0, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_PACKED, 1, in.x, 0, in.x + 3), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_INTERLEAVED, 1, in.x, 0, in.y), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(
	    tulle_batch_mul_f32(b, TULLE_PACKED, 1, (float *)(void *)in.x, 0, (float *)(void *)in.y),
	    TULLE_E_TYPE);
	CHECK_STATUS(tulle_batch_mul_list_f64(b, 1, NULL, 0, ys), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_mul_list_f64(b, 1, xs, 0, NULL), TULLE_E_ARGUMENT);
	for (int i = 0; i < COUNT; i++) {
		xs[i] = in.x + ROWS * i;
		ys[i] = in.y + ROWS * i;
	}
	ys[3] = in.x + ROWS * 3 + 1;
	CHECK_STATUS(tulle_batch_mul_list_f64(b, 1, xs, 0, ys), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "problem 3: overlap");
	CHECK_STATUS(tulle_batch_update(NULL, in.val), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_update(b, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_update(b, (char *)in.val + 1), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_describe(b, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_describe(NULL, &info), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_class(b, -1, &class), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_batch_class(b, 99, &class), TULLE_E_ARGUMENT);
	CHECK(tulle_batch_explain(NULL, NULL, 0) > 0);
	tulle_batch_destroy(b);
	tulle_batch_destroy(NULL);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	check_group("calls");
}

/* The same problems as views: products are equal, wrong ones are named. */
static void check_views(void)
{
	tulle_csr_view view[COUNT];
	double want[COUNT * ROWS];
	tulle_batch *a = NULL, *b = NULL;
	input in;

	fill(&in);
	check_about("views");
	for (int i = 0; i < COUNT; i++)
		view[i] = (tulle_csr_view){ .size = sizeof *view,
			                        .rows = ROWS,
			                        .cols = ROWS,
			                        .nnz = 4,
			                        .offset_type = TULLE_I32,
			                        .column_type = TULLE_I32,
			                        .value_type = TULLE_F64,
			                        .row_ptr = in.row_ptr + (ROWS + 1) * i,
			                        .col = in.col + 4 * i,
			                        .val = in.val + 4 * i };
	if (CHECK_OK(tulle_batch_create(context, &in.s, NULL, &a)) &&
	    CHECK_OK(tulle_batch_from_csr(context, COUNT, view, NULL, &b))) {
		CHECK_OK(tulle_batch_mul_f64(a, TULLE_PACKED, 1, in.x, 0, want));
		CHECK_OK(tulle_batch_mul_f64(b, TULLE_PACKED, 1, in.x, 0, in.y));
		CHECK(memcmp(want, in.y, sizeof want) == 0);
		for (int k = 0; k < 4 * COUNT; k++)
			in.val[k] = -in.val[k];
		CHECK_OK(tulle_batch_update(b, in.val));
		CHECK_OK(tulle_batch_mul_f64(b, TULLE_PACKED, -1, in.x, 0, in.y));
		CHECK(memcmp(want, in.y, sizeof want) == 0);
	}
	tulle_batch_destroy(a);
	tulle_batch_destroy(b);
	in.o.borrow_values = 1;
	CHECK_STATUS(tulle_batch_from_csr(context, COUNT, view, &in.o, &b), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_batch_from_csr(context, COUNT, NULL, NULL, &b), TULLE_E_ARGUMENT);
	view[2].value_type = TULLE_F32;
	CHECK_STATUS(tulle_batch_from_csr(context, COUNT, view, NULL, &b), TULLE_E_TYPE);
	CHECK_WORDS(tulle_last_error(), "problem 2");
	view[2].value_type = TULLE_F64;
	view[4].val = NULL;
	CHECK_STATUS(tulle_batch_from_csr(context, COUNT, view, NULL, &b), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "problem 4 val");
	for (int i = 0; i < COUNT; i++) { /* val may be NULL where nnz is 0, but these have entries */
		view[i].val = NULL;
		view[i].nnz = 0;
	}
	CHECK_STATUS(tulle_batch_from_csr(context, COUNT, view, NULL, &b), TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), "problem 0 nnz = 0 row_ptr 4");
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	check_group("views");
}

/* ---- allocations ---- */

static tulle_context *context_on_heap(int threads)
{
	tulle_context *c = NULL;

	memset(&heap, 0, sizeof heap);
	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .threads = threads,
	                                                        .alloc = heap_alloc,
	                                                        .free = heap_free,
	                                                        .user = &heap },
	                              &c));
	return c;
}

/* A life: create, multiply, update, multiply. Returns the status of the first step that failed. */
static tulle_status live(tulle_context *c, const problems *p, const char *kernel, void *y,
                         void *other)
{
	const tulle_batch_source s = problems_source(p);
	const tulle_batch_options o = { .size = sizeof o, .kernel = kernel };
	tulle_batch *b = NULL;
	tulle_status status = tulle_batch_create(c, &s, &o, &b);

	if (status != TULLE_OK) {
		CHECK(b == NULL);
		return status;
	}
	status = batch_mul(b, p->type, TULLE_PACKED, 1, p->x, 0, y);
	if (status == TULLE_OK)
		status = tulle_batch_update(b, other);
	if (status == TULLE_OK)
		status = batch_mul(b, p->type, TULLE_PACKED, 1, p->x, 1, y);
	tulle_batch_destroy(b);
	return status;
}

static void check_allocations(problems p, const char *kernel)
{
	const size_t bytes = (size_t)p.rows * value_size(p.type);
	void *y = grab(p.rows, value_size(p.type)), *want = grab(p.rows, value_size(p.type));
	void *other = grab(p.values, value_size(p.type));
	tulle_context *c = context_on_heap(1);
	const long before = heap.asked;
	long total;

	check_about("%s, kernel %s", p.name, kernel ? kernel : "auto");
	value_fill(p.type, other, p.values, 0.25);
	CHECK_OK(live(c, &p, kernel, want, other));
	total = heap.asked - before;
	CHECK(total > 15);
	for (int for_ever = 0; for_ever < 2; for_ever++)
		for (long n = 1; n <= total; n++) {
			heap.asked = 0;
			heap.fail_at = n;
			heap.for_ever = for_ever;
			CHECK_STATUS(live(c, &p, kernel, y, other), TULLE_E_MEMORY);
			CHECK_EQUAL(context_info(c).blocks_held, 0);
			heap.fail_at = 0;
			CHECK_OK(live(c, &p, kernel, y, other));
			CHECK(memcmp(y, want, bytes) == 0);
		}
	CHECK_EQUAL(heap.live_blocks, 1); /* the context */
	tulle_context_destroy(c);
	CHECK_EQUAL(heap.live_blocks, 0);
	free(other);
	free(want);
	free(y);
	problems_free(&p);
	check_group("%ld allocations", total);
}

/* A multiplication asks for no memory. */
static void check_quiet(problems p)
{
	const tulle_batch_source s = problems_source(&p);
	void *y = grab(p.rows, value_size(p.type));
	tulle_context *c = context_on_heap(2);
	tulle_batch *b = NULL;

	check_about("%s", p.name);
	if (CHECK_OK(tulle_batch_create(c, &s, NULL, &b))) {
		const long before = heap.asked;

		CHECK_OK(batch_mul(b, p.type, TULLE_PACKED, 1, p.x, 0, y));
		CHECK_OK(batch_mul(b, p.type, TULLE_PACKED, 1, p.x, 1, y));
		CHECK_EQUAL(heap.asked, before);
	}
	tulle_batch_destroy(b);
	tulle_context_destroy(c);
	free(y);
	problems_free(&p);
}

static problems number(int n)
{
	problems p;

	CHECK(batch_at(n, TULLE_F64, 0, &p));
	return p;
}

int main(void)
{
	context = context_for(NULL, 2, 0);
	check_sources();
	check_far_columns();
	check_calls();
	check_views();
	tulle_context_destroy(context);
	check_allocations(number(2), NULL);
	check_allocations(number(7), NULL);
	check_allocations(number(8), "sell");
	check_allocations(number(9), "csr");
	check_quiet(number(4));
	check_quiet(number(7));
	return check_end();
}
