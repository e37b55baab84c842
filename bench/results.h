/* results.h -- the rows that the programs measure, printed at once and written as JSON. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include "contenders.h"
#include "suite.h"
#include "timing.h"

typedef enum {
	BENCH_RIGHT,
	BENCH_WRONG,  /* a result beyond its bound, or a multiplication that failed */
	BENCH_REFUSED /* prepare() failed: no figures */
} bench_verdict;

/* One contender on one matrix or batch; the members from matrix to note are keys of the JSON. */
typedef struct {
	char matrix[BENCH_NAME];
	int64_t rows, cols, nnz, longest_row;
	char contender[BENCH_NAME];
	int threads;
	int f32;     /* values and vectors are floats */
	int vectors; /* multiplied at once */
	int64_t problems;
	int group; /* 1, 2, ...: measured together; plain_ratio is to the plain of its group */
	double seconds_best, seconds_median;
	double gflops;           /* 2 nnz vectors / seconds_best */
	double gbytes_per_s;     /* bytes of the CSR arrays / seconds_best */
	double plain_ratio;      /* how many times as fast as plain */
	double convert_plain;    /* cost of prepare() in multiplications of plain ... */
	double convert_own;      /* ... and in its own */
	double bytes_per_nnz;    /* that it holds for the matrix; ours: that one multiplication reads */
	double memory_over_csr;  /* bytes held to multiply / bytes of the CSR arrays - 1 */
	double bandwidth_share;  /* time to read the bytes of the CSR arrays / seconds_best */
	double stored_share;     /* time to read the bytes it stores itself / seconds_best, and ... */
	double moved_share;      /* ... with those of x and y; 0: not measured */
	double error_over_bound; /* the worst of all rows; more than 1 is WRONG, infinite: it failed */
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
	int checks;         /* ... over this many */
} bench_results;

/* Reference times of all rows of one matrix. */
typedef struct {
	double plain;     /* seconds of plain */
	double read;      /* seconds to read as many bytes as the CSR arrays have */
	double csr_bytes; /* of the CSR arrays */
	int disturbed;    /* plain was */
} bench_unit;

/* Appends a row, which is marked as refused until it is filled. NULL if memory is exhausted. */
bench_row *bench_results_add(bench_results *results, const bench_loaded *m, const char *contender,
                             int threads);

/* The figures of a contender that took part: seconds of prepare(), the largest error. */
void bench_row_fill(bench_row *row, const bench_runner *r, double convert, double error,
                    const bench_unit *unit);

/* A line for the matrix whose rows begin at `first`: milliseconds of each contender. Before the first
 * one the heads of the columns. */
void bench_print_matrix(const bench_results *results, int first);

/* The number of rows that are WRONG; each is reported on stderr. */
int bench_count_wrong(const bench_results *results);

#endif
