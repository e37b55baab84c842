/* repeated.h -- arrays of more than 2^31 elements in little memory: one period, mapped over and over. */
#ifndef TESTS_REPEATED_H
#define TESTS_REPEATED_H

#include <stddef.h>
#include <stdint.h>

/* `periods` times `period` elements of `size` bytes, whole pages in all; who writes one period writes them all.
 * Ends the test where there is no address space. */
void *repeated(int64_t period, int64_t periods, size_t size);

#endif
