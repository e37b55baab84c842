/* opencl_cache.h -- compiled OpenCL programs in a folder of the user's own.
 *
 * A file is believed only if nobody else can have written it: the folder and the file belong to the
 * effective user, are no links, and nobody else may write them (the folder: nobody else may enter).
 * It repeats the whole key, text of the kernels included, which is compared byte for byte: a hash that
 * two keys share, or that somebody aims at, gives a miss and never another program. */
#ifndef TULLE_GPU_OPENCL_CACHE_H
#define TULLE_GPU_OPENCL_CACHE_H

#include "core/env.h"

/* What a compiled program depends on: device, driver, options, dialect, module. */
enum { TULLE__OPENCL_KEY_PARTS = 5 };
typedef struct {
	const char *part[TULLE__OPENCL_KEY_PARTS];
	size_t length[TULLE__OPENCL_KEY_PARTS];
} tulle__opencl_key;

/* 1: found; *binary is the caller's to free. Whatever is wrong is a miss. */
int tulle__opencl_cache_get(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                            unsigned char **binary, size_t *bytes);

/* Makes the folder if need be. What cannot be kept is not kept: a line in the log. */
void tulle__opencl_cache_put(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                             const unsigned char *binary, size_t bytes);

#endif
