/* plan_updates.h -- what the tests of updates share: classes of values, and matrices by the format that
 * the planner chooses for them. */
#ifndef TESTS_PLAN_UPDATES_H
#define TESTS_PLAN_UPDATES_H

#include "kit.h"
#include "support.h"

/* Almost symmetric: but for a few entries that no sample meets. Huge: any, and one that f32 cannot hold. */
enum { SYMMETRIC, ALMOST_SYMMETRIC, ONES, ANY, SKEW, SIXTEEN, FLOATS, HUGE_VALUE, CLASSES };
extern const char *const class_names[CLASSES];

typedef struct {
	const char *spec;
	const char *format;
	double multiplies;
	size_t max_bytes;
	int class; /* of the values for which `format` is chosen */
	int large;
} subject;

/* For the first sym is chosen, and then there is only csr; for the last sym, and there are others. */
enum { SUBJECTS = 9 };
extern const subject subjects[SUBJECTS];

/* 0 after a failed check; kit_free() it. Its values are left to the caller. */
int make_subject(const subject *s, kit_matrix *m);

/* For a plan with the same choice on every machine. */
tulle_plan_options options_of(const subject *s, tulle_op op);

/* Where the matrix comes from: the caller's arrays or a copy of them, or triplets in another order. */
typedef enum { BORROWED, COPIED, FROM_COO, SOURCES } source;
extern const char *const source_names[SOURCES];

tulle_matrix *make_matrix(tulle_context *context, const kit_matrix *m, source from,
                          const double *val);

/* Values in the order of the caller's arrays; free() them. */
double *given_values(const kit_matrix *m, source from, int class);

tulle_plan_info info_of(const tulle_plan *plan);

enum { EXPLAINED = 8192 };
void explain(const tulle_plan *plan, char text[EXPLAINED]);

/* plan_updates_failing.c: updates that fail or are refused. */
void test_allocations(void);
void test_limits(void);
void test_asked_for(void);
void test_measured(void);

#endif
