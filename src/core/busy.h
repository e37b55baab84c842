/* busy.h -- what the operating system knows of others that use the same processors.
 *
 * Each function returns 0 where the system does not tell. */
#ifndef TULLE_CORE_BUSY_H
#define TULLE_CORE_BUSY_H

/* How often a thread of this process was taken off its CPU while it had work: since it began. */
long tulle__preemptions(void);

/* Nonzero: at this moment more threads of all processes want to run than there are CPUs. */
int tulle__overloaded(void);

/* CPU seconds that a hypervisor gave to others while this system had work: since it was started, in steps
 * of TULLE__STEAL_STEP at the finest. */
#define TULLE__STEAL_STEP .01
double tulle__stolen_seconds(void);

#endif
