/* classes.h -- kinds of matrices that are limited alike; verdicts.py has what is asked of each. */
#ifndef BENCH_CLASSES_H
#define BENCH_CLASSES_H

#include "suite.h"

struct bench_class {
	const char *name, *about;
};

/* The n-th class; NULL past the last. */
const bench_class *bench_class_at(int n);

/* Add the matrices of this class, or with NULL of all: generated ones, stand-ins, and what
 * $TULLE_MATRICES has of the real ones; says on stderr how many it lacks. -1 when memory is short. */
int bench_classes_open(const bench_class *class, bench_suite *suite);

#endif
