/* tulle_gpu.h -- sparse matrix times vector on a GPU: y = alpha A x + beta y, all of it on the device.
 *
 *     tulle_device_open()          a device by its name: "cuda:0", "opencl:1"
 *     tulle_queue_create()         work in one queue runs in order; or import your own stream or queue
 *     tulle_vector_create()        vectors on the device; or import your own memory
 *     tulle_device_plan_create()   put a tulle_matrix on the device in a format for GPUs
 *     tulle_device_mul()           queue a multiplication; returns at once
 *     tulle_queue_finish()         wait
 *     tulle_device_batch_create()  thousands of small matrices instead of one
 *
 * In full, with error handling left out:
 *
 *     tulle_device_open(NULL, "opencl:0", NULL, &device);
 *     tulle_queue_create(device, NULL, &queue);
 *     tulle_device_plan_create(device, a, NULL, &plan);
 *     tulle_vector_create(device, TULLE_F64, cols, NULL, &x);
 *     tulle_vector_create(device, TULLE_F64, rows, NULL, &y);
 *     tulle_vector_write(queue, x, 0, cols, host_x);
 *     tulle_device_mul(plan, queue, 1.0, x, 0.0, y);
 *     tulle_vector_read(queue, y, 0, rows, host_y);
 *
 * The drivers (libOpenCL.so.1, libcuda.so.1) are looked for when they are first needed: a program runs
 * with and without them. Copies between host and device happen only where you ask for them.
 *
 * Errors, manners and structures that begin with `size` are as in tulle.h; a failure of a driver is
 * TULLE_E_DEVICE. Handles are counted: a queue, vector or plan holds its device.
 *
 * Threads. A device and a plan may be used by many threads at once, each with a queue of its own. A
 * plan serves any number of queues; destroying it waits for them.
 *
 * Bits. Formats whose kernels add by atomics may give other bits each time; tulle_device_plan_info
 * tells which (same_bits).
 */
#ifndef TULLE_GPU_H
#define TULLE_GPU_H

#include "tulle_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_device tulle_device;
typedef struct tulle_queue tulle_queue;
typedef struct tulle_vector tulle_vector;
typedef struct tulle_device_plan tulle_device_plan;
typedef struct tulle_device_batch tulle_device_batch;

/* ---- devices ------------------------------------------------------------------------------------ */

typedef struct {
	size_t size;      /* = sizeof(tulle_device_info) */
	char name[24];    /* "cuda:0": for tulle_device_open() */
	char model[128];  /* as the driver calls it */
	char driver[128]; /* the driver and its version */
	size_t memory;    /* bytes */
	int units;        /* multiprocessors, compute units */
	int width;        /* lanes of a warp that a plan would use */
	int shuffles;     /* 1: lanes exchange values directly, 0: through local memory */
	int f64;          /* 1: has double precision */
	int gpu;    /* 1: the driver calls it a GPU; 0: a CPU, an emulator: its times say nothing */
	int usable; /* 0: tulle_device_open() would fail; `why` says why */
	char why[160];
} tulle_device_info;

/* How many devices there are; 0 without drivers. */
TULLE_API tulle_status tulle_device_count(tulle_context *context, int *count);

/* What device number n is, 0 .. count - 1; info->size is set by the caller. */
TULLE_API tulle_status tulle_device_describe(tulle_context *context, int n,
                                             tulle_device_info *info);

typedef struct {
	size_t size; /* = sizeof(tulle_device_options) */

	/* Lanes of a warp; 0: the device's own. OpenCL only: a size of sub-groups that the device has, or,
	 * with local_exchange, any power of two up to 64. */
	int width;
	int local_exchange; /* 1: lanes exchange values through local memory even where they need not */

	/* NULL, or the caller's own cl_context or CUcontext for this device, which stays the caller's and
	 * outlives ours. Queues and memory that are imported belong to it. */
	void *native;

	/* OpenCL: folder for compiled kernels, which is made with mode 0700 and used only if it is yours
	 * alone. NULL: kernels are compiled anew by each process, unless the driver keeps them. */
	const char *cache;
} tulle_device_options;

/* Opens a device by its name. NULL: the first usable one. */
TULLE_API tulle_status tulle_device_open(tulle_context *context, const char *name,
                                         const tulle_device_options *options, tulle_device **out);
TULLE_API void tulle_device_close(tulle_device *device);

/* ---- queues --------------------------------------------------------------------------------------- */

/* native: NULL for a queue of its own; else the caller's, which stays the caller's: a CUstream or an
 * in-order cl_command_queue of the device's context: the one that options.native named, or that
 * tulle_device_native() tells (with CUDA the primary one). */
TULLE_API tulle_status tulle_queue_create(tulle_device *device, void *native, tulle_queue **out);
TULLE_API tulle_status tulle_queue_finish(tulle_queue *queue);
TULLE_API void tulle_queue_destroy(tulle_queue *queue);

/* The driver's own handles, for programs that queue their own kernels beside ours: CUcontext and
 * CUstream, or cl_context and cl_command_queue. */
TULLE_API void *tulle_device_native(const tulle_device *device);
TULLE_API void *tulle_queue_native(const tulle_queue *queue);

/* ---- vectors ---------------------------------------------------------------------------------------- */

/* `count` elements on the device, not set. native: NULL, or the caller's own memory, which stays the
 * caller's: a CUdeviceptr cast to a pointer, or a cl_mem. */
TULLE_API tulle_status tulle_vector_create(tulle_device *device, tulle_value_type type,
                                           int64_t count, void *native, tulle_vector **out);
TULLE_API void tulle_vector_destroy(tulle_vector *vector);

/* Copy elements first .. first + count - 1, in the order of the queue; return when the host's memory is
 * free again, or filled. After TULLE_E_DEVICE the copy may still come: the host's memory must then stay until
 * the queue is destroyed. */
TULLE_API tulle_status tulle_vector_write(tulle_queue *queue, tulle_vector *vector, int64_t first,
                                          int64_t count, const void *from);
TULLE_API tulle_status tulle_vector_read(tulle_queue *queue, const tulle_vector *vector,
                                         int64_t first, int64_t count, void *to);

/* ---- plans ------------------------------------------------------------------------------------------- */

typedef struct {
	size_t size; /* = sizeof(tulle_device_plan_options) */

	/* "csr", "csr:kernel=vector,lanes=8", "csr5", ...: tulle_device_format() lists them. NULL: chosen by
	 * row lengths; by a rule, no GPU was measured for it. */
	const char *format;
	tulle_op op;
	int offset_bits;  /* 0: 32 where they do, else 64; or 32, 64 */
	int reproducible; /* 1: only kernels that give the same bits every time */
} tulle_device_plan_options;

/* The matrix is copied to the device; it may go when this returns. TULLE_E_UNSUPPORTED beyond 2^31 rows or
 * columns. */
TULLE_API tulle_status tulle_device_plan_create(tulle_device *device, const tulle_matrix *matrix,
                                                const tulle_device_plan_options *options,
                                                tulle_device_plan **out);
TULLE_API void tulle_device_plan_destroy(tulle_device_plan *plan);

/* y = alpha A x + beta y, queued. x and y are different vectors; beta == 0 never reads y. */
TULLE_API tulle_status tulle_device_mul(const tulle_device_plan *plan, tulle_queue *queue,
                                        double alpha, const tulle_vector *x, double beta,
                                        tulle_vector *y);

typedef struct {
	size_t size; /* = sizeof(tulle_device_plan_info) */
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	char format[96]; /* "csr:kernel=vector,lanes=8" */
	char note[64];   /* a figure of the format's own; may be empty */
	size_t bytes;    /* of the device that the plan holds */
	size_t peak;     /* the most it held while it was built */
	size_t scratch;  /* of a queue, for one multiplication */
	int launches;    /* of one multiplication */
	int same_bits;   /* 1: every multiplication gives the same bits */
} tulle_device_plan_info;

TULLE_API tulle_status tulle_device_plan_describe(const tulle_device_plan *plan,
                                                  tulle_device_plan_info *info);

/* The n-th way to store and multiply a matrix on a device, n = 0, 1, ...: its name for options.format, and
 * what it is. Returns 0 past the last. */
typedef struct {
	size_t size; /* = sizeof(tulle_device_format_info) */
	char format[96];
	const char *words;
	int same_bits;
	int width; /* the least lanes of a warp that it can do with; 0: any */
} tulle_device_format_info;

TULLE_API int tulle_device_format(int n, tulle_device_format_info *info);

/* ---- batches ------------------------------------------------------------------------------------------ */

/* y_i = alpha A_i x_i + beta y_i for thousands of small matrices, as in tulle_batch.h, in one to three
 * launches. Every kernel gives the same bits every time. */

typedef struct {
	size_t size; /* = sizeof(tulle_device_batch_options) */

	/* "coo", "csr:kernel=smart", "ell:form=block", ...: tulle_device_batch_kernel() lists them. NULL: "ell"
	 * where rows of a problem have nearly one length, else "coo"; a published rule, no GPU was measured. */
	const char *kernel;
	tulle_check check;
} tulle_device_batch_options;

/* The matrices are checked as tulle_batch_create() does and copied to the device; the arrays may go when this
 * returns. What problems share is kept once. TULLE_E_UNSUPPORTED when "ell" would be mostly padding. */
TULLE_API tulle_status tulle_device_batch_create(tulle_device *device,
                                                 const tulle_batch_source *source,
                                                 const tulle_device_batch_options *options,
                                                 tulle_device_batch **out);
TULLE_API void tulle_device_batch_destroy(tulle_device_batch *batch);

/* All products, queued; x and y are packed vectors, element j of x_i is x[source.x_at[i] + j]. Elements
 * between them are not touched. beta == 0 never reads y. */
TULLE_API tulle_status tulle_device_batch_mul(const tulle_device_batch *batch, tulle_queue *queue,
                                              double alpha, const tulle_vector *x, double beta,
                                              tulle_vector *y);

typedef struct {
	size_t size;             /* = sizeof(tulle_device_batch_info) */
	int64_t count;           /* of problems */
	int64_t rows, cols, nnz; /* of all of them */
	int64_t x_size, y_size;  /* the least elements that x and y have */
	tulle_value_type value_type;
	char kernel[64]; /* "csr:kernel=smart,form=classes" */
	char note[64];   /* how many teams of which size are at work */
	size_t bytes;    /* of the device that the batch holds */
	size_t peak;     /* the most it held while it was built */
	int launches;    /* of one multiplication */
	int same_bits;   /* 1: every multiplication gives the same bits */
} tulle_device_batch_info;

TULLE_API tulle_status tulle_device_batch_describe(const tulle_device_batch *batch,
                                                   tulle_device_batch_info *info);

/* The n-th way to multiply a batch, n = 0, 1, ...: its name for options.kernel, and what it is. Returns 0 past
 * the last. */
typedef struct {
	size_t size; /* = sizeof(tulle_device_batch_kernel_info) */
	char kernel[64];
	const char *words;
	int same_bits;
} tulle_device_batch_kernel_info;

TULLE_API int tulle_device_batch_kernel(int n, tulle_device_batch_kernel_info *info);

#ifdef __cplusplus
}
#endif

#endif
