/* candidates.h -- the formats and ways that may be chosen, and the cost of each. */
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
	tulle_status failed;          /* status of a failed conversion; TULLE_OK: none failed */
	char because[128];            /* reason for the format, half a sentence; or how it failed */
	double bytes;                 /* read by one multiplication; predicted, then actual */
	double own_bytes;             /* extra memory, A^T included; likewise */
	double convert, multiply;     /* predicted seconds; `convert` includes building A^T, if built */
	double measured_convert, measured_multiply; /* 0: not measured, or not trusted */
	double spread;     /* of measured_multiply (core/samples.h); 0: not measured */
	const char *doubt; /* why the measured time is not trusted; NULL: trusted or not measured */
	int sliced;        /* measured on a slice of the matrix */
	int recalled;      /* measured by an earlier run */
} tulle__candidate;

/* What is known when a plan is made; kept for tulle_plan_explain(). */
typedef struct {
	tulle__features features; /* of A */
	tulle__features of_built; /* of A^T: assumed until it is built; only if it may be built */
	uint64_t fingerprint, signature; /* of matrix and machine; set if there is wisdom */
	char wisdom_key[17];             /* of the matrix in the file, as text; "": no wisdom */
	tulle__machine machine;
	double multiplies;
	int64_t vectors;                      /* of a multiplication */
	double look_seconds, measure_seconds; /* spent on it */
	double scale;                         /* of all predictions, see tulle__calibrate */
	int searched; /* likely candidates were measured for about this many multiplications: only
	                 measured ones may be chosen */
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

/* Likewise, trusted or not: another trial is not needed. */
static inline int tulle__was_tried(const tulle__candidate *c)
{
	return tulle__was_measured(c) || c->doubt;
}

/* Why a format cannot satisfy the request for any matrix; NULL: it can. */
const char *tulle__lacks(const tulle__format *format, const tulle__request *request);

/* The candidates for this op: every format with an estimator, in each way it supports for a matrix
 * with these features. For A^T the baseline scatters. */
void tulle__list_candidates(tulle__candidates *p, tulle_op op);

/* Predict the cost of each candidate. Features and machine are set. May be called again with better
 * features. max_bytes: what a candidate may allocate, 0: no limit. */
void tulle__estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                         tulle__env *env);

/* Seconds of a multiplication by an estimator that works on the features of A. */
double tulle__predict_multiply(const tulle__candidates *p, const tulle__estimator *by,
                               const tulle__request *request, const tulle__env *env);

/* Scale all predictions so that the prediction of the first measured candidate equals its measured time:
 * predictions tend to be off by a common factor. Otherwise a prediction that is too low would beat a
 * measured time. If no candidate is measured any longer, the scaling is undone. */
void tulle__calibrate(tulle__candidates *p);

/* Can the search continue after a candidate failed with `s`? Yes if the format does not support the
 * matrix, or if it exceeds a limit set by the caller. No if an allocation failed: the next plan for
 * this matrix might be different. */
static inline int tulle__can_go_on(tulle_status s)
{
	return s == TULLE_E_UNSUPPORTED || s == TULLE_E_LIMIT;
}

/* Is its total within a factor of 1.5 of the least, so that it may turn out to be the best? */
int tulle__is_likely(tulle__candidates *p, const tulle__candidate *c);

/* Rule out a candidate that failed with `s`; the reason is the calling thread's last error. Returns
 * TULLE_OK if the search can continue, else `s`. */
tulle_status tulle__rule_out(tulle__candidate *c, tulle_status s, const tulle__env *env);

/* Seconds of a multiplication, and in total: measured if available, otherwise predicted. */
double tulle__multiply_seconds(const tulle__candidate *c);
double tulle__total_seconds(const tulle__candidate *c, double multiplies);

/* The candidate with the least total that is not ruled out; NULL if all are. */
tulle__candidate *tulle__best_candidate(tulle__candidates *p);

/* The one to choose. After a search that has measured something: among the tried candidates within a tenth
 * of the least total, the one with the cheapest conversion. Otherwise the best candidate. */
tulle__candidate *tulle__winner(tulle__candidates *p);

#endif
