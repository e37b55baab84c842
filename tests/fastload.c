/* fastload.c -- the blocks of the FastLoad paper's worked example, jgl009 with a warp of 4 threads. */
#include "inner.h"

#include "formats/fastload/fastload.h"

#include <stdlib.h>

/* The pattern of jgl009, 9 x 9, row by row. */
static const char *const jgl009[9] = {
	"x.....x.x", "xxx...x.x", ".xx...x.x", "x.xxxx...", "x.xxxx...",
	"x.xxxx...", "x.xxxx...", "xxxxxxxxx", "xxxxxxxxx",
};

typedef struct {
	int64_t first;
	int32_t column, height, length;
} block;

/* The text gives blocks 0 and 5; the others follow from the same rule. */
static const block paper[] = {
	{ 0, 0, 2, 4 },  { 8, 4, 2, 4 },  { 16, 8, 2, 1 }, { 18, 1, 2, 4 }, { 26, 5, 2, 4 },
	{ 34, 2, 1, 4 }, { 38, 6, 1, 3 }, { 41, 4, 1, 4 }, { 45, 8, 1, 1 }, { 46, 7, 2, 2 },
};
static const int32_t paper_order[9] = { 7, 1, 6, 8, 3, 4, 5, 0, 2 };

/* A height limit of 1 cuts blocks of two steps in two and leaves the entries where they are. */
static const block one_high[] = {
	{ 0, 0, 1, 4 },  { 4, 0, 1, 4 },  { 8, 4, 1, 4 },  { 12, 4, 1, 4 },
	{ 16, 8, 1, 1 }, { 17, 8, 1, 1 }, { 18, 1, 1, 4 }, { 22, 1, 1, 4 },
	{ 26, 5, 1, 4 }, { 30, 5, 1, 4 }, { 34, 2, 1, 4 }, { 38, 6, 1, 3 },
	{ 41, 4, 1, 4 }, { 45, 8, 1, 1 }, { 46, 7, 1, 2 }, { 48, 7, 1, 2 },
};

static matrix pattern(void)
{
	int64_t lengths[9] = { 0 }, k = 0;
	matrix m;

	for (int i = 0; i < 9; i++)
		for (int j = 0; j < 9; j++)
			lengths[i] += jgl009[i][j] == 'x';
	m = matrix_new("jgl009", 9, 9, lengths);
	for (int i = 0; i < 9; i++)
		for (int j = 0; j < 9; j++)
			if (jgl009[i][j] == 'x')
				m.col[k++] = j;
	return m;
}

static void check_blocks(const matrix *m, const char *spec, const block *want, int64_t count)
{
	arrays arr = cast(m, pairs[0], TULLE_F64, 0);
	const tulle__csr a = { 9,         9,           m->nnz,  TULLE_I32, TULLE_I32,
		                   TULLE_F64, arr.row_ptr, arr.col, arr.val };
	inner in;

	check_about("%s", spec);
	if (inner_convert(&in, spec, TULLE__SCALAR, &a)) {
		const fastload_data *d = in.data;

		CHECK_EQUAL(d->nnz, 50);
		if (CHECK_EQUAL(d->blocks, count))
			for (int64_t b = 0; b < count; b++) {
				check_about("%s, block %d", spec, (int)b);
				CHECK_EQUAL(d->first[b], want[b].first);
				CHECK_EQUAL(d->column[b], want[b].column);
				CHECK_EQUAL(d->height[b], want[b].height);
				CHECK_EQUAL(d->length[b], want[b].length);
			}
		for (int c = 0; c < 9; c++)
			CHECK_EQUAL(d->permutation[c], paper_order[c]);
		inner_release(&in);
	}
	arrays_free(&arr);
	check_group("%s: blocks", spec);
}

int main(void)
{
	matrix m = pattern();

	check_blocks(&m, "fastload:lanes=4", paper, sizeof paper / sizeof *paper);
	check_blocks(&m, "fastload:lanes=4,height=2", paper, sizeof paper / sizeof *paper);
	check_blocks(&m, "fastload:lanes=4,height=1", one_high, sizeof one_high / sizeof *one_high);
	matrix_free(&m);
	return check_end();
}
