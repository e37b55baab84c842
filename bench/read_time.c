/* read_time.c -- how long tulle_matrix_read takes. Usage: tulle-read-time FILE [THREADS]
 *
 * Prints wall seconds, CPU seconds, rows, entries, and the sum of the values' bits modulo 2^64. The
 * sum depends on every bit but not on the order, and must be the same for another reader. */
#include "tulle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	const tulle_context_options options = { .size = sizeof options,
		                                    .threads = argc > 2 ? atoi(argv[2]) : 0 };
	tulle_csr_view v = { .size = sizeof v };
	tulle_context *context = NULL;
	tulle_matrix *a = NULL;
	double wall, cpu;
	uint64_t sum = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: tulle-read-time FILE [THREADS]\n");
		return 2;
	}
	if (tulle_context_create(&options, &context) != TULLE_OK) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (tulle_matrix_read(context, argv[1], NULL, &a) != TULLE_OK) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	tulle_matrix_view_csr(a, &v);
	for (int64_t k = 0; v.val && k < v.nnz; k++) {
		uint64_t bits;

		memcpy(&bits, (const double *)v.val + k, sizeof bits);
		sum += bits;
	}
	printf("%.6f %.6f %" PRId64 " %" PRId64 " %" PRIu64 "\n", wall, cpu, v.rows, v.nnz, sum);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	return 0;
}
