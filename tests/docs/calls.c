/* calls.c -- a program around C calls of a page, which names its arrays in the same way everywhere. */
#include <stdio.h>
#include <tulle.h>

/*     4 0 1
 * A = 0 3 0
 *     2 0 5 */
static const int32_t row_ptr[] = { 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2 };
static const double val[] = { 4, 1, 3, 2, 5 }, x[] = { 1, 2, 3 };
static double y[3];

int main(void)
{
	const int64_t rows = 3, cols = 3;
	tulle_matrix *a = NULL;
	tulle_plan *p = NULL;

	/* BLOCK */
	if (!(y[0] == 7 && y[1] == 6 && y[2] == 17))
		fprintf(stderr, "%s\n", tulle_last_error());
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17);
}
