/* measure.h -- one matrix: times and checks all contenders. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "results.h"

/* Limits per matrix. */
typedef struct {
	const bench_protocol *protocol;
	double seconds; /* for the samples of a group, if the protocol does not fix their number */
	double memory;  /* bytes that a group may hold; negative: chosen by free memory */
} bench_effort;

/* Measures one matrix and appends 1 + contenders->count rows. -1 if memory is exhausted. */
int bench_measure(const bench_loaded *m, const bench_contenders *contenders, int threads,
                  const bench_effort *effort, bench_results *results);

#endif
