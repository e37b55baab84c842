/* options.c -- structures that may grow in later versions: `size` is the size that the caller
 * knows. */
#include "api/handles.h"
#include "core/status.h"

#include <string.h>

tulle_status tulle__read_options(const char *type, const void *given, void *known_options,
                                 size_t known)
{
	const unsigned char *bytes = given;
	size_t size;

	memset(known_options, 0, known);
	if (!given)
		return TULLE_OK;
	memcpy(&size, given, sizeof size);
	if (size < sizeof size || size > 4096)
		return tulle__fail(TULLE_E_ARGUMENT, "options.size = %zu: set it to sizeof(%s)", size,
		                   type);
	for (size_t i = known; i < size; i++)
		if (bytes[i] != 0)
			return tulle__fail(TULLE_E_UNSUPPORTED,
			                   "%s has an option set that this version does not know", type);
	memcpy(known_options, given, size < known ? size : known);
	return TULLE_OK;
}

tulle_status tulle__write_info(const char *type, void *to, const void *known_info, size_t known)
{
	size_t size;

	if (!to)
		return tulle__fail(TULLE_E_ARGUMENT, "info is NULL");
	memcpy(&size, to, sizeof size);
	if (size < sizeof size || size > 4096)
		return tulle__fail(TULLE_E_ARGUMENT, "info.size = %zu: set it to sizeof(%s)", size, type);
	if (size > known)
		memset((char *)to + known, 0, size - known);
	memcpy((char *)to + sizeof size, (const char *)known_info + sizeof size,
	       (size < known ? size : known) - sizeof size);
	return TULLE_OK;
}
