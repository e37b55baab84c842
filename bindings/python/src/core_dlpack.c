/* core_dlpack.c -- DLPack's capsules: other libraries' arrays taken, vectors of tulle's handed on.
 *
 * https://dmlc.github.io/dlpack: a capsule named "dltensor" holds a DLManagedTensor. Who takes it renames it
 * and calls the deleter at the end. */
#include "core_device.h"

#include <stdlib.h>

/* As in dlpack.h, which need not be installed. */
typedef struct {
	void *data;
	int32_t device_type, device_id;
	int32_t ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides; /* of elements; strides may be NULL: contiguous */
	uint64_t byte_offset;
} tensor;

typedef struct managed {
	tensor t;
	void *owner;
	void (*deleter)(struct managed *self);
} managed;

enum { FLOATING_POINT = 2 };
static const char fresh[] = "dltensor", taken[] = "used_dltensor";

/* ---- theirs ---- */

static void give_back(PyObject *capsule)
{
	managed *m = PyCapsule_GetPointer(capsule, taken);

	if (m && m->deleter)
		m->deleter(m);
}

static PyObject *numbers(const int64_t *from, int count)
{
	PyObject *tuple = PyTuple_New(count);

	for (int i = 0; tuple && i < count; i++) {
		PyObject *one = PyLong_FromLongLong(from[i]);

		if (!one || PyTuple_SetItem(tuple, i, one) != 0)
			Py_CLEAR(tuple);
	}
	return tuple;
}

PyObject *core_dlpack_open(PyObject *module, PyObject *capsule)
{
	PyObject *owner, *shape, *strides;
	unsigned long long start;
	managed *m;

	(void)module;
	m = PyCapsule_GetPointer(capsule, fresh);
	if (!m)
		return NULL;
	/* A capsule of our own: theirs may be kept by others, and has its own destructor. */
	owner = PyCapsule_New(m, taken, give_back);
	if (!owner || PyCapsule_SetName(capsule, taken) != 0) {
		if (owner)
			PyCapsule_SetDestructor(owner, NULL); /* still theirs */
		Py_XDECREF(owner);
		return NULL;
	}
	shape = numbers(m->t.shape, m->t.ndim);
	strides = !shape                          ? NULL
	          : m->t.strides && m->t.ndim > 0 ? numbers(m->t.strides, m->t.ndim)
	                                          : (Py_INCREF(Py_None), Py_None);
	if (!strides) {
		Py_XDECREF(shape);
		Py_DECREF(owner);
		return NULL;
	}
	start = (uintptr_t)m->t.data + m->t.byte_offset;
	return Py_BuildValue("KNNiiiiiN", start, shape, strides, (int)m->t.code, (int)m->t.bits,
	                     (int)m->t.lanes, (int)m->t.device_type, (int)m->t.device_id, owner);
}

/* ---- ours ---- */

typedef struct {
	managed m;
	int64_t shape, stride;
} lent;

/* Called by the library that took it, in any thread. */
static void release(managed *m)
{
	const PyGILState_STATE state = PyGILState_Ensure();

	Py_DECREF((PyObject *)m->owner);
	PyGILState_Release(state);
	free(m);
}

/* Nobody took it. */
static void drop(PyObject *capsule)
{
	if (PyCapsule_IsValid(capsule, fresh))
		release(PyCapsule_GetPointer(capsule, fresh));
}

/* (vector, type of the device, its number) */
PyObject *core_dlpack_wrap(PyObject *module, PyObject *args)
{
	PyObject *object, *capsule;
	core_vector *v;
	lent *l;
	int type, number;

	(void)module;
	if (!PyArg_ParseTuple(args, "O!ii", core_vector_type, &object, &type, &number))
		return NULL;
	l = malloc(sizeof *l);
	if (!l)
		return PyErr_NoMemory();
	v = (core_vector *)object;
	*l = (lent){ .shape = v->size, .stride = 1 };
	l->m = (managed){ .t = { .data = tulle_vector_native(v->vector),
		                     .device_type = type,
		                     .device_id = number,
		                     .ndim = 1,
		                     .code = FLOATING_POINT,
		                     .bits = (uint8_t)(8 * v->element),
		                     .lanes = 1,
		                     .shape = &l->shape,
		                     .strides = &l->stride },
		              .owner = object,
		              .deleter = release };
	capsule = PyCapsule_New(&l->m, fresh, drop);
	if (!capsule) {
		free(l);
		return NULL;
	}
	Py_INCREF(object);
	return capsule;
}
