/* value_rules.h -- values by the place of an entry, one function per class that formats may tell apart. */
#ifndef TESTS_VALUE_RULES_H
#define TESTS_VALUE_RULES_H

#include <stdint.h>

typedef double value_rule(int64_t row, int64_t col, int64_t k);

static inline double any(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	return 1.0 / (double)(3 + k);
}

static inline double one(int64_t row, int64_t col, int64_t k)
{
	(void)row;
	(void)col;
	(void)k;
	return 1;
}

static inline double sixteen(int64_t row, int64_t col, int64_t k)
{
	return (double)((row + 3 * col + k) % 16) / 3 - 1;
}

#endif
