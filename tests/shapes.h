/* shapes.h -- the shapes that break kernels: nothing, one, edges of vectors and of parts. */
#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H

#include "support.h"

/* The n-th shape, its pattern only (values are zero): *out has to be freed. 0 past the last. A shape
 * says its kind: matrix_mirror_values() once its values are filled in. */
int shape_at(int n, matrix *out);

/* Calls test(arg, spec, n, m, shape) with every shape for each spec of the format (format_spec); returns the
 * sum of what it returns. */
typedef int shape_test(const void *arg, const char *spec, int n, matrix *m, int shape);
int each_shape(const char *format, shape_test *test, const void *arg);

#endif
