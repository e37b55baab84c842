/* device.h -- the structs of the handles of tulle_gpu.h. */
#ifndef TULLE_API_DEVICE_H
#define TULLE_API_DEVICE_H

#include "api/handles.h"
#include "gpu/gpu_plan.h"

#include <pthread.h>

struct tulle_device {
	atomic_int holds;
	tulle_context *context;
	tulle__gpu_device gpu;
	pthread_mutex_t lock; /* of the list of queues */
	tulle_queue *queues;
};

/* Working memory belongs to the queue, not to the plan: work in one queue runs in order, so all plans
 * that run there can use one block. */
struct tulle_queue {
	tulle_device *device;
	void *native;
	int imported; /* the caller's own */
	tulle__gpu_memory scratch;
	size_t scratch_bytes;
	tulle_queue *next;
};

struct tulle_vector {
	tulle_device *device;
	tulle__gpu_memory memory;
	int imported;
	tulle_value_type type;
	int64_t count;
};

struct tulle_device_plan {
	tulle_device *device;
	tulle__gpu_plan gpu;
	int64_t stored_nnz; /* values of an update */
	char format[96];
};

void tulle__device_hold(tulle_device *device);

/* "opencl:1": its driver and number. NULL: the first usable device. */
tulle_status tulle__find_device(tulle__env *env, const char *name, const tulle__gpu_driver **driver,
                                int *number);

/* The model of a device of this machine, for the choice of a format (device_model.c). */
tulle_status tulle__device_model(tulle__env *env, const tulle__gpu_driver *driver, int number,
                                 tulle_device_model *out);

/* The formats for `a` on this device, the best first (device_ranking.c). */
tulle_status tulle__rank_formats(tulle__env *env, const tulle__csr *a,
                                 const tulle_device_model *model,
                                 const tulle_device_plan_options *o, tulle__gpu_ranking *out);

/* The options of a plan that do not depend on the device, and the width of offsets (0: as needed). */
tulle_status tulle__check_device_options(const tulle_matrix *matrix,
                                         const tulle_device_plan_options *o);
tulle_index_type tulle__offset_type(const tulle_device_plan_options *o);

/* Does a plan for a matrix of this type conjugate its values? */
int tulle__conjugates(const tulle_device_plan_options *o, tulle_value_type type);

/* TULLE_E_TYPE for a plan of real values, which complex factors do not fit. */
tulle_status tulle__check_complex_plan(const tulle_device_plan *plan);

/* Wait for all queues of a device. */
void tulle__device_wait(tulle_device *device);

/* Checks that plan, queue, x and y are on one device, that x and y have this type and these lengths,
 * and that they are distinct. */
tulle_status tulle__check_vectors(const tulle_device *device, const tulle_queue *queue,
                                  tulle_value_type type, const tulle_vector *x, int64_t x_count,
                                  const tulle_vector *y, int64_t y_count);

/* The queue's working memory, grown to `bytes`. */
tulle_status tulle__queue_scratch(tulle_queue *queue, size_t bytes, tulle__gpu_memory *out);

#endif
