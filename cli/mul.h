/* mul.h -- what `tulle mul` shares between the CPU and devices: times, and the check of the result. */
#ifndef CLI_MUL_H
#define CLI_MUL_H

#include "cli.h"
#include "kit.h"

typedef struct {
	const char *format, *isa, *device;
	const char *wisdom; /* NULL: none */
	double multiplies, seconds;
	tulle_op op;
	int stores; /* 0: tulle chooses */
} cli_mul_wishes;

typedef struct {
	int samples, repeats; /* samples of `repeats` multiplications each */
	double best, median;  /* seconds of one multiplication */
	int threads;          /* that took part in the last one; -1: not on the CPU */
	double bytes;         /* that one multiplication moves at least */
} cli_timing;

/* Work to be timed: multiply() does `times` multiplications, and ends the program where one fails. */
typedef struct {
	void (*multiply)(void *work, int times);
	void *work;
} cli_timed;

/* Samples of at least a millisecond for as long as is wished, but a few in any case. The samples of several
 * are taken in turn, so that other processes disturb all alike. */
void cli_measure_in_turn(const cli_timed *of, int count, double seconds, cli_timing *out);
cli_timing cli_measure(void (*multiply)(void *work, int times), void *work, double seconds);
void cli_print_timing(const cli_timing *t, int64_t nnz);
void cli_json_timing(const cli_timing *t, int64_t nnz);

/* The median of one value or more, which are put in ascending order. */
double cli_median(double *value, int count);

/* The product of a plan, as work to be timed. */
typedef struct {
	const tulle_plan *plan;
	tulle_value_type type;
	const void *x;
	void *y;
} cli_product;

void cli_multiply(void *product, int times);

/* Not-a-numbers, so that an element that is never written shows. */
void cli_spoil(tulle_value_type type, void *y, int64_t n);

/* The sums that A x, or A^T x, is compared with; freed by kit_oracle_free(). */
kit_oracle *cli_oracle(const tulle_csr_view *a, tulle_op op, const void *x);

/* Is y = A x, or A^T x? */
kit_verdict cli_verdict(const tulle_csr_view *a, tulle_op op, const void *x, const void *y);
void cli_print_verdict(const kit_verdict *v);
void cli_json_verdict(const kit_verdict *v);

/* `tulle mul --device`. */
int cli_mul_device(const cli_common *common, const char *path, const cli_mul_wishes *w);

#endif
