/* busy.h -- what the operating system reports about other users of the same CPUs.
 *
 * Each function returns 0 if the system does not report it. */
#ifndef TULLE_CORE_BUSY_H
#define TULLE_CORE_BUSY_H

/* Involuntary context switches of this process since it began. */
long tulle__preemptions(void);

/* Nonzero: at this moment more threads are runnable, in all processes, than there are CPUs. */
int tulle__overloaded(void);

/* CPU seconds that the hypervisor gave to other guests while this system had work (steal time), since
 * boot. The resolution is TULLE__STEAL_STEP or coarser. */
#define TULLE__STEAL_STEP .01
double tulle__stolen_seconds(void);

#endif
