/* lanes.h -- rows side by side in the lanes of a vector: which row goes in which lane. */
#ifndef TULLE_CSR_LANES_H
#define TULLE_CSR_LANES_H

#include "core/env.h"
#include "tulle.h"

/* row[0], row[1], ... become the rows of the lanes of chunks of `height` rows: inside a chunk no row
 * is longer than the one before it. Rows stay within windows of `sigma` rows (rounded up to whole
 * chunks). There, chunks of neighbours of one length come first, then the other rows sorted by length.
 * length[i] >= -1 is that of row i; rows of one length keep their order. */
tulle_status tulle__sort_lanes(tulle__env *env, int64_t rows, const int32_t *length, int height,
                               int64_t sigma, int32_t *row);

/* Are these numbers in 0 .. below-1, none of them twice? TULLE_E_INTERNAL names the first that is not,
 * of the array `name`: for what a format proves of its permutations. */
tulle_status tulle__check_distinct(tulle__env *env, const int32_t *number, int64_t count,
                                   int64_t below, const char *name);

#endif
