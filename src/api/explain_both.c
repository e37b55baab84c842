/* explain_both.c -- one store or two, in words: the choice, both times, and the other ways to store A. */
#include "api/explain_both.h"

#include <stdio.h>

void tulle__say_stores(tulle__page *to, const tulle_plan *p)
{
	const tulle_plan *t = p->other;
	const char *kernel = t->run.kernel[TULLE__MUL]->name;

	if (t == p)
		tulle__say_item(to, "stores", "one: A^%s equals A",
		                p->op == TULLE_BOTH_CONJUGATE ? "H" : "T");
	else if (tulle__stores_of(p) == 1)
		tulle__say_item(to, "stores",
		                "one: A^T x is computed from the matrix stored for A, kernel %s", kernel);
	else if (t->way == TULLE__SCATTER)
		tulle__say_item(to, "stores", "two: A in %s; A^T x is scattered from the CSR arrays of A",
		                p->format->name);
	else
		tulle__say_item(to, "stores", "two: A in %s, A^%s in %s, kernel %s", p->format->name,
		                t->op == TULLE_CONJUGATE ? "H" : "T", t->format->name, kernel);
}

void tulle__say_backward_time(tulle__page *to, const tulle_plan_info *i)
{
	if (i->transposed_seconds > 0)
		tulle__say_item(to, i->op == TULLE_BOTH_CONJUGATE ? "A^H time" : "A^T time",
		                "%s per multiplication (%s)", tulle__time_of(i->transposed_seconds).text,
		                i->transposed_measured ? "measured" : "predicted");
}

static void say_pair(tulle__page *to, const tulle__pair *p, int chosen, double multiplies)
{
	const char *back = p->stores == 2           ? p->format[TULLE__BACKWARD]->name
	                   : p->way == TULLE__AS_IS ? "equal"
	                                            : "scatter";

	tulle__say(to, "%c %-3s %-8s %-8s", chosen ? '>' : ' ', p->stores == 1 ? "one" : "two",
	           p->format[TULLE__FORWARD]->name,
	           p->stores == 2 && p->way == TULLE__SCATTER ? "scatter" : back);
	tulle__say(to, " %11s", tulle__time_of(p->multiply[TULLE__FORWARD]).text);
	tulle__say(to, " %11s", tulle__time_of(p->multiply[TULLE__BACKWARD]).text);
	tulle__say(to, " %11s", tulle__time_of(p->convert).text);
	tulle__say(to, " %10.3f", 1e-6 * tulle__pair_bytes(p));
	tulle__say(to, " %11s\n", tulle__time_of(tulle__pair_seconds(p, multiplies)).text);
}

void tulle__say_pairs(tulle__page *to, const tulle__stores *s)
{
	char total[32];

	if (s->count == 0)
		return;
	snprintf(total, sizeof total, "%.16s each", tulle__count_of(s->multiplies).text);
	tulle__say(to, "\n  stores of both directions, predicted\n");
	tulle__say(to, "  %-3s %-8s %-8s %11s %11s %11s %10s %11s\n", "", "A", "A^T", "A x", "A^T x",
	           "convert", "extra MB", total);
	for (int n = 0; n < s->count; n++)
		if (!s->pair[n].rejected_because)
			say_pair(to, &s->pair[n], n == s->chosen, s->multiplies);
	for (int n = 0; n < s->count; n++)
		if (s->pair[n].rejected_because)
			tulle__say_item(to, "", "%s, %s: ruled out: %s",
			                s->pair[n].stores == 1 ? "one store" : "two stores",
			                s->pair[n].format[TULLE__FORWARD]->name, s->pair[n].rejected_because);
}
