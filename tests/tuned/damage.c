/* damage.c -- files that are cut off, changed or forged: each ends in a message that names the section, none in a
 * matrix that a multiplication could leave. */
#include "heap.h"
#include "tuned_support.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The good file with one thing changed. */
static void check_changed(size_t at, const void *with, size_t count, tulle_status status,
                          const char *words)
{
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "a comment", good_plan);

	check_about("byte %zu: %s", at, words);
	if (CHECK(at + count <= b.count))
		memcpy(b.at + at, with, count);
	check_not_loaded(file_put("changed.tulle", b.at, b.count), status, words);
	free(b.at);
	check_about(" ");
}

#define FIELD(field, type, value, status, words)                                                \
	check_changed(offsetof(tulle__tuned_header, field), &(type){ value }, sizeof(type), status, \
	              words)

static void header_fields(void)
{
	FIELD(magic[1], char, 'T', TULLE_E_MATRIX, "changed.tulle: header: tuned");
	FIELD(endian, uint32_t, 0x04030201, TULLE_E_UNSUPPORTED, "header: byte order .mtx");
	FIELD(endian, uint32_t, 0x01020305, TULLE_E_MATRIX, "header: byte order mark = 0x01020305");
	FIELD(version, uint32_t, 2, TULLE_E_UNSUPPORTED, "header: version = 2 newer");
	FIELD(version, uint32_t, 0, TULLE_E_MATRIX, "header: version = 0");
	FIELD(file_bytes, uint64_t, 1, TULLE_E_MATRIX, "header: bytes, not 1");
	FIELD(rows, int64_t, -1, TULLE_E_MATRIX, "header: rows = -1 outside");
	FIELD(rows, int64_t, 4, TULLE_E_MATRIX, "header: section row_ptr has 16 need 20");
	FIELD(rows, int64_t, INT64_MAX, TULLE_E_MATRIX, "header: rows outside");
	FIELD(rows, int64_t, INT64_MAX / 16 - 1, TULLE_E_MATRIX, "header: section row_ptr has 16");
	FIELD(cols, int64_t, -1, TULLE_E_MATRIX, "header: cols = -1 outside");
	FIELD(cols, int64_t, INT64_MIN, TULLE_E_MATRIX, "header: cols outside");
	FIELD(cols, int64_t, 3, TULLE_E_MATRIX, "changed.tulle: col: col[1] = 3 outside 2");
	FIELD(nnz, int64_t, 6, TULLE_E_MATRIX, "header: section col has 20 need 24");
	FIELD(nnz, int64_t, -5, TULLE_E_MATRIX, "header: nnz = -5 outside");
	FIELD(nnz, int64_t, (int64_t)1 << 62, TULLE_E_MATRIX, "header: nnz outside");
	FIELD(value_type, uint32_t, 1, TULLE_E_MATRIX, "header: section val has 40 need 20");
	FIELD(value_type, uint32_t, 0, TULLE_E_MATRIX, "header: value type = 0");
	FIELD(value_type, uint32_t, 5, TULLE_E_MATRIX, "header: value type = 5");
	FIELD(offset_bytes, uint32_t, 8, TULLE_E_MATRIX, "header: section row_ptr has 16 need 32");
	FIELD(offset_bytes, uint32_t, 2, TULLE_E_MATRIX, "header: offset = 2");
	FIELD(column_bytes, uint32_t, 8, TULLE_E_MATRIX, "header: offsets 4 columns 8");
	FIELD(column_bytes, uint32_t, 0, TULLE_E_MATRIX, "header: column = 0");
	FIELD(sections, uint32_t, 6, TULLE_E_MATRIX, "header: sections = 6");
	FIELD(section[0].number, uint32_t, 2, TULLE_E_MATRIX, "header: numbers");
	FIELD(section[1].zero, uint32_t, 7, TULLE_E_MATRIX, "header: unused");
	FIELD(zero, uint64_t, 7, TULLE_E_MATRIX, "header: unused");
	FIELD(section[2].begin, uint64_t, 64, TULLE_E_MATRIX, "header: section row_ptr begins at 64");
	FIELD(section[3].begin, uint64_t, UINT64_MAX, TULLE_E_MATRIX, "header: section col begins");
	FIELD(section[3].bytes, uint64_t, UINT64_MAX, TULLE_E_MATRIX, "header: section col has");
	FIELD(section[4].bytes, uint64_t, 39, TULLE_E_MATRIX, "header: section val has 39 need 40");
	FIELD(section[0].bytes, uint64_t, 4097, TULLE_E_MATRIX, "header: section comment has 4097");
	FIELD(section[1].bytes, uint64_t, UINT64_MAX, TULLE_E_MATRIX, "header: section plan has");
	check_group("every field of the header");
}

/* ---- every byte ---- */

/* Whatever was accepted can be multiplied without leaving its arrays. */
static void check_sound(const tulle_matrix *m)
{
	tulle_csr_view v = { .size = sizeof v };

	CHECK_OK(tulle_matrix_view_csr(m, &v));
	CHECK_EQUAL(tulle__index_at(v.row_ptr, v.offset_type, 0), 0);
	CHECK_EQUAL(tulle__index_at(v.row_ptr, v.offset_type, v.rows), v.nnz);
	for (int64_t i = 0; i < v.rows; i++)
		CHECK(tulle__index_at(v.row_ptr, v.offset_type, i) <=
		      tulle__index_at(v.row_ptr, v.offset_type, i + 1));
	for (int64_t k = 0; k < v.nnz; k++)
		CHECK(tulle__index_at(v.col, v.column_type, k) >= 0 &&
		      tulle__index_at(v.col, v.column_type, k) < v.cols);
}

/* 1 if it was loaded. */
static int load_by(tulle_context *context, const tulle_read_options *o, const char *path)
{
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	const tulle_status s = tulle_plan_load(context, path, o, &m, &p);

	CHECK_THAT(s == TULLE_OK || s == TULLE_E_MATRIX || s == TULLE_E_UNSUPPORTED, "status %d", s);
	if (s == TULLE_OK)
		check_sound(m);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	return s == TULLE_OK;
}

/* Read and mapped: both or none. */
static int try_to_load(tulle_context *context, const bytes *b)
{
	const tulle_read_options mapped = { .size = sizeof mapped, .map = 1 };
	const char *path = file_put("bytes.tulle", b->at, b->count);
	const int loaded = load_by(context, NULL, path);

	CHECK_EQUAL(load_by(context, &mapped, path), loaded);
	return loaded;
}

static void every_byte(void)
{
	static const unsigned char masks[] = { 0x01, 0x80, 0xff };
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "a comment", good_plan);
	const tulle__tuned_header *h = (const tulle__tuned_header *)(const void *)b.at;
	const size_t values = (size_t)h->section[TULLE__TUNED_VAL].begin;
	tulle_context *context = context_for(NULL, 1, 0);
	int loaded = 0;

	for (size_t at = 0; at < values; at++)
		for (size_t n = 0; n < sizeof masks; n++) {
			check_about("byte %zu changed by %#x", at, masks[n]);
			b.at[at] = (char)(b.at[at] ^ masks[n]);
			loaded += try_to_load(context, &b);
			b.at[at] = (char)(b.at[at] ^ masks[n]);
		}
	check_about(" ");
	CHECK(try_to_load(context, &b));
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	/* Texts, more columns, other columns that are in range. */
	CHECK_THAT(loaded > 0 && loaded < (int)values, "%d of %zu changes were loaded", loaded,
	           3 * values);
	check_group("every byte before the values, %d of %zu changes are another good file", loaded,
	            3 * values);
	free(b.at);
}

static void every_length(void)
{
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "a comment", good_plan);
	const size_t whole = b.count;

	for (size_t n = 0; n < whole; n++) {
		check_about("%zu bytes", n);
		check_not_loaded(file_put("cut.tulle", b.at, n), TULLE_E_MATRIX, "cut.tulle: header:");
	}
	check_about(" ");
	bytes_add(&b, "", 1);
	check_not_loaded(file_put("long.tulle", b.at, b.count), TULLE_E_MATRIX,
	                 "long.tulle: header: copy again");
	free(b.at);
	check_group("cut off at every length, and one byte too long");
}

/* ---- arrays ---- */

static void check_array(const void *row_ptr, const void *col, tulle_index_type type,
                        const char *words)
{
	tulle__csr a = small_csr();
	bytes b;

	a.offset_type = a.column_type = type;
	a.row_ptr = row_ptr;
	a.col = col;
	b = image_of(&a, "", good_plan);
	check_about("%s", words);
	check_not_loaded(file_put("arrays.tulle", b.at, b.count), TULLE_E_MATRIX, words);
	free(b.at);
	check_about(" ");
}

static void arrays_of_indices(void)
{
	check_array((int32_t[]){ 1, 2, 2, 5 }, small_col, TULLE_I32,
	            "arrays.tulle: row_ptr: row_ptr[0] = 1");
	check_array((int32_t[]){ 0, 3, 2, 5 }, small_col, TULLE_I32,
	            "row_ptr: row_ptr[2] = 2 less row_ptr[1] = 3");
	check_array((int32_t[]){ 0, 2, 2, 4 }, small_col, TULLE_I32, "row_ptr: row_ptr[3] = 4 nnz = 5");
	check_array((int32_t[]){ 0, 2, 2, 6 }, small_col, TULLE_I32, "row_ptr: row_ptr[3] = 6 nnz = 5");
	check_array((int32_t[]){ 0, -2, 2, 5 }, small_col, TULLE_I32, "row_ptr: row_ptr[1] = -2");
	check_array(small_row_ptr, (int32_t[]){ 0, 4, 1, 2, 3 }, TULLE_I32,
	            "col: col[1] = 4 outside 3");
	check_array(small_row_ptr, (int32_t[]){ 0, 3, 1, 2, -1 }, TULLE_I32,
	            "col: col[4] = -1 outside");
	check_array(small_row_ptr, (int32_t[]){ INT32_MAX, 3, 1, 2, 3 }, TULLE_I32,
	            "col: col[0] = 2147483647 outside");
	check_array((int64_t[]){ 0, 2, 2, 5 }, (int64_t[]){ 0, 3, 1, (int64_t)1 << 32, 3 }, TULLE_I64,
	            "col: col[3] = 4294967296 outside");
	check_array((int64_t[]){ 0, INT64_MAX, 2, 5 }, (int64_t[]){ 0, 3, 1, 2, 3 }, TULLE_I64,
	            "row_ptr: row_ptr[2] = 2 less");
	check_group("offsets and columns that are out of order or range");
}

/* Columns that are wrong anywhere in an array that several threads check. */
static void large_arrays(void)
{
	enum { ROWS = 40000, EACH = 5 };
	int32_t *ptr = grab(ROWS + 1, sizeof *ptr), *col = grab(ROWS * EACH, sizeof *col);
	tulle__csr a = { .rows = ROWS,
		             .cols = EACH,
		             .nnz = ROWS * EACH,
		             .offset_type = TULLE_I32,
		             .column_type = TULLE_I32,
		             .value_type = TULLE_F32,
		             .row_ptr = ptr,
		             .col = col };

	for (int i = 0; i <= ROWS; i++)
		ptr[i] = EACH * i;
	for (int k = 0; k < ROWS * EACH; k++)
		col[k] = k % EACH;
	for (int k = 17; k < ROWS * EACH; k += ROWS * EACH / 6) {
		char words[80];
		bytes b;

		col[k] = EACH;
		b = image_of(&a, "", good_plan);
		col[k] = k % EACH;
		snprintf(words, sizeof words, "large.tulle: col: col[%d] = %d outside", k, EACH);
		check_not_loaded(file_put("large.tulle", b.at, b.count), TULLE_E_MATRIX, words);
		free(b.at);
	}
	free(ptr);
	free(col);
	check_group("a wrong column anywhere in a large file");
}

/* Bytes between the sections. */
static void gaps(void)
{
	const tulle__csr a = small_csr();
	bytes b = image_of(&a, "a comment", good_plan);
	const tulle__tuned_header h = tulle__tuned_lay_out(&a, 9, strlen(good_plan));
	int count = 0;

	for (int n = 0; n + 1 < TULLE__TUNED_SECTIONS; n++) {
		const size_t at = (size_t)(h.section[n].begin + h.section[n].bytes);

		if (at < h.section[n + 1].begin) {
			const size_t last = (size_t)h.section[n + 1].begin - 1;
			char words[60];

			snprintf(words, sizeof words, "byte %zu before is 120, not 0", at);
			check_changed(at, "x", 1, TULLE_E_MATRIX, words);
			snprintf(words, sizeof words, "byte %zu before is 120, not 0", last);
			check_changed(last, "x", 1, TULLE_E_MATRIX, words);
			count++;
		}
	}
	CHECK_EQUAL(count, 4);
	free(b.at);
	check_group("bytes between sections");
}

/* ---- plans ---- */

/* `instead` in the place of `of` in the text of a good plan. */
static void check_text(const char *of, const char *instead, tulle_status status, const char *words)
{
	const tulle__csr a = small_csr();
	const char *at = strstr(good_plan, of);
	bytes plan = { 0 }, b;

	check_about("\"%s\" for \"%s\"", instead, of);
	CHECK(at != NULL);
	if (!at)
		return;
	bytes_add(&plan, good_plan, (size_t)(at - good_plan));
	bytes_add(&plan, instead, strlen(instead));
	bytes_add(&plan, at + strlen(of), strlen(at + strlen(of)));
	b = image_of(&a, "", plan.at);
	check_not_loaded(file_put("plan.tulle", b.at, b.count), status, words);
	free(plan.at);
	free(b.at);
	check_about(" ");
}

static void texts(void)
{
	check_text("csr:kernel=auto,transpose=auto", "elll", TULLE_E_UNSUPPORTED,
	           "plan.tulle: plan: unknown format \"elll\"; plan it again");
	check_text("kernel=auto", "kernel=fast", TULLE_E_UNSUPPORTED, "plan: \"fast\" plan it again");
	check_text("kernel=auto", "knob=auto", TULLE_E_UNSUPPORTED, "plan: \"knob\"");
	check_text("csr:", "csr\x1b:", TULLE_E_MATRIX, "plan: line 1 wrong \\x1b");
	check_text("format=", "form=", TULLE_E_MATRIX, "plan: line 1 wrong: \"form=csr");
	check_text("op=normal", "op=both", TULLE_E_MATRIX, "plan: line 2 wrong: \"op=both\"");
	check_text("way=as is", "way=built", TULLE_E_MATRIX, "plan: csr \"built\"");
	check_text("way=as is", "way=scatter", TULLE_E_MATRIX, "plan: csr \"scatter\"");
	check_text("op=normal", "op=transposed", TULLE_E_MATRIX, "plan: csr \"as is\"");
	check_text("way=as is", "way=", TULLE_E_MATRIX, "plan: line 3");
	check_text("=500", "=-1", TULLE_E_MATRIX, "plan: line 4");
	check_text("=500", "=nan", TULLE_E_MATRIX, "plan: line 4");
	check_text("=500", "=1e999", TULLE_E_MATRIX, "plan: line 4");
	check_text("=500", "=5 0", TULLE_E_MATRIX, "plan: line 4");
	check_text("vectors=1", "vectors=0", TULLE_E_MATRIX, "plan: line 5");
	check_text("vectors=1", "vectors=1e10", TULLE_E_MATRIX, "plan: line 5");
	check_text("ordered=0", "ordered=2", TULLE_E_MATRIX, "plan: line 6");
	check_text("ordered=0", "ordered=1", TULLE_E_UNSUPPORTED, "plan: csr plan it again");
	check_text("lossy=0", "lossy=yes", TULLE_E_MATRIX, "plan: line 7");
	check_text("lossy=0", "lossy=1", TULLE_E_UNSUPPORTED, "plan: csr plan it again");
	check_text("seconds=0.25", "seconds=inf", TULLE_E_MATRIX, "plan: line 8");
	check_text("why=it is small\n", "", TULLE_E_MATRIX, "plan: line 9");
	check_text("why=it is small\n", "why=it is small", TULLE_E_MATRIX, "plan: line 9");
	check_text("small\n", "small\nmore=1\n", TULLE_E_MATRIX, "plan: line 9");
	/* sym itself rejects this matrix: it is not symmetric. */
	check_text("csr:kernel=auto,transpose=auto\nop=normal", "sym\nop=transposed",
	           TULLE_E_UNSUPPORTED, "plan.tulle: plan: sym");
	check_group("plans that are not plans");
}

/* ---- sizes ---- */

/* A file that is as large as it says, without a disk that is: memory is limited, and nothing is read. */
static void large_claims(void)
{
	const tulle_context_options limits = { .size = sizeof limits,
		                                   .threads = 1,
		                                   .memory_limit = (size_t)1 << 20 };
	const tulle__csr a = { .rows = (int64_t)1 << 35,
		                   .cols = 1,
		                   .offset_type = TULLE_I64,
		                   .column_type = TULLE_I32,
		                   .value_type = TULLE_F64 };
	const tulle__tuned_header h = tulle__tuned_lay_out(&a, 0, 0);
	const char *path = file_put("claims.tulle", &h, sizeof h);
	tulle_context *context = NULL;
	tulle_matrix *m = NULL;

	CHECK_OK(tulle_context_create(&limits, &context));
	CHECK_STATUS(tulle_matrix_read(context, path, NULL, &m), TULLE_E_MATRIX);
	if (truncate(path, (off_t)h.file_bytes) == 0) {
		CHECK_STATUS(tulle_matrix_read(context, path, NULL, &m), TULLE_E_LIMIT);
		CHECK_WORDS(tulle_last_error(), "claims.tulle: row_ptr:");
	}
	CHECK(m == NULL);
	unlink(path);
	tulle_context_destroy(context);
	check_group("2^35 rows in a file with holes");
}

/* ---- memory ---- */

/* Load a plan, change its values and save it again; nothing stays. */
static tulle_status load_and_save(tulle_context *context, const char *from, const char *to)
{
	static const double val[5] = { 9, 8, 7, 6, 5 };
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	tulle_status s = tulle_plan_load(context, from, NULL, &m, &p);

	CHECK((s == TULLE_OK) == (m != NULL) && (s == TULLE_OK) == (p != NULL));
	if (s == TULLE_OK)
		s = tulle_plan_update(p, val);
	if (s == TULLE_OK)
		s = tulle_plan_save(p, to, NULL);
	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	return s;
}

/* Allocation k fails, once or for ever. */
static void no_memory(const char *format, const char *op, const char *way)
{
	const tulle_context_options how = {
		.size = sizeof how, .threads = 1, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	const tulle__csr a = small_csr();
	char plan[300], from[500], to[500];
	tulle_context *context = NULL;
	bytes b;
	long k = 0;

	snprintf(plan, sizeof plan,
	         "format=%s\nop=%s\nway=%s\nmultiplies=500\nvectors=1\nordered=0\nlossy=0\nseconds=0\n"
	         "why=x\n",
	         format, op, way);
	b = image_of(&a, "", plan);
	snprintf(from, sizeof from, "%s", file_put("memory.tulle", b.at, b.count));
	snprintf(to, sizeof to, "%s", file_path("again.tulle"));
	CHECK_OK(tulle_context_create(&how, &context));
	for (int for_ever = 0; for_ever < 2; for_ever++)
		for (k = 1; k < 1000; k++) {
			const long before = atomic_load(&heap.live_blocks);
			tulle_status s;

			check_about("%s, allocation %ld fails %s", format, k, for_ever ? "for ever" : "once");
			atomic_store(&heap.asked, 0);
			heap.for_ever = for_ever;
			heap.fail_at = k;
			s = load_and_save(context, from, to);
			heap.fail_at = 0;
			CHECK_EQUAL(atomic_load(&heap.live_blocks), before);
			CHECK_STATUS(s, atomic_load(&heap.asked) < k ? TULLE_OK : TULLE_E_MEMORY);
			if (atomic_load(&heap.asked) < k)
				break;
		}
	check_about(" ");
	CHECK_THAT(k > 8 && k < 1000, "%ld allocations", k);
	tulle_context_destroy(context);
	free(b.at);
	check_group("%s, %s: each of %ld allocations refused", format, op, k - 1);
}

int main(void)
{
	header_fields();
	every_length();
	every_byte();
	arrays_of_indices();
	large_arrays();
	gaps();
	texts();
	large_claims();
	no_memory("sell", "normal", "as is");
	no_memory("csr5", "transposed", "built");
	no_memory("csr", "transposed", "scatter");
	return check_end();
}
