/* sizes.c -- rows, columns, entries, strides and places around 2^31, 2^32, 2^59, 2^61 and 2^63.
 *
 * Whatever the source and the format, a size is refused with a sentence that names it, or everything
 * made from it is right: nothing wraps. A context with little memory stands for a machine that has
 * not enough, and a mapping that nobody wrote to stands for an x of billions of elements. */
#include "core/memory.h"
#include "kit.h"
#include "support.h"
#include "tulle_batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define P2(n) (INT64_C(1) << (n))

static const int64_t edges[] = { P2(31) - 2, P2(31) - 1, P2(31),        P2(31) + 1,
	                             P2(32) - 1, P2(32),     P2(32) + 1,    P2(59) - 1,
	                             P2(59),     P2(60),     P2(61) - 1,    P2(61),
	                             P2(61) + 1, P2(62),     INT64_MAX - 1, INT64_MAX };
enum { EDGES = sizeof edges / sizeof *edges, ROWS = 3 };

static const int64_t limit = P2(59) - 1; /* as tulle.h says */
static tulle_context *context;

/* ---- the helpers that count ---- */

static void check_helpers(void)
{
	tulle__env env = { .alloc = tulle__default_alloc,
		               .free = tulle__default_free,
		               .memory_limit = SIZE_MAX };
	void *block;

	CHECK_EQUAL(TULLE__MOST, limit);
	CHECK(tulle__bytes(-1, 8) == SIZE_MAX);
	CHECK(tulle__bytes(0, 8) == 0);
	for (int e = 0; e < EDGES; e++) {
		const int64_t n = edges[e];

		check_about("%" PRId64, n);
		CHECK_EQUAL(tulle__times(n, 1), n);
		CHECK_EQUAL(tulle__plus(n, 0), n);
		CHECK_EQUAL(tulle__plus(n, INT64_MAX), INT64_MAX);
		for (int64_t m = 2; m <= 16; m *= 2) {
			const int fits = n <= INT64_MAX / m;

			CHECK_EQUAL(tulle__times(n, m), fits ? n * m : INT64_MAX);
			CHECK(tulle__bytes(n, (size_t)m) == (fits ? (size_t)(n * m) : SIZE_MAX));
			if (!fits)
				CHECK_STATUS(tulle__alloc(&env, n, (size_t)m, &block), TULLE_E_MEMORY);
		}
	}
	CHECK_STATUS(tulle__alloc(&env, 1, SIZE_MAX, &block), TULLE_E_MEMORY);
	CHECK_STATUS(tulle__alloc(&env, INT64_MIN, 8, &block), TULLE_E_MEMORY);
	check_group("counts and bytes");
}

/* ---- sources ---- */

typedef enum { CSR, CSC, COO, MARKET, SOURCES } source;
static const char *const source_names[SOURCES] = { "csr", "csc", "coo", "file" };

static tulle_status read_text(const char *text, tulle_value_type type, tulle_matrix **out)
{
	const tulle_read_options o = { .size = sizeof o, .value_type = type };
	const int fd = memfd_create("sizes", MFD_CLOEXEC);
	char path[40];
	tulle_status s;

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	s = tulle_matrix_read(context, path, &o, out);
	close(fd);
	return s;
}

/* Three entries, 1, 2 and 3, at the beginning, in the middle and at the end of the long side; A is
 * 3 x n, or n x 3 when it is tall. */
static tulle_status make(source from, int64_t n, int tall, tulle_value_type type,
                         tulle_matrix **out)
{
	const int64_t small[] = { 0, 1, 2 }, large[] = { 0, n / 2, n - 1 }, ptr[] = { 0, 1, 2, 3 };
	const int64_t rows = tall ? n : ROWS, cols = tall ? ROWS : n;
	const double f64[] = { 1, 2, 3 };
	const float f32[] = { 1, 2, 3 };
	const void *val = type == TULLE_F64 ? (const void *)f64 : f32;
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	char text[256];

	*out = NULL;
	switch (from) {
	case CSR:
		return tulle_matrix_from_csr(context, rows, cols, TULLE_I64, ptr, TULLE_I64,
		                             tall ? small : large, type, val, &o, out);
	case CSC:
		return tulle_matrix_from_csc(context, rows, cols, TULLE_I64, ptr, TULLE_I64,
		                             tall ? large : small, type, val, &o, out);
	case COO:
		return tulle_matrix_from_coo(context, rows, cols, 3, TULLE_I64, tall ? large : small,
		                             tall ? small : large, type, val, &o, out);
	default:
		snprintf(text, sizeof text,
		         "%%%%MatrixMarket matrix coordinate real general\n%" PRId64 " %" PRId64
		         " 3\n1 1 1\n%" PRId64 " %" PRId64 " 2\n%" PRId64 " %" PRId64 " 3\n",
		         rows, cols, (tall ? large : small)[1] + 1, (tall ? small : large)[1] + 1,
		         (tall ? large : small)[2] + (n < INT64_MAX),
		         (tall ? small : large)[2] + (n < INT64_MAX));
		return read_text(text, type, out);
	}
}

/* Compressed arrays have an offset for each row (or column): with so many only the refusal, before
 * anything is read, can be tried. */
static int has_offsets(source from, int tall)
{
	return (from == CSR && tall) || (from == CSC && !tall);
}

static void check_too_large(source from, int64_t n, int tall, tulle_value_type type)
{
	const tulle_status want = from == MARKET ? TULLE_E_MATRIX : TULLE_E_ARGUMENT;
	tulle_matrix *a;
	char words[64];

	CHECK_STATUS(make(from, n, tall, type, &a), want);
	if (from == MARKET)
		snprintf(words, sizeof words, "%s %" PRId64 " 2^59", tall ? "rows" : "columns", n);
	else
		snprintf(words, sizeof words, "%s %" PRId64 " %" PRId64, tall ? "rows" : "cols", n, limit);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(a == NULL);
}

/* Offsets that claim n entries; none may be looked for. */
static void check_entries(int64_t n, tulle_check check)
{
	const tulle_matrix_options o = { .size = sizeof o, .check = check };
	const int64_t ptr[] = { 0, n }, zero = 0;
	char number[32];
	tulle_matrix *a;

	snprintf(number, sizeof number, "%" PRId64, n);
	CHECK_STATUS(tulle_matrix_from_csr(context, 1, 1, TULLE_I64, ptr, TULLE_I64, &zero, TULLE_F64,
	                                   NULL, &o, &a),
	             TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), number);
	CHECK_STATUS(tulle_matrix_from_csc(context, 1, 1, TULLE_I64, ptr, TULLE_I64, &zero, TULLE_F64,
	                                   NULL, &o, &a),
	             TULLE_E_MATRIX);
	CHECK_WORDS(tulle_last_error(), number);
	CHECK_STATUS(
	    tulle_matrix_from_coo(context, 1, 1, n, TULLE_I64, &zero, &zero, TULLE_F64, NULL, &o, &a),
	    TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), number);
}

/* ---- plans ---- */

/* Zero pages for an x of n elements, or NULL when there is no room for that. */
static void *map_x(int64_t n, tulle_value_type type)
{
	const size_t bytes = tulle__bytes(n, value_size(type));
	void *x = MAP_FAILED;

	if (bytes <= (size_t)P2(36))
		x = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		         -1, 0);
	return x == MAP_FAILED ? NULL : x;
}

static long products; /* with more columns than 32 bits number */

static void check_product(const tulle_plan *plan, int64_t n, tulle_value_type type)
{
	double y[ROWS] = { 0 }; /* or floats */
	void *const x = map_x(n, type);

	if (!x)
		return;
	value_set(type, x, 0, 5);
	value_set(type, x, n / 2, 7);
	value_set(type, x, n - 1, 11);
	if (CHECK_OK(mul(plan, type, 1, x, 0, y))) {
		CHECK_EQUAL(value_at(type, y, 0), 5);
		CHECK_EQUAL(value_at(type, y, 1), 14);
		CHECK_EQUAL(value_at(type, y, 2), 33);
		products += n > INT32_MAX;
	}
	munmap(x, tulle__bytes(n, value_size(type)));
}

/* Strides with which the last vector would end past the address space. */
static void check_strides(const tulle_plan *plan, int64_t n, tulle_value_type type)
{
	double few[4] = { 0 };

	for (int e = 0; e < EDGES; e++)
		for (int order = 0; order < 2; order++) {
			const int64_t ld = edges[e], lines = order == TULLE_ROW_MAJOR ? n : ROWS;
			tulle_status s;

			if (ld < n || ld / 4 < INT64_MAX / (int64_t)value_size(type) / (lines - 1))
				continue; /* legal, or refused for another reason */
			s = type == TULLE_F64
			        ? tulle_mul_many_f64(plan, ROWS, (tulle_order)order, 1, few, ld, 0, few, ROWS)
			        : tulle_mul_many_f32(plan, ROWS, (tulle_order)order, 1, (float *)few, ld, 0,
			                             (float *)few, ROWS);
			CHECK_STATUS(s, TULLE_E_ARGUMENT);
			CHECK_WORDS(tulle_last_error(), "ldx memory");
		}
}

static void check_back(const tulle_plan *plan, int64_t n, int transposed)
{
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *back;

	if (tulle_matrix_from_plan(plan, &back) != TULLE_OK)
		return;
	CHECK_OK(tulle_matrix_view_csr(back, &v));
	CHECK_EQUAL(transposed ? v.rows : v.cols, n);
	CHECK_EQUAL(v.nnz, 3);
	if (v.nnz == 3 && !transposed)
		CHECK_EQUAL(v.column_type == TULLE_I32 ? ((const int32_t *)v.col)[2]
		                                       : ((const int64_t *)v.col)[2],
		            n - 1);
	tulle_matrix_destroy(back);
}

/* 3 x n by one format: what it refuses, it refuses for want of memory or of bits. */
static void check_plan(const tulle_matrix *a, const char *format, tulle_op op, int64_t n,
                       tulle_value_type type)
{
	const tulle_plan_options o = { .size = sizeof o, .format = format, .op = op };
	const int t = op == TULLE_TRANSPOSED;
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *plan;
	double some[4];
	const tulle_status s = tulle_plan_create(a, &o, &plan);

	check_about("%s, op %d, 3 x %" PRId64 ", %s", format ? format : "auto", t, n, type_name(type));
	if (s != TULLE_OK) {
		CHECK_THAT(s == TULLE_E_LIMIT || s == TULLE_E_UNSUPPORTED || s == TULLE_E_MEMORY, "%s (%s)",
		           tulle_status_name(s), tulle_last_error());
		CHECK(format != NULL || s == TULLE_E_LIMIT);
		CHECK(plan == NULL);
		return;
	}
	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK_EQUAL(t ? info.rows : info.cols, n);
	CHECK_EQUAL(t ? info.cols : info.rows, ROWS);
	CHECK_STATUS(mul(plan, type, 1, NULL, 0, some), TULLE_E_ARGUMENT);
	CHECK_STATUS(mul(plan, type, 1, some, 0, NULL), TULLE_E_ARGUMENT);
	if (!t) {
		check_product(plan, n, type);
		check_strides(plan, n, type);
	}
	check_back(plan, n, t);
	tulle_plan_destroy(plan);
}

static void check_source(source from, int64_t n, int tall, tulle_value_type type)
{
	const char *format;
	tulle_matrix_info info = { .size = sizeof info };
	tulle_matrix *a;
	tulle_status s;

	check_about("%s, %s, %" PRId64 ", %s", source_names[from], tall ? "tall" : "wide", n,
	            type_name(type));
	if (n > limit) {
		check_too_large(from, n, tall, type);
		return;
	}
	if (has_offsets(from, tall))
		return;
	s = make(from, n, tall, type, &a);
	if (tall) { /* offsets of its own for all rows */
		CHECK_STATUS(s, TULLE_E_LIMIT);
		return;
	}
	if (!CHECK_OK(s))
		return;
	CHECK_OK(tulle_matrix_describe(a, &info));
	CHECK_EQUAL(info.cols, n);
	CHECK_EQUAL(info.nnz, 3);
	for (int op = 0; op < 2; op++) {
		check_plan(a, NULL, (tulle_op)op, n, type);
		for (int f = 0; (format = tulle_formats(f)); f++)
			check_plan(a, format, (tulle_op)op, n, type);
	}
	tulle_matrix_destroy(a);
}

static void check_sources(void)
{
	for (int from = 0; from < SOURCES; from++) {
		for (int e = 0; e < EDGES; e++)
			for (int tall = 0; tall < 2; tall++) {
				check_source((source)from, edges[e], tall, TULLE_F32);
				check_source((source)from, edges[e], tall, TULLE_F64);
			}
		check_group("from %s", source_names[from]);
	}
	for (int e = 0; e < EDGES; e++)
		for (int check = TULLE_CHECK_FULL; check <= TULLE_CHECK_NONE && edges[e] > limit; check++) {
			check_about("%" PRId64 " entries, check %d", edges[e], check);
			check_entries(edges[e], (tulle_check)check);
		}
	check_group("entries");
	CHECK(products > 0);
}

/* ---- batches ---- */

static tulle_status batch_with(int64_t rows, int64_t cols, int64_t x_at, int64_t y_at,
                               int64_t row_at, int64_t col_at, int64_t val_at, tulle_batch **out)
{
	static const int64_t ptr[] = { 0, 1 }, col[] = { 0 };
	static const double val[] = { 2 };
	const tulle_batch_source s = { .size = sizeof s,
		                           .count = 1,
		                           .rows = &rows,
		                           .cols = &cols,
		                           .offset_type = TULLE_I64,
		                           .column_type = TULLE_I64,
		                           .value_type = TULLE_F64,
		                           .row_ptr = ptr,
		                           .col = col,
		                           .val = val,
		                           .row_at = &row_at,
		                           .col_at = &col_at,
		                           .val_at = &val_at,
		                           .x_at = &x_at,
		                           .y_at = &y_at };

	*out = NULL;
	return tulle_batch_create(context, &s, NULL, out);
}

static void check_refused(tulle_status s, tulle_status want, const char *words, tulle_batch **b)
{
	CHECK_STATUS(s, want);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(*b == NULL);
}

/* Vectors that begin at element n: legal as long as their end can be addressed. */
static void check_batch_vectors(int64_t n)
{
	tulle_batch_info info = { .size = sizeof info };
	double some[1] = { 0 };
	tulle_batch *b;
	tulle_status s = batch_with(1, 1, n, 0, 0, 0, 0, &b);

	if (n >= limit) {
		check_refused(s, TULLE_E_ARGUMENT, "problem 0 x_at", &b);
		s = batch_with(1, 1, 0, n, 0, 0, 0, &b);
		check_refused(s, TULLE_E_ARGUMENT, "problem 0 y_at", &b);
		return;
	}
	if (!CHECK_OK(s))
		return;
	CHECK_OK(tulle_batch_describe(b, &info));
	CHECK_EQUAL(info.x_size[TULLE_PACKED], n + 1);
	CHECK_STATUS(tulle_batch_mul_f64(b, TULLE_PACKED, 1, NULL, 0, some), TULLE_E_ARGUMENT);
	tulle_batch_destroy(b);
}

static void check_batches(void)
{
	for (int e = 0; e < EDGES; e++) {
		const int64_t n = edges[e];
		tulle_batch *b;

		check_about("batch, %" PRId64, n);
		check_refused(batch_with(n, 1, 0, 0, 0, 0, 0, &b), TULLE_E_UNSUPPORTED, "problem 0 rows",
		              &b);
		check_refused(batch_with(1, n, 0, 0, 0, 0, 0, &b), TULLE_E_UNSUPPORTED, "problem 0 cols",
		              &b);
		check_batch_vectors(n);
		if (n <= limit)
			continue; /* places that would be read */
		check_refused(batch_with(1, 1, 0, 0, n, 0, 0, &b), TULLE_E_ARGUMENT, "problem 0 row_at",
		              &b);
		check_refused(batch_with(1, 1, 0, 0, 0, n, 0, &b), TULLE_E_ARGUMENT, "problem 0 col_at",
		              &b);
		check_refused(batch_with(1, 1, 0, 0, 0, 0, n, &b), TULLE_E_ARGUMENT, "problem 0 val_at",
		              &b);
	}
	check_group("batches");
}

/* ---- generators ---- */

/* Each parameter of each kind but the seed, which is a number and no size. */
static void check_generators(void)
{
	const kit_kind *kind;

	for (int n = 0; (kind = kit_kind_at(n)); n++)
		for (const kit_param *p = kind->params; p->name; p++)
			for (int e = 0; e < EDGES && strcmp(p->name, "seed") != 0; e++) {
				kit_matrix m;
				char spec[96];

				if (edges[e] <= INT32_MAX)
					continue;
				snprintf(spec, sizeof spec, "%s:%s=%" PRId64, kind->name, p->name, edges[e]);
				check_about("%s", spec);
				CHECK(kit_generate(spec, &m) == -1);
				CHECK_WORDS(kit_error(), p->name);
				kit_free(&m);
			}
	check_group("generators");
}

int main(void)
{
	const tulle_context_options o = { .size = sizeof o, .threads = 1, .memory_limit = 1 << 23 };

	check_helpers();
	if (!CHECK_OK(tulle_context_create(&o, &context)))
		return check_end();
	check_sources();
	check_batches();
	check_generators();
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
