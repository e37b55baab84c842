/* weigh.c -- finds the cost of each candidate: predicted, from wisdom, or measured. */
#include "planner/weigh.h"

#include "core/log.h"
#include "planner/known_machine.h"
#include "planner/recall.h"
#include "probe/probe.h"

/* Predictions are off by a few percent. With fewer multiplications than this, trials cost more than
 * they gain, and the time is too short for accurate ones (measured). */
static const double WORTH_TRIALS = 200;

/* Seconds of all multiplications, at a billion nonzeros per second; 0 if nothing may be timed. */
static double seconds_ahead(tulle_effort effort, const tulle__choice *c)
{
	return effort == TULLE_MEASURE ? c->request.multiplies * (double)c->operand.a->nnz * 1e-9 : 0;
}

static tulle_status analyse(const tulle__csr *a, tulle__env *env, tulle__candidates *p,
                            tulle__features *out)
{
	const double begin = tulle__seconds();
	const tulle_status s = tulle__analyse(a, &p->machine, env, out);

	p->look_seconds += tulle__seconds() - begin;
	return s;
}

/* A itself. Blocks that are not expanded yet are not expanded for this. */
static tulle_status analyse_matrix(const tulle__operand *o, tulle__env *env, tulle__candidates *p)
{
	const double begin = tulle__seconds();
	tulle_status s;

	if (!o->blocks || o->expanded.row_ptr) {
		s = analyse(tulle__operand_for(o, TULLE__AS_IS), env, p, &p->features);
	} else {
		s = tulle__analyse_blocks(o->blocks, &p->machine, env, &p->features);
		p->look_seconds += tulle__seconds() - begin;
	}
	tulle__note_blocks(o->blocks, &p->features);
	return s;
}

/* Analyse the matrix, and predict the cost of every format. */
static tulle_status estimate(size_t max_bytes, tulle__env *env, tulle__choice *c)
{
	tulle__candidates *p = c->candidates;
	const tulle_status s = analyse_matrix(&c->operand, env, p);

	if (s != TULLE_OK)
		return s;
	p->multiplies = c->request.multiplies;
	p->vectors = c->request.vectors;
	tulle__transpose_features(&p->features, &p->of_built);
	tulle__list_candidates(p, c->request.op);
	tulle__estimate_all(p, &c->request, max_bytes, env);
	return TULLE_OK;
}

/* Is A^T needed to choose? MEASURE needs it for every candidate that may be the best, unless an earlier run
 * has measured these. */
static int needs_transpose(tulle__candidates *p, int measures)
{
	const tulle__candidate *winner = tulle__winner(p);
	int likely = 0;

	for (int n = 0; n < p->count; n++)
		likely |= p->candidate[n].way == TULLE__BUILT && tulle__is_likely(p, &p->candidate[n]);
	return winner && (winner->way == TULLE__BUILT || (measures && !p->searched && likely));
}

/* A^T would exceed a limit: rule out all candidates that need it. */
static tulle_status rule_out_built(tulle__candidates *p, tulle_status s, const tulle__env *env)
{
	const tulle_status failed = s;

	for (int n = 0; n < p->count; n++)
		if (p->candidate[n].way == TULLE__BUILT && !p->candidate[n].rejected_because) {
			s = tulle__rule_out(&p->candidate[n], failed, env);
			if (s != TULLE_OK)
				return s;
		}
	return s;
}

/* Build A^T if needed, and predict again: its features are then known, not assumed. */
static tulle_status estimate_built(int measures, size_t max_bytes, tulle__env *env,
                                   tulle__choice *c)
{
	tulle__candidates *p = c->candidates;
	tulle_status s;

	if (!needs_transpose(p, measures))
		return TULLE_OK;
	s = tulle__build_transpose(env, &c->operand);
	if (s != TULLE_OK)
		return rule_out_built(p, s, env);
	s = analyse(&c->operand.built, env, p, &p->of_built);
	if (s != TULLE_OK)
		return s;
	tulle__estimate_all(p, &c->request, max_bytes, env);
	tulle__calibrate(p);
	return TULLE_OK;
}

/* Retry the winner of an earlier run, and measure likely candidates that have no times yet. */
static tulle_status measure(const tulle_plan_options *o, tulle__env *env, tulle__choice *c,
                            tulle__kept *kept)
{
	tulle__candidates *p = c->candidates;
	const int verified = p->searched;
	tulle_status s = TULLE_OK;

	if (verified)
		s = tulle__verify(p, &c->operand, &c->request, env, kept);
	if (s != TULLE_OK || p->searched)
		return s;
	if (verified)
		tulle__forget(p, &c->request, o->wisdom, env);
	s = tulle__measure(p, &c->operand, &c->request, o->max_seconds, env, kept);
	if (s == TULLE_OK)
		tulle__remember(p, &c->request, o->wisdom, env);
	return s;
}

tulle_status tulle__weigh(const tulle_plan_options *o, tulle__env *env, tulle__choice *c,
                          tulle__kept *kept)
{
	tulle__candidates *p = c->candidates;
	const tulle__csr *a = c->operand.a;
	const int fixed = o->reproducible > 0;
	const int measures =
	    o->effort == TULLE_MEASURE && c->request.multiplies >= WORTH_TRIALS && !fixed;
	const char *wisdom = fixed ? NULL : o->wisdom;
	tulle_status s = TULLE_OK;

	/* Trials need the expansion. So do matrices with more than 2^31 - 1 columns: samples of blocks
	 * have 32-bit columns. */
	if (measures || a->cols > TULLE__I32_MAX)
		s = tulle__expand(env, &c->operand);
	if (s != TULLE_OK)
		return s;

	if (fixed)
		tulle__machine_fixed(&p->machine);
	else {
		tulle__settle_gathers(env);
		tulle__know_machine(env, a, wisdom, seconds_ahead(o->effort, c), &p->machine);
	}
	s = estimate(o->max_bytes, env, c);
	if (s != TULLE_OK)
		return s;
	if (wisdom) {
		p->fingerprint = c->operand.blocks
		                     ? tulle__fingerprint_blocks(c->operand.blocks, &p->features)
		                     : tulle__fingerprint(a, &p->features);
		p->signature = tulle__machine_signature(&p->machine);
	}
	tulle__recall(p, &c->request, wisdom, env);
	s = estimate_built(measures, o->max_bytes, env, c);
	if (s == TULLE_OK && measures && tulle__best_candidate(p))
		s = measure(o, env, c, kept);
	return s;
}

tulle_status tulle__weigh_by_estimates(size_t max_bytes, tulle__env *env, tulle__choice *c)
{
	const tulle_status s = estimate(max_bytes, env, c);

	return s == TULLE_OK ? estimate_built(0, max_bytes, env, c) : s;
}
