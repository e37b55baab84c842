/* plan_record.h -- the choice of a plan as lines of text, stored in a tuned file.
 *
 *     format=sell:height=auto,sigma=1024,longest=512
 *     op=normal
 *     way=as is
 *     multiplies=500
 *     vectors=1
 *     ordered=0
 *     lossy=0
 *     seconds=0.000125
 *     why=16-bit columns; least total time of ...
 *
 * All lines are present, in this order. The time is that of one multiplication; 0: unknown. The reason is that of the
 * first plan: one that was made by such a text adds nothing to it. */
#ifndef TULLE_API_PLAN_RECORD_H
#define TULLE_API_PLAN_RECORD_H

#include "api/handles.h"
#include "io/tuned.h"

/* How the reason of a plan begins that was made by such a text. */
#define TULLE__AS_SAVED "as saved: "

typedef struct {
	tulle_plan_options options; /* its format is the one below */
	char format[256];
	tulle__way way;
	double seconds;
	char why[TULLE__WHY]; /* safe to show */
} tulle__plan_record;

/* Returns the length of the text, which has room for TULLE__TUNED_TEXT bytes and a zero. */
size_t tulle__plan_record_write(const tulle_plan *p, char *to);

/* At least 16 readable bytes come after the text, the first of them a newline. TULLE_E_MATRIX: the message names the
 * wrong line. Does not check whether the format exists. */
tulle_status tulle__plan_record_read(const char *text, size_t bytes, tulle__plan_record *out);

/* TULLE_E_UNSUPPORTED if `now`, what a plan is at present, has no choice that can be written. */
tulle_status tulle__check_has_choice(const tulle_plan *now);

/* A plan as the text says: converted, not compared. TULLE_E_MATRIX if a line is wrong. */
tulle_status tulle__plan_by_choice(const tulle_matrix *matrix, const tulle__choice_text *text,
                                   tulle_plan **out);

#endif
