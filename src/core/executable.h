/* executable.h -- something that can be run: a kernel per operation, the parts of its phases, and
 * scratch memory for calls.
 *
 * Plans, trials of the planner, batches and the passes of PageRank have one each. A call does not
 * write to it, so threads may share it. Only its pool changes, by atomic exchanges. */
#ifndef TULLE_CORE_EXECUTABLE_H
#define TULLE_CORE_EXECUTABLE_H

#include "core/format.h"
#include "core/memory.h"

#include <stdatomic.h>

/* Operations of a converted matrix: with one vector, with several, with several whose rows are narrow.
 * Other owners have their own numbering. */
enum { TULLE__MUL, TULLE__MUL_MANY, TULLE__MUL_NARROW, TULLE__OPERATIONS };

/* Rows of at most this many bytes are narrow. They fill half of a wide register, and the processor loads more
 * half registers than wide ones per cycle. So they are multiplied by kernels of a set whose registers have this
 * many bytes. */
enum { TULLE__NARROW_BYTES = 32 };

/* The operation for k vectors, of a format that has kernels for several. */
static inline int tulle__operation_for(int64_t k, size_t element)
{
	return (size_t)k * element <= TULLE__NARROW_BYTES ? TULLE__MUL_NARROW : TULLE__MUL_MANY;
}

/* Scratch blocks that are not in use. A single caller always finds one. A call that finds none
 * allocates one and leaves it here for later calls. */
enum { TULLE__POOL_BLOCKS = 16 };
typedef struct {
	_Atomic(void *) block[TULLE__POOL_BLOCKS];
} tulle__scratch_pool;

/* All zero before it is prepared. */
typedef struct {
	int64_t work;              /* of a call, in nonzeros + rows; set by the owner */
	size_t scratch;            /* bytes of a block */
	tulle__scratch_pool *pool; /* NULL: calls need no scratch */
	tulle__phases phases[TULLE__OPERATIONS];
	const tulle__kernel *kernel[TULLE__OPERATIONS]; /* NULL: no such operation */
	tulle__isa isa;                                 /* of the kernels */
} tulle__executable;

/* Are k vectors multiplied together? Else one after the other: they are few, or the format has no kernel for several. */
static inline int tulle__multiplies_together(const tulle__format *format,
                                             const tulle__executable *e, int64_t k, size_t element)
{
	return k > 1 && e->kernel[TULLE__MUL_MANY] && !tulle__few_vectors(format, k, element);
}

/* ---- kernels ---- */

/* Writes the kernels of `of` for an instruction set, by operation, and returns nonzero. Returns 0 if
 * there are none; then the next lower set is tried. */
typedef int tulle__find_kernels(const void *of, tulle__isa isa, const tulle__kernel **kernel);

/* Uses the kernels of the first set that has some, from the context's set downwards. All operations
 * have the same `parts` of each phase. If not even the lowest set has kernels, returns
 * TULLE_E_INTERNAL, with `name` in the message, and does not change e. Scratch is kept: an owner whose
 * data has changed calls this again. */
tulle_status tulle__executable_prepare(tulle__env *env, tulle__executable *e, const char *name,
                                       tulle__find_kernels *find, const void *of,
                                       const int64_t parts[TULLE__PHASES]);

/* The same for `data` converted by a format, with the parts of its layout. */
tulle_status tulle__executable_of_format(tulle__env *env, tulle__executable *e,
                                         const tulle__format *format, const void *data,
                                         tulle_value_type type, tulle__layout *layout);

/* One call. `arg` is the argument of the kernels: a tulle__call, or a type of the owner. Cannot
 * fail. */
static inline void tulle__execute(tulle__env *env, const tulle__executable *e, int operation,
                                  const void *arg)
{
	tulle__run(env, &e->phases[operation], arg, e->work);
}

/* ---- scratch ---- */

/* Creates a pool with a first block of `bytes`, so that a single caller never allocates. 0 bytes: no
 * pool. */
tulle_status tulle__executable_reserve(tulle__env *env, tulle__executable *e, size_t bytes);

/* Creates a pool with a first block that the owner has filled in. On failure the block is freed. */
tulle_status tulle__executable_make_pool(tulle__env *env, tulle__executable *e, void *first);

/* Frees the pool and its blocks. */
void tulle__executable_release(tulle__env *env, tulle__executable *e);

/* A block of the pool; NULL if all are in use. */
static inline void *tulle__pool_take(tulle__scratch_pool *pool)
{
	void *block = NULL;

	for (int i = 0; i < TULLE__POOL_BLOCKS && !block; i++)
		block = atomic_exchange_explicit(&pool->block[i], NULL, memory_order_acquire);
	return block;
}

/* Scratch for consecutive calls; *out is NULL if they need none. */
static inline tulle_status tulle__take_scratch(tulle__env *env, const tulle__executable *e,
                                               void **out)
{
	*out = NULL;
	if (!e->pool)
		return TULLE_OK;
	*out = tulle__pool_take(e->pool);
	return *out ? TULLE_OK : tulle__alloc(env, 1, e->scratch, out);
}

/* Accepts NULL. */
static inline void tulle__give_scratch(tulle__env *env, const tulle__executable *e, void *block)
{
	if (!block)
		return;
	for (int i = 0; i < TULLE__POOL_BLOCKS; i++) {
		void *empty = NULL;

		if (atomic_compare_exchange_strong_explicit(&e->pool->block[i], &empty, block,
		                                            memory_order_release, memory_order_relaxed))
			return;
	}
	tulle__free(env, block);
}

#endif
