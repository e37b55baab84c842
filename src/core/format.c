/* format.c -- checks that are the same for every format. */
#include "core/format.h"

#include "core/status.h"

int tulle__format_has(const tulle__format *format, const tulle__type *type)
{
	return !type->flag || (format->flags & type->flag);
}

tulle_status tulle__format_takes(const tulle__format *format, tulle_value_type type)
{
	const tulle__type *t = tulle__type_of(type);

	if (!t)
		return tulle__fail(TULLE_E_ARGUMENT, "value type %d is unknown", (int)type);
	if (!tulle__format_has(format, t))
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s: no kernel for %s values", format->name,
		                   t->name);
	return TULLE_OK;
}

tulle_value_type tulle__format_type(const tulle__format *format, tulle_value_type type)
{
	const tulle__type *t = tulle__type_of(type);

	if (!t || !t->widened)
		return type;
	if (!(format->flags & TULLE__ANY_TYPE))
		return t->compute;
	return !t->stored                ? type
	       : t->compute == TULLE_F64 ? (tulle_value_type)TULLE__TYPE_f32f64
	                                 : TULLE_F32;
}

int tulle__format_borrows(const tulle__format *format, tulle_value_type type)
{
	return (format->flags & TULLE__BORROWS) && tulle__format_type(format, type) == type;
}
