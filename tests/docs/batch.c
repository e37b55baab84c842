/* batch.c -- a program around calls for a batch: two problems, each the same matrix. */
#include <stdio.h>
#include <tulle_batch.h>

int main(void)
{
	const int64_t n = 2, rows[] = { 3, 3 }, cols[] = { 3, 3 };
	const int32_t row_ptr[] = { 0, 2, 3, 5, 0, 2, 3, 5 }, col[] = { 0, 2, 1, 0, 2, 0, 2, 1, 0, 2 };
	const double val[] = { 4, 1, 3, 2, 5, 4, 1, 3, 2, 5 }, *new_val = val;
	const double x[] = { 1, 2, 3, 1, 2, 3 };
	double y[6] = { 0 };

	/* BLOCK */
	if (y[5] != 17)
		fprintf(stderr, "%s\n", tulle_last_error());
	return !(y[0] == 7 && y[1] == 6 && y[2] == 17 && y[5] == 17);
}
