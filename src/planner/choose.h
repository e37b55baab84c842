/* choose.h -- which format a plan gets, with which tunables, and why. */
#ifndef TULLE_PLANNER_CHOOSE_H
#define TULLE_PLANNER_CHOOSE_H

#include "core/format.h"

typedef struct {
	const tulle__format *format;
	tulle__request request;
	const char *why; /* half a sentence for people, static */
} tulle__choice;

tulle_status tulle__choose(const tulle_plan_options *options, tulle__choice *out);

#endif
