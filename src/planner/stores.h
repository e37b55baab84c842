/* stores.h -- how A x and A^T x are computed by one plan: from one stored matrix, or from one each. */
#ifndef TULLE_PLANNER_STORES_H
#define TULLE_PLANNER_STORES_H

#include "planner/candidates.h"

enum { TULLE__FORWARD, TULLE__BACKWARD, TULLE__DIRECTIONS };

typedef struct {
	int stores;                                     /* 1, 2 */
	const tulle__format *format[TULLE__DIRECTIONS]; /* of A, of A^T */
	tulle__way way;                                 /* of A^T; as is: A^T equals A */
	double multiply[TULLE__DIRECTIONS];             /* seconds, predicted */
	double own_bytes[TULLE__DIRECTIONS];            /* predicted; of one store for A */
	double convert;                                 /* seconds, of all, predicted */
	const char *rejected_because;                   /* NULL: it may be chosen */
	char failure[128];                              /* how its conversion failed */
} tulle__pair;

enum { TULLE__MOST_PAIRS = 8 };

typedef struct {
	double multiplies; /* of each direction */
	int count;
	tulle__pair pair[TULLE__MOST_PAIRS];
	int chosen; /* number of the pair; -1: none was weighed */
} tulle__stores;

/* What the caller asks for. */
typedef struct {
	int stores;           /* 0: any number */
	int excludes_mirrors; /* A^T does not equal A, or will not after the next update */
	int fixed;            /* the same choice on every machine */
	size_t max_bytes;     /* 0: any */
	const char *wisdom;   /* for what it knows of the machine; NULL: none */
} tulle__stores_wanted;

/* Predict what the ways to store A cost, from features of A. */
tulle_status tulle__weigh_stores(const tulle__csr *a, const tulle__request *request,
                                 const tulle__stores_wanted *wanted, tulle__env *env,
                                 tulle__stores *out);

/* The pair with the least total time that is not ruled out; NULL: all are. */
tulle__pair *tulle__best_pair(tulle__stores *s);
double tulle__pair_seconds(const tulle__pair *p, double multiplies);

static inline double tulle__pair_bytes(const tulle__pair *p)
{
	return p->own_bytes[TULLE__FORWARD] + p->own_bytes[TULLE__BACKWARD];
}

#endif
