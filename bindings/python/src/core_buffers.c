/* core_buffers.c -- what an array must be, and the sentences about those that are not. */
#include "core.h"

#include <string.h>

tulle_value_type core_value_type(int element)
{
	return element == 4     ? TULLE_F32
	       : element == -8  ? TULLE_C64
	       : element == -16 ? TULLE_C128
	       : element == 2   ? TULLE_F16
	       : element == 3   ? TULLE_BF16
	                        : TULLE_F64;
}

const char *core_type_name(tulle_value_type type)
{
	static const char *const names[] = { "",           "float32", "float64", "complex64",
		                                 "complex128", "float16", "bfloat16" };

	return names[type];
}

/* 'f', 'c', 'i', 'h', or 0 for anything that tulle does not take; `why` then says what. Sizes come from
 * itemsize, so the letters are told apart by kind only: C's long has two. */
static char kind_of(const Py_buffer *view, const char **why)
{
	const char *format = view->format ? view->format : "B";
	char letter;

	*why = NULL;
	if (*format == '@' || *format == '=' || *format == '<')
		format++; /* the machines we run on are little-endian */
	else if (*format == '>' || *format == '!')
		*why = "not in the byte order of this machine";
	letter = *format;
	if (letter == 'Z') {
		const int native = !*why && strchr("fd", format[1]) && format[1] && !format[2];

		*why = "complex";
		return native && view->itemsize == (format[1] == 'f' ? 8 : 16) ? 'c' : 0;
	}
	if (*why || (letter && format[1]))
		return 0;
	if ((letter == 'f' && view->itemsize == 4) || (letter == 'd' && view->itemsize == 8))
		return 'f';
	if (letter && strchr("ilq", letter) && (view->itemsize == 4 || view->itemsize == 8))
		return 'i';
	return letter == 'H' && view->itemsize == 2 ? 'h' : 0;
}

/* The first two dimensions of an array. Some exporters leave out the strides (ctypes does) or the shape
 * even if asked for them: the array is then contiguous, or has one dimension. */
typedef struct {
	Py_ssize_t shape[2], strides[2];
} extents;

static extents extents_of(const Py_buffer *view)
{
	const int sides = view->ndim < 2 ? view->ndim : 2;
	extents e = { .shape = { view->itemsize > 0 ? view->len / view->itemsize : 0, 1 } };

	for (int i = 0; view->shape && i < sides; i++)
		e.shape[i] = view->shape[i];
	e.strides[0] = e.shape[1] * view->itemsize;
	e.strides[1] = view->itemsize;
	for (int i = 0; view->strides && i < sides; i++)
		e.strides[i] = view->strides[i];
	return e;
}

/* Whether elements are reached through pointers (suboffsets), which tulle cannot read. */
static int indirect(const Py_buffer *view)
{
	for (int i = 0; view->suboffsets && i < view->ndim; i++)
		if (view->suboffsets[i] >= 0)
			return 1;
	return 0;
}

static void *start_of(const Py_buffer *view, const extents *e)
{
	static double nothing; /* an empty array may begin anywhere, aligned or not */

	return e->shape[0] == 0 || e->shape[1] == 0 ? &nothing : view->buf;
}

/* `kind` 'c': its parts are aligned. */
static int aligned(const Py_buffer *view, const extents *e, char kind)
{
	return (uintptr_t)start_of(view, e) % (uintptr_t)(view->itemsize / (kind == 'c' ? 2 : 1)) == 0;
}

int core_take_array(PyObject *object, const char *name, char kind, core_array *out)
{
	Py_buffer *view = &out->view;
	const char *why;
	char found;
	extents e;

	if (PyObject_GetBuffer(object, view, PyBUF_RECORDS_RO) != 0)
		return -1;
	e = extents_of(view);
	found = kind_of(view, &why);
	if (found != kind && !(kind == 'c' && found == 'f'))
		PyErr_Format(PyExc_TypeError, "%s: %s, but its elements are %s%s%s", name,
		             kind == 'f'   ? "expected float32 or float64"
		             : kind == 'c' ? "expected float32, float64, complex64 or complex128"
		             : kind == 'h' ? "expected the bits of float16 or bfloat16 as uint16"
		                           : "expected int32 or int64",
		             why ? why : "'", why ? "" : (view->format ? view->format : "B"),
		             why ? "" : "'");
	else if (view->ndim != 1)
		PyErr_Format(PyExc_ValueError, "%s has %d dimensions, not one", name, view->ndim);
	else if (indirect(view))
		PyErr_Format(PyExc_ValueError, "%s is not contiguous: it has suboffsets", name);
	else if (e.shape[0] > 1 && e.strides[0] != view->itemsize)
		PyErr_Format(PyExc_ValueError, "%s is not contiguous: its elements are %zd bytes apart",
		             name, e.strides[0]);
	else if (!aligned(view, &e, found))
		PyErr_Format(PyExc_ValueError, "%s is not aligned: it begins at %p", name, view->buf);
	else {
		out->start = start_of(view, &e);
		out->count = e.shape[0];
		out->element = (int)(found == 'c' ? -view->itemsize : view->itemsize);
		return 0;
	}
	PyBuffer_Release(view);
	return -1;
}

PyObject *core_same_bytes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	Py_buffer a, b;
	int same;

	(void)module;
	if (count != 2) {
		PyErr_Format(PyExc_TypeError, "_same_bytes(a, b) got %zd arguments", count);
		return NULL;
	}
	if (PyObject_GetBuffer(args[0], &a, PyBUF_SIMPLE) != 0)
		return NULL;
	if (PyObject_GetBuffer(args[1], &b, PyBUF_SIMPLE) != 0) {
		PyBuffer_Release(&a);
		return NULL;
	}
	Py_BEGIN_ALLOW_THREADS;
	same = a.len == b.len && (a.len == 0 || memcmp(a.buf, b.buf, (size_t)a.len) == 0);
	Py_END_ALLOW_THREADS;
	PyBuffer_Release(&a);
	PyBuffer_Release(&b);
	return PyBool_FromLong(same);
}

/* ---- vectors ---- */

/* A line of `count` elements `stride` bytes apart, each of them `least` bytes wide: how many elements
 * apart, or -1 if that is not a whole number or they overlap. A line of one has no stride. */
static int64_t leading(Py_ssize_t count, Py_ssize_t stride, Py_ssize_t least, Py_ssize_t element)
{
	if (count <= 1)
		return least;
	return stride % element == 0 && stride / element >= least ? stride / element : -1;
}

static const char *place(core_vectors *v, const extents *lies)
{
	const Py_ssize_t e = v->view.itemsize, n = lies->shape[0], k = lies->shape[1];
	const Py_ssize_t down = lies->strides[0], across = lies->strides[1];
	const int64_t rows_ld = k <= 1 || across == e ? leading(n, down, k, e) : -1;
	const int64_t cols_ld = n <= 1 || down == e ? leading(k, across, n, e) : -1;

	v->start = start_of(&v->view, lies);
	memcpy(v->strides, lies->strides, sizeof v->strides);
	v->n = n;
	v->k = k;
	v->wide = v->view.ndim == 2;
	v->both = rows_ld >= 0 && cols_ld >= 0;
	v->order = rows_ld >= 0 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR;
	v->ld = rows_ld >= 0 ? rows_ld : cols_ld;
	if (!v->wide && n > 1 && down != e)
		return "is not contiguous";
	return v->ld < 0 ? "is contiguous neither by rows nor by columns" : NULL;
}

static const char *examine(core_vectors *v, tulle_value_type type, int64_t n, int write)
{
	const Py_buffer *view = &v->view;
	const char *why;
	const char kind = kind_of(view, &why);
	extents e;

	if ((kind != 'f' && kind != 'c') ||
	    core_value_type((int)(kind == 'c' ? -view->itemsize : view->itemsize)) != type)
		return "is of another type";
	if (view->ndim != 1 && view->ndim != 2)
		return "has neither one nor two dimensions";
	if (indirect(view))
		return "is not contiguous";
	e = extents_of(view);
	if (e.shape[0] != n)
		return "has the wrong length";
	if (write && view->readonly)
		return "is read-only";
	return aligned(view, &e, kind) ? place(v, &e) : "is not aligned";
}

static const char no_memory[] = "needs more memory than there is";

int core_no_memory(const char *why)
{
	if (why != no_memory)
		return 0;
	PyErr_NoMemory();
	return 1;
}

int core_take_vectors(PyObject *object, tulle_value_type type, int64_t n, int write,
                      core_vectors *out, const char **why)
{
	if (PyObject_GetBuffer(object, &out->view, PyBUF_RECORDS_RO) != 0) {
		*why = PyErr_ExceptionMatches(PyExc_MemoryError) ? no_memory : "is not an array";
		PyErr_Clear();
		return -1;
	}
	*why = examine(out, type, n, write);
	if (!*why)
		return 0;
	PyBuffer_Release(&out->view);
	return -1;
}

int core_take_any_vectors(PyObject *object, tulle_value_type type, int64_t n, int write,
                          core_vectors *out, tulle_value_type *vectors, const char **why)
{
	const char *other;

	*vectors = type;
	if (core_take_vectors(object, type, n, write, out, why) == 0)
		return 0;
	if (type != TULLE_F32 || core_take_vectors(object, TULLE_F64, n, write, out, &other) != 0)
		return -1;
	*vectors = TULLE_F64;
	return 0;
}

int core_take_vector(PyObject *object, tulle_value_type type, int64_t n, int write,
                     core_vectors *out, const char **why)
{
	if (core_take_vectors(object, type, n, write, out, why) != 0)
		return -1;
	if (!out->wide)
		return 0;
	*why = "has two dimensions, not one";
	PyBuffer_Release(&out->view);
	return -1;
}

static void turn(core_vectors *v)
{
	const int to_rows = v->order == TULLE_COLUMN_MAJOR;

	v->order = to_rows ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR;
	v->ld = to_rows ? v->k : v->n;
	if ((to_rows ? v->n : v->k) > 1)
		v->ld = v->strides[to_rows ? 0 : 1] / v->view.itemsize;
}

int core_same_order(core_vectors *x, core_vectors *y)
{
	if (x->order == y->order)
		return 1;
	if (y->both)
		turn(y);
	else if (x->both)
		turn(x);
	return x->order == y->order;
}
