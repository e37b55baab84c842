/* plan_choice.c -- the choice of a plan as text, and plans that are made by such a text: nothing is compared. */
#include "api/online.h"
#include "api/plan_record.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* ---- write ---- */

tulle_status tulle__check_has_choice(const tulle_plan *now)
{
	if (now->other || now->shares_data)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "a plan for both directions is not saved; save one plan for each");
	if (tulle__type_of(tulle__given_type(now->value_type))->compute != now->vector_type)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "a plan with options.vector_type is not saved; save the matrix alone");
	return TULLE_OK;
}

tulle_status tulle_plan_choice(const tulle_plan *plan, char text[TULLE_CHOICE_BYTES])
{
	const tulle_plan *now;
	tulle_status s;

	if (!text)
		return tulle__fail(TULLE_E_ARGUMENT, "text is NULL");
	if (!plan)
		return tulle__fail(TULLE_E_ARGUMENT, "plan is NULL");
	now = tulle__now(plan);
	s = tulle__check_has_choice(now);
	if (s == TULLE_OK)
		tulle__plan_record_write(now, text);
	return s;
}

/* ---- read ---- */

/* A^T from A itself needs a format that scatters, or one that checks whether A^T equals A. */
static tulle_status check_way(const tulle__choice *c)
{
	const tulle__format *f = c->format;
	const int transposed = c->request.op == TULLE_TRANSPOSED;
	const int fits = c->way == TULLE__AS_IS
	                     ? c->request.op == TULLE_NORMAL ||
	                           (tulle__op_transposes(c->request.op) && (f->flags & TULLE__MIRRORS))
	                 : c->way == TULLE__BUILT ? tulle__op_transposes(c->request.op)
	                                          : transposed && f->scatters;

	return fits ? TULLE_OK
	            : tulle__fail(TULLE_E_MATRIX, "format %s does not compute this operation by \"%s\"",
	                          f->name, tulle__way_name(c->way));
}

static tulle_status read_choice(const tulle__choice_text *text, tulle__plan_record *record,
                                tulle__choice *c)
{
	tulle_status s = tulle__plan_record_read(text->at, text->bytes, record);
	size_t prefix;

	if (s != TULLE_OK)
		return s;
	s = tulle__read_request(&record->options, c);
	if (s != TULLE_OK)
		return tulle__fail(TULLE_E_UNSUPPORTED, "%s; take the matrix alone and plan it again",
		                   tulle_last_error());
	c->way = record->way;
	prefix = (size_t)snprintf(c->why, sizeof c->why, TULLE__AS_SAVED);
	tulle__show(c->why + prefix, sizeof c->why - prefix, record->why, strlen(record->why));
	return check_way(c);
}

tulle_status tulle__plan_by_choice(const tulle_matrix *matrix, const tulle__choice_text *text,
                                   tulle_plan **out)
{
	const double begin = tulle__seconds();
	const tulle__csr *a;
	tulle__plan_record record;
	tulle__choice choice;
	tulle_plan *p;
	tulle_status s = read_choice(text, &record, &choice);

	if (s == TULLE_OK)
		s = tulle__matrix_csr(matrix, &a);
	if (s == TULLE_OK) {
		choice.request.op = tulle__op_for(matrix, choice.request.op);
		s = tulle__plan_new(matrix, choice.request.op, 0, &p);
	}
	if (s != TULLE_OK)
		return s;
	s = tulle__convert_as_chosen(a, p->env, &choice);
	if (s == TULLE_OK)
		s = tulle__plan_complete(p, &choice);
	if (s != TULLE_OK) {
		tulle_plan_destroy(p);
		return s;
	}
	p->predicted = record.seconds;
	p->seconds = tulle__seconds() - begin;
	tulle__log_plan(p);
	*out = p;
	return TULLE_OK;
}

tulle_status tulle_plan_from_choice(const tulle_matrix *matrix, const char *choice,
                                    tulle_plan **out)
{
	tulle__choice_text text = { .bytes = 0 };

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!matrix || !choice)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", matrix ? "choice" : "matrix");
	text.bytes = strnlen(choice, TULLE_CHOICE_BYTES);
	if (text.bytes == TULLE_CHOICE_BYTES)
		return tulle__fail(TULLE_E_MATRIX, "choice has more than %d bytes", TULLE_CHOICE_BYTES - 1);
	memcpy(text.at, choice, text.bytes);
	text.at[text.bytes] = '\n';
	return tulle__plan_by_choice(matrix, &text, out);
}
