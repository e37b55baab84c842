/* suite.h -- lists of matrices, and loading one of them. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "competitor.h"

/* Below this size, call overhead matters more than the format: such matrices are in suite `tiny`,
 * and are never averaged with the others. */
enum { BENCH_TINY_BELOW = 84000 };

typedef struct bench_class bench_class; /* classes.h */

/* A matrix that may be measured. */
typedef struct {
	char *name;               /* "gen:SPEC" and "like:NAME" for the kit's, otherwise a file */
	int64_t min_nnz, max_nnz; /* left out if outside this range */
	const bench_class *class; /* NULL: none */
	int bound;                /* its class says that bandwidth is the limit */
} bench_item;

typedef struct {
	bench_item *item; /* no name twice */
	int count;
	int64_t min_nnz, max_nnz; /* of the items that are added */
} bench_suite;

typedef struct {
	char name[96];
	bench_matrix a;
	int64_t longest; /* nonzeros of its longest row */
	const bench_class *class;
	int bound;
} bench_loaded;

/* A suite's name and what it is; NULL past the last. */
const char *bench_suite_name_at(int n, const char **about);

/* The matrices of a suite, or of several: "papers,real". -1 with a sentence on stderr. */
int bench_suite_open(const char *name, bench_suite *out);

/* The matrices of the command line: those named, or else the suite (NULL: quick). Likewise. */
int bench_suite_choose(const char *name, char **items, int count, bench_suite *out);

/* The item of this name, added at the end unless it is there already. NULL when memory is short. */
bench_item *bench_suite_add(bench_suite *suite, const char *name);

/* May its number of nonzeros be in the requested range, as far as is known without reading it? */
int bench_may_belong(const bench_item *item);

/* Leave out what has more nonzeros than this. */
void bench_suite_limit(bench_suite *suite, int64_t most);

void bench_suite_free(bench_suite *suite);

/* Make or read one matrix: arrays of our own, 32-bit, f64, columns of a row ascending. 1: left out
 * because of its number of nonzeros, which is determined without reading the matrix if possible; -1
 * with a message on stderr. */
int bench_load(const bench_item *item, bench_loaded *out);
void bench_unload(bench_loaded *m);

#endif
