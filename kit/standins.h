/* standins.h -- how a stand-in is made: recipes, row lengths with given statistics, the two engines. */
#ifndef KIT_STANDINS_H
#define KIT_STANDINS_H

#include "inner.h"

typedef struct {
	enum {
		KIT__DENSE,    /* every entry */
		KIT__LATTICE,  /* the qcd kind itself: its real structure is known */
		KIT__EPIDEMIC, /* a walk on a grid */
		KIT__MIRROR,   /* symmetric pattern: node blocks linked to nodes ahead */
		KIT__ROWS      /* one row at a time */
	} how;
	int block;      /* rows of a node, which share their columns */
	int runs;       /* a row's columns form this many runs; 0: scattered near the diagonal */
	int64_t stride; /* distance of the runs, in nodes */
	double far;     /* share of the columns that may be anywhere */
	int dense;      /* very long rows: the longest, one of half its length, ... */
	int64_t empty;  /* rows without any entry */
	double low, high, spread; /* of ordinary rows, if not the paper's */
} kit__recipe;

/* Statistics of row lengths to meet. */
typedef struct {
	double low, high, mean;
	double sd; /* 0: a power law */
} kit__target;

/* Lengths of n nodes of size[i] rows each (NULL: 1) that meet the target. The sum of size times length
 * is as close to `total` as the sizes allow. len[i] < 0 on entry: node i is not changed. */
void kit__lengths(const kit__target *t, uint64_t seed, int64_t n, const int32_t *size,
                  int64_t total, int32_t *len);

/* The engines; out->rows, cols and nnz are set. */
int kit__mirror(const kit_published *p, const kit__recipe *r, kit_matrix *out);
int kit__rows(const kit_published *p, const kit__recipe *r, kit_matrix *out);

/* The paper's figures, and the recipe's where the paper has none. */
static inline double kit__least(const kit_published *p, const kit__recipe *r)
{
	return p->min >= 0 ? p->min : r->low;
}

static inline double kit__longest(const kit_published *p, const kit__recipe *r)
{
	return p->max >= 0 ? p->max : r->high;
}

static inline double kit__spread(const kit_published *p, const kit__recipe *r)
{
	return r->spread > 0 ? r->spread : p->sd > 0 ? p->sd : 0;
}

/* The strict upper triangle of a symmetric pattern, row by row, with spare places in each row. */
typedef struct {
	int64_t n;
	int64_t *at;                /* where each row begins, n + 1 of them */
	int32_t *up, *count, *full; /* columns, ascending; how many; length of the whole row */
	uint8_t *special;           /* rows that must keep the entries they have */
	uint8_t *bare;              /* rows without a diagonal entry */
} kit__triangle;

/* Add and drop entries, evenly, until the whole matrix has nnz of them and every row that is not
 * special at least `least` and at most `longest`. */
int kit__triangle_exact(kit__triangle *t, int64_t nnz, int64_t least, int64_t longest);

/* Write both triangles and the diagonal. */
int kit__triangle_reflect(const kit__triangle *t, kit_matrix *out);

void kit__triangle_free(kit__triangle *t);

#endif
