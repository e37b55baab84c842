/* core_words.c -- what tulle says, for Python: exceptions and explanations. */
#include "core.h"

#include <stdlib.h>

static PyObject *exception(tulle_status status)
{
	switch (status) {
	case TULLE_E_ARGUMENT:
	case TULLE_E_MATRIX: return PyExc_ValueError;
	case TULLE_E_TYPE: return PyExc_TypeError;
	case TULLE_E_MEMORY:
	case TULLE_E_LIMIT: return PyExc_MemoryError;
	case TULLE_E_UNSUPPORTED: return PyExc_NotImplementedError;
	case TULLE_E_IO: return PyExc_OSError;
	case TULLE_E_DEVICE: return PyExc_RuntimeError;
	case TULLE_OK:
	case TULLE_E_INTERNAL: break;
	}
	return PyExc_SystemError;
}

PyObject *core_raise(tulle_status status)
{
	return PyErr_Format(exception(status), "%s", tulle_last_error());
}

/* A conversion in the background may change the text between two calls, so each call says how long its own is. */
PyObject *core_text(core_explainer *explain, const void *object)
{
	size_t size = 1024, length;
	char *bytes = malloc(size);
	PyObject *text;

	while (bytes && (length = explain(object, bytes, size)) >= size) {
		size = length + 1;
		free(bytes);
		bytes = malloc(size);
	}
	if (!bytes)
		return PyErr_NoMemory();
	text = PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
	free(bytes);
	return text;
}
