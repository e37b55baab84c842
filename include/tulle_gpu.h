/* tulle_gpu.h -- sparse matrix-vector products on a GPU: y = alpha A x + beta y, all on the device.
 *
 *     tulle_device_open()          open a device by its name: "cuda:0", "opencl:1"
 *     tulle_queue_create()         create a queue, in which work runs in order, or import your own
 *     tulle_vector_create()        create vectors on the device, or import your own memory
 *     tulle_device_plan_create()   copy a tulle_matrix to the device in a format for GPUs
 *     tulle_device_mul()           queue a multiplication; returns at once
 *     tulle_device_plan_update()   new values for the same pattern
 *     tulle_queue_finish()         wait
 *     tulle_device_batch_create()  thousands of small matrices instead of one
 *     tulle_device_ranking_create()  which format for which device, and why; needs no device
 *
 * A complete example, without error handling:
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
 * The drivers (libOpenCL.so.1, libcuda.so.1) are loaded when they are first needed: a program runs
 * with and without them. Data is copied between host and device only where you request it.
 *
 * Errors, side effects and structures that begin with `size` are as in tulle.h; a failure of a
 * driver is TULLE_E_DEVICE. Handles are reference-counted: a queue, vector or plan holds its
 * device.
 *
 * Threads. A device and a plan may be used by many threads at once, each with its own queue. A plan
 * can be used with any number of queues; destroying it waits for them.
 *
 * Determinism. Formats whose kernels add by atomics may give different bits each time;
 * tulle_device_plan_info reports this (same_bits).
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

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct {
	size_t size;      /* = sizeof(tulle_device_info) */
	char name[24];    /* "cuda:0": for tulle_device_open() */
	char model[128];  /* the name that the driver reports */
	char driver[128]; /* the driver and its version */
	size_t memory;    /* bytes */
	int units;        /* multiprocessors, compute units */
	int width;        /* lanes per warp that a plan would use */
	int shuffles;     /* 1: lanes exchange values directly, 0: through local memory */
	int f64;          /* 1: has double precision */
	int gpu;    /* 1: the driver reports a GPU; 0: a CPU or emulator, its times mean nothing */
	int usable; /* 0: tulle_device_open() would fail; `why` has the reason */
	char why[160];
} tulle_device_info;

/* The number of devices; 0 without drivers. */
TULLE_API tulle_status tulle_device_count(tulle_context *context, int *count);

/* Describe device n = 0 .. count - 1. Set info->size before the call. */
TULLE_API tulle_status tulle_device_describe(tulle_context *context, int n,
                                             tulle_device_info *info);

typedef struct {
	size_t size; /* = sizeof(tulle_device_options) */

	/* Lanes per warp; 0: the device's own number. OpenCL only: a sub-group size that the device
	 * supports, or, with local_exchange, any power of two up to 64. */
	int width;
	int local_exchange; /* 1: lanes exchange values through local memory even if it is not needed */

	/* NULL, or your own cl_context or CUcontext for this device. It stays yours and must outlive
	 * the tulle_device. Imported queues and memory must belong to it. */
	void *native;

	/* OpenCL: a folder for compiled kernels. It is created with mode 0700, and used only if it is
	 * yours and nobody else has access to it. NULL: each process compiles the kernels anew, unless
	 * the driver caches them. */
	const char *cache;
} tulle_device_options;

/* Open a device by its name. NULL: the first usable device. */
TULLE_API tulle_status tulle_device_open(tulle_context *context, const char *name,
                                         const tulle_device_options *options, tulle_device **out);
TULLE_API void tulle_device_close(tulle_device *device);

/* ---- queues ---------------------------------------------------------------------------------- */

/* native: NULL to create a new queue; else your own queue, which stays yours: a CUstream or an
 * in-order cl_command_queue. It must belong to the device's context: the one given in options.native,
 * else the one that tulle_device_native() returns (with CUDA the primary context). For CUDA's default
 * streams pass CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, since NULL creates a new queue. A CUstream may
 * be destroyed before the tulle_queue. */
TULLE_API tulle_status tulle_queue_create(tulle_device *device, void *native, tulle_queue **out);
TULLE_API tulle_status tulle_queue_finish(tulle_queue *queue);
TULLE_API void tulle_queue_destroy(tulle_queue *queue);

/* The driver's handles, for programs that also queue their own kernels: CUcontext and CUstream, or
 * cl_context and cl_command_queue. */
TULLE_API void *tulle_device_native(const tulle_device *device);
TULLE_API void *tulle_queue_native(const tulle_queue *queue);

/* ---- vectors --------------------------------------------------------------------------------- */

/* `count` uninitialized elements on the device. native: NULL, or your own memory, which stays
 * yours: a cl_mem, or a CUdeviceptr cast to a pointer and aligned to the size of an element (16 bytes for
 * TULLE_C128). TULLE_E_ARGUMENT if a cl_mem is too small; the size of CUDA's memory is not checked. Destroying
 * a vector does not wait for work that uses your own memory. TULLE_E_UNSUPPORTED for TULLE_F16 and TULLE_BF16. */
TULLE_API tulle_status tulle_vector_create(tulle_device *device, tulle_value_type type,
                                           int64_t count, void *native, tulle_vector **out);
TULLE_API void tulle_vector_destroy(tulle_vector *vector);

/* The memory of a vector: a CUdeviceptr cast to a pointer, or a cl_mem. */
TULLE_API void *tulle_vector_native(const tulle_vector *vector);

/* Copy elements first .. first + count - 1, in the order of the queue. The call returns when `from`
 * may be reused, or when `to` is filled. After TULLE_E_DEVICE the copy may still happen: keep the
 * host memory valid until the queue is destroyed. */
TULLE_API tulle_status tulle_vector_write(tulle_queue *queue, tulle_vector *vector, int64_t first,
                                          int64_t count, const void *from);
TULLE_API tulle_status tulle_vector_read(tulle_queue *queue, const tulle_vector *vector,
                                         int64_t first, int64_t count, void *to);

/* ---- plans ----------------------------------------------------------------------------------- */

typedef struct {
	size_t size; /* = sizeof(tulle_device_plan_options) */

	/* "csr", "csr:kernel=vector,lanes=8", "csr5", ...: tulle_device_format() lists them. NULL:
	 * the first of tulle_device_ranking_create() for this device that can be built. The ranking
	 * comes from counts, not from measurements: it may change between versions. */
	const char *format;
	tulle_op op;
	int offset_bits;  /* 32, 64, or 0: 32 if that is enough, else 64 */
	int reproducible; /* 1: only kernels that give the same bits every time */

	/* 1: tulle_device_plan_update() will be called. The plan then also stores, in device memory, the
	 * position of each stored value in your arrays, one offset per value; nothing if the format stores
	 * the values in the order of your arrays. */
	int updates;

	/* 1: store f64 values rounded to f32, half their bytes; x, y and all sums stay f64. Rounding
	 * adds at most info.value_error |alpha| sum |a||x| to the error of a row. Never chosen
	 * automatically. TULLE_E_UNSUPPORTED with options.updates, for formats other than sell, and for
	 * values that f32 cannot hold. */
	int lossy;
} tulle_device_plan_options;

/* Copies the matrix to the device; you may destroy the matrix when the call returns.
 * TULLE_E_UNSUPPORTED beyond 2^31 rows or columns. For complex values only csr and sell have kernels, and only
 * sell for a complex matrix without values, which has no options.updates. */
TULLE_API tulle_status tulle_device_plan_create(tulle_device *device, const tulle_matrix *matrix,
                                                const tulle_device_plan_options *options,
                                                tulle_device_plan **out);
TULLE_API void tulle_device_plan_destroy(tulle_device_plan *plan);

/* New values for the same pattern, queued: from a vector on the device that has them in the order
 * and number of the arrays from which the matrix was created (stored_nnz of tulle_matrix_info), also
 * for A^T and if one triangle was given. The layout is kept, and nothing is copied from the host.
 * Multiplications that are queued afterwards in the same queue use the new values; finish other
 * queues that multiply by the plan before the call, and this queue before they multiply again. The
 * bits are those of a new plan. TULLE_E_UNSUPPORTED without options.updates. */
TULLE_API tulle_status tulle_device_plan_update(tulle_device_plan *plan, tulle_queue *queue,
                                                const tulle_vector *val);

/* y = alpha A x + beta y, queued. x and y must be different vectors; beta == 0 never reads y. */
TULLE_API tulle_status tulle_device_mul(const tulle_device_plan *plan, tulle_queue *queue,
                                        double alpha, const tulle_vector *x, double beta,
                                        tulle_vector *y);

/* The same with complex factors, for a matrix of TULLE_C64 or TULLE_C128; TULLE_E_TYPE for a real one. */
TULLE_API tulle_status tulle_device_mul_complex(const tulle_device_plan *plan, tulle_queue *queue,
                                                tulle_c128 alpha, const tulle_vector *x,
                                                tulle_c128 beta, tulle_vector *y);

/* Y = alpha A X + beta Y for k vectors at once, queued. Vectors are row-major: element i of vector j
 * is x[i * ldx + j], so ldx is at least k; Y likewise. Elements between them are not touched. The
 * matrix is read once for as many vectors as a warp has lanes. Each row is summed in stored order:
 * with sell, each vector has the bits of tulle_device_mul(). TULLE_E_UNSUPPORTED for formats other
 * than sell and csr, and for csr:kernel=padded. */
TULLE_API tulle_status tulle_device_mul_many(const tulle_device_plan *plan, tulle_queue *queue,
                                             int64_t k, double alpha, const tulle_vector *x,
                                             int64_t ldx, double beta, tulle_vector *y,
                                             int64_t ldy);

/* The same with complex factors, for a matrix of TULLE_C64 or TULLE_C128. */
TULLE_API tulle_status tulle_device_mul_many_complex(const tulle_device_plan *plan,
                                                     tulle_queue *queue, int64_t k,
                                                     tulle_c128 alpha, const tulle_vector *x,
                                                     int64_t ldx, tulle_c128 beta, tulle_vector *y,
                                                     int64_t ldy);

/* Allocate now the working memory that multiplications by this plan need in this queue. Otherwise the
 * first multiplication allocates it, and waits for the queue if the queue has less. Call this for all
 * plans of the queue before a CUDA stream is captured: a plan that needs more memory later replaces the
 * memory that the graph uses. After this call tulle_device_mul() only launches kernels. */
TULLE_API tulle_status tulle_device_mul_prepare(const tulle_device_plan *plan, tulle_queue *queue);

typedef struct {
	size_t size; /* = sizeof(tulle_device_plan_info) */
	int64_t rows, cols, nnz;
	tulle_value_type value_type;
	char format[96];    /* for example "csr:kernel=vector,lanes=8" */
	char note[64];      /* a figure of the format; may be empty */
	size_t bytes;       /* device memory that the plan holds */
	size_t peak;        /* maximum of device memory during the build */
	size_t scratch;     /* working memory of a queue for one multiplication */
	int launches;       /* per multiplication */
	int same_bits;      /* 1: every multiplication gives the same bits */
	double value_error; /* relative error of stored values: 0, or 2^-24 if options.lossy rounded */
} tulle_device_plan_info;

TULLE_API tulle_status tulle_device_plan_describe(const tulle_device_plan *plan,
                                                  tulle_device_plan_info *info);

/* The launches of a multiplication one by one, to measure each. Launch n = 0 .. launches - 1 of
 * tulle_device_plan_info: */
typedef struct {
	size_t size; /* = sizeof(tulle_device_launch_info) */
	char kernel[48];
	int64_t blocks;
	int threads; /* per block */
} tulle_device_launch_info;

TULLE_API tulle_status tulle_device_plan_launch(const tulle_device_plan *plan, int n,
                                                tulle_device_launch_info *info);

/* Queues this launch only. All of them, in order and with nothing else in the queue between them,
 * are one tulle_device_mul(). Otherwise y is undefined. Call tulle_device_mul() once in the same queue
 * before, because a launch may read what an earlier one wrote. */
TULLE_API tulle_status tulle_device_mul_launch(const tulle_device_plan *plan, tulle_queue *queue,
                                               int n, double alpha, const tulle_vector *x,
                                               double beta, tulle_vector *y);

/* The n-th format to store and multiply a matrix on a device, n = 0, 1, ...: its name for
 * options.format, and a description. Returns 0 after the last. */
typedef struct {
	size_t size; /* = sizeof(tulle_device_format_info) */
	char format[96];
	const char *words;
	int same_bits;
	int width; /* the minimum lanes per warp that it needs; 0: any */
} tulle_device_format_info;

TULLE_API int tulle_device_format(int n, tulle_device_format_info *info);

/* ---- choice ---------------------------------------------------------------------------------- */

/* A device as the choice of a format sees it: figures that its vendor publishes or its driver
 * reports. A unit is a multiprocessor or compute unit. */
typedef struct {
	size_t size;      /* = sizeof(tulle_device_model) */
	char name[24];    /* "h100" */
	char model[64];   /* "NVIDIA H100 SXM5" */
	int units;        /* of the device */
	int width;        /* lanes per warp: a power of two, at most 64 */
	int shuffles;     /* 1: lanes exchange values directly, 0: through local memory */
	double clock;     /* cycles per second */
	double bandwidth; /* of memory, bytes per second */
	double l2;        /* bytes */
	double memory;    /* bytes */
	double registers; /* of 32 bits, per unit */
	double warps;     /* that a unit holds at once */
	double shared;    /* bytes of shared or local memory per unit */
	double issue;     /* instructions of warps per cycle and unit */
	double f32, f64;  /* multiplications with addition per cycle and unit; f64 0: no doubles */
} tulle_device_model;

/* The n-th preset, n = 0, 1, ...; returns 0 after the last. Set model->size before the call. */
TULLE_API int tulle_device_preset(int n, tulle_device_model *model);

/* The model of a name:
 *
 *     "h100"            a preset
 *     "cuda:0"          a device of this machine: what its driver reports, and the rest from its
 *                       preset, or assumed if it has none
 *     "./mine.txt"      a file of lines `key = value`; docs/gpu.md lists the keys
 *
 * TULLE_E_ARGUMENT if the name is unknown or the file is wrong, with the number of the line;
 * TULLE_E_IO if the file cannot be read. */
TULLE_API tulle_status tulle_device_model_find(tulle_context *context, const char *name,
                                               tulle_device_model *model);

/* Rank the formats for a matrix on such a device, by what they ask of it: bytes, instructions, launches
 * and occupancy, counted from the pattern. Nothing is run, and no device is needed. Of the options, op,
 * offset_bits, reproducible, updates and lossy are used; NULL: all 0. */
typedef struct tulle_device_ranking tulle_device_ranking;
TULLE_API tulle_status tulle_device_ranking_create(const tulle_matrix *matrix,
                                                   const tulle_device_model *model,
                                                   const tulle_device_plan_options *options,
                                                   tulle_device_ranking **out);
TULLE_API void tulle_device_ranking_destroy(tulle_device_ranking *ranking);

/* Counts are of one product y = A x. All are predicted. */
typedef struct {
	size_t size;         /* = sizeof(tulle_device_candidate_info) */
	char format[96];     /* for options.format */
	int out;             /* 1: not ranked, `because` says why; all counts are 0 */
	char because[96];    /* else what limits it most: "memory", "instructions", ... */
	double bytes;        /* that memory delivers and stores: arrays, x and y */
	double requested;    /* bytes that warps request of the arrays of the matrix, whole sectors */
	double x_requested;  /* the same of x */
	double instructions; /* of warps */
	int launches;
	double occupancy; /* warps that a unit can hold, as a share of those it has room for */
	double relative;  /* cost, as a multiple of the first one's: for the order only */
	int same_bits;
} tulle_device_candidate_info;

/* Candidate n = 0, 1, ..., the best first, those that are out last; returns 0 after the last. */
TULLE_API int tulle_device_ranking_candidate(const tulle_device_ranking *ranking, int n,
                                             tulle_device_candidate_info *info);

/* ---- batches --------------------------------------------------------------------------------- */

/* y_i = alpha A_i x_i + beta y_i for thousands of small matrices, as in tulle_batch.h, with one to
 * five launches. Every kernel gives the same bits every time. */

typedef struct {
	size_t size; /* = sizeof(tulle_device_batch_options) */

	/* "coo", "csr:kernel=smart", "ell:form=block", ...: tulle_device_batch_kernel() lists them.
	 * NULL: "ell" if the rows of a problem have nearly the same length, else "coo". This is a
	 * published rule that was not measured on a GPU. */
	const char *kernel;
	tulle_check check;
} tulle_device_batch_options;

/* Checks the matrices like tulle_batch_create() and copies them to the device; you may free the
 * arrays when the call returns. Arrays that problems share are stored once. TULLE_E_UNSUPPORTED if
 * "ell" would be mostly padding. */
TULLE_API tulle_status tulle_device_batch_create(tulle_device *device,
                                                 const tulle_batch_source *source,
                                                 const tulle_device_batch_options *options,
                                                 tulle_device_batch **out);
TULLE_API void tulle_device_batch_destroy(tulle_device_batch *batch);

/* Queues all products; x and y are packed vectors, element j of x_i is x[source.x_at[i] + j].
 * Elements between them are not touched. beta == 0 never reads y. */
TULLE_API tulle_status tulle_device_batch_mul(const tulle_device_batch *batch, tulle_queue *queue,
                                              double alpha, const tulle_vector *x, double beta,
                                              tulle_vector *y);

typedef struct {
	size_t size;             /* = sizeof(tulle_device_batch_info) */
	int64_t count;           /* of problems */
	int64_t rows, cols, nnz; /* of all problems together */
	int64_t x_size, y_size;  /* the minimum number of elements of x and y */
	tulle_value_type value_type;
	char kernel[64]; /* for example "csr:kernel=smart,form=classes" */
	char note[64];   /* number and sizes of the teams */
	size_t bytes;    /* device memory that the batch holds */
	size_t peak;     /* maximum of device memory during the build */
	int launches;    /* per multiplication */
	int same_bits;   /* 1: every multiplication gives the same bits */
} tulle_device_batch_info;

TULLE_API tulle_status tulle_device_batch_describe(const tulle_device_batch *batch,
                                                   tulle_device_batch_info *info);

/* The n-th kernel to multiply a batch, n = 0, 1, ...: its name for options.kernel, and a
 * description. Returns 0 after the last. */
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
