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

tulle_c64 core_narrow(tulle_c128 s)
{
	return (tulle_c64){ (float)s.re, (float)s.im };
}

static tulle_status run_one(const tulle_plan *plan, tulle_value_type type, tulle_c128 alpha,
                            const void *x, tulle_c128 beta, void *y)
{
	switch (type) {
	case TULLE_F32: return tulle_mul_f32(plan, (float)alpha.re, x, (float)beta.re, y);
	case TULLE_F64: return tulle_mul_f64(plan, alpha.re, x, beta.re, y);
	case TULLE_C64: return tulle_mul_c64(plan, core_narrow(alpha), x, core_narrow(beta), y);
	case TULLE_C128: return tulle_mul_c128(plan, alpha, x, beta, y);
	case TULLE_F16:
	case TULLE_BF16: break; /* no vectors have these */
	}
	return TULLE_E_INTERNAL;
}

static tulle_status run(const tulle_plan *plan, tulle_value_type type, tulle_c128 alpha,
                        const core_vectors *x, tulle_c128 beta, const core_vectors *y)
{
	const void *from = x->start;
	void *to = y->start;

	if (!x->wide)
		return run_one(plan, type, alpha, from, beta, to);
	switch (type) {
	case TULLE_F32:
		return tulle_mul_many_f32(plan, x->k, x->order, (float)alpha.re, from, x->ld,
		                          (float)beta.re, to, y->ld);
	case TULLE_F64:
		return tulle_mul_many_f64(plan, x->k, x->order, alpha.re, from, x->ld, beta.re, to, y->ld);
	case TULLE_C64:
		return tulle_mul_many_c64(plan, x->k, x->order, core_narrow(alpha), from, x->ld,
		                          core_narrow(beta), to, y->ld);
	case TULLE_C128:
		return tulle_mul_many_c128(plan, x->k, x->order, alpha, from, x->ld, beta, to, y->ld);
	case TULLE_F16:
	case TULLE_BF16: break;
	}
	return TULLE_E_INTERNAL;
}

/* y = alpha A x + beta y, other Python threads running meanwhile. */
static int multiply(core_matrix *a, tulle_op op, tulle_value_type type, tulle_c128 alpha,
                    const core_vectors *x, tulle_c128 beta, const core_vectors *y)
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
	PyObject *dtype = core_dtypes[type];
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
		if (result && !core_no_memory(why))
			PyErr_Format(PyExc_SystemError, "an array made by numpy.empty %s", why);
	} else {
		/* Never refused for x and y lying differently: y was made as x lies. */
		core_same_order(&x, &y);
		bad = multiply(a, op, type, (tulle_c128){ 1, 0 }, &x, (tulle_c128){ 0, 0 }, &y);
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

int core_op_of(const core_matrix *a, PyObject *number, tulle_op *op)
{
	const long n = PyLong_AsLong(number);

	if (n == -1 && PyErr_Occurred())
		return -1;
	if (n != TULLE_NORMAL && n != TULLE_TRANSPOSED && n != TULLE_CONJUGATE) {
		PyErr_Format(PyExc_ValueError, "%ld is no direction of a product", n);
		return -1;
	}
	*op = (tulle_op)n;
	if (*op == TULLE_CONJUGATE && a->type != TULLE_C64 && a->type != TULLE_C128)
		*op = TULLE_TRANSPOSED;
	return 0;
}

tulle_c128 core_factor(tulle_value_type type, PyObject *number)
{
	if (type == TULLE_C64 || type == TULLE_C128)
		return (tulle_c128){ PyComplex_RealAsDouble(number), PyComplex_ImagAsDouble(number) };
	return (tulle_c128){ PyFloat_AsDouble(number), 0 };
}

/* (x, transposed) */
PyObject *core_product(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
	tulle_op op;

	if (count != 2) {
		PyErr_Format(PyExc_TypeError, "_multiply_new(x, transposed) got %zd arguments", count);
		return NULL;
	}
	return core_op_of((core_matrix *)self, args[1], &op) != 0
	           ? NULL
	           : product((core_matrix *)self, args[0], op);
}

/* ---- a product into an array of the caller's ---- */

/* The exception about an `out` that cannot be used as it lies. */
static PyObject *refuse(const core_matrix *a, PyObject *out, const char *why, int64_t n)
{
	PyObject *shape, *type = NULL;

	if (core_no_memory(why))
		return NULL;
	shape = PyObject_GetAttrString(out, "shape");
	if (shape)
		type = PyObject_GetAttrString(out, "dtype");
	if (!type)
		PyErr_Clear();
	PyErr_Format(type ? PyExc_ValueError : PyExc_TypeError,
	             "out %s: it is a %R of shape %R, dtype %R; expected %s with vectors of %lld", why,
	             (PyObject *)Py_TYPE(out), shape ? shape : Py_None, type ? type : Py_None,
	             a->type == TULLE_F32 ? "float32 or float64" : core_type_name(a->type),
	             (long long)n);
	Py_XDECREF(shape);
	Py_XDECREF(type);
	return NULL;
}

static PyObject *not_as_it_lies(void)
{
	Py_INCREF(Py_NotImplemented);
	return Py_NotImplemented;
}

static PyObject *multiply_pair(core_matrix *a, tulle_op op, tulle_value_type type, tulle_c128 alpha,
                               core_vectors *x, tulle_c128 beta, core_vectors *y, PyObject *out)
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
	tulle_c128 alpha, beta;
	tulle_value_type type;
	const char *why;
	tulle_op op;

	if (count != 5) {
		PyErr_Format(PyExc_TypeError,
		             "_multiply(x, out, transposed, alpha, beta) got %zd arguments", count);
		return NULL;
	}
	alpha = core_factor(a->type, args[3]);
	beta = core_factor(a->type, args[4]);
	if (PyErr_Occurred() || core_op_of(a, args[2], &op) != 0)
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
