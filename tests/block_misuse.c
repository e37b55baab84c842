/* block_misuse.c -- block CSR that is wrong is refused with a sentence; block CSR without blocks is fine. */
#include "block_problem.h"

#include <string.h>

/* ---- what is refused ---- */

static const int32_t good_ptr[] = { 0, 2, 2, 3 }, good_col[] = { 0, 3, 1 };
static const double good_val[12];

typedef struct {
	int64_t block_rows, block_cols, height, width;
	int order;
	const void *ptr, *col, *val;
	tulle_matrix_options options;
} arguments;

static void refuse(int line, const arguments *a, tulle_status want, const char *words)
{
	tulle_matrix *out = (tulle_matrix *)(uintptr_t)8;
	const tulle_status s = tulle_matrix_from_bsr(
	    NULL, a->block_rows, a->block_cols, a->height, a->width, (tulle_order)a->order, TULLE_I32,
	    a->ptr, TULLE_I32, a->col, TULLE_F64, a->val, &a->options, &out);

	check_about("line %d: %s", line, words);
	CHECK_STATUS(s, want);
	CHECK(out == NULL);
	CHECK_WORDS(tulle_last_error(), words);
}

#define REFUSE(spoil, want, words)                      \
	do {                                                \
		arguments a = { 3,                              \
			            4,                              \
			            2,                              \
			            2,                              \
			            TULLE_ROW_MAJOR,                \
			            good_ptr,                       \
			            good_col,                       \
			            good_val,                       \
			            { .size = sizeof a.options } }; \
		spoil;                                          \
		refuse(__LINE__, &a, want, words);              \
	} while (0)

static void check_refused(void)
{
	static const int32_t falls[] = { 0, 2, 1, 3 }, begins[] = { 1, 2, 2, 3 };
	static const int32_t beyond[] = { 0, 4, 1 }, negative[] = { 0, 3, -1 };

	REFUSE(a.block_rows = -1, TULLE_E_ARGUMENT, "block_rows -1 negative");
	REFUSE(a.block_cols = -2, TULLE_E_ARGUMENT, "block_cols -2 negative");
	REFUSE(a.height = 0, TULLE_E_ARGUMENT, "height 0 positive");
	REFUSE(a.width = -3, TULLE_E_ARGUMENT, "width -3 positive");
	REFUSE(a.height = INT64_MAX, TULLE_E_ARGUMENT, "block_rows height 9223372036854775807");
	REFUSE((a.block_rows = 0, a.height = INT64_MAX), TULLE_E_ARGUMENT, "height");
	REFUSE(a.block_cols = INT64_MAX / 4, TULLE_E_ARGUMENT, "block_cols width addressed");
	REFUSE((a.height = 1 << 30, a.width = 1 << 30), TULLE_E_MATRIX,
	       "block_ptr[3] 3: 1073741824 entries");
	REFUSE(a.order = 2, TULLE_E_ARGUMENT, "order 2 unknown");
	REFUSE((a.block_rows = 4, a.options.kind = TULLE_SYMMETRIC), TULLE_E_UNSUPPORTED,
	       "options.kind 1: triangle");
	REFUSE(a.ptr = NULL, TULLE_E_ARGUMENT, "block_ptr NULL");
	REFUSE(a.col = NULL, TULLE_E_ARGUMENT, "block_col NULL");
	REFUSE(a.ptr = begins, TULLE_E_MATRIX, "block_ptr[0] 1");
	REFUSE(a.ptr = falls, TULLE_E_MATRIX, "block_ptr[2] 1 less block_ptr[1] 2");
	REFUSE(a.col = beyond, TULLE_E_MATRIX, "block_col[1] 4 block row 0 outside 0 .. 3");
	REFUSE(a.col = negative, TULLE_E_MATRIX, "block_col[2] -1 block row 2 outside 0 .. 3");
	CHECK_THAT(strstr(tulle_last_error(), "-1 in block row 2 is") != NULL,
	           "does not name the block row: %s", tulle_last_error());
	REFUSE((a.height = a.width = 1, a.col = negative), TULLE_E_MATRIX, "block_col[2] block row 2");
	REFUSE(a.val = (const char *)good_val + 4, TULLE_E_ARGUMENT, "val multiple");
	REFUSE(a.options.base = 1, TULLE_E_MATRIX, "block_ptr[0] 0 1");
	CHECK_STATUS(tulle_matrix_from_bsr(NULL, 1, 1, 2, 2, TULLE_ROW_MAJOR, TULLE_I32, good_ptr,
	                                   TULLE_I32, good_col, TULLE_F64, good_val, NULL, NULL),
	             TULLE_E_ARGUMENT);
	check_group("refused");
}

/* ---- nothing ---- */

static void check_empty(void)
{
	static const int32_t zeros[4];
	double x[8] = { 0 }, y[8];

	for (int n = 0; n < 3; n++) {
		const int64_t block_rows = n == 0 ? 0 : 3, block_cols = n == 1 ? 0 : 2;
		tulle_matrix *a = NULL;
		tulle_plan *plan = NULL;

		check_about("%d x %d empty blocks", (int)block_rows, (int)block_cols);
		CHECK_OK(tulle_matrix_from_bsr(NULL, block_rows, block_cols, 2, 2, TULLE_ROW_MAJOR,
		                               TULLE_I32, zeros, TULLE_I32, NULL, TULLE_F64, NULL, NULL,
		                               &a));
		for (int f = -1; f < 0 || tulle_formats(f); f++) {
			memset(y, 0x55, sizeof y);
			const char *format = f < 0 ? NULL : tulle_formats(f);
			const tulle_status s = tulle_plan_create(
			    a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = format },
			    &plan);

			if (format ? refused(format, s) : !CHECK_OK(s))
				continue;
			CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
			for (int64_t i = 0; i < 2 * block_rows; i++)
				CHECK(y[i] == 0);
			tulle_plan_destroy(plan);
			plan = NULL;
		}
		tulle_matrix_destroy(a);
	}
	check_group("empty");
}

void check_block_misuse(void)
{
	check_refused();
	check_empty();
}
