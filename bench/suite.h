/* suite.h -- which matrices, and how one is brought into memory. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "competitor.h"

/* Below this a matrix says more about call overhead than about formats: suite `tiny`, and never in
 * one mean with the others. */
enum { BENCH_TINY_BELOW = 84000 };

/* Names of matrices: "gen:SPEC" and "like:NAME" for the kit's, otherwise a file. */
typedef struct {
	char **item;
	int count;
	int64_t min_nnz, max_nnz; /* the suite leaves out what lies outside */
} bench_suite;

typedef struct {
	char name[96];
	bench_matrix a;
	int64_t longest; /* nonzeros of its longest row */
} bench_loaded;

/* A suite's name and what it is; NULL past the last. */
const char *bench_suite_name_at(int n, const char **about);

/* The matrices of a suite. -1 with a sentence on stderr. */
int bench_suite_open(const char *name, bench_suite *out);

/* The matrices of the command line: those named, or else the suite (NULL: quick). Likewise. */
int bench_suite_choose(const char *name, char **items, int count, bench_suite *out);

/* Add one name. -1 when memory is short. */
int bench_suite_add(bench_suite *suite, const char *item);

void bench_suite_free(bench_suite *suite);

/* Make or read one matrix: arrays of our own, 32-bit, f64, columns of a row ascending. -1 with a
 * sentence on stderr. */
int bench_load(const char *item, bench_loaded *out);
void bench_unload(bench_loaded *m);

#endif
