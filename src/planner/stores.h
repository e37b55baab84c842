/* stores.h -- whether one plan computes A x and A^T x from one stored matrix, or from two. */
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
	int chosen; /* index of the pair; -1: none was compared */
} tulle__stores;

/* The caller's request. */
typedef struct {
	int stores;           /* 0: any number */
	int excludes_mirrors; /* A^T does not equal A, or will not after the next update */
	int fixed;            /* the same choice on every machine */
	size_t max_bytes;     /* 0: any */
	const char *wisdom;   /* for the speeds of the machine; NULL: none */
} tulle__stores_wanted;

/* Predict the cost of each way to store A, from features of A. */
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
