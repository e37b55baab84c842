/* system.h -- the system as a file that is written sees it in a test: calls fail, are interrupted, or are the
 * last. The linker puts the functions of system.c in the place of the system's (--wrap). */
#ifndef TESTS_WISDOM_SYSTEM_H
#define TESTS_WISDOM_SYSTEM_H

typedef enum { WELL, FAILS, FAILS_ON, DIES, DIES_HALFWAY, INTERRUPTS } mood;

typedef struct {
	mood mood;
	int at; /* the call that fails, from that on all fail, or at which the process ends; from 1 */
	int error;      /* what it fails with; 0: a write() does half of its work */
	int calls;      /* so far */
	int only_fsync; /* 1: no other call fails */
	int is_fsync;   /* this one is such a call */
	int ends;       /* 1: a pread() that fails finds the end of the file instead */
	int keeps;      /* 1: unlinkat() fails; it is not among the counted calls */

	/* What others do at that moment, once. */
	void (*before_lock)(void), (*before_write)(void);
} system_today;

extern system_today today;

#endif
