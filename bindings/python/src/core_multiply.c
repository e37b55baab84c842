/* core_multiply.c -- products: arrays in order are multiplied here at once, others go through Python.
 *
 * The way of `A @ x` for an x that can be used as it lies has no Python code in it. Any other x is
 * handed to the method _product() of the class in tulle/_matrix.py, which converts it or says what is
 * wrong. */
#include "core.h"

static int64_t length_of_x(const core_matrix *a, tulle_op op)
{
	return op == TULLE_NORMAL ? a->cols : a->rows;
}

static int64_t length_of_y(const core_matrix *a, tulle_op op)
{
	return op == TULLE_NORMAL ? a->rows : a->cols;
}

static tulle_status run(const tulle_plan *plan, tulle_value_type type, double alpha,
                        const core_vectors *x, double beta, const core_vectors *y)
{
	const void *from = x->start;
	void *to = y->start;

	if (!x->wide && type == TULLE_F64)
		return tulle_mul_f64(plan, alpha, from, beta, to);
	if (!x->wide)
		return tulle_mul_f32(plan, (float)alpha, from, (float)beta, to);
	if (type == TULLE_F64)
		return tulle_mul_many_f64(plan, x->k, x->order, alpha, from, x->ld, beta, to, y->ld);
	return tulle_mul_many_f32(plan, x->k, x->order, (float)alpha, from, x->ld, (float)beta, to,
	                          y->ld);
}

/* y = alpha A x + beta y, other Python threads running meanwhile. */
static int multiply(core_matrix *a, tulle_op op, tulle_value_type type, double alpha,
                    const core_vectors *x, double beta, const core_vectors *y)
{
	core_planned *planned = core_use(a, op, type);
	core_detached before;
	tulle_status status;

	if (!planned)
		return -1;
	before = core_detach();
	status = run(core_plan_for(planned, op), type, alpha, x, beta, y);
	core_resume(before);
	core_drop(planned);
	if (status == TULLE_OK)
		return 0;
	core_raise(status);
	return -1;
}

/* ---- a product into a new array ---- */

static PyObject *new_result(const core_matrix *a, tulle_op op, tulle_value_type type,
                            const core_vectors *x)
{
	PyObject *dtype = core_dtypes[type == TULLE_F64];
	PyObject *length = PyLong_FromLongLong(length_of_y(a, op)), *y = NULL;

	if (!length)
		return NULL;
	if (!x->wide)
		y = PyObject_CallFunctionObjArgs(core_empty, length, dtype, NULL);
	else
		y = PyObject_CallFunction(core_empty, "(OL)Os", length, (long long)x->k, dtype,
		                          x->order == TULLE_ROW_MAJOR ? "C" : "F");
	Py_DECREF(length);
	return y;
}

static PyObject *product(core_matrix *a, PyObject *given, tulle_op op)
{
	PyObject *result;
	core_vectors x, y;
	tulle_value_type type;
	const char *why;
	int bad;

	if (core_take_any_vectors(given, a->type, length_of_x(a, op), 0, &x, &type, &why) != 0)
		return PyObject_CallMethod((PyObject *)a, "_product", "Oi", given, (int)op);
	result = new_result(a, op, type, &x);
	bad = !result || core_take_vectors(result, type, length_of_y(a, op), 1, &y, &why) != 0;
	if (bad) {
		if (result)
			PyErr_Format(PyExc_SystemError, "an array made by numpy.empty %s", why);
	} else {
		/* Never refused for x and y lying differently: y was made as x lies. */
		core_same_order(&x, &y);
		bad = multiply(a, op, type, 1, &x, 0, &y);
		PyBuffer_Release(&y.view);
	}
	PyBuffer_Release(&x.view);
	if (bad)
		Py_CLEAR(result);
	return result;
}

/* The operator @, with the matrix on either side. */
PyObject *core_matmul(PyObject *left, PyObject *right)
{
	if (!PyObject_TypeCheck(left, core_matrix_type))
		return PyObject_CallMethod(right, "_left_product", "(O)", left);
	if (PyObject_TypeCheck(right, core_matrix_type)) {
		PyErr_SetString(PyExc_TypeError,
		                "tulle multiplies matrices by vectors, not by other sparse matrices");
		return NULL;
	}
	return product((core_matrix *)left, right, TULLE_NORMAL);
}

static int op_of(PyObject *transposed, tulle_op *op)
{
	const int t = PyObject_IsTrue(transposed);

	*op = t ? TULLE_TRANSPOSED : TULLE_NORMAL;
	return t < 0 ? -1 : 0;
}

/* (x, transposed) */
PyObject *core_product(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
	tulle_op op;

	if (count != 2) {
		PyErr_Format(PyExc_TypeError, "_multiply_new(x, transposed) got %zd arguments", count);
		return NULL;
	}
	return op_of(args[1], &op) != 0 ? NULL : product((core_matrix *)self, args[0], op);
}

/* ---- a product into an array of the caller's ---- */

/* The exception about an `out` that cannot be used as it lies. */
static PyObject *refuse(const core_matrix *a, PyObject *out, const char *why, int64_t n)
{
	PyObject *shape = PyObject_GetAttrString(out, "shape"), *type = NULL;

	if (shape)
		type = PyObject_GetAttrString(out, "dtype");
	if (!type)
		PyErr_Clear();
	PyErr_Format(type ? PyExc_ValueError : PyExc_TypeError,
	             "out %s: it is a %R of shape %R, dtype %R; expected %s with vectors of %lld", why,
	             (PyObject *)Py_TYPE(out), shape ? shape : Py_None, type ? type : Py_None,
	             a->type == TULLE_F32 ? "float32 or float64" : "float64", (long long)n);
	Py_XDECREF(shape);
	Py_XDECREF(type);
	return NULL;
}

static PyObject *not_as_it_lies(void)
{
	Py_INCREF(Py_NotImplemented);
	return Py_NotImplemented;
}

static PyObject *multiply_pair(core_matrix *a, tulle_op op, tulle_value_type type, double alpha,
                               core_vectors *x, double beta, core_vectors *y, PyObject *out)
{
	if (x->wide != y->wide || x->k != y->k) {
		PyErr_Format(PyExc_ValueError, "x has %d dimensions and %lld vectors, out has %d and %lld",
		             1 + x->wide, (long long)x->k, 1 + y->wide, (long long)y->k);
		return NULL;
	}
	if (!core_same_order(x, y))
		return not_as_it_lies();
	if (multiply(a, op, type, alpha, x, beta, y) != 0)
		return NULL;
	Py_INCREF(out);
	return out;
}

/* (x, out, transposed, alpha, beta): out = alpha A x + beta out, computed in the type of out. Returns out, or
 * NotImplemented if x must be converted first. */
PyObject *core_multiply(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
	core_matrix *a = (core_matrix *)self;
	PyObject *result;
	core_vectors x, y;
	double alpha, beta;
	tulle_value_type type;
	const char *why;
	tulle_op op;

	if (count != 5) {
		PyErr_Format(PyExc_TypeError,
		             "_multiply(x, out, transposed, alpha, beta) got %zd arguments", count);
		return NULL;
	}
	alpha = PyFloat_AsDouble(args[3]);
	beta = PyFloat_AsDouble(args[4]);
	if (op_of(args[2], &op) != 0 || PyErr_Occurred())
		return NULL;
	if (core_take_any_vectors(args[1], a->type, length_of_y(a, op), 1, &y, &type, &why) != 0)
		return refuse(a, args[1], why, length_of_y(a, op));
	if (core_take_vectors(args[0], type, length_of_x(a, op), 0, &x, &why) != 0) {
		PyBuffer_Release(&y.view);
		return not_as_it_lies();
	}
	result = multiply_pair(a, op, type, alpha, &x, beta, &y, args[1]);
	PyBuffer_Release(&x.view);
	PyBuffer_Release(&y.view);
	return result;
}
