/* explain.c -- a plan in words: the choice, its reason, and the other candidates.
 *
 * Every figure is labelled: predicted by the cost model, measured by a clock, or actual (a property of the
 * converted matrix). */
#include "api/explain_both.h"
#include "api/online.h"
#include "api/say.h"
#include "core/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- the plan ---- */

/* The baseline: csr, which needs no conversion. NULL: no candidates were compared. */
static const tulle__candidate *base_of(const tulle_plan *p)
{
	return p->candidates ? tulle__baseline(p->candidates) : NULL;
}

/* Were ways compared, too? */
static int has_ways(const tulle_plan *p)
{
	return base_of(p) && base_of(p)->way == TULLE__SCATTER;
}

/* How A^T x is computed. */
static void say_way(tulle__page *to, const tulle_plan *p)
{
	if (p->other)
		tulle__say_stores(to, p);
	if (!tulle__op_transposes(p->op))
		return;
	if (p->way == TULLE__BUILT)
		tulle__say_item(to, "transpose", "built in %s (measured), %.3f MB (actual)",
		                tulle__time_of(p->operand.seconds).text,
		                1e-6 * (double)tulle__transpose_bytes(&p->operand));
	else
		tulle__say_item(to, "transpose", "%s",
		                p->op == TULLE_CONJUGATE   ? "not built: A^H equals A"
		                : p->way == TULLE__SCATTER ? "not built: A^T x is scattered from A"
		                                           : "not built: A^T equals A");
}

/* How values are stored, if not as they were given. */
static void say_values(tulle__page *to, const tulle_plan_info *i)
{
	if (i->value_error > 0)
		tulle__say_item(to, "values", "stored as %s; each has a relative error of at most %.3g",
		                i->stored_values, i->value_error);
	else if (i->value_type != i->vector_type)
		tulle__say_item(to, "values", "stored as %s, exact", i->stored_values);
}

static const char *label_of(int measured)
{
	return measured ? "measured" : "predicted";
}

static void say_bytes(tulle__page *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const size_t stored = p->consumed ? p->consumed : tulle__csr_bytes(&p->a);
	const double bytes = (double)i->bytes, csr = (double)stored;
	char share[80] = "";

	if (i->bytes != stored)
		snprintf(share, sizeof share, "; %.0f %% of CSR's %.3f MB", 100 * bytes / csr, 1e-6 * csr);
	tulle__say_item(to, "reads", "%.3f MB per multiplication, %.2f bytes per nonzero (actual)%s",
	                1e-6 * bytes, i->nnz > 0 ? bytes / (double)i->nnz : 0, share);
	if (*i->note)
		tulle__say_words(to, TULLE__INDENT, "layout", i->note);
	tulle__say_item(to, "memory", "%.3f MB allocated by the plan%s (actual)",
	                1e-6 * (double)i->extra_bytes, p->other ? ", for both directions" : "");
}

/* Writes nothing if no time is known. CSR is compared only by a time of the same kind (predicted or
 * measured). */
static void say_time(tulle__page *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidate *base = base_of(p);
	const double moved = (double)i->bytes + (double)p->x_bytes + (double)p->y_bytes;
	char csr[80] = "";
	double rate;

	if (!(i->multiply_seconds > 0))
		return;
	rate = moved / i->multiply_seconds;
	if (base && !tulle__is_chosen(p, base) && i->measured == (base->measured_multiply > 0))
		snprintf(csr, sizeof csr, "; CSR%s %s (%.2fx)", has_ways(p) ? " scatter" : "",
		         tulle__time_of(tulle__multiply_seconds(base)).text,
		         tulle__multiply_seconds(base) / i->multiply_seconds);
	tulle__say_item(to, "time", "%s per multiplication (%s)%s",
	                tulle__time_of(i->multiply_seconds).text, label_of(i->measured), csr);
	if (!(i->read_bandwidth > 0))
		return;
	tulle__say_item(to, "bandwidth", "%.1f GB/s including x and y (%s), %.0f %% of the machine's",
	                1e-9 * rate, label_of(i->measured), 100 * rate / i->read_bandwidth);
	tulle__say_item(to, "machine", "reads %.1f GB/s (%s)", 1e-9 * i->read_bandwidth,
	                i->machine_measured ? "measured" : "assumed");
}

/* How block CSR was used. */
static void say_blocks(tulle__page *to, const tulle_plan *p)
{
	const tulle__bsr *a = &p->matrix->blocks;

	if (!a->ptr)
		return;
	if (p->from_blocks)
		tulle__say_item(to, "blocks", "%" PRId64 " x %" PRId64 ", kept: no expansion to CSR",
		                a->height, a->width);
	else if (!p->operand.blocks)
		tulle__say_item(to, "blocks",
		                "%" PRId64 " x %" PRId64
		                ", expanded to CSR by the matrix, which keeps that",
		                a->height, a->width);
	else if (p->way == TULLE__BUILT)
		tulle__say_item(to, "blocks",
		                "%" PRId64 " x %" PRId64
		                ", expanded to CSR in %s (measured) for the transpose",
		                a->height, a->width, tulle__time_of(p->operand.expand_seconds).text);
	else
		tulle__say_item(to, "blocks",
		                "%" PRId64 " x %" PRId64
		                ", expanded to CSR in %s (measured), %.3f MB (actual)",
		                a->height, a->width, tulle__time_of(p->operand.expand_seconds).text,
		                1e-6 * (double)tulle__expansion_bytes(&p->operand));
}

static void say_conversion(tulle__page *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidate *base = base_of(p);
	const double plain = base ? tulle__multiply_seconds(base) : 0;
	const int built = p->way == TULLE__BUILT;

	say_blocks(to, p);
	if (p->shares_data) {
		tulle__say_item(to, "conversion", "none (uses the matrix stored for A)");
		return;
	}
	if ((p->format->flags & TULLE__BORROWS) && !built) {
		tulle__say_item(to, "conversion", "%s (uses %s)",
		                tulle__format_borrows(p->format, p->value_type)
		                    ? "none"
		                    : "values widened to f32 in memory of the plan",
		                p->matrix->blocks.ptr      ? "the expanded blocks"
		                : p->matrix->mapping.begin ? "the arrays of the mapped file"
		                : p->matrix->owned.col     ? "tulle's copy of your CSR arrays"
		                                           : "your CSR arrays");
		return;
	}
	tulle__say_item(to, "conversion", "%s%s (measured)", tulle__time_of(i->convert_seconds).text,
	                built ? ", building the transpose included" : "");
	if (plain > i->multiply_seconds)
		tulle__say_item(
		    to, "break-even",
		    "at %s multiplications; the conversion takes as long as %.1f multiplications with "
		    "CSR%s (by the times above)",
		    tulle__count_of(ceil(i->convert_seconds / (plain - i->multiply_seconds))).text,
		    i->convert_seconds / plain, has_ways(p) ? " scatter" : "");
}

static void say_planning(tulle__page *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidates *q = p->candidates;
	char analysis[80] = "", trials[80] = "";

	if (q)
		snprintf(analysis, sizeof analysis, ", %s analysis", tulle__time_of(q->look_seconds).text);
	if (q && q->measure_seconds > 0)
		snprintf(trials, sizeof trials, ", %s trials", tulle__time_of(q->measure_seconds).text);
	tulle__say_item(to, "planning", "%s total%s%s (measured)", tulle__time_of(i->seconds).text,
	                analysis, trials);
}

static void say_online(tulle__page *to, const tulle_plan_info *i)
{
	static const char *const phase[] = { [TULLE_ONLINE_COUNTING] = "CSR so far",
		                                 [TULLE_ONLINE_CONVERTING] = "CSR so far",
		                                 [TULLE_ONLINE_CONVERTED] = "converted",
		                                 [TULLE_ONLINE_STAYED] = "stays with CSR" };
	char threshold[64] = "";

	if (i->online == TULLE_OFFLINE)
		return;
	if (i->online_threshold > 0)
		snprintf(threshold, sizeof threshold, ", a conversion pays off after %s",
		         tulle__time_of(i->online_threshold).text);
	tulle__say_item(to, "online", "%s; %s; %s %s by CSR in %s (measured)%s", phase[i->online],
	                i->online_why, tulle__count_of(i->online_multiplies).text,
	                i->vectors > 1 ? "vectors" : "multiplications",
	                tulle__time_of(i->online_seconds).text, threshold);
}

/* ---- the candidates ---- */

/* Is a better than b? Candidates that are ruled out come last. */
static int before(const tulle__candidates *q, const tulle__candidate *a, const tulle__candidate *b)
{
	if (a->rejected_because || b->rejected_because)
		return !a->rejected_because && b->rejected_because;
	return tulle__total_seconds(a, q->multiplies) < tulle__total_seconds(b, q->multiplies);
}

/* Indices of the candidates, sorted by total time. */
static void rank(const tulle__candidates *q, int order[TULLE__MOST_CANDIDATES])
{
	for (int n = 0; n < q->count; n++) {
		int at = n;

		for (; at > 0 && before(q, &q->candidate[n], &q->candidate[order[at - 1]]); at--)
			order[at] = order[at - 1];
		order[at] = n;
	}
}

/* Units of the columns of the table, and which columns and footnotes it has. */
typedef struct {
	tulle__unit multiply, convert, total;
	int measured, sliced, doubted, ways;
	double csr_bytes;
} columns;

static columns columns_of(const tulle_plan *p)
{
	const tulle__candidates *q = p->candidates;
	columns t = { .csr_bytes = base_of(p)->bytes, .ways = has_ways(p) };
	double multiply = INFINITY, convert = 0, total = INFINITY;

	for (int n = 0; n < q->count; n++) {
		const tulle__candidate *c = &q->candidate[n];

		if (c->rejected_because)
			continue;
		multiply = fmin(multiply, tulle__multiply_seconds(c));
		convert = fmax(convert, tulle__total_seconds(c, 0));
		total = fmin(total, tulle__total_seconds(c, q->multiplies));
		t.measured |= c->measured_multiply > 0 || c->doubt;
		t.sliced |= c->sliced;
		t.doubted |= c->doubt != NULL;
	}
	t.multiply = tulle__unit_for(multiply);
	t.convert = tulle__unit_for(convert);
	t.total = tulle__unit_for(total);
	return t;
}

static void say_head(tulle__page *to, const columns *t, double multiplies)
{
	char total[40];

	snprintf(total, sizeof total, "%s for %s", t->total.name, tulle__count_of(multiplies).text);
	tulle__say(to, "  %-8s %s%8s %10s ", "", t->ways ? "A^T      " : "", "bytes", "predicted");
	if (t->measured)
		tulle__say(to, "%10s  ", "measured");
	tulle__say(to, "%9s %9s %14s\n", "convert", "breaks", "total");
	tulle__say(to, "  %-8s %s%8s %7s %2s ", "", t->ways ? "         " : "", "of CSR", "each",
	           t->multiply.name);
	if (t->measured)
		tulle__say(to, "%7s %2s  ", "each", t->multiply.name);
	tulle__say(to, "%9s %9s %14s\n", t->convert.name, "even at", total);
}

static tulle__figure breaks_even_at(const tulle_candidate_info *c)
{
	return isinf(c->break_even)   ? (tulle__figure){ "never" }
	       : !(c->break_even > 0) ? (tulle__figure){ "-" }
	                              : tulle__count_of(c->break_even);
}

static void say_row(tulle__page *to, const columns *t, const tulle_candidate_info *c,
                    const tulle__candidate *inner)
{
	const tulle__figure none = { "-" };
	const tulle__figure measured =
	    c->measured_multiply > 0 ? tulle__figure_of(c->measured_multiply * t->multiply.per_second)
	                             : none;

	tulle__say(to, "%c %-8s ", c->chosen ? '>' : ' ', c->format);
	if (t->ways)
		tulle__say(to, "%-8s ", c->way);
	tulle__say(to, "%6.0f %% %10s ", 100 * c->bytes / fmax(1, t->csr_bytes),
	           tulle__figure_of(c->multiply_seconds * t->multiply.per_second).text);
	if (t->measured)
		tulle__say(to, "%10s%c ", measured.text, inner->doubt ? '?' : inner->sliced ? '~' : ' ');
	tulle__say(to, "%9s %9s %14s\n",
	           tulle__figure_of(tulle__total_seconds(inner, 0) * t->convert.per_second).text,
	           breaks_even_at(c).text,
	           tulle__figure_of(c->total_seconds * t->total.per_second).text);
}

static void say_reason(tulle__page *to, const columns *t, const tulle__candidate *c)
{
	enum { NAMES = 11, WAYS = 9, RULED_OUT = 11 };
	char name[64], way[16] = "";

	if (t->ways)
		snprintf(way, sizeof way, "%-8s ", tulle__way_name(c->way));
	snprintf(name, sizeof name, "  %-8s %s%s", c->format->name, way,
	         c->rejected_because ? "ruled out:" : "");
	tulle__say_words(to, NAMES + (t->ways ? WAYS : 0) + (c->rejected_because ? RULED_OUT : 0), name,
	                 c->rejected_because ? c->rejected_because : c->because);
}

static void say_candidates(tulle__page *to, const tulle_plan *p)
{
	const tulle__candidates *q = p->candidates;
	const columns t = columns_of(p);
	int order[TULLE__MOST_CANDIDATES];

	rank(q, order);
	tulle__say(to, "\n");
	say_head(to, &t, q->multiplies);
	for (int n = 0; n < q->count; n++) {
		tulle_candidate_info c = { .size = sizeof c };

		tulle_plan_candidate(p, order[n], &c);
		if (!c.out)
			say_row(to, &t, &c, &q->candidate[order[n]]);
	}
	if (t.sliced)
		tulle__say(to, "  ~ measured on a slice of the matrix\n");
	if (t.doubted)
		tulle__say(to, "  ? timed but disturbed: the prediction is used and nothing is stored\n");
	if (t.measured && q->scale != 1)
		tulle__say(
		    to,
		    "  predictions are multiplied by %.3g (measured time / predicted time of one format)\n",
		    q->scale);
	if (t.measured)
		tulle__say(to, "  totals use measured times where there are any\n");
	if (q->count > 0 && !tulle__is_chosen(p, &q->candidate[order[0]]))
		tulle__say(to, "  the choice is among the formats that were measured on the whole matrix; "
		               "if totals differ by\n"
		               "  at most a tenth, the format with the cheapest conversion is chosen\n");
	tulle__say(to, "\n");
	for (int n = 0; n < q->count; n++)
		say_reason(to, &t, &q->candidate[order[n]]);
}

size_t tulle_plan_explain(const tulle_plan *plan, char *text, size_t size)
{
	tulle_plan_info i = { .size = sizeof i };
	tulle__page to = { text, text ? size : 0, 0 };
	const tulle_plan *now;
	size_t element;

	if (to.size > 0)
		*text = 0;
	if (!plan) {
		tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
		return 0;
	}
	now = tulle__now(plan);
	element = tulle__element_size(now->value_type);
	tulle__describe(plan, now, &i);
	tulle__say(&to, "y = %s x%s with %s, kernel %s, %s\n",
	           i.op == TULLE_TRANSPOSED  ? "A^T"
	           : i.op == TULLE_CONJUGATE ? "A^H"
	                                     : "A",
	           !now->other                    ? ""
	           : i.op == TULLE_BOTH_CONJUGATE ? " and y = A^H x"
	                                          : " and y = A^T x",
	           i.format, i.kernel, i.isa);
	if (i.vectors > 1)
		tulle__say_item(&to, "vectors",
		                "%" PRId64 " at once: times are those of a product of all %s", i.vectors,
		                tulle__multiplies_together(now->format, &now->run, i.vectors, element)
		                    ? "together"
		                    : "one after the other");
	tulle__say_words(&to, TULLE__INDENT, "reason", i.why);
	tulle__say_item(&to, "matrix", "%" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros, %s%s%s%s",
	                i.rows, i.cols, i.nnz, tulle__type_of(i.value_type)->name,
	                i.value_type != i.vector_type ? " values, " : "",
	                i.value_type != i.vector_type ? tulle__type_of(i.vector_type)->name : "",
	                i.value_type != i.vector_type ? " vectors and sums" : "");
	say_values(&to, &i);
	say_way(&to, now);
	say_bytes(&to, now, &i);
	say_time(&to, now, &i);
	tulle__say_backward_time(&to, &i);
	say_conversion(&to, now, &i);
	say_planning(&to, now, &i);
	say_online(&to, &i);
	tulle__say_item(&to, "parallel",
	                "%" PRId64 " part%s, fixed by the matrix: the same bits at any thread count",
	                i.parts, i.parts == 1 ? "" : "s");
	if (now->both)
		tulle__say_pairs(&to, &now->both->stores);
	if (now->candidates)
		say_candidates(&to, now);
	return to.length;
}
