/* choose.c -- uses the format that the caller names, or finds the format and way with the least total cost.
 */
#include "planner/choose.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "csr/widened.h"
#include "planner/weigh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double UNKNOWN_MULTIPLIES = 1000;

/* ---- the request ---- */

static tulle_status fail_unknown(const char *spec, size_t length)
{
	char names[256] = "";
	size_t used = 0;
	const tulle__format *f;

	for (int n = 0; (f = tulle__format_at(n)) && used < sizeof names; n++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", n ? ", " : "", f->name);
	return tulle__fail(TULLE_E_ARGUMENT, "unknown format \"%s\"; available: %s",
	                   tulle__show_name(spec, length).text, names);
}

static tulle_status find_named(const char *spec, tulle__choice *out)
{
	const size_t length = strcspn(spec, ":");
	const char *params = spec[length] == ':' ? spec + length + 1 : "";

	out->format = tulle__format_named(spec, length);
	if (!out->format)
		return fail_unknown(spec, length);
	snprintf(out->why, sizeof out->why, "you named the format");
	return tulle__params_parse(out->format->tunables, params, &out->request.params);
}

tulle_status tulle__read_request(const tulle_plan_options *options, tulle__choice *out)
{
	const char *lacks;
	tulle_status s;

	memset(out, 0, sizeof *out);
	out->request.op = options->op;
	out->request.multiplies = options->multiplies > 0 ? options->multiplies : UNKNOWN_MULTIPLIES;
	out->request.vectors = options->vectors > 0 ? options->vectors : 1;
	out->request.ordered = options->reproducible == 2;
	out->request.rounded = options->lossy;
	if (!options->format)
		return TULLE_OK;
	s = find_named(options->format, out);
	lacks = s == TULLE_OK ? tulle__lacks(out->format, &out->request) : NULL;
	return lacks ? tulle__fail(TULLE_E_UNSUPPORTED, "format %s: %s", out->format->name, lacks) : s;
}

/* ---- one format ---- */

/* Convert as c->way says. A^T is built if the way needs it, and blocks are expanded if the format does not
 * keep them. */
static tulle_status convert(tulle__env *env, tulle__choice *c)
{
	tulle__request request = tulle__request_for(&c->request, c->way);
	const tulle__bsr *blocks = tulle__blocks_for(&c->operand, c->format, c->way, &request);
	tulle_status s = tulle__format_takes(c->format, c->operand.a->value_type);
	double begin;

	c->data = NULL;
	c->unfilled = c->releases > 0 && c->format->fill && c->way == TULLE__AS_IS;
	request.releases = c->unfilled ? c->releases : 0;
	tulle__allow_beyond_limit(0); /* if a candidate before this one was refused */
	if (s == TULLE_OK && !blocks)
		s = c->way == TULLE__BUILT ? tulle__build_transpose(env, &c->operand)
		                           : tulle__expand(env, &c->operand);
	begin = tulle__seconds();
	if (s == TULLE_OK)
		s = blocks ? c->format->convert_blocks(blocks, &request, env, &c->data)
		           : tulle__format_convert(c->format, tulle__operand_for(&c->operand, c->way),
		                                   &request, env, &c->data);
	c->convert_seconds =
	    tulle__seconds() - begin + tulle__build_seconds(&c->operand, c->way, blocks);
	return s;
}

static tulle_status set_format(const tulle__format *format, tulle__way way, tulle__choice *c)
{
	c->format = format;
	c->way = way;
	return tulle__params_parse(format->tunables, "", &c->request.params);
}

static tulle__operand operand_of(const tulle__csr *a, const tulle__bsr *blocks,
                                 const tulle__choice *c)
{
	return (
	    tulle__operand){ .a = a, .blocks = blocks, .conjugate = c->request.op == TULLE_CONJUGATE };
}

/* A format that the caller named scatters where it can and is told to; else it gets A^T. */
static tulle_status convert_named(tulle__env *env, tulle__choice *c)
{
	const tulle__format *f = c->format;

	c->way = !tulle__op_transposes(c->request.op) ? TULLE__AS_IS
	         : c->request.op == TULLE_TRANSPOSED && f->scatters && f->scatters(&c->request)
	             ? TULLE__SCATTER
	             : TULLE__BUILT;
	return convert(env, c);
}

/* ---- the best of all ---- */

/* Convert to the winner, unless a trial has already converted to it. */
static tulle_status take(const tulle__candidate *winner, tulle__kept *kept, tulle__env *env,
                         tulle__choice *c)
{
	const tulle_status s = set_format(winner->format, winner->way, c);

	if (s != TULLE_OK || kept->candidate != winner)
		return s == TULLE_OK ? convert(env, c) : s;
	c->data = kept->data;
	c->unfilled = 0;
	c->convert_seconds = kept->seconds;
	*kept = (tulle__kept){ .data = NULL };
	return TULLE_OK;
}

static tulle_status check_memory(const tulle__choice *c, size_t max_bytes)
{
	const tulle__request request = tulle__request_for(&c->request, c->way);
	const size_t built = c->way == TULLE__BUILT ? tulle__transpose_bytes(&c->operand)
	                     : tulle__blocks_for(&c->operand, c->format, c->way, &request)
	                         ? 0
	                         : tulle__expansion_bytes(&c->operand);
	tulle__layout layout;

	c->format->describe(c->data, &layout);
	if (max_bytes == 0 || layout.own_bytes + built <= max_bytes ||
	    (tulle__format_borrows(c->format, c->operand.a->value_type) && !built))
		return TULLE_OK;
	return tulle__fail(TULLE_E_LIMIT, "max_bytes = %zu: %s needs %zu bytes", max_bytes,
	                   c->format->name, layout.own_bytes + built);
}

/* After a conversion that ended with `s`: drop the result if it needs more than max_bytes. */
static tulle_status limit_memory(tulle_status s, size_t max_bytes, tulle__env *env,
                                 tulle__choice *c)
{
	if (s == TULLE_OK)
		s = check_memory(c, max_bytes);
	if (s != TULLE_OK && c->data) {
		c->format->release(c->data, env);
		c->data = NULL;
	}
	return s;
}

/* All candidates are ruled out: report the first that failed, else the memory limit. */
static tulle_status fail_all(const tulle__candidates *p, size_t max_bytes)
{
	for (int n = 0; n < p->count; n++)
		if (p->candidate[n].failed != TULLE_OK)
			return tulle__fail(p->candidate[n].failed, "%s", p->candidate[n].because);
	return tulle__fail(TULLE_E_LIMIT,
	                   "max_bytes = %zu is too small for every format that the other options allow",
	                   max_bytes);
}

/* Convert the candidates in the order of their total times until one succeeds. */
static tulle_status take_best(size_t max_bytes, tulle__kept *kept, tulle__env *env,
                              tulle__choice *c)
{
	tulle__candidate *best;

	while ((best = tulle__winner(c->candidates))) {
		tulle_status s = limit_memory(take(best, kept, env, c), max_bytes, env, c);

		if (s == TULLE_OK)
			return TULLE_OK;
		s = tulle__rule_out(best, s, env);
		if (s != TULLE_OK)
			return s;
	}
	return fail_all(c->candidates, max_bytes);
}

/* `before`: text before the reason, may be empty. */
static void tell_why(tulle__candidates *p, const char *before, char why[TULLE__WHY])
{
	const tulle__candidate *best = tulle__winner(p);
	const char *how = best->measured_multiply > 0
	                      ? best->recalled ? "measured by an earlier run" : "measured"
	                      : "predicted";
	const tulle__candidate *first = tulle__best_candidate(p);
	const int tied = p->searched && tulle__total_seconds(best, p->multiplies) >
	                                    tulle__total_seconds(first, p->multiplies);
	const int transposed = tulle__baseline(p)->way == TULLE__SCATTER;
	char counts[48] = "", doubted[64] = "", at_once[48] = "";
	int compared = 0, timed = 0, doubts = 0;

	for (int n = 0; n < p->count; n++) {
		compared += !p->candidate[n].rejected_because;
		timed += !p->candidate[n].rejected_because && p->candidate[n].measured_multiply > 0;
		doubts += !p->candidate[n].rejected_because && p->candidate[n].doubt;
	}
	if (compared == 1) {
		snprintf(why, TULLE__WHY, "%s%s; all other %s are ruled out", before, best->because,
		         transposed ? "candidates" : "formats");
		return;
	}
	if (timed > 0 && timed < compared)
		snprintf(counts, sizeof counts, ", %d of them measured,", timed);
	if (doubts > 0)
		snprintf(doubted, sizeof doubted, "; the times of %d were disturbed and not used", doubts);
	if (p->vectors > 1)
		snprintf(at_once, sizeof at_once, " of %" PRId64 " vectors at once", p->vectors);
	snprintf(why, TULLE__WHY,
	         "%s%s; least total time of %d %s%s for %.0f multiplications%s (%s%s)%s", before,
	         best->because, compared, transposed ? "candidates" : "formats", counts, p->multiplies,
	         at_once, how, tied ? "; totals within a tenth count as equal" : "", doubted);
}

static tulle_status choose_best(const tulle_plan_options *o, tulle__env *env, tulle__choice *c)
{
	tulle__kept kept = { .data = NULL };
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *c->candidates, &c->candidates);

	if (s == TULLE_OK)
		s = tulle__weigh(o, env, c, &kept);
	if (s == TULLE_OK)
		s = take_best(o->max_bytes, &kept, env, c);
	if (kept.data)
		kept.candidate->format->release(kept.data, env);
	if (s == TULLE_OK)
		tell_why(c->candidates, "", c->why);
	return s;
}

/* The first format that keeps the blocks of A; NULL: none does, or A has none. */
static const tulle__format *block_format(const tulle__choice *c)
{
	tulle__request request = c->request; /* its tunables are cleared */
	const tulle__format *format;

	memset(&request.params, 0, sizeof request.params);
	for (int n = 0; (format = tulle__format_at(n)); n++)
		if (!tulle__lacks(format, &request) && format->estimator &&
		    tulle__blocks_for(&c->operand, format, TULLE__AS_IS, &request))
			return format;
	return NULL;
}

/* The baseline, which needs no conversion; or, for block CSR, a format that keeps the blocks, since
 * the baseline would need them expanded. TULLE_E_LIMIT: max_bytes is too small for the blocks and for their
 * expansion, for A^H, or for values that the baseline widens. */
static tulle_status choose_baseline(size_t max_bytes, tulle__env *env, tulle__choice *c)
{
	const tulle__format *keeps = block_format(c);
	const tulle__way way = c->request.op == TULLE_NORMAL      ? TULLE__AS_IS
	                       : c->request.op == TULLE_CONJUGATE ? TULLE__BUILT
	                                                          : TULLE__SCATTER;
	tulle_status s = TULLE_E_UNSUPPORTED;

	if (keeps && set_format(keeps, TULLE__AS_IS, c) == TULLE_OK)
		s = limit_memory(convert(env, c), max_bytes, env, c);
	if (!tulle__can_go_on(s))
		return s;
	s = set_format(tulle__baseline_format(), way, c);
	return s == TULLE_OK ? limit_memory(convert(env, c), max_bytes, env, c) : s;
}

/* After a search that ended with `s`: if the memory limit left no room for it, take the baseline, unless
 * the request excludes it. */
static tulle_status choose_without(tulle_status s, size_t max_bytes, tulle__env *env,
                                   tulle__choice *c)
{
	tulle__free(env, c->candidates);
	c->candidates = NULL;
	tulle__drop_transpose(env, &c->operand);
	tulle__drop_expansion(env, &c->operand);
	if (s != TULLE_E_LIMIT || tulle__lacks(tulle__baseline_format(), &c->request))
		return s;
	snprintf(c->why, sizeof c->why, "the memory limit leaves no room to compare formats");
	return choose_baseline(max_bytes, env, c);
}

/* Free A^T and the expansion unless they are in use: A^T has its own arrays, and so has a format that keeps
 * blocks. */
static tulle_status finish(tulle_status s, tulle__env *env, tulle__choice *c)
{
	const tulle__request request = tulle__request_for(&c->request, c->way);
	const int built = s == TULLE_OK && c->way == TULLE__BUILT;

	c->from_blocks =
	    s == TULLE_OK && tulle__blocks_for(&c->operand, c->format, c->way, &request) != NULL;
	if (!built)
		tulle__drop_transpose(env, &c->operand);
	if (s != TULLE_OK || built || c->from_blocks)
		tulle__drop_expansion(env, &c->operand);
	return s;
}

tulle_status tulle__choose(const tulle__csr *a, const tulle__bsr *blocks,
                           const tulle_plan_options *options, tulle__env *env, tulle__choice *c)
{
	const int simple = !tulle__lacks(tulle__baseline_format(), &c->request);
	tulle_status s;

	c->operand = operand_of(a, blocks, c);
	if (c->format)
		return finish(convert_named(env, c), env, c);
	if (simple && c->request.multiplies < TULLE__FEW_MULTIPLIES) {
		snprintf(c->why, sizeof c->why,
		         "too few multiplications (%.0f) for a conversion to pay off",
		         c->request.multiplies);
		return finish(choose_baseline(options->max_bytes, env, c), env, c);
	}
	s = choose_best(options, env, c);
	return finish(s == TULLE_OK ? s : choose_without(s, options->max_bytes, env, c), env, c);
}

tulle_status tulle__convert_as_chosen(const tulle__csr *a, tulle__env *env, tulle__choice *c)
{
	c->operand = operand_of(a, NULL, c);
	return finish(convert(env, c), env, c);
}

/* ---- choosing in steps ---- */

tulle_status tulle__choose_online(const tulle__csr *a, size_t max_bytes, tulle__env *env,
                                  tulle__choice *c)
{
	c->operand = operand_of(a, NULL, c);
	snprintf(c->why, sizeof c->why, "options.online: CSR until a conversion pays off");
	return finish(choose_baseline(max_bytes, env, c), env, c);
}

tulle_status tulle__compare(const tulle__csr *a, const tulle_plan_options *options, tulle__env *env,
                            tulle__choice *c)
{
	tulle__kept kept = { .data = NULL }; /* stays empty: nothing is timed */
	const tulle_status s = tulle__alloc_zero(env, 1, sizeof *c->candidates, &c->candidates);

	c->operand = operand_of(a, NULL, c);
	return s == TULLE_OK ? tulle__weigh(options, env, c, &kept) : s;
}

tulle_status tulle__convert_best(size_t max_bytes, tulle__env *env, tulle__choice *c)
{
	tulle__kept kept = { .data = NULL };
	const tulle_status s = take_best(max_bytes, &kept, env, c);

	if (s == TULLE_OK)
		tell_why(c->candidates, "", c->why);
	return finish(s, env, c);
}

/* ---- choosing again ---- */

/* Rule out the format that rejected an update, and all others that may reject the next one. */
static tulle_status rule_out_restricted(const tulle__format *refused, tulle__env *env,
                                        tulle__candidates *p)
{
	tulle_status s = TULLE_OK;

	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		if (c->format == refused)
			s = tulle__rule_out(c, TULLE_E_UNSUPPORTED, env);
		else if (!c->rejected_because && (c->format->flags & TULLE__RESTRICTED))
			c->rejected_because = "it may refuse the values of the next update";
	}
	return s;
}

tulle_status tulle__choose_again(const tulle__csr *a, const tulle__format *refused,
                                 const tulle__machine *machine, size_t max_bytes, tulle__env *env,
                                 tulle__choice *c)
{
	tulle__kept kept = { .data = NULL };
	char before[64];
	tulle_status s = tulle__alloc_zero(env, 1, sizeof *c->candidates, &c->candidates);

	c->operand = operand_of(a, NULL, c);
	if (s == TULLE_OK) {
		c->candidates->machine = *machine;
		s = tulle__weigh_by_estimates(max_bytes, env, c);
	}
	if (s == TULLE_OK)
		s = rule_out_restricted(refused, env, c->candidates);
	if (s == TULLE_OK)
		s = take_best(max_bytes, &kept, env, c);
	if (s != TULLE_OK)
		return finish(choose_without(s, max_bytes, env, c), env, c);
	snprintf(before, sizeof before, "%s refused the values of an update; ", refused->name);
	tell_why(c->candidates, before, c->why);
	return finish(TULLE_OK, env, c);
}
