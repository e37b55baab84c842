/* online_stage.h -- a plan with options.online whose time, costs and background thread the test controls.
 *
 * Linked in place of the library's (--wrap): the clock, of which every look takes TICK, so that each product by csr
 * takes TICK; what candidates cost; pthread_create(), pthread_join() and pthread_cond_wait(); help of calls, which is
 * counted. Lines of the log
 * stop the background thread where the test wants it. So nothing here depends on how fast the machine is, and nothing sleeps. */
#ifndef TESTS_ONLINE_STAGE_H
#define TESTS_ONLINE_STAGE_H

#include "support.h"

#include <semaphore.h>
#include <stdatomic.h>

#define TICK 1e-4

/* Products after which candidates are compared, and after which the conversion begins. */
enum { COMPARED_AT = 12, CONVERTED_AT = 50 };

/* Lines of the log at which the thread can be stopped; the last one is written just before the swap. */
#define COMPARING "online: comparing"
#define CONVERTING "online: converting"
#define CONVERTED "online: converted"

extern struct hooks {
	const char *_Atomic hold;    /* lines that begin like this stop the thread; NULL: none do */
	const char *_Atomic refuse;  /* likewise: from there on the allocation `refused` fails */
	long refused;                /* 1: the first */
	sem_t reached, go;           /* it is there; it may go on */
	int opens;                   /* whoever waits for it lets it go on */
	atomic_int creates, joins;   /* calls of pthread_create() and pthread_join() */
	atomic_int helps;            /* of calls that multiply */
	atomic_int refused_creation; /* the number of the call that fails; 0: none */
	atomic_int niceness, lines;  /* of the thread; lines that begin with CONVERTED */
	double convert, multiply;    /* predicted seconds of sell */
	double csr;                  /* predicted seconds of csr, which takes TICK */
} hooks;

/* An operator with two sets of values and with ones, and the bits of its products by csr and by sell. */
enum { VALUES = 3, ONES = 2, BY_CSR = 0, BY_SELL = 1 };
typedef struct {
	matrix m;
	arrays arr;
	tulle_value_type type, vectors; /* of the matrix; of x and y, which have room for doubles */
	tulle_op op;
	int64_t rows, cols; /* of the operator */
	void *val[VALUES];  /* of the matrix's type; NULL: ones */
	double *x, *y, *want[VALUES][2];
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;
	int values; /* those of the plan */
} stage;

/* Conversion repaid after CONVERTED_AT products; nothing is held. */
void reset_hooks(void);

/* A stage with a new plan; `o` has what it is to have besides options.online, NULL: nothing. The first has values and
 * vectors of doubles; the second values of 16 bits, and vectors of o->vector_type. */
void set_up(stage *g, tulle_op op, const tulle_plan_options *o);
void set_up_halves(stage *g, tulle_value_type type, tulle_op op, const tulle_plan_options *o);

/* Destroys what is left of it; no block of memory may be. */
void tear_down(stage *g);

tulle_plan_info info_of(const stage *g);

/* One product, which must have the bits of `format` (BY_CSR, BY_SELL). */
void multiply_by(stage *g, int format);
void multiply_times(stage *g, int times, int format);

/* Until the thread stops at hooks.hold; with products by csr meanwhile. */
void wait_until_held(void);
void multiply_until_held(stage *g);
void let_go(void);

/* Look at the plan until it is in this phase, or until candidates are compared. No products. */
void wait_for_phase(const stage *g, tulle_online_phase phase);
void wait_until_compared(const stage *g);

/* New values, and products with them. */
void update(stage *g, int values);

/* online_halves.c */
void test_halves(void);

/* online_failing.c */
void test_no_memory(void);
void test_memory_limits(void);
void test_no_thread(void);
void test_options(void);
void test_fork(void);

#endif
