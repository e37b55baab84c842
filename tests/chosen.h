/* chosen.h -- systems A, x, b made of choices. The choices come from a seed, or from the bytes of a fuzzer. */
#ifndef TESTS_CHOSEN_H
#define TESTS_CHOSEN_H

#include "kit.h"
#include "support.h"

typedef struct {
	const uint8_t *bytes; /* NULL: random numbers */
	size_t left;
	uint64_t state;
} choices;

choices choices_of_seed(uint64_t seed);
choices choices_of_bytes(const uint8_t *bytes, size_t size);

/* 0 .. n-1, n <= 65536; 0 when no bytes are left. */
int64_t choose(choices *c, int64_t n);

/* A pattern of at most `most` rows and columns, most <= 65535; values are zero. */
matrix chosen_matrix(choices *c, int64_t most);

enum { CHOSEN_SPEC = 256, CHOSEN_KEPT = 16 };

/* A format with any of its tunables, each at any of its words and numbers. */
void chosen_spec(choices *c, const char *format, char spec[CHOSEN_SPEC]);

/* Values of one class for the pattern of m, rounded to the type and mirrored as the kind wants, and
 * an x so that the products a x are of that class. */
void fill_system(matrix *m, tulle_value_type type, kit_values values, uint64_t seed, void *x);

typedef struct {
	matrix m;
	tulle_value_type type;
	index_pair pair;
	kit_values values;
	arrays arr;
	tulle_op op;
	int64_t rows, cols; /* of op(A) */
	void *x, *b, *y;
	double alpha, beta;
	void *kept[CHOSEN_KEPT]; /* values before these: a matrix or a plan may still read them */
	int keeps;
} chosen_system;

chosen_system chosen_system_new(choices *c, int64_t most);
void chosen_system_free(chosen_system *s);

/* Other values for the same pattern, in a new array; the old one stays until the system is freed. */
void chosen_system_renew(choices *c, chosen_system *s);

/* The same with the values that s->m has now. */
void chosen_system_take(chosen_system *s);

tulle_csr_view chosen_view(const chosen_system *s);

/* y = alpha op(A) x + beta b, with the values that the system has now. */
kit_oracle *chosen_oracle(const chosen_system *s, tulle_op op, double alpha, const void *x,
                          double beta, const void *b);

#endif
