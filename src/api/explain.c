/* explain.c -- a plan in words: what was chosen and why, and what else there was. */
#include "api/handles.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- text that may be longer than its room ---- */

typedef struct {
	char *text; /* NULL: the length alone is wanted */
	size_t size, length;
} sink;

__attribute__((format(printf, 2, 3))) static void say(sink *to, const char *format, ...)
{
	const size_t left = to->length < to->size ? to->size - to->length : 0;
	va_list words;
	int n;

	va_start(words, format);
	n = vsnprintf(left > 0 ? to->text + to->length : NULL, left, format, words);
	va_end(words);
	to->length += n > 0 ? (size_t)n : 0;
}

enum { WIDTH = 96, INDENT = 12 };

/* A name, then words in lines that begin below the first of them. */
static void say_words(sink *to, int indent, const char *name, const char *words)
{
	int column = indent;

	say(to, "%-*s", indent, name);
	while (*words) {
		const int length = (int)strcspn(words, " ");

		if (column > indent && column + 1 + length > WIDTH) {
			say(to, "\n%*s", indent, "");
			column = indent;
		}
		column += length + (column > indent);
		say(to, "%s%.*s", column > indent + length ? " " : "", length, words);
		words += length;
		words += strspn(words, " ");
	}
	say(to, "\n");
}

__attribute__((format(printf, 3, 4))) static void say_item(sink *to, const char *name,
                                                           const char *format, ...)
{
	char text[640];
	va_list words;

	va_start(words, format);
	vsnprintf(text, sizeof text, format, words);
	va_end(words);
	say_words(to, INDENT, name, text);
}

/* ---- figures ---- */

typedef struct {
	char text[32];
} figure;

/* Four digits, as far as there are that many. */
static figure figure_of(double value)
{
	const int places = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
	figure f;

	if (value < 1e7)
		snprintf(f.text, sizeof f.text, "%.*f", places, value);
	else
		snprintf(f.text, sizeof f.text, "%.3g", value);
	return f;
}

static figure count_of(double value)
{
	figure f;

	snprintf(f.text, sizeof f.text, value < 1e9 ? "%.0f" : "%.3g", value);
	return f;
}

typedef struct {
	const char *name;
	double in_a_second;
} unit;

static unit unit_for(double seconds)
{
	static const unit units[] = { { "us", 1e6 }, { "ms", 1e3 }, { "s", 1 } };

	return units[seconds < 1e-3 ? 0 : seconds < 1 ? 1 : 2];
}

/* "1.234 ms" */
static figure time_of(double seconds)
{
	const unit u = unit_for(seconds);
	figure f;

	snprintf(f.text, sizeof f.text, "%.24s %s", figure_of(seconds * u.in_a_second).text, u.name);
	return f;
}

/* ---- the plan ---- */

/* csr, which multiplies without a conversion, to compare with; NULL when nothing was weighed. */
static const tulle__candidate *base_of(const tulle_plan *p)
{
	return p->candidates ? &p->candidates->candidate[0] : NULL;
}

static void say_reads(sink *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const double bytes = (double)i->bytes, csr = (double)tulle__csr_bytes(&p->a);
	char share[80] = "";

	if (i->bytes != tulle__csr_bytes(&p->a))
		snprintf(share, sizeof share, ": %.0f %% of the %.3f MB of CSR", 100 * bytes / csr,
		         1e-6 * csr);
	say_item(to, "reads", "%.3f MB of the matrix a multiplication, %.2f bytes a nonzero%s%s%s",
	         1e-6 * bytes, i->nnz > 0 ? bytes / (double)i->nnz : 0, share, *i->note ? "; " : "",
	         i->note);
}

/* Nothing where nothing is known. */
static void say_takes(sink *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidate *base = base_of(p);
	const double moved = (double)i->bytes + (double)p->x_bytes + (double)p->y_bytes;
	char other[80] = "";
	double rate;

	if (!(i->multiply_seconds > 0))
		return;
	rate = moved / i->multiply_seconds;
	if (base && base->format != p->format)
		snprintf(other, sizeof other, "; without conversion %s, %.2f times as long",
		         time_of(tulle__multiply_seconds(base)).text,
		         tulle__multiply_seconds(base) / i->multiply_seconds);
	say_item(to, "takes", "%s a multiplication, %s%s", time_of(i->multiply_seconds).text,
	         i->measured ? "measured" : "predicted", other);
	if (i->read_bandwidth > 0)
		say_item(to, "bandwidth",
		         "%.1f GB/s with x and y, %.0f %% of the %.1f GB/s that this machine reads (%s)",
		         1e-9 * rate, 100 * rate / i->read_bandwidth, 1e-9 * i->read_bandwidth,
		         i->machine_measured ? "timed" : "assumed");
}

/* By what the conversion took, whatever was predicted. */
static void say_conversion(sink *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidate *base = base_of(p);
	const double plain = base ? tulle__multiply_seconds(base) : 0;
	const char *first =
	    p->transposed.row_ptr ? " from the transposed matrix, which was built first" : "";
	char worth[120] = "";

	if (p->format->flags & TULLE__BORROWS) {
		say_item(to, "conversion", "none, on %s",
		         p->transposed.row_ptr  ? "the transposed matrix, which was built first"
		         : p->matrix->owned.col ? "the library's copy of the arrays"
		                                : "the arrays of the caller");
		return;
	}
	if (plain > i->multiply_seconds)
		snprintf(worth, sizeof worth,
		         ", as long as %.1f multiplications without it; pays from %s of them on",
		         i->convert_seconds / plain,
		         count_of(ceil(i->convert_seconds / (plain - i->multiply_seconds))).text);
	say_item(to, "conversion", "%s%s%s", time_of(i->convert_seconds).text, first, worth);
}

static void say_planning(sink *to, const tulle_plan *p, const tulle_plan_info *i)
{
	const tulle__candidates *q = p->candidates;
	char look[80] = "", measure[80] = "";

	if (q)
		snprintf(look, sizeof look, ", %s of it to look at the matrix",
		         time_of(q->look_seconds).text);
	if (q && q->measure_seconds > 0)
		snprintf(measure, sizeof measure, ", %s to measure", time_of(q->measure_seconds).text);
	say_item(to, "planning", "%s in all%s%s; %.3f MB of its own", time_of(i->seconds).text, look,
	         measure, 1e-6 * (double)i->extra_bytes);
}

/* ---- the candidates ---- */

/* Is a better than b? Those that are out come last. */
static int before(const tulle__candidates *q, const tulle__candidate *a, const tulle__candidate *b)
{
	if (a->out || b->out)
		return !a->out && b->out;
	return tulle__total_seconds(a, q->multiplies) < tulle__total_seconds(b, q->multiplies);
}

/* Numbers of the candidates in the order of their totals. */
static void rank(const tulle__candidates *q, int order[TULLE__MOST_CANDIDATES])
{
	for (int n = 0; n < q->count; n++) {
		int at = n;

		for (; at > 0 && before(q, &q->candidate[n], &q->candidate[order[at - 1]]); at--)
			order[at] = order[at - 1];
		order[at] = n;
	}
}

/* What the columns are counted in, and which of them there are. */
typedef struct {
	unit multiply, convert, total;
	int measured, sliced, doubted;
	double csr_bytes;
} columns;

static columns columns_of(const tulle_plan *p)
{
	const tulle__candidates *q = p->candidates;
	columns t = { .csr_bytes = (double)tulle__csr_bytes(&p->a) };
	double multiply = INFINITY, convert = 0, total = INFINITY;

	for (int n = 0; n < q->count; n++) {
		const tulle__candidate *c = &q->candidate[n];

		if (c->out)
			continue;
		multiply = fmin(multiply, tulle__multiply_seconds(c));
		convert = fmax(convert, tulle__total_seconds(c, 0));
		total = fmin(total, tulle__total_seconds(c, q->multiplies));
		t.measured |= c->measured_multiply > 0 || c->doubt;
		t.sliced |= c->sliced;
		t.doubted |= c->doubt != NULL;
	}
	t.multiply = unit_for(multiply);
	t.convert = unit_for(convert);
	t.total = unit_for(total);
	return t;
}

static void say_head(sink *to, const columns *t, double multiplies)
{
	char total[40];

	snprintf(total, sizeof total, "%s for %s", t->total.name, count_of(multiplies).text);
	say(to, "  %-8s %8s %10s ", "", "bytes", "predicted");
	if (t->measured)
		say(to, "%10s  ", "measured");
	say(to, "%9s %9s %14s\n", "convert", "pays", "in all");
	say(to, "  %-8s %8s %7s %2s ", "", "of CSR", "each", t->multiply.name);
	if (t->measured)
		say(to, "%7s %2s  ", "each", t->multiply.name);
	say(to, "%9s %9s %14s\n", t->convert.name, "from", total);
}

static figure pays_from(const tulle_candidate_info *c)
{
	return isinf(c->break_even)   ? (figure){ "never" }
	       : !(c->break_even > 0) ? (figure){ "-" }
	                              : count_of(c->break_even);
}

static void say_row(sink *to, const columns *t, const tulle_candidate_info *c,
                    const tulle__candidate *inner)
{
	const figure none = { "-" };
	const figure measured =
	    c->measured_multiply > 0 ? figure_of(c->measured_multiply * t->multiply.in_a_second) : none;

	say(to, "%c %-8s %6.0f %% %10s ", c->chosen ? '>' : ' ', c->format,
	    100 * c->bytes / fmax(1, t->csr_bytes),
	    figure_of(c->multiply_seconds * t->multiply.in_a_second).text);
	if (t->measured)
		say(to, "%10s%c ", measured.text, inner->doubt ? '?' : inner->sliced ? '~' : ' ');
	say(to, "%9s %9s %14s\n",
	    figure_of(tulle__total_seconds(inner, 0) * t->convert.in_a_second).text, pays_from(c).text,
	    figure_of(c->total_seconds * t->total.in_a_second).text);
}

static void say_reason(sink *to, const tulle__candidate *c)
{
	enum { NAMES = 11 };
	char name[48];

	snprintf(name, sizeof name, "  %-8s %s", c->format->name, c->out ? "out:" : "");
	say_words(to, c->out ? NAMES + 5 : NAMES, name, c->out ? c->out : c->because);
}

static void say_candidates(sink *to, const tulle_plan *p)
{
	const tulle__candidates *q = p->candidates;
	const columns t = columns_of(p);
	int order[TULLE__MOST_CANDIDATES];

	rank(q, order);
	say(to, "\n");
	say_head(to, &t, q->multiplies);
	for (int n = 0; n < q->count; n++) {
		tulle_candidate_info c = { .size = sizeof c };

		tulle_plan_candidate(p, order[n], &c);
		if (!c.out)
			say_row(to, &t, &c, &q->candidate[order[n]]);
	}
	if (t.sliced)
		say(to, "  ~ measured on a part of the matrix\n");
	if (t.doubted)
		say(to, "  ? timed, but not trusted: the prediction counts, and nothing is stored\n");
	if (q->count > 0 && q->candidate[order[0]].format != p->format)
		say(to, "  chosen of those tried in full; of a tie (a tenth) the cheapest conversion "
		        "wins\n");
	say(to, "\n");
	for (int n = 0; n < q->count; n++)
		say_reason(to, &q->candidate[order[n]]);
}

size_t tulle_plan_explain(const tulle_plan *plan, char *text, size_t size)
{
	tulle_plan_info i = { .size = sizeof i };
	sink to = { text, text ? size : 0, 0 };

	if (to.size > 0)
		*text = 0;
	if (tulle_plan_describe(plan, &i) != TULLE_OK)
		return 0;
	say(&to, "y = %s x with %s, kernel %s, %s\n", i.op == TULLE_TRANSPOSED ? "A^T" : "A", i.format,
	    i.kernel, i.isa);
	say_words(&to, INDENT, "because", i.why);
	say_item(&to, "matrix", "%" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros, %s", i.rows, i.cols,
	         i.nnz, tulle__type_of(i.value_type)->name);
	say_reads(&to, plan, &i);
	say_takes(&to, plan, &i);
	say_conversion(&to, plan, &i);
	say_planning(&to, plan, &i);
	say_item(&to, "work",
	         "%" PRId64 " part%s fixed by the matrix: the same bits at any thread count", i.parts,
	         i.parts == 1 ? "" : "s");
	if (plan->candidates)
		say_candidates(&to, plan);
	return to.length;
}
