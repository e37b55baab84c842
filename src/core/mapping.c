/* mapping.c -- maps files into memory. */
#include "core/mapping.h"

#include <errno.h>
#include <sys/mman.h>

int tulle__map(int fd, size_t bytes, tulle__mapping *out)
{
	void *const begin = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);

	*out = (tulle__mapping){ .begin = NULL };
	if (begin == MAP_FAILED)
		return errno;
	*out = (tulle__mapping){ begin, bytes };
	return 0;
}

void tulle__unmap(tulle__mapping *m)
{
	if (m->begin)
		munmap(m->begin, m->bytes);
	*m = (tulle__mapping){ .begin = NULL };
}
