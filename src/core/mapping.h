/* mapping.h -- a file that is mapped into memory, read-only. */
#ifndef TULLE_CORE_MAPPING_H
#define TULLE_CORE_MAPPING_H

#include <stddef.h>

typedef struct {
	void *begin; /* NULL: not mapped */
	size_t bytes;
} tulle__mapping;

/* The first `bytes` bytes, at least one, of an open file, which may be closed afterwards. Returns 0 or an error of
 * the system. Reading what the file no longer has raises SIGBUS. */
int tulle__map(int fd, size_t bytes, tulle__mapping *out);
void tulle__unmap(tulle__mapping *m);

#endif
