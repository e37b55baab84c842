/* plan_options.h -- checks of tulle_plan_options. */
#ifndef TULLE_API_PLAN_OPTIONS_H
#define TULLE_API_PLAN_OPTIONS_H

#include "tulle.h"

/* TULLE_E_ARGUMENT: the message names the wrong option, or the options that exclude each other. */
tulle_status tulle__check_plan_options(const tulle_plan_options *o);

#endif
