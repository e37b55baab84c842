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

	return t && t->widened && !(format->flags & TULLE__ANY_TYPE) ? t->compute : type;
}
