/* made_up_times.h -- what multiplications seem to take in a test that is linked with made_up_times.c. */
#ifndef TESTS_MADE_UP_TIMES_H
#define TESTS_MADE_UP_TIMES_H

#include "core/samples.h"

extern struct made_up_times {
	double bandwidth; /* bytes per second that every multiplication reads */
	int disturbed;    /* nonzero: no time is to be trusted */
	int quiet_from;   /* the first sample that may be quiet */
	int taken;        /* times that were asked for */
	int incomplete;   /* of these, multiplications that say they miss threads */
} made_up_times;

#endif
