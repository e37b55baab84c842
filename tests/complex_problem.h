/* complex_problem.h -- a complex system A, x, b whose arrays end at pages that must not be touched. */
#ifndef TESTS_COMPLEX_PROBLEM_H
#define TESTS_COMPLEX_PROBLEM_H

#include "kit.h"
#include "support.h"

enum { COMPLEX_OPS = 3 };
extern const tulle_op complex_ops[COMPLEX_OPS];

/* The set whose kernels serve `isa`: on x86 complex kernels gather by loads in every set, and sets that only tests have use
 * scalar ones. */
const char *complex_set(const char *isa);

/* Numbers between two forbidden pages. */
typedef struct {
	unsigned char *map;
	size_t bytes; /* of the mapping */
	void *at;
} fenced;

fenced fence(int64_t count, size_t size);
void unfence(fenced *f);

typedef struct {
	matrix m;
	tulle_value_type type;
	index_pair pair;
	int ones;                 /* the matrix is made without values */
	fenced row_ptr, col, val; /* as callers have them */
	fenced x[2], b[2], y[2];  /* of A, and of A^T and A^H */
} complex_problem;

/* Values of a class for a pattern, which now belongs to the problem. A pattern of a kind gets values of this kind; of
 * symmetric ones with an odd seed, it becomes TULLE_HERMITIAN. */
complex_problem complex_problem_new(matrix m, tulle_value_type type, index_pair pair, int ones,
                                    kit_values class, uint64_t seed);
void complex_problem_free(complex_problem *p);

/* 0 for op = NORMAL, else 1: the number of its vectors. Rows of op(A). */
int complex_side(tulle_op op);
int64_t complex_rows(const complex_problem *p, tulle_op op);

/* As the library or the oracle sees it; NULL after a failed check. */
tulle_matrix *complex_matrix(const complex_problem *p, tulle_context *context);
kit_complex_oracle *complex_oracle(const complex_problem *p, tulle_op op);

/* The functions of the type. */
tulle_status complex_mul(const tulle_plan *plan, tulle_value_type type, kit_complex alpha,
                         const void *x, kit_complex beta, void *y);
tulle_status complex_mul_add(const tulle_plan *plan, tulle_value_type type, kit_complex alpha,
                             const void *x, kit_complex beta, const void *b, void *y);
tulle_status complex_mul_transposed(const tulle_plan *plan, tulle_value_type type,
                                    kit_complex alpha, const void *x, kit_complex beta, void *y);
tulle_status complex_mul_many(const tulle_plan *plan, tulle_value_type type, int64_t k,
                              tulle_order order, kit_complex alpha, const void *x, int64_t ldx,
                              kit_complex beta, void *y, int64_t ldy);

/* Number k of a becomes i^turns times that of b: exact. */
void complex_turn(tulle_value_type type, void *a, int64_t to, const void *b, int64_t from,
                  int turns);

/* y is what the oracle wants. */
void complex_judge(const kit_complex_oracle *o, const char *call, kit_complex alpha,
                   kit_complex beta, const void *b, const void *y);

/* What the plan says of itself. */
tulle_plan_info info_of(const tulle_plan *plan);

/* Multiply by an online plan of A^H until it has decided on a format (complex_online.c). */
void complex_decide(const tulle_plan *plan, const complex_problem *p);

/* complex_blocks.c, complex_batches.c, complex_online.c, complex_limits.c */
void check_complex_blocks(void);
void check_complex_online(void);
void check_complex_limits(void);
void check_complex_batches(void);

#endif
