/* online.c -- counts calls, compares formats and converts in the background when that pays off, and replaces the
 * plan.
 *
 * The rule is that of the rent-or-buy problem (docs/adr/0035-online.md). A conversion takes C seconds and reduces
 * the time of a multiplication from c to m seconds. It begins when multiplications have taken C / (1 - m/c)
 * seconds: at this point a conversion at the start would have broken even. */
#include "api/online.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this many vectors and seconds the matrix is not analysed: a thread and the analysis would cost more than
 * they can save. */
enum { ENOUGH_TO_COMPARE = 12 };
static const double WORTH_COMPARING = 1e-4;

/* A call during a running job helps the job for this multiple of the time of its product. */
static const double HELP = 4;

/* Predictions are assumed to be off by at most this factor; a larger measured factor is attributed to a
 * disturbance. */
static const double MOST_OFF = 4;

/* ---- jobs ---- */

static double seconds_spent(tulle__online *o)
{
	return 1e-9 * (double)atomic_load_explicit(&o->nanoseconds, memory_order_relaxed);
}

static double threshold_of(tulle__online *o)
{
	return atomic_load_explicit(&o->threshold, memory_order_relaxed);
}

static void set_phase(tulle__online *o, int phase)
{
	atomic_store_explicit(&o->phase, phase, memory_order_release);
}

static void drop_choice(tulle__online *o)
{
	tulle__free(o->plan->env, o->choice.candidates);
	tulle__drop_transpose(o->plan->env, &o->choice.operand);
	o->choice.candidates = NULL;
}

/* After a job that failed, with the calling thread's last error. */
static void stay(tulle__online *o)
{
	drop_choice(o);
	snprintf(o->why, sizeof o->why, "the conversion failed: %.300s", tulle_last_error());
	tulle__log(o->plan->env, TULLE_LOG_INFO, "online: stays with csr: %s", o->why);
	set_phase(o, TULLE__STAYED);
}

/* The factor by which the prediction for csr is off, from the fastest call with the planned number of vectors. */
static double off_by(tulle__online *o, double predicted)
{
	const double seen = 1e-9 * (double)atomic_load_explicit(&o->fastest, memory_order_relaxed);

	return seen > 0 && predicted > 0 ? fmin(fmax(seen / predicted, 1 / MOST_OFF), MOST_OFF) : 1;
}

/* Seconds of multiplications after which the conversion to `best` would have been repaid. */
static double threshold_for(tulle__online *o, const tulle__candidate *csr,
                            const tulle__candidate *best)
{
	const double before = tulle__multiply_seconds(csr), after = tulle__multiply_seconds(best);
	const double convert = tulle__total_seconds(best, 0) - tulle__total_seconds(csr, 0);
	const double off = off_by(o, csr->measured_multiply > 0 ? 0 : before);

	return after < before ? fmax(off * convert, 0) / (1 - after / before) : INFINITY;
}

/* Returns the phase that follows. */
static int compare(tulle__online *o)
{
	tulle__candidates *p = o->choice.candidates;
	const tulle__candidate *best = tulle__winner(p);
	double threshold;

	if (!best || best == tulle__baseline(p))
		return TULLE__CONVERTING; /* to csr, which costs nothing and keeps the comparison */
	threshold = threshold_for(o, tulle__baseline(p), best);
	atomic_store_explicit(&o->threshold, threshold, memory_order_relaxed);
	tulle__log(o->plan->env, TULLE_LOG_DEBUG,
	           "online: %s pays off after %.3g s of multiplications, %.3g s so far",
	           best->format->name, threshold, seconds_spent(o));
	if (seconds_spent(o) >= threshold)
		return TULLE__CONVERTING;
	tulle__drop_transpose(o->plan->env, &o->choice.operand); /* values may change meanwhile */
	return TULLE__COMPARED;
}

static void tell_why(tulle__online *o, const tulle_plan *next)
{
	if (o->stays)
		snprintf(o->why, sizeof o->why,
		         "no conversion is possible or would pay off in %.0f multiplications",
		         next->request.multiplies);
	else
		snprintf(
		    o->why, sizeof o->why,
		    "a conversion to %s would have been repaid after %.3g ms of multiplications by CSR",
		    next->format->name, 1e3 * threshold_of(o));
}

/* A^H was built for csr, and formats were compared for it. Both plans use it and the order of its values; the plan of
 * csr frees them. */
static void share_built(const tulle_plan *p, tulle_plan *next)
{
	next->way = p->way;
	next->operand = p->operand;
	next->request.op = p->request.op;
}

static void unshare_built(const tulle_plan *p, tulle_plan *next)
{
	if (next && p->way == TULLE__BUILT)
		next->operand = (tulle__operand){ .a = NULL };
}

/* A complete plan beside that of csr, made from its present values. */
static tulle_status make_next(tulle__online *o, tulle_plan **out)
{
	const tulle_plan *p = o->plan;
	tulle_status s = tulle__plan_new(p->matrix, p->op, p->max_bytes, out);

	if (s == TULLE_OK)
		s = tulle__convert_best(o->options.max_bytes, p->env, &o->choice);
	if (s != TULLE_OK)
		return s;
	(*out)->before = p;
	s = tulle__plan_complete(*out, &o->choice);
	o->choice = (tulle__choice){ .candidates = NULL };
	(*out)->copies_values |= p->copies_values;
	if (s == TULLE_OK && p->way == TULLE__BUILT)
		share_built(p, *out);
	return s;
}

static void convert(tulle__online *o)
{
	const double begin = tulle__seconds();
	tulle_plan *next = NULL;

	tulle__log(o->plan->env, TULLE_LOG_DEBUG, "online: converting");
	if (make_next(o, &next) != TULLE_OK) {
		stay(o);
		tulle_plan_destroy(next);
		return;
	}
	o->stays = tulle__is_chosen(next, tulle__baseline(next->candidates));
	next->seconds = tulle__seconds() - begin + next->candidates->look_seconds;
	tell_why(o, next);
	tulle__log(next->env, TULLE_LOG_INFO, "online: %s %s: %s",
	           o->stays ? "stays with" : "converted to", next->format->name, o->why);
	atomic_store_explicit(&o->after, next, memory_order_release);
	set_phase(o, o->stays ? TULLE__STAYED : TULLE__CONVERTED);
}

static void work(void *arg)
{
	tulle__online *o = arg;
	tulle_plan *p = o->plan;
	int phase = atomic_load_explicit(&o->phase, memory_order_acquire);

	if (phase == TULLE__COMPARING) {
		tulle__log(p->env, TULLE_LOG_DEBUG, "online: comparing");
		if (tulle__compare(&p->a, &o->options, p->env, &o->choice) != TULLE_OK) {
			stay(o);
			return;
		}
		phase = compare(o);
		set_phase(o, phase);
	}
	if (phase == TULLE__CONVERTING)
		convert(o);
}

/* ---- calls ---- */

/* One call starts the job. If the thread of the previous job has not ended yet, a later call starts it. */
static void start(tulle__online *o, int from, int to)
{
	int phase = from;

	if (atomic_flag_test_and_set_explicit(&o->starting, memory_order_acquire))
		return;
	if (tulle__background_ended(&o->background) &&
	    atomic_compare_exchange_strong_explicit(&o->phase, &phase, to, memory_order_acq_rel,
	                                            memory_order_relaxed) &&
	    !tulle__background_start(&o->background, work, o, tulle__threads(o->plan->env))) {
		snprintf(o->why, sizeof o->why, "no thread could be created for the conversion");
		tulle__log(o->plan->env, TULLE_LOG_INFO, "online: stays with csr: %s", o->why);
		set_phase(o, TULLE__STAYED);
	}
	atomic_flag_clear_explicit(&o->starting, memory_order_release);
}

/* If all CPUs are busy with products, a thread of low priority would take as long as hundreds of products. */
static void help(tulle__online *o, double seconds)
{
	if (atomic_flag_test_and_set_explicit(&o->starting, memory_order_acquire))
		return;
	tulle__background_help(&o->background, tulle__seconds() + seconds);
	atomic_flag_clear_explicit(&o->starting, memory_order_release);
}

tulle__turn tulle__online_enter(const tulle_plan *p)
{
	tulle__online *o = p->online;
	const tulle_plan *after = atomic_load_explicit(&o->after, memory_order_acquire);

	if (after)
		return (tulle__turn){ after, 0 };
	if (atomic_load_explicit(&o->phase, memory_order_relaxed) == TULLE__STAYED)
		return (tulle__turn){ p, 0 };
	return (tulle__turn){ p, tulle__seconds() };
}

static void note_fastest(tulle__online *o, unsigned long long nanoseconds)
{
	unsigned long long fastest = atomic_load_explicit(&o->fastest, memory_order_relaxed);

	while ((fastest == 0 || nanoseconds < fastest) &&
	       !atomic_compare_exchange_weak_explicit(&o->fastest, &fastest, nanoseconds,
	                                              memory_order_relaxed, memory_order_relaxed))
		continue;
}

void tulle__online_leave(tulle__online *o, double begin, int64_t vectors)
{
	const int64_t planned = o->plan->request.vectors;
	const unsigned long long nanoseconds =
	    (unsigned long long)fmax(1, 1e9 * (tulle__seconds() - begin));
	const unsigned long long all =
	    (unsigned long long)vectors +
	    atomic_fetch_add_explicit(&o->vectors, (unsigned long long)vectors, memory_order_relaxed);
	int phase;

	atomic_fetch_add_explicit(&o->nanoseconds, nanoseconds, memory_order_relaxed);
	if (vectors == planned)
		note_fastest(o, nanoseconds);
	phase = atomic_load_explicit(&o->phase, memory_order_relaxed); /* start() looks again */
	if (phase == TULLE__COUNTING && (double)all >= ENOUGH_TO_COMPARE * (double)planned &&
	    seconds_spent(o) >= WORTH_COMPARING)
		start(o, phase, TULLE__COMPARING);
	else if (phase == TULLE__COMPARED && seconds_spent(o) >= threshold_of(o))
		start(o, phase, TULLE__CONVERTING);
	else if (phase == TULLE__COMPARING || phase == TULLE__CONVERTING)
		help(o, HELP * 1e-9 * (double)nanoseconds);
}

/* ---- the plan ---- */

tulle_status tulle__online_check(const tulle_plan_options *o)
{
	const char *excluded = o->format                    ? "format"
	                       : o->reproducible            ? "reproducible"
	                       : o->lossy                   ? "lossy"
	                       : o->effort == TULLE_MEASURE ? "effort = TULLE_MEASURE"
	                                                    : NULL;

	if (o->online != 0 && o->online != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.online = %d is not 0 or 1", o->online);
	if (o->online && tulle__op_is_both(o->op))
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "options.online = 1 excludes options.op = TULLE_BOTH: make one plan for "
		                   "each direction, with TULLE_NORMAL and with TULLE_TRANSPOSED");
	return o->online && excluded
	           ? tulle__fail(TULLE_E_ARGUMENT, "options.online = 1 excludes options.%s", excluded)
	           : TULLE_OK;
}

static tulle_status copy_text(tulle__env *env, const char *text, char **out)
{
	const size_t bytes = text ? strlen(text) + 1 : 0;
	tulle_status s;

	*out = NULL;
	if (!text)
		return TULLE_OK;
	s = tulle__alloc(env, (int64_t)bytes, 1, out);
	if (s == TULLE_OK)
		memcpy(*out, text, bytes);
	return s;
}

tulle_status tulle__online_begin(tulle_plan *p, const tulle_plan_options *options)
{
	tulle__online *o;
	tulle_status s = tulle__alloc_zero(p->env, 1, sizeof *o, &o);

	if (s != TULLE_OK)
		return s;
	s = copy_text(p->env, options->wisdom, &o->wisdom);
	if (s != TULLE_OK) {
		tulle__free(p->env, o);
		return s;
	}
	o->plan = p;
	o->options = *options;
	o->options.wisdom = o->wisdom;
	/* Calls may be reading A^H and widened values of csr, so these are kept. */
	o->options.max_bytes = tulle__rest_of_limit(p->max_bytes, tulle__limited_bytes(p));
	o->choice.request = tulle__request_for(&p->request, p->way);
	atomic_flag_clear(&o->starting);
	p->online = o;
	return TULLE_OK;
}

/* In a child of fork() the job does not exist, and its unfinished data is not in a state to be freed. */
static int is_lost(tulle__online *o)
{
	const int phase = atomic_load_explicit(&o->phase, memory_order_acquire);

	return tulle__background_lost(&o->background) &&
	       (phase == TULLE__COMPARING || phase == TULLE__CONVERTING);
}

void tulle__online_end(tulle__online *o)
{
	tulle_plan *after;

	if (!o)
		return;
	tulle__background_stop(&o->background);
	after = atomic_load_explicit(&o->after, memory_order_acquire);
	unshare_built(o->plan, after);
	tulle_plan_destroy(after);
	if (!is_lost(o))
		drop_choice(o);
	tulle__free(o->plan->env, o->wisdom);
	tulle__free(o->plan->env, o);
}

tulle_plan *tulle__online_settled(tulle_plan *p)
{
	tulle_plan *after;

	if (!p->online)
		return p;
	tulle__background_wait(&p->online->background);
	after = atomic_load_explicit(&p->online->after, memory_order_acquire);
	return after ? after : p;
}

/* The plan may be replaced between two reads, so the phase must be that of `now`. */
static int phase_of(tulle__online *o, const tulle_plan *now)
{
	const int phase = atomic_load_explicit(&o->phase, memory_order_acquire);

	if (now != o->plan)
		return o->stays ? TULLE__STAYED : TULLE__CONVERTED;
	return phase == TULLE__CONVERTED ? TULLE__CONVERTING : phase;
}

void tulle__online_describe(tulle__online *o, const tulle_plan *now, tulle_plan_info *info)
{
	static const tulle_online_phase known_as[] = {
		[TULLE__COUNTING] = TULLE_ONLINE_COUNTING,   [TULLE__COMPARING] = TULLE_ONLINE_COUNTING,
		[TULLE__COMPARED] = TULLE_ONLINE_COUNTING,   [TULLE__CONVERTING] = TULLE_ONLINE_CONVERTING,
		[TULLE__CONVERTED] = TULLE_ONLINE_CONVERTED, [TULLE__STAYED] = TULLE_ONLINE_STAYED
	};
	const int phase = phase_of(o, now);

	info->online = known_as[phase];
	info->online_multiplies = (double)atomic_load_explicit(&o->vectors, memory_order_relaxed);
	info->online_seconds = seconds_spent(o);
	if (isfinite(threshold_of(o)))
		info->online_threshold = threshold_of(o);
	if (now == o->plan && is_lost(o)) {
		info->online = TULLE_ONLINE_STAYED;
		info->online_why = "the process was forked during the conversion";
	} else if (phase < TULLE__COMPARED)
		info->online_why = "too few multiplications so far for an analysis";
	else if (phase == TULLE__COMPARED)
		info->online_why = "the multiplications so far do not repay a conversion";
	else
		info->online_why = phase == TULLE__CONVERTING ? "the conversion is running" : o->why;
}
