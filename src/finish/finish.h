/* finish.h -- a product with fused vector operations: in the same pass over y, beta x is added, and x.y and y.y
 * are summed.
 *
 * y is finished in blocks of rows. The blocks depend on the number of rows alone, so the sums have the same
 * bits for every format and number of threads. A block is finished by the part of the product that finishes its
 * rows (tulle__format.finishes), while they are in the cache, or after the product. */
#ifndef TULLE_FINISH_FINISH_H
#define TULLE_FINISH_FINISH_H

#include "core/executable.h"

enum { TULLE__BLOCK_ROWS = 256 };

/* The sums that a step computes. */
typedef enum { TULLE__NO_SUMS, TULLE__SUM_YY, TULLE__SUM_BOTH } tulle__step_sums;

typedef struct {
	/* y = alpha A x + gamma w. The first member, since kernels of the product take a step as their argument. */
	tulle__call call;
	tulle__scalar beta;
	int adds_x; /* beta is not 0: y += beta x */
	tulle__step_sums sums;
	int64_t rows;

	/* set by finish.c */
	const tulle__format *format;
	tulle__work *multiply;  /* phase of the product whose parts finish rows */
	tulle__work *finish;    /* kernel: finish a block */
	double *xy, *yy;        /* sums of each block */
	unsigned char *is_done; /* of each block: finished by a part of the product */
} tulle__step;

static inline int64_t tulle__step_blocks(int64_t rows)
{
	return rows / TULLE__BLOCK_ROWS + (rows % TULLE__BLOCK_ROWS != 0);
}

/* Bytes of working memory. */
size_t tulle__step_scratch(int64_t rows);

/* What a step runs: an executable with its format; NULL: its parts finish no rows. */
typedef struct {
	tulle__env *env;
	const tulle__executable *product;
	const tulle__format *format;
	const tulle__layout *layout;
	tulle_value_type type;
} tulle__step_of;

/* Run one step; *xy and *yy are set if the step has these sums. Cannot fail. */
void tulle__step_run(const tulle__step_of *of, tulle__step *step, void *scratch, double *xy,
                     double *yy);

#endif
