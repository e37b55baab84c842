/* core_device.c -- the type tulle._core.Device: an open device and its queues; and the list of devices. */
#include "core_device.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *core_device_type;

static void dealloc(PyObject *object)
{
	core_device *self = (core_device *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	for (int i = 0; i < self->count; i++)
		tulle_queue_destroy(self->queues[i].queue);
	free(self->queues);
	tulle_device_close(self->device);
	release(object);
	Py_DECREF(type);
}

/* ---- which are there ---- */

static PyObject *describe(const tulle_device_info *i)
{
	return Py_BuildValue(
	    "{s:s,s:s,s:s,s:K,s:i,s:i,s:N,s:N,s:N,s:N,s:s}", "name", i->name, "model", i->model,
	    "driver", i->driver, "memory", (unsigned long long)i->memory, "units", i->units, "width",
	    i->width, "shuffles", PyBool_FromLong(i->shuffles), "f64", PyBool_FromLong(i->f64), "gpu",
	    PyBool_FromLong(i->gpu), "usable", PyBool_FromLong(i->usable), "why", i->why);
}

static PyObject *devices(PyObject *module, PyObject *nothing)
{
	tulle_device_info info = { .size = sizeof info };
	PyObject *list = PyList_New(0);
	int count = 0;
	tulle_status status = tulle_device_count(NULL, &count);

	(void)module;
	(void)nothing;
	for (int n = 0; list && status == TULLE_OK && n < count; n++) {
		PyObject *one = NULL;

		status = tulle_device_describe(NULL, n, &info);
		if (status == TULLE_OK)
			one = describe(&info);
		if (status == TULLE_OK && (!one || PyList_Append(list, one) != 0))
			Py_CLEAR(list);
		Py_XDECREF(one);
	}
	if (status == TULLE_OK)
		return list;
	Py_XDECREF(list);
	return core_raise(status);
}

/* ---- opening ---- */

/* What is known of the device of this name, or of the first that is usable. Stays empty if there is none:
 * opening it says so. */
static void find(const char *name, tulle_device_info *out)
{
	tulle_device_info info = { .size = sizeof info };
	int count = 0;

	if (tulle_device_count(NULL, &count) != TULLE_OK)
		return;
	for (int n = 0; n < count; n++)
		if (tulle_device_describe(NULL, n, &info) == TULLE_OK &&
		    (name ? strcmp(name, info.name) == 0 : info.usable)) {
			*out = info;
			return;
		}
}

/* (name or None) */
static PyObject *device_open(PyObject *cls, PyObject *args)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
	tulle_device_info info = { .size = sizeof info };
	tulle_device *device = NULL;
	core_device *self;
	core_detached before;
	tulle_status status;
	const char *name;

	if (!PyArg_ParseTuple(args, "z", &name))
		return NULL;
	before = core_detach();
	find(name, &info);
	status = tulle_device_open(NULL, info.name[0] ? info.name : name, NULL, &device);
	core_resume(before);
	if (status != TULLE_OK)
		return core_raise(status);
	self = (core_device *)alloc((PyTypeObject *)cls, 0);
	if (!self) {
		tulle_device_close(device);
		return NULL;
	}
	self->device = device;
	self->info = info;
	return (PyObject *)self;
}

/* ---- queues ---- */

tulle_queue *core_queue_of(core_device *device, uintptr_t stream)
{
	tulle_queue *queue = NULL;
	core_queue *more;
	tulle_status status;

	for (int i = 0; i < device->count; i++)
		if (device->queues[i].stream == stream)
			return device->queues[i].queue;
	more = realloc(device->queues, ((size_t)device->count + 1) * sizeof *more);
	if (!more) {
		PyErr_NoMemory();
		return NULL;
	}
	device->queues = more;
	status = tulle_queue_create(device->device, (void *)stream, &queue);
	if (status != TULLE_OK) {
		core_raise(status);
		return NULL;
	}
	device->queues[device->count++] = (core_queue){ stream, queue };
	return queue;
}

/* (stream) */
static PyObject *device_finish(PyObject *self, PyObject *args)
{
	unsigned long long stream;
	core_detached before;
	tulle_status status;
	tulle_queue *queue;

	if (!PyArg_ParseTuple(args, "K", &stream))
		return NULL;
	queue = core_queue_of((core_device *)self, (uintptr_t)stream);
	if (!queue)
		return NULL;
	before = core_detach();
	status = tulle_queue_finish(queue);
	core_resume(before);
	if (status != TULLE_OK)
		return core_raise(status);
	Py_RETURN_NONE;
}

/* ---- the type ---- */

static PyObject *device_describe(PyObject *self, PyObject *nothing)
{
	(void)nothing;
	return describe(&((const core_device *)self)->info);
}

static PyMethodDef methods[] = {
	{ "_open", device_open, METH_VARARGS | METH_CLASS, "_open(name)" },
	{ "_finish", device_finish, METH_VARARGS, "_finish(stream)" },
	{ "describe", device_describe, METH_NOARGS,
	  "describe($self, /)\n--\n\nWhat its driver reports, as a dict." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A device of libtulle; the class tulle.Device is made of it." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "tulle._core.Device",
	.basicsize = sizeof(core_device),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

static PyMethodDef functions[] = {
	{ "devices", devices, METH_NOARGS,
	  "devices()\n--\n\n"
	  "The devices that this machine's drivers offer, a dict each; those that cannot be used have "
	  "the\n"
	  "reason under \"why\".\n\n"
	  ">>> import tulle\n"
	  ">>> names = [device[\"name\"] for device in tulle.devices()]     # [\"cuda:0\"]\n" },
	{ "_dlpack_open", core_dlpack_open, METH_O,
	  "_dlpack_open(capsule): (pointer, shape, strides, code, bits, lanes, device type, number, "
	  "owner)" },
	{ "_dlpack_wrap", core_dlpack_wrap, METH_VARARGS,
	  "_dlpack_wrap(vector, device type, number): a capsule that holds the vector" },
	{ NULL, NULL, 0, NULL },
};

int core_add_device(PyObject *module)
{
	core_device_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
	if (!core_device_type)
		return -1;
	return PyModule_AddObjectRef(module, "Device", (PyObject *)core_device_type) != 0 ||
	               PyModule_AddFunctions(module, functions) != 0
	           ? -1
	           : 0;
}
