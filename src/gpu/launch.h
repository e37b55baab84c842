/* launch.h -- launches of kernels, with arguments that the compiler checks.
 *
 * The definition KERNEL(name)(parameters) in X.gpu is the kernel's only signature. cmake/gpu.cmake reads it
 * and writes the header X.gpu.h with a structure of the parameters and a tulle__kernel_NAME for each kernel.
 * A launch names its arguments:
 *
 *     TULLE__LAUNCH(scale, blocks, threads, .n = rows)
 *
 * Arguments that are not given are zero. x, y, alpha and beta are then those of the multiplication. Any
 * other array must be given, else tulle__gpu_step() and tulle__gpu_run() fail. */
#ifndef TULLE_GPU_LAUNCH_H
#define TULLE_GPU_LAUNCH_H

#include "gpu/runtime.h"

/* A number for an array, as in .col = 7, must be an error: C would assign it to the first member of the
 * structure. */
#pragma GCC diagnostic error "-Wmissing-braces"

/* Parameters by type and, from X on, by name. */
typedef enum {
	TULLE__GPU_INT,    /* int */
	TULLE__GPU_I64,    /* i64 */
	TULLE__GPU_INDEX,  /* I */
	TULLE__GPU_MEMORY, /* an array */
	TULLE__GPU_X,
	TULLE__GPU_Y,
	TULLE__GPU_ALPHA, /* T */
	TULLE__GPU_BETA,
	TULLE__GPU_SPREAD, /* int; several vectors: 2^spread threads per row */
	TULLE__GPU_VECTORS,
	TULLE__GPU_LDX,
	TULLE__GPU_LDY
} tulle__gpu_kind;

/* The elements of an array. */
typedef enum {
	TULLE__GPU_OF_NONE, /* a number */
	TULLE__GPU_OF_CHAR,
	TULLE__GPU_OF_INT,
	TULLE__GPU_OF_UNSIGNED,
	TULLE__GPU_OF_I64,
	TULLE__GPU_OF_INDEX,
	TULLE__GPU_OF_VALUE,
	TULLE__GPU_OF_CODED /* void: values in a code that the kernel knows */
} tulle__gpu_element;

typedef struct {
	const char *name;
	tulle__gpu_kind kind;
	tulle__gpu_element element;
} tulle__gpu_param;

enum { TULLE__GPU_PARAMS = 24 /* the most of a kernel */ };

typedef struct {
	const char *module, *name;
	int params;
	const tulle__gpu_param *param;
} tulle__gpu_kernel;

/* One argument: structures of arguments are arrays of these with names. */
typedef union {
	int64_t number;
	double value;
	tulle__gpu_memory memory;
} tulle__gpu_arg;

/* An array that is the working memory of the queue, see tulle__gpu_scratch(). */
#define TULLE__GPU_SCRATCH ((tulle__gpu_memory){ 1 })

typedef struct {
	const tulle__gpu_kernel *kernel;
	int64_t blocks;   /* 0: nothing to do, the launch is left out */
	int threads;      /* per block */
	const void *args; /* kernel->params of tulle__gpu_arg */
} tulle__gpu_launch;

#define TULLE__LAUNCH(name_, blocks_, threads_, ...) \
	TULLE__LAUNCH_ONE(&tulle__kernel_##name_, blocks_, threads_, __VA_ARGS__)

/* The same for one of several kernels that have the same parameters: `plain ? &tulle__kernel_rows_plain :
 * &tulle__kernel_rows`. Others have pointers of another type. */
#define TULLE__LAUNCH_ONE(kernel_, blocks_, threads_, ...) \
	(&(tulle__gpu_launch){ .kernel = &(kernel_)->kernel,   \
	                       .blocks = (blocks_),            \
	                       .threads = (threads_),          \
	                       .args = &(__typeof__(*(kernel_)->args)){ __VA_ARGS__ } })

#endif
