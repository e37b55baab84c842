/* online.h -- a plan that first multiplies by csr and is replaced by a better one between two calls.
 *
 * The plan itself uses csr and is not changed until it is destroyed. A background thread makes the plan that
 * replaces it and publishes it by one pointer. A call reads the pointer once, when it begins, so it uses one of
 * the two plans throughout, and nothing that a call may be using is freed. */
#ifndef TULLE_API_ONLINE_H
#define TULLE_API_ONLINE_H

#include "api/handles.h"
#include "core/background.h"

/* The next action. Calls start a job from COUNTING and from COMPARED; the job sets the next phase. */
enum {
	TULLE__COUNTING,   /* nothing is known of the matrix */
	TULLE__COMPARING,  /* job: what the candidates cost */
	TULLE__COMPARED,   /* `threshold` says when to convert */
	TULLE__CONVERTING, /* job */
	TULLE__CONVERTED,
	TULLE__STAYED
};

struct tulle__online {
	_Atomic(tulle_plan *) after; /* NULL: csr still */
	atomic_int phase;
	atomic_ullong vectors, nanoseconds; /* multiplied by csr, and their time */
	atomic_ullong fastest; /* nanoseconds of a call with as many as planned for; 0: none so far */
	_Atomic(double)
	    threshold; /* seconds of multiplications that repay the conversion; 0: unknown */

	atomic_flag starting; /* held by the call that starts a job or helps it; guards `background` */
	tulle__background background;

	/* Used only by the job while it runs; published by `phase`. */
	tulle_plan *plan;
	tulle_plan_options options; /* its wisdom is a copy */
	char *wisdom;
	tulle__choice choice;
	int stays; /* `after` is by csr, too */
	char why[TULLE__WHY];
};

/* TULLE_E_ARGUMENT when these options do not go together with options.online. */
tulle_status tulle__online_check(const tulle_plan_options *o);

/* Makes `p`, a complete plan for csr, an online plan. */
tulle_status tulle__online_begin(tulle_plan *p, const tulle_plan_options *o);

/* Accepts NULL. A job that is running ends early and is waited for. */
void tulle__online_end(tulle__online *o);

/* Before values change: wait for a job that is running. The plan to change is returned. */
tulle_plan *tulle__online_settled(tulle_plan *p);

/* Sets the members of `info` about online plans; `now` is the result of tulle__now(). */
void tulle__online_describe(tulle__online *o, const tulle_plan *now, tulle_plan_info *info);

/* What a plan is at present. */
static inline const tulle_plan *tulle__now(const tulle_plan *p)
{
	const tulle_plan *after =
	    p->online ? atomic_load_explicit(&p->online->after, memory_order_acquire) : NULL;

	return after ? after : p;
}

/* ---- calls ---- */

/* At the beginning of a call that multiplies: the plan to use, and the time. 0: calls are not counted. */
typedef struct {
	const tulle_plan *plan;
	double begin;
} tulle__turn;

tulle__turn tulle__online_enter(const tulle_plan *p);
void tulle__online_leave(tulle__online *o, double begin, int64_t vectors);

static inline tulle__turn tulle__enter(const tulle_plan *p)
{
	return p->online ? tulle__online_enter(p) : (tulle__turn){ p, 0 };
}

/* At the end of the call; `p` is the plan that was entered. A failed call multiplied no vectors. */
static inline void tulle__leave(const tulle_plan *p, tulle__turn t, int64_t vectors)
{
	if (t.begin > 0 && vectors > 0)
		tulle__online_leave(p->online, t.begin, vectors);
}

#endif
