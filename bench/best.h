/* best.h -- the best of our formats on each matrix, beside MKL and the best of all peers. */
#ifndef BENCH_BEST_H
#define BENCH_BEST_H

#include "classes.h"
#include "measure.h"

/* Is this row a better best than that one, or than none (NULL)? A plan that chose its format by itself
 * multiplies as a contender that names it: it counts only where none was named. */
int bench_beats(const bench_row *row, const bench_row *best);

/* One matrix. A peer is whoever is not ours: plain, too. */
typedef struct {
	const bench_row *plain, *ours, *peer, *mkl; /* NULL: none that was right */
	int sure; /* none of its figures was disturbed: who was the best is known */
} bench_best;

typedef struct {
	bench_best *item;
	int count, threads;
} bench_bests;

/* The matrices of the results with this number of threads, tiny ones left out. -1 when memory is
 * short; free(out->item). */
int bench_find_best(const bench_results *results, int contenders, int threads, bench_bests *out);

/* The first number of threads in the results that is greater than this; 0 past the last. */
int bench_next_threads(const bench_results *results, int threads);

double bench_over(const bench_row *ours, const bench_row *other); /* NaN without either */

/* Geometric means of the best of ours over ... on the matrices that are sure. */
typedef struct {
	int matrices;
	double over_plain, over_mkl, over_peer; /* NaN: none */
} bench_gain;

/* Of one class, or with NULL of all matrices. */
bench_gain bench_gain_of(const bench_bests *bests, const bench_class *class);

/* Shares of read bandwidth on the list of those that it bounds, geometric means. */
typedef struct {
	int matrices, streams;
	double stored, moved;  /* of the bytes stored; of those and of x and y */
	double streams_stored; /* of the bytes stored where they are most of what is moved */
} bench_shares;

bench_shares bench_shares_of(const bench_bests *bests);

/* Does its format store more than twice what x and y have? Else their bytes decide, too. */
int bench_streams(const bench_row *row);

/* Median and maximum of what a conversion cost, in multiplications of plain: of the contender of this
 * name, or with NULL of the best of ours on each matrix. */
typedef struct {
	int matrices;
	double median, most;
	const char *where; /* the matrix of the maximum */
} bench_cost;

int bench_cost_of(const bench_bests *bests, const char *contender, int contenders, bench_cost *out);

/* All of it for people, and why our formats refused what they did. */
void bench_print_best(const bench_results *results, const bench_contenders *contenders);

/* Of `count` numbers, at least one; sorts them. */
double bench_median(double *value, int count);

#endif
