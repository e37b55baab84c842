/* sym.h -- the format sym in memory, as its kernels see it (README.md draws it). */
#ifndef TULLE_FORMATS_SYM_SYM_H
#define TULLE_FORMATS_SYM_SYM_H

#include <stdint.h>

enum {
	SYM_MAX_PARTS = 32,
	SYM_LARGEST = 6,       /* rows of the largest block */
	SYM_NEAR = UINT16_MAX, /* maximum distance from the diagonal for 16-bit columns */
	SYM_SPAN = 192         /* rows */
};

/* One triangle by rows, of blocks or of single entries. */
typedef struct {
	uint32_t *end; /* the end of each row, relative to the part's base */
	void *col;     /* 16-bit offsets from sym_origin() if `near`, otherwise 32-bit columns */
	void *val;
	int near;
} sym_rows;

/* `rows` consecutive rows that have an entry `back` columns before the diagonal: values without columns. */
typedef struct {
	uint32_t back;      /* 0: the diagonal */
	uint16_t row, rows; /* row: the first one, counted from the beginning of the span */
} sym_strip;

/* SYM_SPAN rows of a part, or fewer at its end: indices of its first strip, of that strip's first value, and of the first
 * entry that is in no strip. */
typedef struct {
	int64_t strip, value, entry;
} sym_span;

/* Entries in no strip are in sym_data.entries, by rows; instead of ends of rows, each has its row. */
typedef struct {
	sym_span *span; /* and one beyond the last; NULL: no strips */
	sym_strip *strip;
	void *val;
	uint8_t *row; /* of each entry in no strip, counted from the beginning of its span */
} sym_strips;

_Static_assert(SYM_SPAN <= UINT8_MAX + 1, "a row of a span has 8 bits");

/* A part adds to the sums of its own rows, which begin at `row`, and to a halo for the rows `first`
 * .. `row` - 1. */
typedef struct {
	int64_t row, first;
	int64_t halo;         /* offset of the halo, in elements */
	int64_t block, entry; /* bases: blocks and entries before this part */
	int64_t span;         /* likewise */
} sym_part;

typedef struct {
	int64_t rows;
	int b; /* rows of a block; 1: no blocks */

	/* a(j,i) is a(i,j) with other signs of these parts: none in a symmetric matrix, both in a skew one, and that of im
	 * in a Hermitian one. `keeps_zero`: but a zero im has the same sign */
	int minus_re, minus_im, keeps_zero;
	sym_rows blocks, entries;
	sym_strips strips;        /* if b is 1 */
	int64_t parts, row_parts; /* of the two phases */
	sym_part part[SYM_MAX_PARTS + 1];
} sym_data;

/* Columns of row i, or block columns of block row i, are relative to this. */
static inline int64_t sym_origin(int64_t i, int near)
{
	return near && i > SYM_NEAR ? i - SYM_NEAR : 0;
}

static inline int64_t sym_column(const sym_rows *r, int64_t k, int64_t origin, int near)
{
	return origin + (near ? ((const uint16_t *)r->col)[k] : ((const int32_t *)r->col)[k]);
}

/* The parts whose halos contain row i, in order; returns their number. *stop, a row after i, is reduced to
 * the first row where other parts apply, if there is one before it. */
static inline int sym_halos(const sym_data *a, int64_t i, const sym_part *of[SYM_MAX_PARTS],
                            int64_t *stop)
{
	int n = 0;

	for (const sym_part *p = a->part; p < a->part + a->parts; p++) {
		const int64_t next = p->first > i ? p->first : p->row;

		if (next > i && next < *stop)
			*stop = next;
		if (p->first <= i && i < p->row)
			of[n++] = p;
	}
	return n;
}

#endif
