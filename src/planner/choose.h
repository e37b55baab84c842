/* choose.h -- chooses the format and way of a plan, and converts the matrix. */
#ifndef TULLE_PLANNER_CHOOSE_H
#define TULLE_PLANNER_CHOOSE_H

#include "planner/candidates.h"

enum { TULLE__WHY = 448 };

typedef struct {
	const tulle__format *format;
	tulle__way way;
	tulle__request request;
	tulle__operand operand;        /* A, and what was built from it; owned by the caller */
	int from_blocks;               /* `data` was made from blocks, without the expansion */
	size_t releases;               /* bytes of A that may be released; set by the caller, 0: none */
	int unfilled;                  /* `data` needs format->fill */
	void *data;                    /* converted */
	double convert_seconds;        /* including building A^T and expanding blocks */
	char why[TULLE__WHY];          /* half a sentence, for messages */
	tulle__candidates *candidates; /* what was compared; NULL: nothing */
} tulle__choice;

/* What the options request, independent of the matrix: a format by its name, or NULL. */
tulle_status tulle__read_request(const tulle_plan_options *options, tulle__choice *out);

/* Choose a format, unless the caller named one, and convert. On failure everything is freed. `blocks`: the
 * matrix as block CSR; NULL: it was given as CSR. */
tulle_status tulle__choose(const tulle__csr *a, const tulle__bsr *blocks,
                           const tulle_plan_options *options, tulle__env *env, tulle__choice *c);

/* Convert to an earlier choice: c->format, c->way and c->request are set, and nothing is compared. */
tulle_status tulle__convert_as_chosen(const tulle__csr *a, tulle__env *env, tulle__choice *c);

/* Choose in steps, for a plan that uses the baseline first (options.online). `online` converts to the
 * baseline, which costs nothing unless it builds A^H or widens values: TULLE_E_LIMIT if these exceed max_bytes.
 * Later, `compare` computes the costs of the other formats from estimates and wisdom, and `convert_best` converts
 * to the winner. After both, the caller frees c->candidates and A^T, also after a failure. c->request is what was
 * read from the options. */
tulle_status tulle__choose_online(const tulle__csr *a, size_t max_bytes, tulle__env *env,
                                  tulle__choice *c);
tulle_status tulle__compare(const tulle__csr *a, const tulle_plan_options *options, tulle__env *env,
                            tulle__choice *c);
tulle_status tulle__convert_best(size_t max_bytes, tulle__env *env, tulle__choice *c);

/* Choose again, and convert, for new values of the same pattern. `refused`, the format chosen before,
 * does not support them, and the calling thread's last error says why. c->request is the earlier
 * request. The choice uses estimates for `machine`: nothing is timed, and no wisdom is read. Formats
 * that support only one kind of matrix are ruled out, so that the chosen format supports all later
 * values. */
tulle_status tulle__choose_again(const tulle__csr *a, const tulle__format *refused,
                                 const tulle__machine *machine, size_t max_bytes, tulle__env *env,
                                 tulle__choice *c);

#endif
