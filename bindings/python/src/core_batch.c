/* core_batch.c -- the type tulle._core.Batch: many small matrices that are multiplied in one call. */
#include "core.h"

#include <tulle_batch.h>

typedef struct {
	PyObject_HEAD tulle_batch *batch;
	tulle_batch_info info;
	int users; /* products that run; changed under the interpreter's lock only */
} core_batch;

static void dealloc(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	tulle_batch_destroy(((core_batch *)object)->batch);
	release(object);
	Py_DECREF(type);
}

/* ---- making ---- */

enum { ROWS, COLS, ROW_PTR, COL, DATA, SCALE, ARRAYS };

typedef struct {
	PyObject *given[ARRAYS];
	core_array array[ARRAYS];
	int taken[ARRAYS];
} arrays;

static void release_arrays(arrays *a)
{
	for (int i = 0; i < ARRAYS; i++)
		if (a->taken[i])
			PyBuffer_Release(&a->array[i].view);
}

/* Data and scale may be None. The package has seen to types and lengths; this guards against crashes. */
static int take_arrays(arrays *a)
{
	static const char *const names[ARRAYS] = {
		"rows", "cols", "indptr", "indices", "data", "scale"
	};
	static const char kinds[ARRAYS] = { 'i', 'i', 'i', 'i', 'c', 'f' };

	for (int i = 0; i < ARRAYS; i++) {
		if (i >= DATA && a->given[i] == Py_None)
			continue;
		if (core_take_array(a->given[i], names[i], kinds[i], &a->array[i]) != 0)
			return -1;
		a->taken[i] = 1;
	}
	if (a->array[ROWS].element != 8 || a->array[COLS].element != 8 ||
	    a->array[ROWS].count != a->array[COLS].count ||
	    (a->taken[SCALE] &&
	     (a->array[SCALE].element != 8 || a->array[SCALE].count != a->array[ROWS].count))) {
		PyErr_SetString(PyExc_ValueError,
		                "rows, cols and scale differ in length or are not 64-bit");
		return -1;
	}
	return 0;
}

static int64_t element_of(const core_array *a, int64_t i)
{
	return a->element == 4 ? ((const int32_t *)a->start)[i] : ((const int64_t *)a->start)[i];
}

/* Whether the array has `more` elements after the first *used; a shared array is read from its start. */
static int reach(const core_array *a, int shared, int64_t *used, int64_t more)
{
	const int64_t before = shared ? 0 : *used;

	if (more < 0 || more > a->count - before)
		return 0;
	*used = before + more;
	return 1;
}

/* tulle trusts lengths: what the offsets reach must be there. */
static int check_reach(const arrays *a, int shared)
{
	const int64_t *rows = a->array[ROWS].start;
	int64_t offsets = 0, columns = 0, values = 0;

	for (int64_t i = 0; i < a->array[ROWS].count; i++) {
		const char *missing = NULL;
		int64_t entries = 0;

		if (rows[i] < 0 || rows[i] >= a->array[ROW_PTR].count ||
		    !reach(&a->array[ROW_PTR], shared & TULLE_SHARED_ROWS, &offsets, rows[i] + 1))
			missing = "indptr";
		else
			entries = element_of(&a->array[ROW_PTR], offsets - 1);
		if (!missing && !reach(&a->array[COL], shared & TULLE_SHARED_COLUMNS, &columns, entries))
			missing = "indices";
		if (!missing && a->taken[DATA] &&
		    !reach(&a->array[DATA], shared & TULLE_SHARED_VALUES, &values, entries))
			missing = "data";
		if (missing) {
			PyErr_Format(PyExc_ValueError,
			             "problem %lld of %lld rows and %lld entries is not all in %s",
			             (long long)i, (long long)rows[i], (long long)entries, missing);
			return -1;
		}
	}
	return 0;
}

static PyObject *adopt(PyObject *cls, tulle_batch *batch)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
	core_batch *self = (core_batch *)alloc((PyTypeObject *)cls, 0);

	if (!self) {
		tulle_batch_destroy(batch);
		return NULL;
	}
	self->batch = batch;
	self->info.size = sizeof self->info;
	tulle_batch_describe(batch, &self->info);
	return (PyObject *)self;
}

static tulle_index_type index_type(const core_array *a)
{
	return a->element == 4 ? TULLE_I32 : TULLE_I64;
}

static PyObject *create(PyObject *cls, arrays *a, tulle_batch_source *source,
                        const tulle_batch_options *options)
{
	tulle_batch *batch = NULL;
	core_detached before;
	tulle_status status;

	source->count = a->array[ROWS].count;
	source->rows = a->array[ROWS].start;
	source->cols = a->array[COLS].start;
	source->offset_type = index_type(&a->array[ROW_PTR]);
	source->row_ptr = a->array[ROW_PTR].start;
	source->column_type = index_type(&a->array[COL]);
	source->col = a->array[COL].start;
	if (a->taken[DATA]) {
		source->value_type = core_value_type(a->array[DATA].element);
		source->val = a->array[DATA].start;
	}
	source->scale = a->taken[SCALE] ? a->array[SCALE].start : NULL;
	before = core_detach();
	status = tulle_batch_create(NULL, source, options, &batch);
	core_resume(before);
	return status == TULLE_OK ? adopt(cls, batch) : core_raise(status);
}

/* (rows, cols, indptr, indices, data or None, scale or None, shared, code, multiplies, kernel): `code` is the element of a core_array */
static PyObject *from_arrays(PyObject *cls, PyObject *args)
{
	tulle_batch_source source = { .size = sizeof source };
	tulle_batch_options options = { .size = sizeof options };
	PyObject *self = NULL;
	arrays a = { .taken = { 0 } };
	int element;

	if (!PyArg_ParseTuple(args, "OOOOOOiidz", &a.given[ROWS], &a.given[COLS], &a.given[ROW_PTR],
	                      &a.given[COL], &a.given[DATA], &a.given[SCALE], &source.shared, &element,
	                      &options.multiplies, &options.kernel))
		return NULL;
	source.value_type = core_value_type(element);
	if (take_arrays(&a) == 0 && check_reach(&a, source.shared) == 0)
		self = create(cls, &a, &source, &options);
	release_arrays(&a);
	return self;
}

/* ---- multiplying ---- */

static tulle_status run(const tulle_batch *batch, tulle_value_type type, tulle_c128 alpha,
                        const void *x, tulle_c128 beta, void *y)
{
	switch (type) {
	case TULLE_F32:
		return tulle_batch_mul_f32(batch, TULLE_PACKED, (float)alpha.re, x, (float)beta.re, y);
	case TULLE_F64: return tulle_batch_mul_f64(batch, TULLE_PACKED, alpha.re, x, beta.re, y);
	case TULLE_C64:
		return tulle_batch_mul_c64(batch, TULLE_PACKED, core_narrow(alpha), x, core_narrow(beta),
		                           y);
	case TULLE_C128: return tulle_batch_mul_c128(batch, TULLE_PACKED, alpha, x, beta, y);
	case TULLE_F16:
	case TULLE_BF16: break; /* tulle_batch_create() refuses these */
	}
	return TULLE_E_INTERNAL;
}

static PyObject *multiply(core_batch *self, tulle_c128 alpha, tulle_c128 beta,
                          const core_vectors *x, const core_vectors *y)
{
	const core_detached before = (self->users++, core_detach());
	const tulle_status status =
	    run(self->batch, self->info.value_type, alpha, x->start, beta, y->start);

	core_resume(before);
	self->users--;
	if (status != TULLE_OK)
		return core_raise(status);
	Py_RETURN_NONE;
}

/* (x, out, alpha, beta): arrays of one dimension. */
static PyObject *batch_multiply(PyObject *self, PyObject *args)
{
	core_batch *b = (core_batch *)self;
	const tulle_value_type type = b->info.value_type;
	PyObject *from, *to, *factor[2], *done;
	core_vectors x, y;
	tulle_c128 alpha, beta;
	const char *why;

	if (!PyArg_ParseTuple(args, "OOOO", &from, &to, &factor[0], &factor[1]))
		return NULL;
	alpha = core_factor(type, factor[0]);
	beta = core_factor(type, factor[1]);
	if (PyErr_Occurred())
		return NULL;
	if (core_take_vector(from, type, b->info.x_size[TULLE_PACKED], 0, &x, &why) != 0)
		return core_no_memory(why) ? NULL : PyErr_Format(PyExc_ValueError, "x %s", why);
	if (core_take_vector(to, type, b->info.y_size[TULLE_PACKED], 1, &y, &why) != 0) {
		PyBuffer_Release(&x.view);
		return core_no_memory(why) ? NULL : PyErr_Format(PyExc_ValueError, "out %s", why);
	}
	done = multiply(b, alpha, beta, &x, &y);
	PyBuffer_Release(&x.view);
	PyBuffer_Release(&y.view);
	return done;
}

static PyObject *batch_update(PyObject *self, PyObject *values)
{
	core_batch *b = (core_batch *)self;
	tulle_status status;
	core_array new;
	int team;

	if (core_take_array(values, "values", 'c', &new) != 0)
		return NULL;
	/* Looked at after `values`, whose code may have let other threads run. */
	if (b->users > 0) {
		PyErr_SetString(PyExc_RuntimeError,
		                "another thread multiplies by this batch: update it afterwards");
		PyBuffer_Release(&new.view);
		return NULL;
	}
	if (new.count != b->info.values || core_value_type(new.element) != b->info.value_type) {
		PyErr_Format(PyExc_ValueError, "values: %lld elements of %s, the batch has %lld of %s",
		             (long long)new.count, core_type_name(core_value_type(new.element)),
		             (long long)b->info.values, core_type_name(b->info.value_type));
		PyBuffer_Release(&new.view);
		return NULL;
	}
	team = core_set_team();
	status = tulle_batch_update(b->batch, new.start);
	core_restore_team(team);
	PyBuffer_Release(&new.view);
	if (status != TULLE_OK)
		return core_raise(status);
	Py_RETURN_NONE;
}

/* ---- telling ---- */

static size_t explain_batch(const void *batch, char *text, size_t size)
{
	return tulle_batch_explain(batch, text, size);
}

static PyObject *batch_explain(PyObject *self, PyObject *nothing)
{
	(void)nothing;
	return core_text(explain_batch, ((core_batch *)self)->batch);
}

static PyObject *one_class(const tulle_batch *batch, int n)
{
	tulle_batch_class_info c = { .size = sizeof c };
	const tulle_status status = tulle_batch_class(batch, n, &c);

	if (status != TULLE_OK)
		return core_raise(status);
	return Py_BuildValue("{s:s,s:L,s:L,s:L,s:L,s:K,s:d,s:s}", "kernel", c.kernel, "problems",
	                     (long long)c.problems, "nnz", (long long)c.nnz, "least_rows",
	                     (long long)c.least_rows, "most_rows", (long long)c.most_rows, "bytes",
	                     (unsigned long long)c.bytes, "multiply_seconds", c.multiply_seconds,
	                     "because", c.because);
}

static PyObject *batch_describe(PyObject *self, PyObject *nothing)
{
	const core_batch *b = (const core_batch *)self;
	const tulle_batch_info *i = &b->info;
	PyObject *classes = PyList_New(0);

	(void)nothing;
	for (int n = 0; classes && n < i->classes; n++) {
		PyObject *one = one_class(b->batch, n);

		if (!one || PyList_Append(classes, one) != 0)
			Py_CLEAR(classes);
		Py_XDECREF(one);
	}
	if (!classes)
		return NULL;
	return Py_BuildValue(
	    "{s:L,s:L,s:L,s:L,s:L,s:s,s:s,s:i,s:K,s:K,s:d,s:N}", "count", (long long)i->count, "rows",
	    (long long)i->rows, "cols", (long long)i->cols, "nnz", (long long)i->nnz, "values",
	    (long long)i->values, "isa", i->isa, "special", i->special, "lanes", i->lanes, "bytes",
	    (unsigned long long)i->bytes, "extra_bytes", (unsigned long long)i->extra_bytes, "seconds",
	    i->seconds, "classes", classes);
}

static PyMethodDef methods[] = {
	{ "_from_arrays", from_arrays, METH_VARARGS | METH_CLASS,
	  "_from_arrays(rows, cols, indptr, indices, data, scale, shared, code, multiplies, "
	  "kernel)" },
	{ "_multiply", batch_multiply, METH_VARARGS, "_multiply(x, out, alpha, beta)" },
	{ "_update", batch_update, METH_O, "_update(values)" },
	{ "explain", batch_explain, METH_NOARGS,
	  "explain($self, /)\n--\n\nWhat the problems share, and which kernel each kind has, and "
	  "why." },
	{ "describe", batch_describe, METH_NOARGS,
	  "describe($self, /)\n--\n\nWhat `explain` reports, as a dict." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A batch of libtulle; the class tulle.Batch is made of it." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "tulle._core.Batch",
	.basicsize = sizeof(core_batch),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

PyObject *core_make_batch_type(PyObject *module)
{
	return PyType_FromModuleAndSpec(module, &spec, NULL);
}
