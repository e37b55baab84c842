/* repeated.c -- arrays of more than 2^31 elements in little memory: one period, mapped over and over. */
#include "repeated.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *repeated(int64_t period, int64_t periods, size_t size)
{
	const size_t bytes = (size_t)period * size;
	const int fd = memfd_create("period", 0);
	unsigned char *at = mmap(NULL, (size_t)periods * bytes, PROT_NONE,
	                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int good = fd >= 0 && ftruncate(fd, (off_t)bytes) == 0 && at != MAP_FAILED;

	for (int64_t n = 0; n < periods && good; n++)
		good = mmap(at + (size_t)n * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		            fd, 0) != MAP_FAILED;
	if (!good) {
		printf("no address space\n");
		exit(1);
	}
	close(fd);
	return at;
}
