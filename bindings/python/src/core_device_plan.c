/* core_device_plan.c -- the type tulle._core.DevicePlan: a matrix on a device; and the ranking of formats. */
#include "core_device.h"

typedef struct {
	PyObject_HEAD core_device *device;
	tulle_device_plan *plan;
	tulle_device_plan_info info;
} core_device_plan;

static void dealloc(PyObject *object)
{
	core_device_plan *self = (core_device_plan *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
	const core_detached before = core_detach(); /* it waits for the device */

	tulle_device_plan_destroy(self->plan);
	core_resume(before);
	Py_XDECREF((PyObject *)self->device);
	release(object);
	Py_DECREF(type);
}

/* ---- making ---- */

/* The values of the matrix's latest update, for a plan of the values it was made with. */
static tulle_status bring_up_to_date(core_device_plan *self, const core_matrix *a)
{
	tulle_queue *queue = NULL;
	tulle_vector *values = NULL;
	tulle_status status = tulle_queue_create(self->device->device, NULL, &queue);

	if (status == TULLE_OK)
		status = tulle_vector_create(self->device->device, a->type, a->stored, NULL, &values);
	if (status == TULLE_OK)
		status = tulle_vector_write(queue, values, 0, a->stored, a->values->array.start);
	if (status == TULLE_OK)
		status = tulle_device_plan_update(self->plan, queue, values);
	if (status == TULLE_OK)
		status = tulle_queue_finish(queue);
	tulle_vector_destroy(values);
	tulle_queue_destroy(queue);
	return status;
}

static tulle_status create(core_device_plan *self, const core_matrix *a,
                           const tulle_device_plan_options *options)
{
	const core_detached before = core_detach();
	tulle_status status =
	    tulle_device_plan_create(self->device->device, a->matrix, options, &self->plan);

	core_resume(before);
	/* Under the lock: an update may have come meanwhile. */
	if (status == TULLE_OK && options->updates && a->values)
		status = bring_up_to_date(self, a);
	if (status == TULLE_OK)
		status = tulle_device_plan_describe(self->plan, &self->info);
	return status;
}

/* (device, matrix, transposed, format or None, reproducible, updates). Without updates the matrix must
 * have its latest values. */
static PyObject *plan_create(PyObject *cls, PyObject *args)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
	tulle_device_plan_options options = { .size = sizeof options };
	PyObject *device, *matrix;
	core_device_plan *self;
	tulle_status status;
	int transposed;

	if (!PyArg_ParseTuple(args, "O!O!pzpp", core_device_type, &device, core_matrix_type, &matrix,
	                      &transposed, &options.format, &options.reproducible, &options.updates))
		return NULL;
	if (((const core_matrix *)matrix)->type > TULLE_F64)
		return PyErr_Format(PyExc_NotImplementedError,
		                    "a device: no complex values from Python, these are %s",
		                    core_type_name(((const core_matrix *)matrix)->type));
	options.op = transposed ? TULLE_TRANSPOSED : TULLE_NORMAL;
	self = (core_device_plan *)alloc((PyTypeObject *)cls, 0);
	if (!self)
		return NULL;
	Py_INCREF(device);
	self->device = (core_device *)device;
	self->info.size = sizeof self->info;
	status = create(self, (const core_matrix *)matrix, &options);
	if (status == TULLE_OK)
		return (PyObject *)self;
	core_raise(status);
	Py_DECREF((PyObject *)self);
	return NULL;
}

/* ---- work ---- */

static PyObject *done(tulle_status status)
{
	if (status != TULLE_OK)
		return core_raise(status);
	Py_RETURN_NONE;
}

/* (x, y, alpha, beta, stream). The lock is kept: the call only queues, and queues have state. */
static PyObject *plan_multiply(PyObject *object, PyObject *args)
{
	core_device_plan *self = (core_device_plan *)object;
	unsigned long long stream;
	PyObject *x, *y;
	double alpha, beta;
	tulle_queue *queue;

	if (!PyArg_ParseTuple(args, "O!O!ddK", core_vector_type, &x, core_vector_type, &y, &alpha,
	                      &beta, &stream))
		return NULL;
	queue = core_queue_of(self->device, (uintptr_t)stream);
	if (!queue)
		return NULL;
	return done(tulle_device_mul(self->plan, queue, alpha, ((core_vector *)x)->vector, beta,
	                             ((core_vector *)y)->vector));
}

/* (values, stream) */
static PyObject *plan_update(PyObject *object, PyObject *args)
{
	core_device_plan *self = (core_device_plan *)object;
	unsigned long long stream;
	tulle_queue *queue;
	PyObject *values;

	if (!PyArg_ParseTuple(args, "O!K", core_vector_type, &values, &stream))
		return NULL;
	queue = core_queue_of(self->device, (uintptr_t)stream);
	return queue
	           ? done(tulle_device_plan_update(self->plan, queue, ((core_vector *)values)->vector))
	           : NULL;
}

/* (stream) */
static PyObject *plan_prepare(PyObject *object, PyObject *args)
{
	core_device_plan *self = (core_device_plan *)object;
	unsigned long long stream;
	tulle_queue *queue;

	if (!PyArg_ParseTuple(args, "K", &stream))
		return NULL;
	queue = core_queue_of(self->device, (uintptr_t)stream);
	return queue ? done(tulle_device_mul_prepare(self->plan, queue)) : NULL;
}

/* ---- telling ---- */

static PyObject *plan_describe(PyObject *object, PyObject *nothing)
{
	const core_device_plan *self = (const core_device_plan *)object;
	const tulle_device_plan_info *i = &self->info;

	(void)nothing;
	return Py_BuildValue("{s:s,s:s,s:s,s:K,s:K,s:K,s:i,s:N}", "device", self->device->info.name,
	                     "format", i->format, "note", i->note, "bytes",
	                     (unsigned long long)i->bytes, "peak", (unsigned long long)i->peak,
	                     "scratch", (unsigned long long)i->scratch, "launches", i->launches,
	                     "same_bits", PyBool_FromLong(i->same_bits));
}

static PyObject *candidate(const tulle_device_candidate_info *c)
{
	return Py_BuildValue("{s:s,s:N,s:s,s:d,s:d,s:d,s:d,s:d,s:i,s:d,s:N}", "format", c->format,
	                     "out", PyBool_FromLong(c->out), "because", c->because, "relative",
	                     c->relative, "bytes", c->bytes, "requested", c->requested, "x_requested",
	                     c->x_requested, "instructions", c->instructions, "launches", c->launches,
	                     "occupancy", c->occupancy, "same_bits", PyBool_FromLong(c->same_bits));
}

static PyObject *candidates(const tulle_device_ranking *ranking)
{
	tulle_device_candidate_info info = { .size = sizeof info };
	PyObject *list = PyList_New(0);

	for (int n = 0; list && tulle_device_ranking_candidate(ranking, n, &info); n++) {
		PyObject *one = candidate(&info);

		if (!one || PyList_Append(list, one) != 0)
			Py_CLEAR(list);
		Py_XDECREF(one);
	}
	return list;
}

/* (transposed, name or path of a device, reproducible) */
PyObject *core_rank(PyObject *self, PyObject *args)
{
	tulle_device_plan_options options = { .size = sizeof options };
	tulle_device_model model = { .size = sizeof model };
	tulle_device_ranking *ranking = NULL;
	PyObject *name, *list;
	core_detached before;
	tulle_status status;
	int transposed;

	if (!PyArg_ParseTuple(args, "pO&p", &transposed, PyUnicode_FSConverter, &name,
	                      &options.reproducible))
		return NULL;
	options.op = transposed ? TULLE_TRANSPOSED : TULLE_NORMAL;
	before = core_detach();
	status = tulle_device_model_find(NULL, PyBytes_AsString(name), &model);
	if (status == TULLE_OK)
		status =
		    tulle_device_ranking_create(((core_matrix *)self)->matrix, &model, &options, &ranking);
	core_resume(before);
	Py_DECREF(name);
	if (status != TULLE_OK)
		return core_raise(status);
	list = candidates(ranking);
	tulle_device_ranking_destroy(ranking);
	return list;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
	{ "_create", plan_create, METH_VARARGS | METH_CLASS,
	  "_create(device, matrix, transposed, format, reproducible, updates)" },
	{ "_multiply", plan_multiply, METH_VARARGS, "_multiply(x, y, alpha, beta, stream)" },
	{ "_update", plan_update, METH_VARARGS, "_update(values, stream)" },
	{ "_prepare", plan_prepare, METH_VARARGS, "_prepare(stream)" },
	{ "describe", plan_describe, METH_NOARGS,
	  "describe($self, /)\n--\n\nWhat `explain` reports, as a dict." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A matrix on a device; the class tulle.DeviceMatrix is made of it." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "tulle._core.DevicePlan",
	.basicsize = sizeof(core_device_plan),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

int core_add_device_plan(PyObject *module)
{
	PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
	const int bad = !type || PyModule_AddObjectRef(module, "DevicePlan", type) != 0;

	Py_XDECREF(type);
	return bad ? -1 : 0;
}
