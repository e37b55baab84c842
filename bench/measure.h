/* measure.h -- one matrix, all contenders: what each costs, and whether it is right. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "contenders.h"
#include "suite.h"
#include "timing.h"

typedef enum {
	BENCH_RIGHT,
	BENCH_WRONG,  /* a result beyond its bound, or a multiplication that failed */
	BENCH_REFUSED /* prepare() would not: no figures */
} bench_verdict;

/* One line of the results; the members from matrix to class are keys of the JSON. */
typedef struct {
	char matrix[BENCH_NAME];
	int64_t rows, cols, nnz, longest_row;
	char contender[BENCH_NAME];
	int threads;
	int group; /* 1, 2, ...: measured together; plain_ratio is to the plain of its group */
	double seconds_best, seconds_median;
	double gflops;           /* 2 nnz / seconds_best */
	double gbytes_per_s;     /* bytes of the CSR arrays / seconds_best */
	double plain_ratio;      /* how many times as fast as plain */
	double convert_plain;    /* cost of prepare() in multiplications of plain ... */
	double convert_own;      /* ... and in its own */
	double bytes_per_nnz;    /* that it holds for the matrix; ours: that one multiplication reads */
	double memory_over_csr;  /* bytes held to multiply / bytes of the CSR arrays - 1 */
	double bandwidth_share;  /* time to read the bytes of the CSR arrays / seconds_best */
	double stored_share;     /* time to read the bytes it stores itself / seconds_best, and ... */
	double moved_share;      /* ... with those of x and y; 0: not measured */
	double error_over_bound; /* the worst of all rows; more than 1 is WRONG */
	double planning_plain;   /* of convert_plain, what choosing cost; ours only */
	char choice[16];         /* the format of our plan */
	char note[64];           /* what our format says of itself: "36 % padding" */
	const bench_class *class;
	int ours, disturbed, bound;
	int planned; /* ours, and the planner chose its format */
	bench_verdict verdict;
	char reason[160]; /* why it was refused, if that was told */
} bench_row;

typedef struct {
	bench_row *row; /* first plain, then the contenders, once for each matrix and thread count */
	int count, room;
	double check_plain; /* the full check of arrays in plain multiplications, summed ... */
	int checks;         /* ... over so many */
} bench_results;

/* What one matrix may cost. */
typedef struct {
	const bench_protocol *protocol;
	double seconds; /* for the samples of a group, under a protocol that leaves their number open */
	double memory;  /* bytes that a group may hold; negative: as much as is wise on this machine */
} bench_effort;

/* Measure one matrix and append 1 + contenders->count rows. -1 when memory is short. */
int bench_measure(const bench_loaded *m, const bench_contenders *contenders, int threads,
                  const bench_effort *effort, bench_results *results);

#endif
