/* trial.h -- converts a matrix to a format and multiplies a few times, to measure both. */
#ifndef TULLE_PLANNER_TRIAL_H
#define TULLE_PLANNER_TRIAL_H

#include "core/format.h"
#include "core/samples.h"
#include "csr/block_csr.h"
#include "csr/csr_matrix.h"

/* Vectors for trials, row-major, with as many elements as op(A) has columns and rows. More than
 * TULLE__MOST_TRIED vectors take several passes over the matrix, so their time follows from that of
 * TULLE__MOST_TRIED. */
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
	void *data;            /* the converted matrix, owned by the caller */
	double convert;        /* seconds */
	int convert_disturbed; /* other processes used the CPUs: it may take less time */
	tulle__timing multiply;
} tulle__trial;

/* Convert, and multiply until the time is confirmed, for at most `seconds` or a few multiplications.
 * `blocks`: converted instead of `a`; NULL: a. On failure there is no data. */
tulle_status tulle__try(const tulle__format *format, const tulle__csr *a, const tulle__bsr *blocks,
                        const tulle__request *request, const tulle__vectors *v, double seconds,
                        tulle__env *env, tulle__trial *out);

#endif
