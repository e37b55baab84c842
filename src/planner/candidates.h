/* candidates.h -- formats, and ways to use them, that may be chosen, and what each would cost. */
#ifndef TULLE_PLANNER_CANDIDATES_H
#define TULLE_PLANNER_CANDIDATES_H

#include "analysis/cost.h"
#include "core/format.h"
#include "planner/ways.h"

enum { TULLE__MOST_CANDIDATES = 32 };

typedef struct {
	const tulle__format *format;
	tulle__way way;
	const char *rejected_because; /* NULL: it may be chosen */
	tulle_status failed; /* what its conversion failed with, TULLE_OK: it was not seen to fail */
	char because[128];   /* what speaks for it, half a sentence; then how it failed */
	double bytes;        /* read by one multiplication; predicted, then as it is */
	double own_bytes;    /* memory of its own, A^T included; likewise */
	double convert, multiply; /* seconds, predicted; `convert` includes building A^T, where it is */
	double measured_convert, measured_multiply; /* 0: not measured, or not trusted */
	double spread; /* of measured_multiply (core/samples.h); 0: not measured */
	const char
	    *doubt;   /* why a multiplication that was timed is not trusted; NULL: it is, or none was */
	int sliced;   /* measured on a slice of the matrix */
	int recalled; /* measured by an earlier run */
} tulle__candidate;

/* What is known when a plan is made; kept with it, to be explained. */
typedef struct {
	tulle__features features; /* of A */
	tulle__features of_built; /* of A^T: assumed, until it is built; only where that is a way */
	uint64_t fingerprint, signature; /* of matrix and machine; set where there is wisdom */
	char wisdom_key[17]; /* of the matrix in the file, as text; "" where there is none */
	tulle__machine machine;
	double multiplies;
	int64_t vectors;                      /* of a multiplication */
	double look_seconds, measure_seconds; /* spent on it */
	double scale;                         /* of all predictions, see tulle__calibrate */
	int searched; /* likely candidates were measured for such a number of multiplications: what was
	                 not is no choice */
	int count;
	tulle__candidate
	    candidate[TULLE__MOST_CANDIDATES]; /* the baseline first, even if it is ruled out */
} tulle__candidates;

static inline tulle__candidate *tulle__baseline(tulle__candidates *p)
{
	return &p->candidate[0];
}

/* On the whole matrix, now or by an earlier run. */
static inline int tulle__was_measured(const tulle__candidate *c)
{
	return c->measured_multiply > 0 && !c->sliced;
}

/* Likewise, trusted or not: there is nothing more to find out about it. */
static inline int tulle__was_tried(const tulle__candidate *c)
{
	return tulle__was_measured(c) || c->doubt;
}

/* Why a format cannot do what the request asks of any matrix, NULL: it can. */
const char *tulle__lacks(const tulle__format *format, const tulle__request *request);

/* The candidates for this op: every format that has an estimator, in the ways it has for a matrix with
 * these features. For A^T the baseline scatters. */
void tulle__list_candidates(tulle__candidates *p, tulle_op op);

/* What each of them would cost, for a matrix whose features and machine are set. May be called again when
 * features are known better. max_bytes: what a candidate may allocate, 0: anything. */
void tulle__estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                         tulle__env *env);

/* Seconds of a multiplication by an estimator that works on the features of A. */
double tulle__predict_multiply(const tulle__candidates *p, const tulle__estimator *by,
                               const tulle__request *request, const tulle__env *env);

/* All predictions are off by about as much as that of one candidate: once one is measured, set them right by
 * the first that is. Else a prediction that is too low would win over a time. When none is any longer, they
 * are what they were. */
void tulle__calibrate(tulle__candidates *p);

/* Can the search go on after a candidate failed with `s`? It can when the format refuses the matrix,
 * or when a limit that the caller has set is in its way. It cannot when an allocation failed: the next
 * plan for this matrix would be another one. */
static inline int tulle__can_go_on(tulle_status s)
{
	return s == TULLE_E_UNSUPPORTED || s == TULLE_E_LIMIT;
}

/* Is its total within a factor of 1.5 of the least, so that it may turn out to be the best? */
int tulle__is_likely(tulle__candidates *p, const tulle__candidate *c);

/* Rule out a candidate that failed with `s`; the reason is the calling thread's last error. Returns
 * TULLE_OK when the search can go on, else `s`. */
tulle_status tulle__rule_out(tulle__candidate *c, tulle_status s, const tulle__env *env);

/* Seconds of a multiplication and of the whole, by what is known best. */
double tulle__multiply_seconds(const tulle__candidate *c);
double tulle__total_seconds(const tulle__candidate *c, double multiplies);

/* The candidate in the race with the least total, or NULL when all are out. */
tulle__candidate *tulle__best_candidate(tulle__candidates *p);

/* The one to choose: after a search that has measured something, of those that were tried and within a tenth
 * of their least total, the one whose conversion is the cheapest; else the best candidate. */
tulle__candidate *tulle__winner(tulle__candidates *p);

#endif
