/* core_sources.c -- matrices from arrays and files, and back to arrays. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* Arrays that are being made into a matrix: the offsets or rows, the columns, the values. */
typedef struct {
	long long rows, cols;
	int copy;
	int element; /* bytes of a value where none is given, as in core_array; 2 and 3: bits are given */
	core_array array[3];
	int taken;
	int has_values;
} source;

static tulle_index_type index_type(const core_array *a)
{
	return a->element == 4 ? TULLE_I32 : TULLE_I64;
}

static int has_halves(const source *s)
{
	return s->has_values && (s->element == 2 || s->element == 3);
}

static tulle_value_type value_type(const source *s)
{
	return core_value_type(s->has_values && !has_halves(s) ? s->array[2].element : s->element);
}

static const void *values(const source *s)
{
	return s->has_values ? s->array[2].start : NULL;
}

static void release(source *s)
{
	while (s->taken > 0)
		PyBuffer_Release(&s->array[--s->taken].view);
}

/* (rows, cols, first, second, values or None, copy, bytes of a value if there is none) */
static int take(PyObject *args, const char *first, const char *second, source *s)
{
	const char *names[] = { first, second, "data" };
	PyObject *given[3];

	memset(s, 0, sizeof *s);
	if (!PyArg_ParseTuple(args, "LLOOOpi", &s->rows, &s->cols, &given[0], &given[1], &given[2],
	                      &s->copy, &s->element))
		return -1;
	s->has_values = given[2] != Py_None;
	const int count = s->has_values ? 3 : 2;
	for (int i = 0; i < count; i++, s->taken++)
		if (core_take_array(given[i], names[i],
		                    i < 2           ? 'i'
		                    : has_halves(s) ? 'h'
		                                    : 'c',
		                    &s->array[i]) != 0) {
			release(s);
			return -1;
		}
	return 0;
}

/* tulle trusts lengths, so they are looked at here. `each`: values per index. */
static int check_lengths(const source *s, long long majors, const char *what, long long each)
{
	const core_array *ptr = &s->array[0];
	int64_t last;

	if (majors < 0 || ptr->count - 1 != majors) {
		PyErr_Format(PyExc_ValueError, "indptr has %lld elements for %lld %s; it needs one more",
		             (long long)ptr->count, majors, what);
		return -1;
	}
	last = ptr->element == 4 ? ((const int32_t *)ptr->start)[majors]
	                         : ((const int64_t *)ptr->start)[majors];
	for (int i = 1; i < s->taken; i++)
		if (s->array[i].count < last) {
			PyErr_Format(PyExc_ValueError, "%s has %lld elements, but indptr ends at %lld",
			             i == 1 ? "indices" : "data", (long long)s->array[i].count,
			             (long long)last);
			return -1;
		}
	if (s->has_values &&
	    (s->array[2].count / each != s->array[1].count || s->array[2].count % each != 0)) {
		PyErr_Format(PyExc_ValueError, "data has %lld elements, but indices has %lld%s",
		             (long long)s->array[2].count, (long long)s->array[1].count,
		             each > 1 ? " blocks" : "");
		return -1;
	}
	return 0;
}

/* ---- the object ---- */

/* A Python object around a matrix, which it takes over even on failure, and around the arrays of the
 * source if the matrix reads them. */
static PyObject *adopt(PyObject *cls, tulle_matrix *matrix, source *s)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)cls, Py_tp_alloc);
	tulle_matrix_info info = { .size = sizeof info };
	const tulle_status status = tulle_matrix_describe(matrix, &info);
	core_matrix *self = NULL;

	if (status != TULLE_OK)
		core_raise(status);
	else
		self = (core_matrix *)alloc((PyTypeObject *)cls, 0);
	if (!self) {
		tulle_matrix_destroy(matrix);
		return NULL;
	}
	self->matrix = matrix;
	self->rows = info.rows;
	self->cols = info.cols;
	self->nnz = info.nnz;
	self->stored = info.stored_nnz;
	self->given = info.value_type;
	self->type = self->given == TULLE_F16 || self->given == TULLE_BF16 ? TULLE_F32 : self->given;
	if (s && (info.shares_offsets || info.shares_columns || info.shares_values)) {
		for (int i = 0; i < s->taken; i++)
			self->held[i] = s->array[i].view;
		self->held_count = s->taken;
		s->taken = 0;
	}
	return (PyObject *)self;
}

/* The end of every way in. */
static PyObject *finish(PyObject *cls, tulle_status status, tulle_matrix *matrix, source *s)
{
	PyObject *self = status == TULLE_OK ? adopt(cls, matrix, s) : core_raise(status);

	release(s);
	return self;
}

typedef tulle_status from_compressed(tulle_context *, int64_t, int64_t, tulle_index_type,
                                     const void *, tulle_index_type, const void *, tulle_value_type,
                                     const void *, const tulle_matrix_options *, tulle_matrix **);

static PyObject *compressed(PyObject *cls, PyObject *args, from_compressed *from, int by_rows)
{
	tulle_matrix_options options = { .size = sizeof options };
	tulle_matrix *matrix = NULL;
	core_detached before;
	tulle_status status;
	source s;

	if (take(args, "indptr", "indices", &s) != 0)
		return NULL;
	if (check_lengths(&s, by_rows ? s.rows : s.cols, by_rows ? "rows" : "columns", 1) != 0) {
		release(&s);
		return NULL;
	}
	options.ownership = s.copy ? TULLE_COPY : TULLE_BORROW;
	before = core_detach();
	status = from(NULL, s.rows, s.cols, index_type(&s.array[0]), s.array[0].start,
	              index_type(&s.array[1]), s.array[1].start, value_type(&s), values(&s), &options,
	              &matrix);
	core_resume(before);
	return finish(cls, status, matrix, &s);
}

PyObject *core_from_csr(PyObject *cls, PyObject *args)
{
	return compressed(cls, args, tulle_matrix_from_csr, 1);
}

PyObject *core_from_csc(PyObject *cls, PyObject *args)
{
	return compressed(cls, args, tulle_matrix_from_csc, 0);
}

/* ((block rows, block columns, indptr, indices, data or None, copy, bytes of a value), height, width) */
PyObject *core_from_bsr(PyObject *cls, PyObject *args)
{
	tulle_matrix_options options = { .size = sizeof options };
	tulle_matrix *matrix = NULL;
	long long height, width, each;
	core_detached before;
	tulle_status status;
	PyObject *arrays;
	source s;

	if (!PyArg_ParseTuple(args, "O!LL", &PyTuple_Type, &arrays, &height, &width))
		return NULL;
	if (height < 1 || width < 1 || __builtin_mul_overflow(height, width, &each)) {
		PyErr_Format(PyExc_ValueError, "blocks of %lld x %lld", height, width);
		return NULL;
	}
	if (take(arrays, "indptr", "indices", &s) != 0)
		return NULL;
	if (check_lengths(&s, s.rows, "block rows", each) != 0) {
		release(&s);
		return NULL;
	}
	options.ownership = s.copy ? TULLE_COPY : TULLE_BORROW;
	before = core_detach();
	status =
	    tulle_matrix_from_bsr(NULL, s.rows, s.cols, height, width, TULLE_ROW_MAJOR,
	                          index_type(&s.array[0]), s.array[0].start, index_type(&s.array[1]),
	                          s.array[1].start, value_type(&s), values(&s), &options, &matrix);
	core_resume(before);
	return finish(cls, status, matrix, &s);
}

PyObject *core_from_coo(PyObject *cls, PyObject *args)
{
	tulle_matrix *matrix = NULL;
	core_detached before;
	tulle_status status;
	source s;

	if (take(args, "row", "col", &s) != 0)
		return NULL;
	if (s.array[0].element != s.array[1].element || s.array[0].count != s.array[1].count ||
	    (s.has_values && s.array[2].count != s.array[0].count)) {
		PyErr_SetString(PyExc_ValueError,
		                "row, col and data differ in length, or row and col in type");
		release(&s);
		return NULL;
	}
	before = core_detach();
	status = tulle_matrix_from_coo(NULL, s.rows, s.cols, s.array[0].count, index_type(&s.array[0]),
	                               s.array[0].start, s.array[1].start, value_type(&s), values(&s),
	                               NULL, &matrix);
	core_resume(before);
	return finish(cls, status, matrix, &s);
}

/* 0: as the file has them; Matrix Market has f64 or c128. */
static tulle_value_type type_for_file(const char *path, int element)
{
	tulle_file_info info = { .size = sizeof info };

	if (element != 0)
		return core_value_type(element);
	if (tulle_file_describe(path, &info) != TULLE_OK || strcmp(info.field, "complex") != 0)
		return TULLE_F64;
	return strcmp(info.layout, "tuned") == 0 ? (tulle_value_type)0 : TULLE_C128;
}

/* (path, bytes of a value; 0: as the file says) */
PyObject *core_read(PyObject *cls, PyObject *args)
{
	tulle_read_options options = { .size = sizeof options };
	tulle_matrix *matrix = NULL;
	PyObject *path;
	core_detached before;
	tulle_status status;
	source none = { .taken = 0 };
	int element;

	if (!PyArg_ParseTuple(args, "O&i", PyUnicode_FSConverter, &path, &element))
		return NULL;
	before = core_detach();
	options.value_type = type_for_file(PyBytes_AsString(path), element);
	status = tulle_matrix_read(NULL, PyBytes_AsString(path), &options, &matrix);
	core_resume(before);
	Py_DECREF(path);
	return finish(cls, status, matrix, &none);
}

/* (path, whether to map the file) */
PyObject *core_load(PyObject *cls, PyObject *args)
{
	tulle_read_options options = { .size = sizeof options };
	tulle_matrix *matrix = NULL;
	tulle_plan *plan = NULL;
	PyObject *path, *object;
	core_detached before;
	tulle_status status;
	source none = { .taken = 0 };

	if (!PyArg_ParseTuple(args, "O&p", PyUnicode_FSConverter, &path, &options.map))
		return NULL;
	before = core_detach();
	status = tulle_plan_load(NULL, PyBytes_AsString(path), &options, &matrix, &plan);
	core_resume(before);
	Py_DECREF(path);
	object = finish(cls, status, matrix, &none);
	if (!object)
		tulle_plan_destroy(plan);
	else if (core_adopt((core_matrix *)object, plan) != 0)
		Py_CLEAR(object);
	return object;
}

/* ---- the way back ---- */

int core_rounds(const core_matrix *a, const core_planned *planned)
{
	tulle_plan_info info = { .size = sizeof info };

	return a->values && tulle_plan_describe(planned->plan, &info) == TULLE_OK &&
	       info.value_error > 0;
}

tulle_status core_matrix_of_update(const core_matrix *a, tulle_matrix **out)
{
	const tulle_plan_options options = { .size = sizeof options, .format = "csr" };
	tulle_plan *plan = NULL;
	tulle_status status = tulle_plan_create(a->matrix, &options, &plan);

	if (status == TULLE_OK)
		status = tulle_plan_update(plan, a->values->array.start);
	if (status == TULLE_OK)
		status = tulle_matrix_from_plan(plan, out);
	tulle_plan_destroy(plan);
	return status;
}

/* A matrix with the latest values: itself, or a new one of the update. */
PyObject *core_latest(PyObject *self, PyObject *nothing)
{
	core_matrix *a = (core_matrix *)self;
	source none = { .taken = 0 };
	tulle_matrix *matrix = NULL;
	core_planned *planned;
	core_detached before;
	tulle_status status;

	(void)nothing;
	if (!a->values) {
		Py_INCREF(self);
		return self;
	}
	planned = core_use_latest(a, TULLE_NORMAL);
	if (!planned)
		return NULL;
	before = core_detach();
	status = core_rounds(a, planned) ? core_matrix_of_update(a, &matrix)
	                                 : tulle_matrix_from_plan(planned->plan, &matrix);
	core_resume(before);
	core_drop(planned);
	return finish((PyObject *)Py_TYPE(self), status, matrix, &none);
}

/* Bytes that a matrix keeps, and NumPy's word for what they are; None for values that are all one. */
static PyObject *bytes_of(const void *from, int64_t count, const char *type)
{
	const Py_ssize_t size = (Py_ssize_t)count * atoi(type + 1);
	static char nothing[1]; /* an empty array may have no address, an empty view needs one */

	if (!from && count > 0)
		Py_RETURN_NONE;
	return Py_BuildValue(
	    "Ns",
	    PyMemoryView_FromMemory(size > 0 ? (char *)(uintptr_t)from : nothing, size, PyBUF_READ),
	    type);
}

PyObject *core_arrays(PyObject *self, PyObject *nothing)
{
	static const char *const value_words[] = { "", "f4", "f8", "c8", "c16", "u2", "u2" };
	tulle_csr_view csr = { .size = sizeof csr };
	const tulle_status status = tulle_matrix_view_csr(((core_matrix *)self)->matrix, &csr);

	(void)nothing;
	if (status != TULLE_OK)
		return core_raise(status);
	return Py_BuildValue(
	    "NNN", bytes_of(csr.val, csr.nnz, value_words[csr.value_type]),
	    bytes_of(csr.col, csr.nnz, csr.column_type == TULLE_I32 ? "i4" : "i8"),
	    bytes_of(csr.row_ptr, csr.rows + 1, csr.offset_type == TULLE_I32 ? "i4" : "i8"));
}
