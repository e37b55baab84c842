/* runtime.h -- the interface of GPU drivers: devices, memory, queues, launches.
 *
 * There are two drivers: opencl.c and cuda.c. Each loads its library when the first device is requested; without
 * the library it lists no device. A device, its memory and its kernels may be used by several threads at once, a
 * queue by one thread at a time. */
#ifndef TULLE_GPU_RUNTIME_H
#define TULLE_GPU_RUNTIME_H

#include "core/env.h"
#include "core/types.h"
#include "tulle_gpu.h"

typedef struct tulle__gpu_driver tulle__gpu_driver;

/* Device memory: a cl_mem or a CUdeviceptr; 0: none. It is a structure, so that the compiler rejects a number in
 * its place. */
typedef struct {
	uint64_t handle;
} tulle__gpu_memory;

/* An open device. */
typedef struct {
	const tulle__gpu_driver *driver;
	tulle__env *env;
	void *state; /* the driver's own */
	int width;   /* lanes of a warp */
	int shuffles; /* 0: lanes exchange through local memory, and a shuffle is a barrier of the block */
	int f64;      /* has doubles, and atomics on them */
	int units;    /* multiprocessors */
	int number;    /* among the driver's devices */
	size_t memory; /* bytes */
} tulle__gpu_device;

/* The types for which a module is compiled. */
typedef struct {
	tulle_value_type value;
	tulle_index_type index; /* of offsets into arrays of entries */
} tulle__gpu_types;

/* Does a module for this type compute with doubles? */
static inline int tulle__gpu_doubles(tulle_value_type value)
{
	return tulle__type_of(value)->part_size == sizeof(double);
}

/* One argument of a launch, as bytes. */
typedef struct {
	size_t size;
	union {
		int32_t i32;
		int64_t i64;
		float f32, c64[2];
		double f64, c128[2];
		tulle__gpu_memory memory;
	} is;
} tulle__gpu_word;

enum { TULLE__GPU_VALUE_TYPES = 4 }; /* TULLE_F32 .. TULLE_C128 */

enum { TULLE__GPU_BLOCK = 256 /* the most threads of a block: BLOCK of the dialect */ };

struct tulle__gpu_driver {
	const char *name; /* "opencl": the word before the colon of "opencl:0" */

	/* The number of devices; the description of device `number`. Neither opens a device. */
	int (*count)(tulle__env *env);
	tulle_status (*info)(tulle__env *env, int number, tulle_device_info *out);

	/* Sets clock, bandwidth, caches and sizes of a unit as far as the driver reports them; the rest of `out` is not
	 * changed. */
	void (*properties)(tulle__env *env, int number, tulle_device_model *out);

	/* `device` has env and driver set; the rest is filled. */
	tulle_status (*open)(int number, const tulle_device_options *options,
	                     tulle__gpu_device *device);
	void (*close)(tulle__gpu_device *device);
	void *(*native)(const tulle__gpu_device *device); /* its cl_context or CUcontext */

	/* bytes > 0. TULLE_E_MEMORY if device memory is exhausted. Freeing waits for launches that use the memory.
	 * `import` takes the caller's own memory for `count` elements, which must be aligned to their size and
	 * large enough, as far as the driver knows. */
	tulle_status (*alloc)(tulle__gpu_device *device, size_t bytes, tulle__gpu_memory *out);
	tulle_status (*import)(tulle__gpu_device *device, void *native, int64_t count, size_t element,
	                       tulle__gpu_memory *out);
	void (*free)(tulle__gpu_device *device, tulle__gpu_memory memory, int imported);

	/* Creates a queue, or, if native != NULL, uses the caller's cl_command_queue or CUstream. Work in one queue
	 * runs in order. */
	tulle_status (*queue_open)(tulle__gpu_device *device, void *native, void **queue);
	void (*queue_close)(tulle__gpu_device *device, void *queue);
	tulle_status (*finish)(tulle__gpu_device *device, void *queue);

	/* Wait for all work of the context. Used where the caller may already have destroyed an imported queue. NULL:
	 * imported queues are retained. */
	void (*idle)(tulle__gpu_device *device);

	/* Copies return when the host memory can be reused, or is filled. clear sets bytes to zero. */
	tulle_status (*write)(tulle__gpu_device *device, void *queue, tulle__gpu_memory to,
	                      size_t first, const void *from, size_t bytes);
	tulle_status (*read)(tulle__gpu_device *device, void *queue, tulle__gpu_memory from,
	                     size_t first, void *to, size_t bytes);
	tulle_status (*clear)(tulle__gpu_device *device, void *queue, tulle__gpu_memory memory,
	                      size_t bytes);

	/* A kernel of a module for these types; built on first use, kept until the device is closed. */
	tulle_status (*kernel)(tulle__gpu_device *device, const char *module, const char *name,
	                       tulle__gpu_types types, void **out);

	/* blocks > 0. Returns when the launch is queued. */
	tulle_status (*launch)(tulle__gpu_device *device, void *queue, void *kernel, int64_t blocks,
	                       int threads, int count, const tulle__gpu_word *word);
};

extern const tulle__gpu_driver tulle__opencl, tulle__cuda;

/* The n-th driver, NULL past the last. */
const tulle__gpu_driver *tulle__gpu_driver_at(int n);

/* ---- kernels that are part of this library (modules.c) ---- */

typedef struct {
	const char *name;        /* "csr" for formats/csr/csr.gpu */
	const char *begin, *end; /* its text */
	int complex;             /* has kernels for complex values */
	/* Fatbins: [value type - 1][index i32, i64]; NULL: built without nvcc, or no kernels for this type. */
	const char *image[TULLE__GPU_VALUE_TYPES][2];
} tulle__gpu_module;

extern const tulle__gpu_module
    tulle__gpu_dialect; /* dialect.h and rows.h, which every module begins with */
const tulle__gpu_module *tulle__gpu_module_named(const char *name);

/* The fatbin for these types, or NULL. */
const char *tulle__gpu_image(const tulle__gpu_module *module, tulle__gpu_types types);

#endif
