/* core_matrix.c -- the type tulle._core.Matrix: a matrix of tulle, its plans, and what they borrow. */
#include "core.h"

PyTypeObject *core_matrix_type;

static void dealloc(PyObject *object)
{
	core_matrix *self = (core_matrix *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	/* Plans first: they may read the arrays. */
	for (int op = 0; op < CORE_OPS; op++) {
		core_drop(self->planned[0][op]);
		core_drop(self->planned[1][op]);
	}
	tulle_matrix_destroy(self->matrix);
	for (int i = 0; i < self->held_count; i++)
		PyBuffer_Release(&self->held[i]);
	core_drop_values(self->values);
	release(object);
	Py_DECREF(type);
}

/* ---- attributes ---- */

static PyObject *get_shape(PyObject *self, void *closure)
{
	const core_matrix *a = (const core_matrix *)self;

	(void)closure;
	return Py_BuildValue("LL", (long long)a->rows, (long long)a->cols);
}

static PyObject *get_nnz(PyObject *self, void *closure)
{
	(void)closure;
	return PyLong_FromLongLong(((const core_matrix *)self)->nnz);
}

static PyObject *get_dtype(PyObject *self, void *closure)
{
	PyObject *dtype = core_dtypes[((const core_matrix *)self)->type];

	(void)closure;
	Py_INCREF(dtype);
	return dtype;
}

static PyObject *get_borrows(PyObject *self, void *closure)
{
	(void)closure;
	return PyBool_FromLong(((const core_matrix *)self)->held_count > 0);
}

static PyObject *get_stored(PyObject *self, void *closure)
{
	(void)closure;
	return PyLong_FromLongLong(((const core_matrix *)self)->stored);
}

/* The name of the type that values are kept in, if that has 16 bits. */
static PyObject *get_half(PyObject *self, void *closure)
{
	const core_matrix *a = (const core_matrix *)self;

	(void)closure;
	if (a->given == a->type)
		Py_RETURN_NONE;
	return PyUnicode_FromString(core_type_name(a->given));
}

static PyObject *get_planned(PyObject *self, void *closure)
{
	const core_matrix *a = (const core_matrix *)self;
	int has[CORE_OPS];

	(void)closure;
	for (int op = 0; op < CORE_OPS; op++)
		has[op] = a->planned[0][op] || a->planned[1][op];
	return Py_BuildValue("NN", PyBool_FromLong(has[TULLE_BOTH] || has[TULLE_NORMAL]),
	                     PyBool_FromLong(has[TULLE_BOTH] || has[TULLE_TRANSPOSED]));
}

static PyGetSetDef attributes[] = {
	{ "shape", get_shape, NULL, "(rows, columns)", NULL },
	{ "nnz", get_nnz, NULL, "Stored entries, explicit zeros and duplicates counted.", NULL },
	{ "dtype", get_dtype, NULL,
	  "numpy.dtype of the values: float32, float64, complex64 or complex128.", NULL },
	{ "_borrows", get_borrows, NULL, "Whether arrays that were handed over are read.", NULL },
	{ "_half", get_half, NULL, "float16 or bfloat16 if that is what values are kept in.", NULL },
	{ "_stored", get_stored, NULL, "Values that an update takes.", NULL },
	{ "_planned", get_planned, NULL, "Whether there is a plan for A, and for A.T.", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

/* ---- methods ---- */

#define FAST(f) (PyCFunction)(void (*)(void))(f)

static PyMethodDef methods[] = {
	{ "_from_csr", core_from_csr, METH_VARARGS | METH_CLASS,
	  "_from_csr(rows, cols, indptr, indices, data, copy, itemsize)" },
	{ "_from_csc", core_from_csc, METH_VARARGS | METH_CLASS,
	  "_from_csc(rows, cols, indptr, indices, data, copy, itemsize)" },
	{ "_from_coo", core_from_coo, METH_VARARGS | METH_CLASS,
	  "_from_coo(rows, cols, row, col, data, copy, itemsize)" },
	{ "_from_bsr", core_from_bsr, METH_VARARGS | METH_CLASS,
	  "_from_bsr((block_rows, block_cols, indptr, indices, data, copy, itemsize), height, width)" },
	{ "_read", core_read, METH_VARARGS | METH_CLASS, "_read(path, itemsize)" },
	{ "_load", core_load, METH_VARARGS | METH_CLASS, "_load(path, mmap): a matrix with its plan" },
	{ "_save", core_save, METH_VARARGS, "_save(transposed, path)" },
	{ "_choices", core_choices, METH_NOARGS,
	  "_choices(): the choices of the plans as text, by operation; None if no plan has one" },
	{ "_plan_by", core_plan_by, METH_VARARGS, "_plan_by(choice)" },
	{ "_latest", core_latest, METH_NOARGS, "_latest(): a matrix with the latest values" },
	{ "_arrays", core_arrays, METH_NOARGS,
	  "_arrays(): bytes and type of data (None: all ones), indices and indptr, as made; they must\n"
	  "not be looked at when the matrix is gone" },
	{ "_plan", core_plan, METH_VARARGS,
	  "_plan(op, multiplies, measure, reproducible, format, lossy, wisdom, stores, vectors, "
	  "online, wide)" },
	{ "_update", core_update, METH_O, "_update(values)" },
	{ "_explain", core_explain, METH_O, "_explain(transposed)" },
	{ "_describe", core_describe, METH_O, "_describe(transposed)" },
	{ "_candidates", core_candidates, METH_O, "_candidates(transposed)" },
	{ "_rank", core_rank, METH_VARARGS, "_rank(transposed, device, reproducible)" },
	{ "_pagerank", core_pagerank, METH_VARARGS,
	  "_pagerank(alpha, tol, max_iter, teleport, measure, format, ranks)" },
	{ "_multiply_new", FAST(core_product), METH_FASTCALL, "_multiply_new(x, transposed)" },
	{ "_multiply", FAST(core_multiply), METH_FASTCALL,
	  "_multiply(x, out, transposed, alpha, beta)" },
	{ "_step", core_step, METH_VARARGS, "_step(transposed, alpha, x, beta, gamma, w, out, wide)" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A matrix of libtulle and its plans; the class tulle.Matrix is made of it." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_getset, attributes },
	{ Py_tp_methods, methods },
	{ Py_nb_matrix_multiply, core_matmul },
	{ 0, NULL },
};

/* Not to be made by calling it: an object without a matrix must not exist. */
static PyType_Spec spec = {
	.name = "tulle._core.Matrix",
	.basicsize = sizeof(core_matrix),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

PyObject *core_make_type(PyObject *module)
{
	PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);

	core_matrix_type = (PyTypeObject *)type;
	return type;
}
