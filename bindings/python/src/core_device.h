/* core_device.h -- what the files about devices share: the objects around the handles of tulle_gpu.h. */
#ifndef TULLE_PYTHON_CORE_DEVICE_H
#define TULLE_PYTHON_CORE_DEVICE_H

#include "core.h"

#include <tulle_gpu.h>

/* A queue per stream that products ran in: working memory of a stream is kept for the next product. */
typedef struct {
	uintptr_t stream; /* 0: tulle's own queue */
	tulle_queue *queue;
} core_queue;

typedef struct {
	PyObject_HEAD tulle_device *device;
	tulle_device_info info;
	core_queue *queues;
	int count;
} core_device;

/* Memory of a device: its own, or `owner` keeps it alive. */
typedef struct {
	PyObject_HEAD core_device *device;
	tulle_vector *vector;
	PyObject *owner;
	int64_t size;
	int element; /* bytes of one */
} core_vector;

extern PyTypeObject *core_device_type, *core_vector_type;

/* Each adds its type to the module, or its functions; 0, or -1 with an exception set. */
int core_add_device(PyObject *module);
int core_add_vector(PyObject *module);
int core_add_device_plan(PyObject *module);

/* The queue of a stream. Queues have state and are used under the interpreter's lock only, but for
 * copies and waits. NULL with an exception set on failure. */
tulle_queue *core_queue_of(core_device *device, uintptr_t stream);

/* A vector in memory of its own (pointer 0) or in `owner`'s. NULL with an exception set on failure. */
PyObject *core_new_vector(PyObject *cls, core_device *device, uintptr_t pointer, int64_t size,
                          int element, PyObject *owner);

/* core_dlpack.c */
PyObject *core_dlpack_open(PyObject *module, PyObject *capsule);
PyObject *core_dlpack_wrap(PyObject *module, PyObject *args);

#endif
