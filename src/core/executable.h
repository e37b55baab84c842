/* executable.h -- something that can be run: a kernel per operation, the parts of its phases, and
 * scratch memory for calls.
 *
 * A plan has one, and so have a trial of the planner, a batch and the passes of PageRank. A call does
 * not write to it, so threads may share it; its pool alone changes, by atomic exchanges. */
#ifndef TULLE_CORE_EXECUTABLE_H
#define TULLE_CORE_EXECUTABLE_H

#include "core/format.h"
#include "core/memory.h"

#include <stdatomic.h>

/* Operations of what a format has made: by one vector, by several, by several whose rows are narrow. Other
 * owners number their own. */
enum { TULLE__MUL, TULLE__MUL_MANY, TULLE__MUL_NARROW, TULLE__OPERATIONS };

/* Rows of at most as many bytes are narrow. They fill half of a wide register, and the processor loads more
 * halves than wholes per cycle: so they are multiplied by kernels of a set whose registers have as many bytes. */
enum { TULLE__NARROW_BYTES = 32 };

/* The operation for k vectors, of a format that has kernels for several. */
static inline int tulle__operation_for(int64_t k, size_t element)
{
	return (size_t)k * element <= TULLE__NARROW_BYTES ? TULLE__MUL_NARROW : TULLE__MUL_MANY;
}

/* Scratch blocks that no call has. One caller at a time always finds one; a call that finds none makes
 * one and leaves it here for the next. */
enum { TULLE__POOL_BLOCKS = 16 };
typedef struct {
	_Atomic(void *) block[TULLE__POOL_BLOCKS];
} tulle__scratch_pool;

/* All zero before it is prepared. */
typedef struct {
	int64_t work;              /* of a call, in nonzeros + rows; for the owner to set */
	size_t scratch;            /* bytes of a block */
	tulle__scratch_pool *pool; /* NULL: calls need no scratch */
	tulle__phases phases[TULLE__OPERATIONS];
	const tulle__kernel *kernel[TULLE__OPERATIONS]; /* NULL: no such operation */
	tulle__isa isa;                                 /* of the kernels */
} tulle__executable;

/* ---- kernels ---- */

/* Writes the kernels that `of` has in an instruction set, by operation, and returns nonzero. Returns 0
 * when it has none there; the next lower set is asked then. */
typedef int tulle__find_kernels(const void *of, tulle__isa isa, const tulle__kernel **kernel);

/* Takes the kernels of the first set that has some, from the context's set downwards. All operations
 * have the same `parts` of each phase. TULLE_E_INTERNAL, with `name` in the sentence, when not even the
 * lowest set has kernels; e is as before then. Scratch is kept: an owner whose data has changed calls
 * this again. */
tulle_status tulle__executable_prepare(tulle__env *env, tulle__executable *e, const char *name,
                                       tulle__find_kernels *find, const void *of,
                                       const int64_t parts[TULLE__PHASES]);

/* The same for `data` that a format has made, with the parts of its layout. */
tulle_status tulle__executable_of_format(tulle__env *env, tulle__executable *e,
                                         const tulle__format *format, const void *data,
                                         tulle_value_type type, tulle__layout *layout);

/* One call. `arg` is what the kernels take: a tulle__call, or the owner's own. Cannot fail. */
static inline void tulle__execute(tulle__env *env, const tulle__executable *e, int operation,
                                  const void *arg)
{
	tulle__run(env, &e->phases[operation], arg, e->work);
}

/* ---- scratch ---- */

/* Makes a pool with a first block of `bytes`, so that one caller at a time never allocates. 0 bytes: no
 * pool. */
tulle_status tulle__executable_reserve(tulle__env *env, tulle__executable *e, size_t bytes);

/* Makes a pool with a first block that the owner has filled in; on failure the block is freed. */
tulle_status tulle__executable_make_pool(tulle__env *env, tulle__executable *e, void *first);

/* Frees the pool and its blocks. */
void tulle__executable_release(tulle__env *env, tulle__executable *e);

/* A block of the pool; NULL when all are in use. */
static inline void *tulle__pool_take(tulle__scratch_pool *pool)
{
	void *block = NULL;

	for (int i = 0; i < TULLE__POOL_BLOCKS && !block; i++)
		block = atomic_exchange_explicit(&pool->block[i], NULL, memory_order_acquire);
	return block;
}

/* Scratch for calls one after the other; *out is NULL when they need none. */
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
