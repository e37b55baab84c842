/* gpu_plan.h -- a matrix on a device: arrays there, and the launches that multiply by it.
 *
 * A format's build() copies its arrays to the device and records the steps of a multiplication, without running them.
 * Conversions on the device run at once, by tulle__gpu_run(). */
#ifndef TULLE_GPU_GPU_PLAN_H
#define TULLE_GPU_GPU_PLAN_H

#include "core/format.h"
#include "csr/csr_matrix.h"
#include "gpu/gpu_estimate.h"
#include "gpu/launch.h"

/* ---- the plan ---- */

enum { TULLE__GPU_STEPS = 12, TULLE__GPU_ARRAYS = 32 };

typedef struct {
	tulle__gpu_memory memory;
	size_t bytes;
	int values; /* has the values of the matrix; then, in a plan that can be updated: */
	tulle__gpu_memory number; /* which value each slot has; 0: in the caller's order */
} tulle__gpu_array_held;

/* A recorded launch. */
typedef struct {
	const tulle__gpu_kernel *kernel;
	void *loaded; /* the driver's kernel */
	int64_t blocks;
	int threads;
	tulle__gpu_arg arg[TULLE__GPU_PARAMS];
} tulle__gpu_recorded;

typedef struct {
	tulle__gpu_device *device;
	void *queue; /* for building only */
	tulle__gpu_types types;
	int64_t rows, cols, nnz;
	int steps, arrays;
	tulle__gpu_recorded step[TULLE__GPU_STEPS];
	tulle__gpu_recorded many; /* for several vectors; .kernel == NULL: none */
	tulle__gpu_array_held array[TULLE__GPU_ARRAYS];
	size_t bytes;   /* on the device, now */
	size_t peak;    /* peak while building */
	size_t scratch; /* of the queue, for one multiplication */
	int atomics;    /* set by build(): values are added by atomics, in any order */
	int updates;    /* can be updated: each value has a separate slot and is stored in full */
	int hermitian;  /* with `updates`: values with negative numbers are conjugated, not negated */
	int conjugate;  /* with `updates`: all values are conjugated */
	int lossy;      /* doubles may be stored as floats */
	double value_error; /* set by build(): relative, of each stored value */
	char note[64];      /* a figure of the format's own, "lanes 8"; may be empty */
} tulle__gpu_plan;

/* Copies `count` elements of `size` bytes to the device; from == NULL: not filled. An empty array has one byte, so that
 * every array argument is valid. Freed with the plan, or by drop. */
tulle_status tulle__gpu_array(tulle__gpu_plan *plan, const void *from, int64_t count, size_t size,
                              tulle__gpu_memory *out);

/* The same for values of the matrix. In a plan that can be updated, formats must not read them. */
tulle_status tulle__gpu_values(tulle__gpu_plan *plan, const void *from, int64_t count,
                               tulle__gpu_memory *out);
void tulle__gpu_drop(tulle__gpu_plan *plan, tulle__gpu_memory memory);
tulle_status tulle__gpu_clear(tulle__gpu_plan *plan, tulle__gpu_memory memory, size_t bytes);
tulle_status tulle__gpu_read(tulle__gpu_plan *plan, tulle__gpu_memory memory, void *to,
                             size_t bytes);

/* Offsets, 0 .. largest, as I of the dialect. */
tulle_status tulle__gpu_offsets(tulle__gpu_plan *plan, const void *from, tulle_index_type type,
                                int64_t count, tulle__gpu_memory *out);

/* The three arrays of a CSR: offsets as I, columns as int, values as T (ones, where it has none). */
typedef struct {
	tulle__gpu_memory row_ptr, col, val;
} tulle__gpu_csr;
#define TULLE__GPU_CSR(m) .row_ptr = (m)->row_ptr, .col = (m)->col, .val = (m)->val /* arguments */
tulle_status tulle__gpu_upload(tulle__gpu_plan *plan, const tulle__csr *a, tulle__gpu_csr *out);

/* Requires that the queue's working memory has at least `bytes` bytes when a step runs. */
void tulle__gpu_scratch(tulle__gpu_plan *plan, size_t bytes);

/* Record a launch as the next step of a multiplication; or launch it now, without x, y, alpha and beta.
 * TULLE_E_INTERNAL, with the names of kernel and parameter, if an array was not given. */
tulle_status tulle__gpu_step(tulle__gpu_plan *plan, const tulle__gpu_launch *launch);
tulle_status tulle__gpu_run(tulle__gpu_plan *plan, const tulle__gpu_launch *launch);

/* Record the launch that multiplies several vectors, row-major. spread, vectors, ldx, ldy and the number of blocks are
 * set by each call. */
tulle_status tulle__gpu_step_many(tulle__gpu_plan *plan, const tulle__gpu_launch *launch);

/* Step: y = beta y, before kernels that add into y. */
tulle_status tulle__gpu_step_scale(tulle__gpu_plan *plan);

/* Threads per block: the default; and for kernels whose warps diverge, one warp on devices where lanes exchange through
 * barriers of the block. */
int tulle__gpu_block(const tulle__gpu_device *device);
int tulle__gpu_warp_block(const tulle__gpu_device *device);

/* Blocks of `threads` threads for `count` of them. */
static inline int64_t tulle__gpu_blocks(int64_t count, int threads)
{
	return count / threads + (count % threads > 0);
}

/* The largest number of lanes per row, at most a warp, such that each lane has at least `least` entries in a row of
 * mean length; 1 if there is none. Returned as its base-2 logarithm: kernels shift by it. */
int tulle__gpu_lanes(const tulle__gpu_device *device, int64_t rows, int64_t nnz, int least);

/* ---- what a format says of its kernels ---- */

typedef struct tulle__gpu_check tulle__gpu_check;

enum {
	TULLE__GPU_SAME_BITS = 1 /* no atomics on values: a plan gives the same bits every time */
};

/* One way to run the format; tests, bench and docs iterate over them. */
typedef struct {
	const char *params; /* "kernel=vector,lanes=8", as after the colon of a format's name */
	const char *words;  /* what it is, for people: "one thread per row" */
	int flags;
	int width; /* smallest warp that it supports: TULLE_E_UNSUPPORTED below; 0: any */
} tulle__gpu_variant;

struct tulle__gpu_format {
	const char *tunables;              /* core/params.h */
	int complex;                       /* has kernels for complex values */
	int rounds;                        /* can store doubles as floats: plan->lossy */
	const tulle__gpu_variant *variant; /* ended by params == NULL */

	/* Makes arrays and steps for `a`, which has fewer than 2^31 rows and columns. The caller releases what the plan
	 * holds, also after a failure. */
	tulle_status (*build)(tulle__gpu_plan *plan, const tulle__csr *a, const tulle__params *params);

	/* Ways to run the format and their cost on a device (gpu/gpu_estimate.h). NULL: the format is used only if the
	 * caller names it. */
	tulle_status (*estimate)(const tulle__gpu_subject *s, tulle__gpu_estimates *out);

	/* Checks the invariants of the layout, from the arrays on the device (gpu/gpu_check.h). For tests. */
	void (*check)(tulle__gpu_check *c);
};

/* ---- for api/ ---- */

/* What a multiplication brings. */
typedef struct {
	tulle__gpu_memory x, y, scratch;
	tulle__scalar alpha, beta;
	int64_t vectors, ldx, ldy; /* several vectors */
	int spread;                /* set by tulle__gpu_plan_run_many() */
} tulle__gpu_call;

/* `begin` makes a plan without arrays. Arrays and steps are then added. `end` waits for the work that building queued,
 * and returns `status` or a failure of this work. */
tulle_status tulle__gpu_plan_begin(tulle__gpu_plan *plan, tulle__gpu_device *device,
                                   tulle_value_type value, tulle_index_type index);
tulle_status tulle__gpu_plan_end(tulle__gpu_plan *plan, tulle_status status);

typedef struct {
	const void *val;
	int64_t count;
	int hermitian, conjugate; /* as in tulle__csr_order */
} tulle__gpu_first_values;

typedef struct {
	const char *params;     /* as after the colon of a format's name */
	tulle_index_type index; /* 0: 32 bits where they do */
	int lossy;
	/* NULL; in a plan that can be updated, the values. a->val then has their numbers (tulle__number_values()). */
	const tulle__gpu_first_values *first;
} tulle__gpu_request;

/* All of it for a matrix. */
tulle_status tulle__gpu_plan_build(tulle__gpu_plan *plan, tulle__gpu_device *device,
                                   const tulle__gpu_format *format, const tulle__csr *a,
                                   const tulle__gpu_request *request);
tulle_status tulle__gpu_plan_run(const tulle__gpu_plan *plan, void *queue,
                                 const tulle__gpu_call *call);
tulle_status tulle__gpu_plan_run_step(const tulle__gpu_plan *plan, int n, void *queue,
                                      const tulle__gpu_call *call); /* n of plan->steps, alone */
tulle_status tulle__gpu_plan_run_many(const tulle__gpu_plan *plan, void *queue,
                                      const tulle__gpu_call *call);
void tulle__gpu_plan_release(tulle__gpu_plan *plan);

/* ---- updates (update.c) ---- */

/* An array to use instead of the values of `a`: for each value the number, counted from 1, of the caller's value from
 * which it is made, negative for entries of the triangle that was added. The numbers are integers of the size of a real
 * value; a complex one has them in its real part, since transposing conjugates by changing the imaginary part. */
tulle_status tulle__number_values(tulle__env *env, const tulle__csr *a,
                                  const tulle__csr_order *order, void **out);

/* The caller's `count` values, restored from those of `a`; ones if it has none. */
tulle_status tulle__caller_values(tulle__env *env, const tulle__csr *a,
                                  const tulle__csr_order *order, int64_t count, void **out);

/* After building with such numbers: store which value each slot has, and write the first values to the slots. */
tulle_status tulle__gpu_number_slots(tulle__gpu_plan *plan, const tulle__gpu_first_values *first);

/* Queue an update with an array of the caller's values. */
tulle_status tulle__gpu_plan_update(const tulle__gpu_plan *plan, void *queue,
                                    tulle__gpu_memory val);

/* Launch now in a queue. */
tulle_status tulle__gpu_run_in(const tulle__gpu_plan *plan, void *queue,
                               const tulle__gpu_launch *launch);

#endif
