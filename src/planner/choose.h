/* choose.h -- which format a plan gets, and the matrix converted to it. */
#ifndef TULLE_PLANNER_CHOOSE_H
#define TULLE_PLANNER_CHOOSE_H

#include "planner/prospects.h"

enum { TULLE__WHY = 320 };

typedef struct {
	const tulle__format *format;
	tulle__request request;
	void *data; /* converted */
	double convert_seconds;
	char why[TULLE__WHY];        /* half a sentence for people */
	tulle__prospects *prospects; /* what was weighed; NULL: nothing, the choice was clear */
} tulle__choice;

/* What the options ask for, before any matrix is looked at: a format by its name, or NULL. */
tulle_status tulle__read_request(const tulle_plan_options *options, tulle__choice *out);

/* Would a plan for A^T scatter from A rather than have A^T built? */
int tulle__scatters(const tulle__choice *c, const tulle__csr *a);

/* Choose, unless the caller has, and convert. On failure nothing is left behind. */
tulle_status tulle__choose(const tulle__csr *a, const tulle_plan_options *options, tulle__env *env,
                           tulle__choice *c);

#endif
