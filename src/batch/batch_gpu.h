/* batch_gpu.h -- a batch on a GPU: from checked problems to device arrays and launches. */
#ifndef TULLE_BATCH_BATCH_GPU_H
#define TULLE_BATCH_BATCH_GPU_H

#include "batch/batch_store.h"
#include "gpu/gpu_plan.h"

/* One way to multiply a batch; tests and docs iterate over them. The list ends with name == NULL. */
typedef struct {
	const char *name;  /* "csr:kernel=smart,form=block" */
	const char *words; /* what it is, for people */
} tulle__batch_gpu_kernel;

extern const tulle__batch_gpu_kernel tulle__batch_gpu_kernels[];

typedef enum {
	BATCH_GPU_COO,
	BATCH_GPU_SCALAR,
	BATCH_GPU_VECTOR,
	BATCH_GPU_SMART,
	BATCH_GPU_BALANCED,
	BATCH_GPU_ELL,
	BATCH_GPU_METHODS
} batch_gpu_method;

typedef struct {
	batch_gpu_method method;
	int one_size; /* the paper's form: one launch, teams of the size that the largest problem needs */
} batch_gpu_way;

/* Parses such a name; NULL: chosen by row lengths. The problems of p must have been compared. */
tulle_status tulle__batch_gpu_choose(const tulle__problems *p, const char *name,
                                     batch_gpu_way *out);

const char *tulle__batch_gpu_name(batch_gpu_way way);

/* Adds arrays and steps to a plan after tulle__gpu_plan_begin(). */
tulle_status tulle__batch_gpu_build(tulle__gpu_plan *plan, const tulle__problems *p,
                                    batch_gpu_way way);

/* ---- for batch_gpu*.c: teams and pieces ---- */

enum { BATCH_GPU_CLASSES = 5 };

/* How a batch is divided: the threads per team of each class, in ascending order. */
typedef struct {
	const tulle__problems *p;
	int team[BATCH_GPU_CLASSES];
	int only; /* the class of all problems; -1: each has its own */
	int one_size;
} batch_gpu_cut;

batch_gpu_cut tulle__batch_gpu_cut_for(const tulle__problems *p, const tulle__gpu_device *device,
                                       int one_size);

/* The class of problem i. */
int tulle__batch_gpu_class(const batch_gpu_cut *c, int64_t i);

/* The row after the piece of problem i that begins at row r. */
int64_t tulle__batch_gpu_piece_end(const batch_gpu_cut *c, int64_t i, int64_t r);

/* ---- arrays as a device gets them ---- */

/* Where the arrays of each problem are. Problems that share an array have the same place. */
typedef struct {
	const tulle__problems *p;
	batch_gpu_method method;
	const batch_gpu_cut *cut; /* COO and CSR-I: their entries are in the order of steps */
	int64_t *rows_at, *columns_at, *values_at; /* of each problem; rows: numbers or pointers */
	int64_t *width;                            /* ELL: entries of a row */
	int64_t rows, columns, values;             /* elements in all */
} batch_gpu_arrays;

/* On failure nothing is held. ELL needs no cut. */
tulle_status tulle__batch_gpu_lay_out(const batch_gpu_cut *cut, const tulle__problems *p,
                                      batch_gpu_method method, batch_gpu_arrays *out);
void tulle__batch_gpu_forget(batch_gpu_arrays *a);

/* On the device, as they were laid out. */
tulle_status tulle__batch_gpu_upload(tulle__gpu_plan *plan, const batch_gpu_arrays *a,
                                     tulle__gpu_csr *out);

#endif
