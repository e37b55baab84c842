/* measure.h -- one matrix, all contenders: what each costs, and whether it is right. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "results.h"

/* What one matrix may cost. */
typedef struct {
	const bench_protocol *protocol;
	double seconds; /* for the samples of a group, under a protocol that leaves their number open */
	double memory;  /* bytes that a group may hold; negative: as much as is wise on this machine */
} bench_effort;

/* Measure one matrix and append 1 + contenders->count rows. -1 when memory is short. */
int bench_measure(const bench_loaded *m, const bench_contenders *contenders, int threads,
                  const bench_effort *effort, bench_results *results);

#endif
