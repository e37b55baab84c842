/* rows.c -- single rows of tuned files: what the whole file has there, and every fault in what is read. */
#include "heap.h"
#include "tuned_support.h"

#include <stdlib.h>
#include <string.h>

static tulle_context *context;

/* Is `part` rows first .. of `whole`? */
static int is_part(const tulle_matrix *whole, const tulle_matrix *part, int64_t first)
{
	tulle_csr_view v = { .size = sizeof v }, w = { .size = sizeof w };
	size_t size;
	int64_t begin;
	int same;

	CHECK_OK(tulle_matrix_view_csr(whole, &v));
	CHECK_OK(tulle_matrix_view_csr(part, &w));
	size = value_size(v.value_type);
	begin = tulle__index_at(v.row_ptr, v.offset_type, first);
	same = v.cols == w.cols && v.value_type == w.value_type && (!v.val == !w.val || w.nnz == 0) &&
	       w.nnz == tulle__index_at(v.row_ptr, v.offset_type, first + w.rows) - begin;
	for (int64_t i = 0; same && i <= w.rows; i++)
		same = tulle__index_at(v.row_ptr, v.offset_type, first + i) - begin ==
		       tulle__index_at(w.row_ptr, w.offset_type, i);
	for (int64_t k = 0; same && k < w.nnz; k++)
		same = tulle__index_at(v.col, v.column_type, begin + k) ==
		       tulle__index_at(w.col, w.column_type, k);
	return same &&
	       (!v.val || w.nnz == 0 ||
	        memcmp((const char *)v.val + (size_t)begin * size, w.val, (size_t)w.nnz * size) == 0);
}

/* Cut into `parts`, as many processes do, and empty ones. */
static void check_parts(const char *path, const tulle_matrix *whole, int64_t rows, int parts)
{
	int64_t nnz = 0;
	tulle_matrix_info info = { .size = sizeof info };

	for (int n = 0; n < parts; n++) {
		const int64_t first = rows * n / parts, end = rows * (n + 1) / parts;
		tulle_matrix *m = NULL;

		check_about("rows %d .. %d", (int)first, (int)end);
		if (!CHECK_OK(tulle_matrix_read_rows(context, path, first, end, NULL, &m)))
			continue;
		CHECK_OK(tulle_matrix_describe(m, &info));
		CHECK_EQUAL(info.rows, end - first);
		nnz += info.nnz;
		CHECK_THAT(is_part(whole, m, first), "other rows");
		tulle_matrix_destroy(m);
	}
	CHECK_OK(tulle_matrix_describe(whole, &info));
	CHECK_EQUAL(nnz, info.nnz);
	check_about(" ");
}

static void check_rows(index_pair pair, tulle_value_type type, int ones)
{
	static const int parts[] = { 1, 2, 3, 7, 1000 };
	matrix m = matrix_level(4);
	const char *path = file_path("rows.tulle");
	arrays arr = cast(&m, pair, type, 0);
	tulle_matrix *a, *whole = NULL;

	if (ones) {
		free(arr.val);
		arr.val = NULL;
	}
	a = borrow(context, &m, pair, type, &arr);
	CHECK_OK(tulle_matrix_write(a, path, NULL));
	CHECK_OK(tulle_matrix_read(context, path, NULL, &whole));
	for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
		check_parts(path, whole, m.rows, parts[n]);
	tulle_matrix_destroy(whole);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
}

static void parts(void)
{
	for (int p = 0; p < PAIRS; p++)
		for (int type = TULLE_F32; type <= TULLE_F64; type++)
			check_rows(pairs[p], (tulle_value_type)type, p == 1);
	check_group("parts of a matrix, index and value types");
}

/* ---- other files ---- */

/* Wide offsets and columns as they are, which tulle itself would write narrow. */
static const char *put(const int64_t *ptr, const int64_t *col)
{
	const tulle__csr a = { 3, 4, 5, TULLE_I64, TULLE_I64, TULLE_F64, ptr, col, small_val };
	bytes b = image_of(&a, "a comment", good_plan);
	const char *path = file_put("wide.tulle", b.at, b.count);

	free(b.at);
	return path;
}

static void check_bad(const char *path, int64_t first, int64_t end, tulle_status status,
                      const char *words)
{
	tulle_context *own = context_for(NULL, 1, 0);
	tulle_matrix *m = (tulle_matrix *)&context;

	CHECK_STATUS(tulle_matrix_read_rows(own, path, first, end, NULL, &m), status);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(m == NULL);
	CHECK_EQUAL(context_info(own).blocks_held, 0);
	tulle_context_destroy(own);
}

static void check_good(const char *path, int64_t first, int64_t end, int64_t nnz)
{
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *m = NULL;

	if (!CHECK_OK(tulle_matrix_read_rows(context, path, first, end, NULL, &m)))
		return;
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK_EQUAL(v.rows, end - first);
	CHECK_EQUAL(v.nnz, nnz);
	CHECK_EQUAL(tulle__index_at(v.row_ptr, v.offset_type, 0), 0);
	tulle_matrix_destroy(m);
}

/* What a part reads is checked; a fault elsewhere is found by whoever reads that part. */
static void offsets(void)
{
	static const int64_t col[5] = { 0, 3, 1, 2, 3 };
	const char *path = put((const int64_t[4]){ 0, 2, 2, 5 }, col);

	check_good(path, 0, 3, 5);
	check_good(path, 1, 1, 0);
	check_good(path, 3, 3, 0);
	check_good(path, 2, 3, 3);
	path = put((const int64_t[4]){ 1, 2, 2, 5 }, col);
	check_bad(path, 0, 1, TULLE_E_MATRIX, "wide.tulle: row_ptr: row_ptr[0] = 1 not 0");
	check_good(path, 1, 3, 3);
	path = put((const int64_t[4]){ 0, 3, 2, 5 }, col);
	check_bad(path, 1, 3, TULLE_E_MATRIX, "row_ptr: row_ptr[2] = 2 less row_ptr[1] = 3");
	check_good(path, 2, 3, 3);
	check_good(path, 0, 1, 3);
	path = put((const int64_t[4]){ 0, -2, INT64_MIN, 5 }, col);
	check_bad(path, 1, 3, TULLE_E_MATRIX, "row_ptr: row_ptr[1] = -2 negative");
	check_bad(path, 2, 2, TULLE_E_MATRIX, "row_ptr: row_ptr[2] negative");
	check_bad(path, 0, 2, TULLE_E_MATRIX, "row_ptr: row_ptr[1] = -2 less row_ptr[0] = 0");
	path = put((const int64_t[4]){ 0, 2, INT64_MAX, 5 }, col);
	check_bad(path, 0, 2, TULLE_E_MATRIX, "row_ptr: row_ptr[2] = 9223372036854775807 more nnz = 5");
	check_bad(path, 2, 3, TULLE_E_MATRIX, "row_ptr: row_ptr[3] = 5 less row_ptr[2]");
	check_bad(path, 2, 2, TULLE_E_MATRIX, "row_ptr: row_ptr[2] more nnz");
	path = put((const int64_t[4]){ 0, 2, 2, 4 }, col);
	check_bad(path, 2, 3, TULLE_E_MATRIX, "row_ptr: row_ptr[3] = 4 not nnz = 5");
	check_bad(path, 3, 3, TULLE_E_MATRIX, "row_ptr: row_ptr[3] = 4 not nnz = 5");
	check_good(path, 0, 2, 2);
	check_group("offsets that are out of order or range");
}

static void columns(void)
{
	static const int64_t ptr[4] = { 0, 2, 2, 5 };
	const char *path = put(ptr, (const int64_t[5]){ 0, 3, 1, (int64_t)1 << 32, 3 });

	check_good(path, 0, 2, 2);
	check_bad(path, 2, 3, TULLE_E_MATRIX, "wide.tulle: col: col[3] = 4294967296 outside 0 .. 3");
	path = put(ptr, (const int64_t[5]){ 0, 3, 1, 2, -1 });
	check_bad(path, 2, 3, TULLE_E_MATRIX, "wide.tulle: col: col[4] = -1 outside");
	check_group("columns that are out of range");
}

static void requests(void)
{
	static const int64_t ptr[4] = { 0, 2, 2, 5 }, col[5] = { 0, 3, 1, 2, 3 };
	const char *path = put(ptr, col);
	tulle_read_options o = { .size = sizeof o, .map = 1 };
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *m = NULL;

	check_bad(path, -1, 2, TULLE_E_ARGUMENT, "wide.tulle: rows -1 .. 1 there are 3");
	check_bad(path, 2, 1, TULLE_E_ARGUMENT, "rows 2 .. 0");
	check_bad(path, 0, 4, TULLE_E_ARGUMENT, "rows 0 .. 3 there are 3");
	check_bad(path, INT64_MAX, INT64_MIN, TULLE_E_ARGUMENT, "rows");
	check_bad(path, 0, INT64_MAX, TULLE_E_ARGUMENT, "rows");
	check_bad(file_path("absent.tulle"), 0, 1, TULLE_E_IO, "absent.tulle No such file");
	check_bad(file_text("text.mtx", "%%MatrixMarket matrix"), 0, 1, TULLE_E_MATRIX,
	          "text.mtx: header: tuned file");
	CHECK_STATUS(tulle_matrix_read_rows(context, path, 0, 1, &o, &m), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.map");
	o = (tulle_read_options){ .size = sizeof o, .compact = TULLE_COMPACT_AUTO };
	CHECK_STATUS(tulle_matrix_read_rows(context, path, 0, 1, &o, &m), TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_matrix_read_rows(context, path, 0, 1, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_matrix_read_rows(context, NULL, 0, 1, NULL, &m), TULLE_E_ARGUMENT);
	CHECK(m == NULL);
	o = (tulle_read_options){ .size = sizeof o, .value_type = TULLE_F32 };
	CHECK_OK(tulle_matrix_read_rows(context, path, 2, 3, &o, &m));
	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK(v.value_type == TULLE_F32 && ((const float *)v.val)[2] == 5.5f);
	tulle_matrix_destroy(m);
	check_group("requests");
}

static void no_memory(void)
{
	static const int64_t ptr[4] = { 0, 2, 2, 5 }, col[5] = { 0, 3, 1, 2, 3 };
	const tulle_context_options how = {
		.size = sizeof how, .threads = 1, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	const tulle_read_options narrow = { .size = sizeof narrow, .value_type = TULLE_F32 };
	const char *path = put(ptr, col);
	tulle_status s = TULLE_E_MEMORY;
	tulle_context *own = NULL;
	long k;

	CHECK_OK(tulle_context_create(&how, &own));
	for (k = 1; k < 100 && s != TULLE_OK; k++) {
		const long before = atomic_load(&heap.live_blocks);
		tulle_matrix *m = NULL;

		atomic_store(&heap.asked, 0);
		heap.fail_at = k;
		s = tulle_matrix_read_rows(own, path, 1, 3, &narrow, &m);
		heap.fail_at = 0;
		CHECK(s == TULLE_OK || s == TULLE_E_MEMORY);
		tulle_matrix_destroy(m);
		CHECK_EQUAL(atomic_load(&heap.live_blocks), before);
	}
	CHECK(k > 5 && k < 100);
	tulle_context_destroy(own);
	check_group("each of %ld allocations refused", k - 2);
}

int main(void)
{
	context = context_for(NULL, 0, 0);
	parts();
	offsets();
	columns();
	requests();
	no_memory();
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
