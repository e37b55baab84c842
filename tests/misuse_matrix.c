/* misuse_matrix.c -- every argument of the calls that make a matrix, made wrong in turn. */
#include "misuse.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a right call of each kind; a case spoils one argument ---- */

typedef struct {
	tulle_context *context;
	int64_t rows, cols, nnz;
	tulle_index_type offset_type, index_type;
	const void *ptr, *row, *col;
	tulle_value_type value_type;
	const void *val;
	tulle_matrix_options options;
	const tulle_matrix_options *given;
	tulle_matrix *handle, **out;
} arguments;

static const int32_t ptr32[] = { 0, 2, 2, 5, 6 };
static const int64_t ptr64[] = { 0, 2, 2, 5, 6 };
static const int32_t row32[] = { 0, 0, 2, 2, 2, 3 };
static const int32_t col32[] = { 0, 1, 2, 0, 1, 3 };
static const double val64[] = { 1, 2, 3, 4, 5, 6 };

static tulle_matrix *const poison = (tulle_matrix *)(uintptr_t)64;

static arguments right(tulle_context *context)
{
	return (arguments){ .context = context,
		                .rows = 4,
		                .cols = 4,
		                .nnz = 6,
		                .offset_type = TULLE_I32,
		                .index_type = TULLE_I32,
		                .ptr = ptr32,
		                .row = row32,
		                .col = col32,
		                .value_type = TULLE_F64,
		                .val = val64,
		                .options = { .size = sizeof(tulle_matrix_options) },
		                .handle = poison };
}

typedef tulle_status maker(const arguments *a);

static tulle_status from_csr(const arguments *a)
{
	return tulle_matrix_from_csr(a->context, a->rows, a->cols, a->offset_type, a->ptr,
	                             a->index_type, a->col, a->value_type, a->val, a->given, a->out);
}

static tulle_status from_csc(const arguments *a)
{
	return tulle_matrix_from_csc(a->context, a->rows, a->cols, a->offset_type, a->ptr,
	                             a->index_type, a->col, a->value_type, a->val, a->given, a->out);
}

static tulle_status from_coo(const arguments *a)
{
	return tulle_matrix_from_coo(a->context, a->rows, a->cols, a->nnz, a->index_type, a->row,
	                             a->col, a->value_type, a->val, a->given, a->out);
}

static void refused_matrix(const char *file, int line, maker *make, arguments *a, tulle_status want,
                           const char *words)
{
	if (!a->given)
		a->given = &a->options;
	if (!a->out)
		a->out = &a->handle;
	misuse_refused(file, line, make(a), want, words);
	check_at(file, line, a->handle == NULL, "the handle is not NULL");
	check_at(file, line, context_info(misuse_shared).blocks_held == 0, "something is still held");
	if (a->handle && a->handle != poison)
		tulle_matrix_destroy(a->handle);
}

/* REFUSE(from_csr, a.rows = -1, status, words): one case. */
#define REFUSE(make, spoil, want, words)                           \
	do {                                                           \
		arguments a = right(misuse_shared);                        \
		spoil;                                                     \
		refused_matrix(__FILE__, __LINE__, make, &a, want, words); \
	} while (0)

/* Arrays that are wrong in one place. */
#define INT32(...) ((const int32_t[]){ __VA_ARGS__ })
#define INT64(...) ((const int64_t[]){ __VA_ARGS__ })

/* What from_csr, from_csc and from_coo have in common. */
static void misuse_common(maker *make, const char *index)
{
	REFUSE(make, a.rows = -1, TULLE_E_ARGUMENT, "rows -1");
	REFUSE(make, a.cols = -7, TULLE_E_ARGUMENT, "cols -7");
	REFUSE(make, a.rows = INT64_MIN, TULLE_E_ARGUMENT, "rows -9223372036854775808");
	REFUSE(make, a.index_type = 0, TULLE_E_ARGUMENT, "type 0");
	REFUSE(make, a.val = (const char *)val64 + 4, TULLE_E_ARGUMENT, "val multiple");
	REFUSE(make, a.col = (const char *)col32 + 2, TULLE_E_ARGUMENT, index);
	REFUSE(make, a.index_type = 3, TULLE_E_ARGUMENT, "type 3");
	REFUSE(make, a.value_type = 0, TULLE_E_ARGUMENT, "value_type 0");
	REFUSE(make, a.value_type = 99, TULLE_E_ARGUMENT, "value_type 99");
	REFUSE(make, a.options.base = 2, TULLE_E_ARGUMENT, "base 2");
	REFUSE(make, a.options.base = -1, TULLE_E_ARGUMENT, "base -1");
	REFUSE(make, a.options.kind = 9, TULLE_E_ARGUMENT, "kind 9");
	REFUSE(make, (a.options.kind = TULLE_SKEW, a.options.triangle = 5), TULLE_E_ARGUMENT,
	       "triangle 5");
	REFUSE(make, a.options.ownership = 4, TULLE_E_ARGUMENT, "ownership 4");
	REFUSE(make, a.options.check = 7, TULLE_E_ARGUMENT, "check 7");
	REFUSE(make, a.options.size = 1, TULLE_E_ARGUMENT, "size 1 tulle_matrix_options");
	REFUSE(make, a.col = NULL, TULLE_E_ARGUMENT, index);
	REFUSE(make, (a.options.kind = TULLE_SYMMETRIC, a.rows = 4, a.cols = 5), TULLE_E_MATRIX, "4 5");
	REFUSE(make, (a.options.kind = TULLE_SKEW, a.cols = 9), TULLE_E_MATRIX, "9");
}

static void misuse_compressed(maker *make, const char *ptr, const char *index)
{
	char words[64];

	misuse_common(make, index);
	snprintf(words, sizeof words, "type %s 7", ptr);
	REFUSE(make, a.offset_type = 7, TULLE_E_ARGUMENT, words);
	REFUSE(make, a.ptr = NULL, TULLE_E_ARGUMENT, ptr);
	snprintf(words, sizeof words, "%s[0] 1", ptr);
	REFUSE(make, a.ptr = INT32(1, 2, 2, 5, 6), TULLE_E_MATRIX, words);
	REFUSE(make, a.ptr = INT32(-1, 2, 2, 5, 6), TULLE_E_MATRIX, "[0] -1");
	snprintf(words, sizeof words, "%s[2] 1 %s[1] 2", ptr, ptr);
	REFUSE(make, a.ptr = INT32(0, 2, 1, 5, 6), TULLE_E_MATRIX, words);
	REFUSE(make, (a.offset_type = TULLE_I64, a.ptr = INT64(0, 2, 2, INT64_MIN, 6)), TULLE_E_MATRIX,
	       "[3] -9223372036854775808");
	REFUSE(make, (a.ptr = INT32(0, 2, 2, 5, 4)), TULLE_E_MATRIX, "[4] 4");
	REFUSE(make, (a.options.check = TULLE_CHECK_FAST, a.ptr = INT32(0, 2, 1, 5, 6)), TULLE_E_MATRIX,
	       words);
	snprintf(words, sizeof words, "%s[4] -1 0 .. 3", index);
	REFUSE(make, a.col = INT32(0, 1, 2, 0, -1, 3), TULLE_E_MATRIX, words);
	snprintf(words, sizeof words, "%s[5] 4", index);
	REFUSE(make, a.col = INT32(0, 1, 2, 0, 1, 4), TULLE_E_MATRIX, words);
	REFUSE(make, a.col = INT32(INT32_MAX, 1, 2, 0, 1, 3), TULLE_E_MATRIX, "[0] 2147483647");
	REFUSE(make, a.col = INT32(0, INT32_MIN, 2, 0, 1, 3), TULLE_E_MATRIX, "[1] -2147483648");
	REFUSE(make,
	       (a.offset_type = TULLE_I64, a.ptr = ptr64, a.index_type = TULLE_I64,
	        a.col = INT64(0, 1, 2, 0, 1, (int64_t)1 << 32)),
	       TULLE_E_MATRIX, "[5] 4294967296");
	REFUSE(make,
	       (a.options.base = 1, a.offset_type = TULLE_I64, a.ptr = INT64(1, 3, 3, 6, 7),
	        a.index_type = TULLE_I64, a.col = INT64(1, 1, 2, INT64_MIN, 1, 4)),
	       TULLE_E_MATRIX, "[3] -9223372036854775808");
	REFUSE(make, (a.options.base = 1, a.ptr = INT32(1, 3, 3, 6, 7)), TULLE_E_MATRIX,
	       "[0] 0 1 .. 4");
	REFUSE(make, (a.options.base = 1), TULLE_E_MATRIX, "[0] 0");
}

static void misuse_triangles(void)
{
	/* Row 0 holds column 1: above the diagonal; row 3 column 3: on it. */
	REFUSE(from_csr, a.options.kind = TULLE_SYMMETRIC, TULLE_E_MATRIX, "0 1");
	REFUSE(from_csr, (a.options.kind = TULLE_SKEW, a.col = INT32(0, 0, 1, 0, 1, 2)), TULLE_E_MATRIX,
	       "0");
	REFUSE(from_csr,
	       (a.options.kind = TULLE_SYMMETRIC, a.options.triangle = TULLE_UPPER,
	        a.col = INT32(0, 1, 2, 3, 1, 3)),
	       TULLE_E_MATRIX, "2 1");
	REFUSE(from_csc, (a.options.kind = TULLE_SYMMETRIC, a.col = INT32(0, 1, 2, 3, 1, 3)),
	       TULLE_E_MATRIX, "1 2");
	REFUSE(from_coo, a.options.kind = TULLE_SYMMETRIC, TULLE_E_MATRIX, "0 1");
	REFUSE(from_coo,
	       (a.options.kind = TULLE_SKEW, a.row = INT32(1, 2, 2, 3, 3, 3),
	        a.col = INT32(0, 0, 1, 0, 1, 3)),
	       TULLE_E_MATRIX, "3");
}

/* A counter for every row in every chunk: the product must not wrap to a size that can be had. */
static void misuse_chunks(void)
{
	enum { COUNT = 1 << 17 };
	tulle_context *context = context_for(NULL, 8, 0);
	const tulle_matrix_options o = { .size = sizeof o, .check = TULLE_CHECK_NONE };
	tulle_matrix *a = NULL;
	int64_t *zeros = grab(COUNT, sizeof *zeros);
	double *values = grab(COUNT, sizeof *values);

	for (int shift = 57; shift <= 58; shift++)
		REFUSED(tulle_matrix_from_coo(context, (int64_t)1 << shift, 1, COUNT, TULLE_I64, zeros,
		                              zeros, TULLE_F64, values, &o, &a),
		        TULLE_E_MEMORY, "memory");
	free(zeros);
	free(values);
	tulle_context_destroy(context);
}

void misuse_matrix(void)
{
	tulle_matrix_info info = { .size = sizeof info };
	tulle_csr_view view = { .size = sizeof view };
	arguments good = right(misuse_shared);

	misuse_compressed(from_csr, "row_ptr", "col");
	REFUSED(tulle_matrix_from_csr(misuse_shared, 4, 4, TULLE_I32, ptr32, TULLE_I32, col32,
	                              TULLE_F64, val64, NULL, NULL),
	        TULLE_E_ARGUMENT, "out NULL");
	check_group("from_csr");
	misuse_compressed(from_csc, "col_ptr", "row");
	REFUSED(tulle_matrix_from_csc(misuse_shared, 4, 4, TULLE_I32, ptr32, TULLE_I32, col32,
	                              TULLE_F64, val64, NULL, NULL),
	        TULLE_E_ARGUMENT, "out NULL");
	check_group("from_csc");
	misuse_common(from_coo, "col");
	REFUSE(from_coo, a.row = NULL, TULLE_E_ARGUMENT, "row NULL");
	REFUSE(from_coo, a.nnz = -1, TULLE_E_ARGUMENT, "nnz -1");
	REFUSE(from_coo, a.row = INT32(0, 0, 2, 2, 2, 4), TULLE_E_MATRIX, "row[5] 4");
	REFUSE(from_coo, a.row = INT32(-1, 0, 2, 2, 2, 3), TULLE_E_MATRIX, "row[0] -1");
	REFUSE(from_coo, a.col = INT32(0, 1, 2, 0, 4, 3), TULLE_E_MATRIX, "col[4] 4");
	REFUSE(from_coo, a.col = INT32(0, 1, INT32_MIN, 0, 0, 3), TULLE_E_MATRIX, "col[2] -2147483648");
	REFUSE(from_coo, a.options.base = 1, TULLE_E_MATRIX, "row[0] 0");
	/* More rows than can be counted: no wrapped size may reach the allocator. */
	REFUSE(from_coo, a.rows = INT64_MAX, TULLE_E_ARGUMENT, "rows 9223372036854775807");
	REFUSE(from_coo, a.rows = INT64_MAX - 3, TULLE_E_ARGUMENT, "rows 9223372036854775804");
	REFUSE(from_coo, a.rows = INT64_MAX / 8, TULLE_E_ARGUMENT, "rows 1152921504606846975");
	REFUSE(from_coo, (a.rows = INT64_MAX - 1, a.nnz = 0), TULLE_E_ARGUMENT, "rows");
	REFUSED(tulle_matrix_from_coo(misuse_shared, 4, 4, 6, TULLE_I32, row32, col32, TULLE_F64, val64,
	                              NULL, NULL),
	        TULLE_E_ARGUMENT, "out NULL");
	misuse_chunks();
	check_group("from_coo");
	misuse_triangles();
	check_group("triangles");

	good.out = &good.handle;
	CHECK_OK(from_csr(&good));
	REFUSED(tulle_matrix_describe(NULL, &info), TULLE_E_ARGUMENT, "matrix NULL");
	REFUSED(tulle_matrix_describe(good.handle, NULL), TULLE_E_ARGUMENT, "NULL");
	REFUSED(tulle_matrix_view_csr(NULL, &view), TULLE_E_ARGUMENT, "matrix NULL");
	REFUSED(tulle_matrix_view_csr(good.handle, NULL), TULLE_E_ARGUMENT, "NULL");
	info.size = 5000;
	REFUSED(tulle_matrix_describe(good.handle, &info), TULLE_E_ARGUMENT, "size 5000");
	view.size = 0;
	REFUSED(tulle_matrix_view_csr(good.handle, &view), TULLE_E_ARGUMENT, "size 0");
	tulle_matrix_destroy(good.handle);
	check_group("matrix describe and view");
}
