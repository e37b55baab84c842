/* both.h -- tests of plans for both directions, by file. */
#ifndef TESTS_BOTH_H
#define TESTS_BOTH_H

#include "kit.h"
#include "support.h"

/* A generated matrix with vectors for both directions. */
typedef struct {
	kit_matrix m;
	tulle_context *context;
	tulle_matrix *a;
	double *x, *y; /* x: random, as long as the larger of rows and columns */
} both_subject;

void both_set_up(both_subject *s, const char *spec, const tulle_context_options *context);
void both_tear_down(both_subject *s);

/* Both products with values `val` in the pattern of the subject, against the oracle. */
void both_check(both_subject *s, const tulle_plan *p, const double *val);

tulle_plan_info both_info(const tulle_plan *p);

/* both_values.c */
void test_updates(void);
void test_separation(void);
void test_created_symmetric(void);
void test_failing_updates(void);
void test_failing_creation(void);

/* both_choice.c */
void test_memory(void);
void test_choice(void);
void test_words(void);
void test_misuse(void);

#endif
