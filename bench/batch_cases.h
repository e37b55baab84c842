/* batch_cases.h -- batches to measure: real matrices mixed or alone, and generated ones. */
#ifndef BENCH_BATCH_CASES_H
#define BENCH_BATCH_CASES_H

#include "competitor.h"
#include "kit.h"

typedef struct {
	char name[96];
	bench_batch b; /* its arrays are its own */
	int64_t kinds; /* of matrices that were taken */
	void *x, *y0;  /* packed vectors to begin with */
} bench_case;

/* `count` problems by a spec:
 *     different[:ROWS]    the real matrices of at most ROWS (1024) rows, in turn, each with its rows
 *                         (then columns) rotated by a number of its own: hardly two patterns are equal
 *     turned:NAME         one real matrix, rows and columns rotated likewise
 *     mixed:NAME,NAME,..  real matrices as they are, in random order
 *     pattern:NAME        one pattern with values for each problem: a real matrix, or gen:SPEC
 *     each:SPEC           generated ones, each with its own seed
 * Real matrices are those in the folder $TULLE_MATRICES. 1: left out, there is no such folder or none of
 * the matrices; -1 with a sentence on stderr. */
int bench_case_make(const char *spec, int64_t count, int f32, bench_case *out);
void bench_case_free(bench_case *c);

int64_t bench_longest_row(const bench_batch *b); /* nonzeros */

/* The oracle of y0 + A x of all problems (batch_oracle.c); NULL if memory is exhausted. */
kit_oracle *bench_case_oracle(const bench_case *c);

#endif
