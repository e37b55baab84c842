/* trial.h -- a matrix converted to a format and multiplied a few times, to see what that takes. */
#ifndef TULLE_PLANNER_TRIAL_H
#define TULLE_PLANNER_TRIAL_H

#include "core/format.h"
#include "core/samples.h"
#include "csr/block_csr.h"
#include "csr/csr_matrix.h"

/* Vectors to try with, row-major: op(A) has as many columns and rows as they have elements. More than
 * TULLE__MOST_TRIED go through the matrix several times: what they take follows from what that many do. */
enum { TULLE__MOST_TRIED = 64 };
typedef struct {
	void *x, *y;
	int64_t k;    /* of each */
	double share; /* of a multiplication's vectors */
} tulle__vectors;

tulle_status tulle__vectors_new(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                                tulle__vectors *out);
void tulle__vectors_free(tulle__env *env, tulle__vectors *v);

typedef struct {
	void *data;            /* the converted matrix, for the caller to keep or release */
	double convert;        /* seconds */
	int convert_disturbed; /* others had the CPUs meanwhile: it may take less */
	tulle__timing multiply;
} tulle__trial;

/* Convert, and multiply until it is clear what that takes, `seconds` or a few multiplications at the
 * most. `blocks`: what to convert instead of `a`, NULL: a. On failure there is no data. */
tulle_status tulle__try(const tulle__format *format, const tulle__csr *a, const tulle__bsr *blocks,
                        const tulle__request *request, const tulle__vectors *v, double seconds,
                        tulle__env *env, tulle__trial *out);

#endif
