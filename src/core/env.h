/* env.h -- the resources of one context: memory, log, team, CPU.
 *
 * Passed down explicitly; nothing below api/ uses a global. */
#ifndef TULLE_CORE_ENV_H
#define TULLE_CORE_ENV_H

#include "core/cpu.h"
#include "tulle.h"

#include <stdatomic.h>

typedef enum {
	TULLE__GATHER_UNKNOWN,
	TULLE__GATHER_INSTRUCTION,
	TULLE__GATHER_LOADS
} tulle__gather;

typedef struct tulle__env {
	void *(*alloc)(void *user, size_t bytes, size_t align);
	void (*free)(void *user, void *block, size_t bytes);
	void (*log)(void *user, tulle_log_level level, const char *line);
	void *user;
	size_t memory_limit; /* SIZE_MAX: none */
	atomic_size_t bytes_held, blocks_held;

	int threads;          /* 0: as core/omp.h says at the time of the call */
	int64_t serial_below; /* a call with less work stays on its thread */
	atomic_int last_team;

	tulle__isa isa;
	tulle__gather gather; /* TULLE__GATHER_UNKNOWN: as core/gather.h says at the time of the call */
} tulle__env;

#endif
