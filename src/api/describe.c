/* describe.c -- a plan in figures, and the candidates that were weighed for it. */
#include "api/online.h"
#include "core/status.h"

#include <math.h>
#include <string.h>

/* The candidate that became the plan, NULL when none was weighed. */
static const tulle__candidate *chosen(const tulle_plan *p)
{
	for (int n = 0; p->candidates && n < p->candidates->count; n++)
		if (tulle__is_chosen(p, &p->candidates->candidate[n]))
			return &p->candidates->candidate[n];
	return NULL;
}

/* Bytes of A^T. A plan that replaces an online one shares A^H with it; it is counted there. */
static size_t transpose_bytes(const tulle_plan *p)
{
	return p->before && p->before->way == TULLE__BUILT ? 0 : tulle__transpose_bytes(&p->operand);
}

/* Memory of a plan, without the plan that replaces it. Values that both directions share are counted
 * for A. */
static size_t own_bytes(const tulle_plan *p)
{
	size_t own =
	    sizeof *p + p->layout.own_bytes + transpose_bytes(p) + tulle__expansion_bytes(&p->operand);

	if (p->candidates)
		own += sizeof *p->candidates;
	if (p->values && !p->shares_data)
		own += (size_t)p->a.nnz * tulle__value_size(p->value_type);
	if (p->both)
		own += sizeof *p->both;
	if (p->online)
		own += sizeof *p->online;
	return p->other && p->other != p ? own + own_bytes(p->other) : own;
}

/* Seconds of a multiplication, measured or predicted. */
static double seconds_of(const tulle_plan *p, int *measured)
{
	const tulle__candidate *c = chosen(p);

	*measured = c && c->measured_multiply > 0;
	return c ? tulle__multiply_seconds(c) : p->predicted;
}

static const char *stored_values(const tulle_plan *p)
{
	const tulle_value_type type = tulle__format_type(p->format, p->value_type);

	if (p->layout.values)
		return p->layout.values;
	if ((p->format->flags & TULLE__BORROWS) && !p->a.val)
		return "ones";
	return tulle__type_of(tulle__given_type(type))->name;
}

static tulle_plan_info figures(const tulle_plan *p)
{
	const tulle__candidates *q = p->candidates;
	const double moved = (double)(p->layout.bytes + p->x_bytes + p->y_bytes);
	int measured, backward_measured = 0;
	const double seconds = seconds_of(p, &measured);
	const double backward = p->other ? seconds_of(p->other, &backward_measured) : 0;

	return (tulle_plan_info){ .format = p->format->name,
		                      .kernel = p->run.kernel[TULLE__MUL]->name,
		                      .isa = tulle__isa_name(p->run.isa),
		                      .op = p->op,
		                      .rows = (int64_t)(p->y_bytes / tulle__element_size(p->value_type)),
		                      .cols = (int64_t)(p->x_bytes / tulle__element_size(p->value_type)),
		                      .nnz = p->a.nnz,
		                      .value_type = tulle__given_type(p->value_type),
		                      .vector_type = p->vector_type,
		                      .stored_values = stored_values(p),
		                      .bytes = p->layout.bytes,
		                      .extra_bytes = own_bytes(p),
		                      .scratch = p->run.scratch,
		                      .parts = p->layout.parts[p->layout.main_phase],
		                      .borrows_values = !p->copies_values || tulle__borrows_values(p),
		                      .seconds = p->seconds,
		                      .note = p->layout.note,
		                      .value_error = p->layout.value_error,
		                      .why = p->why,
		                      .multiplies = p->request.multiplies,
		                      .convert_seconds = p->convert_seconds,
		                      .multiply_seconds = seconds,
		                      .measured = measured,
		                      .candidates = q ? q->count : 0,
		                      .read_bandwidth =
		                          q ? 1 / tulle__read_seconds(&q->machine, 1, moved) : 0,
		                      .machine_measured = q && tulle__machine_timed(&q->machine, moved),
		                      .wisdom_key = q ? q->wisdom_key : "",
		                      .way = tulle__way_name(p->way),
		                      .stores = tulle__stores_of(p),
		                      .transposed_seconds = backward,
		                      .transposed_measured = backward_measured,
		                      .vectors = p->request.vectors,
		                      .online_why = "" };
}

tulle_status tulle__describe(const tulle_plan *plan, const tulle_plan *now, tulle_plan_info *info)
{
	tulle_plan_info all = figures(now);

	if (now != plan)
		all.extra_bytes += own_bytes(plan);
	if (plan->online)
		tulle__online_describe(plan->online, now, &all);
	return tulle__write_info("tulle_plan_info", info, &all, sizeof all);
}

tulle_status tulle_plan_describe(const tulle_plan *plan, tulle_plan_info *info)
{
	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	return tulle__describe(plan, tulle__now(plan), info);
}

/* The number of multiplications at which c breaks even with the baseline, which needs no
 * conversion. */
static double break_even(const tulle__candidate *c, const tulle__candidate *csr)
{
	const double gain = tulle__multiply_seconds(csr) - tulle__multiply_seconds(c);
	const double extra = tulle__total_seconds(c, 0) - tulle__total_seconds(csr, 0);

	return c == csr || extra <= 0 ? 0 : gain > 0 ? ceil(extra / gain) : INFINITY;
}

tulle_status tulle_plan_candidate(const tulle_plan *plan, int n, tulle_candidate_info *info)
{
	const tulle__candidates *q;
	const tulle__candidate *c;

	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	plan = tulle__now(plan);
	q = plan->candidates;
	if (n < 0 || n >= (q ? q->count : 0))
		return tulle__fail(TULLE_E_ARGUMENT, "n = %d: the plan compared %d candidates", n,
		                   q ? q->count : 0);
	c = &q->candidate[n];
	return tulle__write_info(
	    "tulle_candidate_info", info,
	    &(tulle_candidate_info){ .format = c->format->name,
	                             .chosen = c == chosen(plan),
	                             .bytes = c->bytes,
	                             .convert_seconds = c->convert,
	                             .multiply_seconds = c->multiply,
	                             .measured_convert = c->measured_convert,
	                             .measured_multiply = c->measured_multiply,
	                             .total_seconds = tulle__total_seconds(c, q->multiplies),
	                             .break_even = break_even(c, tulle__baseline(plan->candidates)),
	                             .because = c->rejected_because ? c->rejected_because : c->because,
	                             .out = c->rejected_because != NULL,
	                             .spread = c->spread,
	                             .doubt = c->doubt,
	                             .way = tulle__way_name(c->way) },
	    sizeof *info);
}

const char *tulle_formats(int n)
{
	const tulle__format *f = tulle__format_at(n);

	return f ? f->name : NULL;
}

static const tulle__format *named(const char *format)
{
	return format ? tulle__format_named(format, strlen(format)) : NULL;
}

const char *tulle_format_summary(const char *format)
{
	const tulle__format *f = named(format);

	return f ? f->summary : NULL;
}

const char *tulle_format_tunables(const char *format)
{
	const tulle__format *f = named(format);

	return f ? f->tunables : NULL;
}
