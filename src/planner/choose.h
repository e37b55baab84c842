/* choose.h -- which format a plan gets and in which way, and the matrix converted to it. */
#ifndef TULLE_PLANNER_CHOOSE_H
#define TULLE_PLANNER_CHOOSE_H

#include "planner/candidates.h"

enum { TULLE__WHY = 448 };

typedef struct {
	const tulle__format *format;
	tulle__way way;
	tulle__request request;
	tulle__operand operand;        /* A, and what was built of it: the caller's to keep or drop */
	int from_blocks;               /* `data` was made from blocks, without the expansion */
	void *data;                    /* converted */
	double convert_seconds;        /* building A^T and expanding blocks included */
	char why[TULLE__WHY];          /* half a sentence for people */
	tulle__candidates *candidates; /* what was weighed; NULL: nothing, the choice was clear */
} tulle__choice;

/* What the options ask for, before any matrix is looked at: a format by its name, or NULL. */
tulle_status tulle__read_request(const tulle_plan_options *options, tulle__choice *out);

/* Choose, unless the caller has, and convert. On failure nothing is left behind. `blocks`: what the matrix
 * came as, NULL: CSR. */
tulle_status tulle__choose(const tulle__csr *a, const tulle__bsr *blocks,
                           const tulle_plan_options *options, tulle__env *env, tulle__choice *c);

/* Convert as was chosen before: c->format, c->way and c->request are set, and nothing is compared. */
tulle_status tulle__convert_as_chosen(const tulle__csr *a, tulle__env *env, tulle__choice *c);

/* To choose in steps, for a plan that multiplies by the baseline first (options.online). `online` converts to
 * the baseline, which costs nothing. Later `compare` finds out what the others cost, by estimates and wisdom,
 * and `convert_best` converts to the winner; after both c->candidates and A^T are the caller's to drop, also
 * after a failure. c->request is what was read from the options. */
tulle_status tulle__choose_online(const tulle__csr *a, tulle__env *env, tulle__choice *c);
tulle_status tulle__compare(const tulle__csr *a, const tulle_plan_options *options, tulle__env *env,
                            tulle__choice *c);
tulle_status tulle__convert_best(size_t max_bytes, tulle__env *env, tulle__choice *c);

/* Choose again, and convert, for new values of a pattern: `refused`, the format chosen before, does not
 * take them, and the calling thread's last error says why. c->request is what was asked for then. By
 * estimates for `machine`: nothing is timed, and no wisdom is read. Formats that take one kind of
 * matrix are out, so that the one chosen takes all values to come. */
tulle_status tulle__choose_again(const tulle__csr *a, const tulle__format *refused,
                                 const tulle__machine *machine, size_t max_bytes, tulle__env *env,
                                 tulle__choice *c);

#endif
