/* classes.h -- kinds of matrices that are limited alike, and how far ahead of MKL ours should be. */
#ifndef BENCH_CLASSES_H
#define BENCH_CLASSES_H

#include "suite.h"

struct bench_class {
	const char *name, *about;
	double floor; /* asked of the best of our formats over MKL optimized, geometric mean */
};

/* What is asked over all matrices of `papers` and `real`: of the best of our formats, geometric mean,
 * over MKL optimized and over the best peer of each matrix; and on each single one. */
#define BENCH_FLOOR_MKL 1.6
#define BENCH_FLOOR_PEER 1.25
#define BENCH_FLOOR_EACH 0.95

/* Asked of the share of read bandwidth where bandwidth is the limit, geometric mean. */
#define BENCH_FLOOR_SHARE 0.75

/* The n-th class; NULL past the last. */
const bench_class *bench_class_at(int n);

/* Add the matrices of this class, or with NULL of all: generated ones, stand-ins, and what
 * $TULLE_MATRICES has of the real ones; says on stderr how many it lacks. -1 when memory is short. */
int bench_classes_open(const bench_class *class, bench_suite *suite);

#endif
