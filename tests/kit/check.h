/* check.h -- counts what fails and goes on; a test program ends with `return failures != 0`. */
#ifndef KIT_TEST_CHECK_H
#define KIT_TEST_CHECK_H

#include <stdio.h>

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
