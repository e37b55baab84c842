/* matrices.c -- matrices on which kernels for GPUs break: edges of warps, of blocks and of shares. */
#include "matrices.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum {
	EVEN,      /* every row has `length` entries */
	RAGGED,    /* 0 .. length, at random */
	SUM,       /* ragged, and the last row ends at exactly `length` entries in all */
	ENDS,      /* ragged, the first and last five rows are empty */
	HOLES,     /* every other row is empty, the others have 1 .. length */
	LONG_ROW,  /* one row in the middle has `length`, the others 0 .. 3 */
	LONG_LAST, /* the same, the last row */
	MIXED      /* power law: most rows are short, a few have up to `length` */
} kind;

typedef struct {
	const char *name;
	int64_t rows, cols, length;
	kind kind;
	int most; /* the tersest walk that still has it: 0 full, 1 brief, 2 tiny, 3 least */
} shape;

static const shape shapes[] = {
	{ "nothing", 0, 0, 0, EVEN, 1 },
	{ "no rows", 0, 5, 0, EVEN, 1 },
	{ "no columns", 5, 0, 0, EVEN, 1 },
	{ "no entries", 130, 7, 0, EVEN, 2 },
	{ "one entry", 1, 1, 1, EVEN, 2 },
	{ "two rows", 2, 3, 4, RAGGED, 1 },
	{ "one row", 1, 40, 31, EVEN, 1 },
	{ "one row over a block", 1, 90, 1003, EVEN, 1 },
	{ "31 rows", 31, 33, 7, RAGGED, 1 },
	{ "32 rows", 32, 31, 7, RAGGED, 0 },
	{ "33 rows", 33, 32, 7, RAGGED, 3 },
	{ "127 rows", 127, 64, 5, RAGGED, 0 },
	{ "128 rows of 3", 128, 50, 3, EVEN, 2 },
	{ "129 rows", 129, 200, 5, RAGGED, 1 },
	{ "1003 rows", 1003, 700, 12, RAGGED, 0 },
	{ "224 entries: 7 warps", 50, 60, 224, SUM, 2 },
	{ "832 entries: 26 warps", 70, 60, 832, SUM, 1 },
	{ "4096 entries", 300, 260, 4096, SUM, 0 },
	{ "ends empty", 90, 45, 9, ENDS, 3 },
	{ "every other row", 150, 70, 40, HOLES, 2 },
	{ "long row", 45, 300, 2100, LONG_ROW, 1 },
	{ "last row long", 67, 120, 700, LONG_LAST, 3 },
	{ "power law", 257, 257, 600, MIXED, 0 },
	{ "tall", 900, 3, 3, RAGGED, 0 },
	{ "wide", 9, 4000, 300, RAGGED, 0 },
	{ "column after column", 64, 64, 64, EVEN, 0 },
	{ "very long row", 40, 5000, 9001, LONG_ROW, 0 },
	{ "many rows", 20000, 3000, 8, RAGGED, 0 },
};

static int64_t length_of(const shape *s, int64_t row, int64_t used, uint64_t *state)
{
	const int64_t special = s->kind == LONG_LAST ? s->rows - 1 : s->rows / 2;
	const int64_t any = random_below(state, s->length + 1);

	switch (s->kind) {
	case EVEN: return s->length;
	case RAGGED: return any;
	case SUM:
		return row == s->rows - 1
		           ? s->length - used
		           : random_below(state, 2 * (s->length - used) / (s->rows - row) + 1);
	case ENDS: return row < 5 || row >= s->rows - 5 ? 0 : any;
	case HOLES: return row % 2 == 0 ? 0 : 1 + random_below(state, s->length);
	case LONG_ROW:
	case LONG_LAST: return row == special ? s->length : random_below(state, 4);
	case MIXED: return row % 64 == 13 ? any : random_below(state, 9);
	}
	return 0;
}

int gpu_matrix(int n, int terse, matrix *out)
{
	const int count = (int)(sizeof shapes / sizeof *shapes);
	uint64_t state = 1000 + (uint64_t)n;
	const shape *s = NULL;
	int64_t *lengths, used = 0;

	for (int i = 0; i < count; i++)
		if (shapes[i].most >= terse && n-- == 0)
			s = &shapes[i];
	if (!s)
		return 0;
	lengths = grab(s->rows, sizeof *lengths);
	for (int64_t i = 0; i < s->rows; used += lengths[i++])
		lengths[i] = length_of(s, i, used, &state);
	*out = matrix_new(s->name, s->rows, s->cols, lengths);
	matrix_random_columns(out, &state);
	free(lengths);
	return 1;
}

tulle_csr_view csr_view_of(const matrix *m, tulle_value_type type, const arrays *a)
{
	return (tulle_csr_view){ .size = sizeof(tulle_csr_view),
		                     .rows = m->rows,
		                     .cols = m->cols,
		                     .nnz = m->nnz,
		                     .offset_type = TULLE_I32,
		                     .column_type = TULLE_I32,
		                     .value_type = type,
		                     .row_ptr = a->row_ptr,
		                     .col = a->col,
		                     .val = a->val };
}
