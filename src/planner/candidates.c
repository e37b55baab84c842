/* candidates.c -- asks each format for its amounts of work in each way, and converts them to seconds.
 */
#include "planner/candidates.h"

#include "core/log.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Totals within this factor of each other are a tie. */
static const double TIE = 1.1;

/* A candidate is tried if its predicted total is within this factor of the least. */
static const double LIKELY = 1.5;

/* Log line for bench/fit.py: seconds of each kind of work at a price of one. */
static void log_work(const tulle__env *env, const char *name, const char *what,
                     const tulle__amounts *amounts, const double unit[TULLE__KINDS])
{
	char line[256];
	int length = 0;

	for (int kind = 0; kind < TULLE__KINDS; kind++)
		length += snprintf(line + length, sizeof line - (size_t)length, " %.4g",
		                   amounts->amount[kind] * unit[kind]);
	tulle__log(env, TULLE_LOG_DEBUG, "work %s %s%s", name, what, line);
}

const char *tulle__lacks(const tulle__format *format, const tulle__request *request)
{
	if (request->ordered && !(format->flags & TULLE__ORDERED))
		return "it does not sum rows in stored order (reproducible = 2)";
	if (request->rounded && !(format->flags & TULLE__ROUNDS))
		return "it cannot store rounded values (lossy)";
	return NULL;
}

/* Time and memory of a conversion of A that precedes the conversion to the format. */
static void add_step(const tulle__candidates *p, const tulle__estimator *by, const char *name,
                     const tulle__request *request, const tulle__env *env, tulle__candidate *c)
{
	const tulle__prices *prices = tulle__prices_for(by, p->machine.isa);
	tulle__estimate e = { .refuses = NULL };
	double unit[TULLE__KINDS];

	by->estimate(&p->features, request, &e);
	tulle__place_bytes(&p->features, &p->machine, &e);
	tulle__units(&p->features, &p->machine, env->serial_below, e.parts, unit);
	c->convert += tulle__seconds_of(&e.convert, unit, prices->convert);
	c->own_bytes += e.own_bytes;
	if (env->log && (c->format->flags & TULLE__BASELINE)) {
		log_work(env, name, "multiply", &e.multiply, unit);
		log_work(env, name, "convert", &e.convert, unit);
	}
}

/* Building A^T, and expanding blocks. The expansion is freed once A^T is built, so its bytes are not counted
 * then. */
static void add_steps(const tulle__candidates *p, const tulle__request *request,
                      const tulle__env *env, tulle__candidate *c)
{
	const int64_t height = p->features.block_height, width = p->features.block_width;
	const double own_bytes = c->own_bytes;

	if (height > 0 && !tulle__keeps_blocks(c->format, c->way, request, height, width))
		add_step(p, &tulle__expand_estimator, "expand", request, env, c);
	if (c->way != TULLE__BUILT)
		return;
	c->own_bytes = own_bytes;
	add_step(p, &tulle__transpose_estimator, "transpose", request, env, c);
}

/* Seconds of one product with one vector. */
static double seconds_of_one(const tulle__candidates *p, const tulle__request *request,
                             const tulle__features *f, const tulle__estimator *by,
                             const tulle__env *env)
{
	tulle__estimate e = { .refuses = NULL };
	double unit[TULLE__KINDS];

	by->estimate(f, request, &e);
	tulle__place_bytes(f, &p->machine, &e);
	tulle__units(f, &p->machine, env->serial_below, e.parts, unit);
	return tulle__seconds_of(&e.multiply, unit, tulle__prices_for(by, p->machine.isa)->multiply);
}

/* Seconds of k single products. */
static double seconds_apart(const tulle__candidates *p, const tulle__request *request,
                            const tulle__features *f, const tulle__estimator *by,
                            const tulle__env *env)
{
	return (double)request->vectors * seconds_of_one(p, request, f, by, env);
}

/* Seconds to copy row-major vectors to contiguous ones and back: an element costs as much as a gather from L1.
 */
static double seconds_of_moving(const tulle__features *f, int64_t vectors,
                                const double unit[TULLE__KINDS])
{
	return (double)vectors * (f->x_bytes + f->y_bytes) / f->value_bytes * unit[TULLE__ROWS];
}

double tulle__predict_multiply(const tulle__candidates *p, const tulle__estimator *by,
                               const tulle__request *request, const tulle__env *env)
{
	return seconds_apart(p, request, &p->features, by, env);
}

static void estimate(const tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                     tulle__env *env, tulle__candidate *c)
{
	const int scatters = c->way == TULLE__SCATTER;
	const tulle__estimator *by = scatters ? c->format->scatter_estimator : c->format->estimator;
	const int together =
	    request->vectors > 1 && by->many_price > 0 &&
	    !tulle__few_vectors(c->format, request->vectors, (size_t)p->features.value_bytes);
	const tulle__features *one = c->way == TULLE__BUILT ? &p->of_built : &p->features;
	const tulle__features several = tulle__features_of_many(one, request->vectors);
	const tulle__features *f = together ? &several : one;
	tulle__prices prices = *tulle__prices_for(by, p->machine.isa);
	tulle__estimate e = { .refuses = NULL };
	double unit[TULLE__KINDS];

	by->estimate(f, request, &e);
	if (together) {
		tulle__count_many(f, &p->machine, request->vectors, &e.multiply);
		prices.multiply[TULLE__STEPS] = by->many_price;
	}
	tulle__place_bytes(f, &p->machine, &e);
	tulle__units(f, &p->machine, env->serial_below, e.parts, unit);
	c->rejected_because = tulle__format_has(c->format, tulle__type_of(p->features.value_type))
	                          ? tulle__lacks(c->format, request)
	                          : "it has no kernels for values of this type";
	if (!c->rejected_because)
		c->rejected_because = e.refuses;
	memcpy(c->because, e.because, sizeof c->because);
	c->bytes = e.bytes;
	c->own_bytes = e.own_bytes;
	c->multiply = tulle__seconds_of(&e.multiply, unit, prices.multiply);
	if (request->vectors > 1) {
		const double apart = seconds_apart(p, request, one, by, env);

		c->multiply = together ? fmax(c->multiply, apart / (double)request->vectors)
		                       : apart + seconds_of_moving(one, request->vectors, unit);
	}
	c->convert = tulle__seconds_of(&e.convert, unit, prices.convert);
	add_steps(p, request, env, c);
	if (!c->rejected_because && max_bytes > 0 && c->own_bytes > (double)max_bytes)
		c->rejected_because = "it would need more memory than max_bytes";
	if (env->log && !e.refuses && c->way != TULLE__BUILT) {
		char name[48];

		snprintf(name, sizeof name, "%s%s", c->format->name, scatters ? "_scatter" : "");
		log_work(env, name, "multiply", &e.multiply, unit);
		log_work(env, name, "convert", &e.convert, unit);
	}
}

static void list(tulle__candidates *p, const tulle__format *format, tulle__way way)
{
	if (p->count < TULLE__MOST_CANDIDATES)
		p->candidate[p->count++] = (tulle__candidate){ .format = format, .way = way };
}

/* The way without scattering. */
static tulle__way way_of(const tulle__candidates *p, const tulle__format *format, tulle_op op)
{
	const int equal = op == TULLE_NORMAL ||
	                  ((format->flags & TULLE__MIRRORS) &&
	                   p->features.symmetric ==
	                       (op == TULLE_CONJUGATE ? TULLE__IS_HERMITIAN : TULLE__IS_SYMMETRIC));

	return equal ? TULLE__AS_IS : TULLE__BUILT;
}

void tulle__list_candidates(tulle__candidates *p, tulle_op op)
{
	const tulle__format *format, *first = tulle__baseline_format();

	p->count = 0;
	if (op == TULLE_TRANSPOSED)
		list(p, first, TULLE__SCATTER);
	list(p, first, way_of(p, first, op));
	for (int n = 0; (format = tulle__format_at(n)); n++)
		if (format->estimator && format != first)
			list(p, format, way_of(p, format, op));
}

void tulle__estimate_all(tulle__candidates *p, const tulle__request *request, size_t max_bytes,
                         tulle__env *env)
{
	p->scale = 1;
	for (int n = 0; n < p->count; n++)
		estimate(p, request, max_bytes, env, &p->candidate[n]);
}

tulle_status tulle__rule_out(tulle__candidate *c, tulle_status s, const tulle__env *env)
{
	if (!tulle__can_go_on(s))
		return s;
	c->failed = s;
	tulle__show(c->because, sizeof c->because, tulle_last_error(), strlen(tulle_last_error()));
	c->rejected_because = c->because;
	tulle__log(env, TULLE_LOG_INFO, "plan: %s is ruled out: %s", c->format->name,
	           c->rejected_because);
	return TULLE_OK;
}

double tulle__multiply_seconds(const tulle__candidate *c)
{
	return c->measured_multiply > 0 ? c->measured_multiply : c->multiply;
}

double tulle__total_seconds(const tulle__candidate *c, double multiplies)
{
	const double convert = c->measured_convert > 0 ? c->measured_convert : c->convert;

	return convert + multiplies * tulle__multiply_seconds(c);
}

tulle__candidate *tulle__best_candidate(tulle__candidates *p)
{
	tulle__candidate *best = NULL;

	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		if (!c->rejected_because && (!best || tulle__total_seconds(c, p->multiplies) <
		                                          tulle__total_seconds(best, p->multiplies)))
			best = c;
	}
	return best;
}

int tulle__is_likely(tulle__candidates *p, const tulle__candidate *c)
{
	return !c->rejected_because &&
	       tulle__total_seconds(c, p->multiplies) <=
	           LIKELY * tulle__total_seconds(tulle__best_candidate(p), p->multiplies);
}

/* The first measured candidate; NULL if there is none. A candidate that scatters is used only if no other
 * was measured: the error of its prediction says less about the others. */
static const tulle__candidate *reference(const tulle__candidates *p)
{
	const tulle__candidate *found = NULL;

	for (int n = 0; n < p->count; n++) {
		const tulle__candidate *c = &p->candidate[n];

		if (tulle__was_measured(c) && c->multiply > 0 &&
		    (!found || (found->way == TULLE__SCATTER && c->way != TULLE__SCATTER)))
			found = c;
	}
	return found;
}

void tulle__calibrate(tulle__candidates *p)
{
	const tulle__candidate *by = reference(p);
	const double off = by ? by->measured_multiply / by->multiply : 1 / p->scale;

	for (int n = 0; n < p->count; n++) {
		p->candidate[n].multiply *= off;
		p->candidate[n].convert *= off;
	}
	p->scale *= off;
}

tulle__candidate *tulle__winner(tulle__candidates *p)
{
	tulle__candidate *winner = NULL;
	double least = INFINITY;
	int measured = 0;

	for (int n = 0; n < p->count; n++)
		if (!p->candidate[n].rejected_because && tulle__was_tried(&p->candidate[n])) {
			least = fmin(least, tulle__total_seconds(&p->candidate[n], p->multiplies));
			measured |= tulle__was_measured(&p->candidate[n]);
		}
	if (!p->searched || !measured)
		return tulle__best_candidate(p);
	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		if (!c->rejected_because && tulle__was_tried(c) &&
		    tulle__total_seconds(c, p->multiplies) <= TIE * least &&
		    (!winner || tulle__total_seconds(c, 0) < tulle__total_seconds(winner, 0)))
			winner = c;
	}
	return winner ? winner : tulle__best_candidate(p);
}
