/* core_values.c -- the values of an update: taken from Python, held by those who read them, given back. */
#include "core.h"

#include <stdlib.h>

core_values *core_take_values(const core_matrix *a, PyObject *given)
{
	const int halves = a->given != a->type;
	core_values *values = malloc(sizeof *values);

	if (!values) {
		PyErr_NoMemory();
		return NULL;
	}
	values->users = 1;
	if (core_take_array(given, "values", halves ? 'h' : 'c', &values->array) != 0) {
		free(values);
		return NULL;
	}
	if (values->array.count == a->stored &&
	    (halves || core_value_type(values->array.element) == a->type))
		return values;
	PyErr_Format(PyExc_ValueError, "values: %lld elements of %s, the matrix has %lld of %s",
	             (long long)values->array.count,
	             core_type_name(halves ? a->given : core_value_type(values->array.element)),
	             (long long)a->stored, core_type_name(a->given));
	core_drop_values(values);
	return NULL;
}

void core_drop_values(core_values *values)
{
	if (!values || --values->users > 0)
		return;
	PyBuffer_Release(&values->array.view);
	free(values);
}
