/* batch_support.h -- batches to try things on, and what they have to give. */
#ifndef TESTS_BATCH_SUPPORT_H
#define TESTS_BATCH_SUPPORT_H

#include "kit.h"
#include "support.h"
#include "tulle_batch.h"

/* Problems with their packed arrays. The matrices are wide, as everywhere in the tests. */
typedef struct {
	char name[64];
	tulle_value_type type;
	index_pair pair;
	int shared, ones; /* bits of source.shared; without values */
	int64_t count, rows, cols, nnz, values;
	matrix *m; /* shared: those of a pattern still have one each */
	int64_t *row_count, *col_count, *x_at, *y_at;
	int64_t *val_at; /* NULL: values are contiguous */
	double *scale;   /* powers of two, so that scaling does not round; NULL: none */
	arrays arr;
	void *x, *b;
} problems;

/* The n-th batch of the tests; 0 past the last. */
int batch_at(int n, tulle_value_type type, int full, problems *out);

/* `count` copies of the shape of `m`, each with values of its own; takes m. */
problems problems_of_pattern(const char *name, matrix m, int64_t count, tulle_value_type type,
                             int shared, int ones, int scaled);

/* Takes the matrices. */
problems problems_new(const char *name, matrix *m, int64_t count, tulle_value_type type, int turn);
void problems_free(problems *p);

tulle_batch_source problems_source(const problems *p);

/* All problems as the blocks of one diagonal matrix: row y_at[i] + r is row r of problem i. */
kit_oracle *problems_oracle(const problems *p, double alpha, double beta);

tulle_status batch_mul(const tulle_batch *b, tulle_value_type type, tulle_batch_layout layout,
                       double alpha, const void *x, double beta, void *y);
tulle_status batch_mul_list(const tulle_batch *b, tulle_value_type type, double alpha,
                            const void *const *x, double beta, void *const *y);

/* NaN is as good as NaN. */
int same_bits(double a, double b);

#endif
