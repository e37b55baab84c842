/* opencl_cache.h -- compiled OpenCL programs in a private folder of the user.
 *
 * A file is used only if no other user can have written it: the folder and the file belong to the
 * effective user, are not links, and are not writable by others (the folder is not accessible to
 * others). It contains the whole key, including the source of the kernels, which is compared byte by
 * byte. So a hash collision, accidental or intended, is a miss and never gives another program. */
#ifndef TULLE_GPU_OPENCL_CACHE_H
#define TULLE_GPU_OPENCL_CACHE_H

#include "core/env.h"

/* What a compiled program depends on: device, driver, options, dialect, module. */
enum { TULLE__OPENCL_KEY_PARTS = 5 };
typedef struct {
	const char *part[TULLE__OPENCL_KEY_PARTS];
	size_t length[TULLE__OPENCL_KEY_PARTS];
} tulle__opencl_key;

/* 1: found; the caller frees *binary. Any error is a miss. */
int tulle__opencl_cache_get(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                            unsigned char **binary, size_t *bytes);

/* Creates the folder if necessary. A program that cannot be stored is reported in the log only. */
void tulle__opencl_cache_put(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                             const unsigned char *binary, size_t bytes);

#endif
