/* complex_blocks.c -- complex matrices in block CSR: bsell from the blocks and csr from their expansion give the
 * same products, which are exact. */
#include "complex_problem.h"

#include <math.h>

enum { BLOCK_ROWS = 23, BLOCK_COLS = 7, MOST_BLOCKS = BLOCK_ROWS * BLOCK_COLS, LARGEST = 3 };

typedef struct {
	int32_t ptr[BLOCK_ROWS + 1], col[MOST_BLOCKS];
	double val[2 * MOST_BLOCKS * LARGEST * LARGEST]; /* parts; floats for c64 */
} blocks;

/* Parts of whole numbers from -5 to 5. */
static void fill_parts(tulle_value_type type, void *a, int64_t count, int64_t seed)
{
	const tulle_value_type part = type == TULLE_C64 ? TULLE_F32 : TULLE_F64;

	for (int64_t k = 0; k < 2 * count; k++)
		value_set(part, a, k, (double)((7 * k + seed) * (k + seed) % 11) - 5);
}

/* Every third block row is full, the others have one block, and one of them has none. */
static void make_blocks(blocks *b, tulle_value_type type)
{
	b->ptr[0] = 0;
	for (int32_t i = 0; i < BLOCK_ROWS; i++) {
		const int32_t step = i % 3 == 0 ? 1 : BLOCK_COLS;

		b->ptr[i + 1] = b->ptr[i];
		for (int32_t j = i % step; i != 4 && j < BLOCK_COLS; j += step)
			b->col[b->ptr[i + 1]++] = j;
	}
	fill_parts(type, b->val, MOST_BLOCKS * LARGEST * LARGEST, 3);
}

static void compare(const tulle_plan *is, const tulle_plan *want, tulle_value_type type,
                    const void *x, int64_t rows, const char *when)
{
	const tulle_value_type part = type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
	const kit_complex one = { 1, 0 }, zero = { 0, 0 };
	double y[2 * BLOCK_ROWS * LARGEST], z[2 * BLOCK_ROWS * LARGEST];

	if (!CHECK_OK(complex_mul(is, type, one, x, zero, y)) ||
	    !CHECK_OK(complex_mul(want, type, one, x, zero, z)))
		return;
	for (int64_t k = 0; k < 2 * rows; k++) {
		const double a = value_at(part, y, k), b = value_at(part, z, k);

		CHECK_THAT(a == b || (isnan(a) && isnan(b)), "%s: part %d of row %d is %g, not %g", when,
		           (int)(k % 2), (int)(k / 2), a, b);
	}
}

static void check_plans(const blocks *b, tulle_value_type type, int64_t size, int ones)
{
	double x[2 * BLOCK_COLS * LARGEST], other[sizeof b->val / sizeof *b->val];
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL, *csr = NULL;
	const void *val = ones ? NULL : b->val;

	fill_parts(type, x, BLOCK_COLS * LARGEST, 8);
	fill_parts(type, other, MOST_BLOCKS * LARGEST * LARGEST, 10);
	if (CHECK_OK(tulle_matrix_from_bsr(NULL, BLOCK_ROWS, BLOCK_COLS, size, size, TULLE_ROW_MAJOR,
	                                   TULLE_I32, b->ptr, TULLE_I32, b->col, type, val, NULL,
	                                   &a)) &&
	    (plan = plan_for(a, "bsell", TULLE_NORMAL)) && (csr = plan_for(a, "csr", TULLE_NORMAL))) {
		compare(plan, csr, type, x, BLOCK_ROWS * size, "blocks");
		CHECK_OK(tulle_plan_update(plan, other));
		CHECK_OK(tulle_plan_update(csr, other));
		compare(plan, csr, type, x, BLOCK_ROWS * size, "other values");
		CHECK_OK(tulle_plan_update(plan, val));
		CHECK_OK(tulle_plan_update(csr, val));
		value_set(type == TULLE_C64 ? TULLE_F32 : TULLE_F64, x, 1, INFINITY);
		compare(plan, csr, type, x, BLOCK_ROWS * size, "Inf");
	}
	tulle_plan_destroy(csr);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

void check_complex_blocks(void)
{
	static blocks b;

	for (int type = TULLE_C64; type <= TULLE_C128; type++)
		for (int64_t size = 2; size <= LARGEST; size++)
			for (int ones = 0; ones < 2; ones++) {
				check_about("%d x %d blocks of type %d, ones %d", (int)size, (int)size, type, ones);
				make_blocks(&b, (tulle_value_type)type);
				check_plans(&b, (tulle_value_type)type, size, ones);
			}
	check_group("blocks");
}
