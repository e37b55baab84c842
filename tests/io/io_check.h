/* io_check.h -- counts what fails and goes on; a test program ends with `return failures != 0`. */
#ifndef TULLE_TESTS_IO_CHECK_H
#define TULLE_TESTS_IO_CHECK_H

#include "tulle.h"

#include <stdio.h>
#include <stdlib.h>

static int failures;

#define CHECK(condition, ...)                                      \
	do {                                                           \
		if (!(condition)) {                                        \
			failures++;                                            \
			printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
			printf(__VA_ARGS__);                                   \
			printf("\n");                                          \
		}                                                          \
	} while (0)

#endif
