/* statistics.h -- figures about a matrix that tell which storage format would suit it. */
#ifndef CLI_STATISTICS_H
#define CLI_STATISTICS_H

#include "cli.h"

enum { CLI_BINS = 64, CLI_DISTINCT_MOST = 256, CLI_BLOCKS = 4 };

/* The lengths of all rows, or of all columns. */
typedef struct {
	int64_t count, empty;
	int64_t min, max;
	double mean, sd; /* of the whole population */

	/* Histogram. Linear when few different lengths are possible: bin b counts min + b. Else bin 0
	 * counts empty ones and bin b those of 2^(b-1) .. 2^b - 1. */
	int linear, bins;
	int64_t bin[CLI_BINS];
} cli_lengths;

typedef enum { CLI_NOT_SYMMETRIC, CLI_IS_SYMMETRIC, CLI_IS_SKEW, CLI_IS_HERMITIAN } cli_symmetry;

typedef struct {
	cli_lengths rows, cols;

	int64_t lower, upper;          /* bandwidths: the greatest i - j and j - i, at least 0 */
	int64_t diagonal;              /* entries on it */
	int64_t duplicates;            /* entries at a place that an earlier one of the row has */
	int sorted;                    /* columns ascend in every row */
	double block_fill[CLI_BLOCKS]; /* places of the touched b x b blocks that hold an entry */

	int distinct; /* different values, by their bits; CLI_DISTINCT_MOST + 1: more */
	int64_t zeros, nonfinite;

	double pattern_symmetry; /* share of the entries with a partner across the diagonal; of entries
	                          * at all if there are none: 1. Negative: not square */
	cli_symmetry symmetry;   /* by value */

	int64_t ell_width; /* of HYB: the longest of the shortest two thirds of the rows */
	double ell_share;  /* of the entries that fit into it */
	int64_t csr2_width, csr2_padded; /* its mtx_width; entries with padding */
} cli_statistics;

extern const int CLI_BLOCK[CLI_BLOCKS]; /* 2 3 4 6 */

cli_statistics cli_statistics_of(const cli_matrix *m);

/* Bounds of a histogram's bin. */
int64_t cli_bin_first(const cli_lengths *l, int bin);
int64_t cli_bin_last(const cli_lengths *l, int bin);

/* mtx_width of the CSR2 paper, Algorithm 4; at least 1. */
int64_t cli_csr2_width(int64_t nnz, int64_t rows);

#endif
