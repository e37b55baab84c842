/* batch_plain.h -- contenders of tulle-batch that are part of the bench. */
#ifndef BENCH_BATCH_PLAIN_H
#define BENCH_BATCH_PLAIN_H

#include "competitor.h"

/* plain-loop, plain-omp: a simple CSR loop over all problems, on one thread and with OpenMP over the
 * problems; avx512-omp: the same with gathers, if the machine of the build has them. */
extern const bench_competitor bench_batch_plain[];

/* tulle-loop: a plan for each problem, one after the other. tulle:auto, tulle:csr, tulle:sell,
 * tulle:interleaved: batches; tulle:interleaved-vectors: interleaved vectors, too. */
extern const bench_competitor bench_batch_ours[];

/* Time of creation and the library's description, for a prepared contender of ours; "" for
 * others. */
const char *bench_batch_explain(const bench_competitor *table, const void *state);

#endif
