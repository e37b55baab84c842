/* fastload_layers.h -- the layers of sorted columns and the blocks in them. */
#ifndef TULLE_FORMATS_FASTLOAD_FASTLOAD_LAYERS_H
#define TULLE_FORMATS_FASTLOAD_FASTLOAD_LAYERS_H

#include "formats/fastload/fastload.h"

/* Sort the columns and write all blocks of `a`, without values. */
tulle_status tulle__fastload_build(fastload_data *d, const tulle__csr *a, tulle__env *env);

/* The kind of a block whose entries have these rows. */
int tulle__fastload_kind(const int32_t *row, int64_t length, int64_t height);

#endif
