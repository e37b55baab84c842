/* core_vector.c -- the type tulle._core.DeviceVector: elements on a device, copied to and from the host. */
#include "core_device.h"

PyTypeObject *core_vector_type;

static void dealloc(PyObject *object)
{
	core_vector *self = (core_vector *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
	const core_detached before = core_detach(); /* it waits for the device */

	tulle_vector_destroy(self->vector);
	core_resume(before);
	Py_XDECREF(self->owner); /* after the vector that uses its memory */
	Py_XDECREF((PyObject *)self->device);
	release(object);
	Py_DECREF(type);
}

/* ---- making ---- */

/* tulle copies elements as they are, so integers pass for floating point of the same size. */
PyObject *core_new_vector(PyObject *cls, core_device *device, uintptr_t pointer, int64_t size,
                          int element, PyObject *owner)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
	core_vector *self = (core_vector *)alloc((PyTypeObject *)cls, 0);
	tulle_status status;

	if (!self)
		return NULL;
	Py_INCREF((PyObject *)device);
	self->device = device;
	self->size = size;
	self->element = element;
	status = tulle_vector_create(device->device, element == 4 ? TULLE_F32 : TULLE_F64, size,
	                             (void *)pointer, &self->vector);
	if (status == TULLE_OK) {
		Py_XINCREF(owner);
		self->owner = owner;
		return (PyObject *)self;
	}
	core_raise(status);
	Py_DECREF((PyObject *)self);
	return NULL;
}

/* (device, pointer or 0, elements, bytes of one, owner or None) */
static PyObject *vector_create(PyObject *cls, PyObject *args)
{
	unsigned long long pointer;
	PyObject *device, *owner;
	long long size;
	int element;

	if (!PyArg_ParseTuple(args, "O!KLiO", core_device_type, &device, &pointer, &size, &element,
	                      &owner))
		return NULL;
	if (element != 4 && element != 8)
		return PyErr_Format(PyExc_ValueError, "elements of %d bytes", element);
	return core_new_vector(cls, (core_device *)device, (uintptr_t)pointer, size, element, owner);
}

/* ---- copies ---- */

typedef struct {
	tulle_queue *queue;
	Py_buffer host;
	int64_t size;
} copied;

/* (array, stream): the array has as many bytes as the vector. */
static int begin_copy(core_vector *self, PyObject *args, int flags, copied *c)
{
	unsigned long long stream;
	PyObject *array;

	if (!PyArg_ParseTuple(args, "OK", &array, &stream))
		return -1;
	c->queue = core_queue_of(self->device, (uintptr_t)stream);
	if (!c->queue || PyObject_GetBuffer(array, &c->host, flags) != 0)
		return -1;
	if (c->host.len == self->size * self->element)
		return 0;
	PyErr_Format(PyExc_ValueError, "an array of %zd bytes for a vector of %lld elements of %d",
	             c->host.len, (long long)self->size, self->element);
	PyBuffer_Release(&c->host);
	return -1;
}

static PyObject *end_copy(copied *c, tulle_status status)
{
	PyBuffer_Release(&c->host);
	if (status != TULLE_OK)
		return core_raise(status);
	Py_RETURN_NONE;
}

static PyObject *vector_write(PyObject *object, PyObject *args)
{
	core_vector *self = (core_vector *)object;
	core_detached before;
	tulle_status status;
	copied c;

	if (begin_copy(self, args, PyBUF_C_CONTIGUOUS, &c) != 0)
		return NULL;
	before = core_detach();
	status = tulle_vector_write(c.queue, self->vector, 0, self->size, c.host.buf);
	core_resume(before);
	return end_copy(&c, status);
}

static PyObject *vector_read(PyObject *object, PyObject *args)
{
	core_vector *self = (core_vector *)object;
	core_detached before;
	tulle_status status;
	copied c;

	if (begin_copy(self, args, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, &c) != 0)
		return NULL;
	before = core_detach();
	status = tulle_vector_read(c.queue, self->vector, 0, self->size, c.host.buf);
	core_resume(before);
	return end_copy(&c, status);
}

/* ---- the type ---- */

static PyObject *get_pointer(PyObject *self, void *closure)
{
	(void)closure;
	return PyLong_FromVoidPtr(tulle_vector_native(((const core_vector *)self)->vector));
}

static PyObject *get_size(PyObject *self, void *closure)
{
	(void)closure;
	return PyLong_FromLongLong(((const core_vector *)self)->size);
}

static PyObject *get_dtype(PyObject *self, void *closure)
{
	PyObject *dtype =
	    core_dtypes[((const core_vector *)self)->element == 8 ? TULLE_F64 : TULLE_F32];

	(void)closure;
	Py_INCREF(dtype);
	return dtype;
}

static PyObject *get_device(PyObject *self, void *closure)
{
	PyObject *device = (PyObject *)((const core_vector *)self)->device;

	(void)closure;
	Py_INCREF(device);
	return device;
}

static PyGetSetDef attributes[] = {
	{ "_pointer", get_pointer, NULL, "The memory: a CUdeviceptr or a cl_mem.", NULL },
	{ "size", get_size, NULL, "The number of elements.", NULL },
	{ "dtype", get_dtype, NULL, "numpy.dtype of the elements: float32 or float64.", NULL },
	{ "device", get_device, NULL, "The tulle.Device that the elements are on.", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef methods[] = {
	{ "_create", vector_create, METH_VARARGS | METH_CLASS,
	  "_create(device, pointer, size, itemsize, owner)" },
	{ "_write", vector_write, METH_VARARGS, "_write(array, stream)" },
	{ "_read", vector_read, METH_VARARGS, "_read(array, stream)" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "Memory of a device; the class tulle.DeviceVector is made of it." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_getset, attributes },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "tulle._core.DeviceVector",
	.basicsize = sizeof(core_vector),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

int core_add_vector(PyObject *module)
{
	core_vector_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
	return core_vector_type
	           ? PyModule_AddObjectRef(module, "DeviceVector", (PyObject *)core_vector_type)
	           : -1;
}
