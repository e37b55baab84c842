/* classes.h -- classes of matrices with the same performance limit; verdicts.py has the target of
 * each. */
#ifndef BENCH_CLASSES_H
#define BENCH_CLASSES_H

#include "suite.h"

struct bench_class {
	const char *name, *about;
};

/* The n-th class; NULL past the last. */
const bench_class *bench_class_at(int n);

/* Adds the matrices of this class, or with NULL of all: generated ones, stand-ins, and those of the
 * real ones that $TULLE_MATRICES has; reports on stderr how many are missing. -1 if memory is
 * exhausted. */
int bench_classes_open(const bench_class *class, bench_suite *suite);

#endif
