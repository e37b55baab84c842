/* known_machine.c -- speeds of the machine, from this process, from the wisdom file or from a
 * probe. */
#include "planner/known_machine.h"

#include "planner/wisdom.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* The record: seconds per byte of each level, per gather of each level, of a parallel region. 0: not timed. */
static const char MACHINE[] = "machine";
enum { READ, GATHER = TULLE__LEVELS, REGION = 2 * TULLE__LEVELS, NUMBERS };
enum { MACHINE_VERSION = 2 };

/* Implausible times are ignored. */
static const double LEAST = 1e-15, MOST = 1e-3;

static int plausible(double seconds)
{
	return seconds >= LEAST && seconds <= MOST;
}

static int levels_plausible(const tulle__wisdom_record *r, int first, int end)
{
	for (int level = first; level < end; level++)
		if (!plausible(r->number[READ + level]) || !plausible(r->number[GATHER + level]))
			return 0;
	return 1;
}

/* A record without times of memory is used for the caches. */
static int take_record(const tulle__wisdom_record *r, tulle__machine *m)
{
	if (strcmp(r->name, MACHINE) != 0 || r->version != MACHINE_VERSION || r->count != NUMBERS ||
	    !levels_plausible(r, 0, TULLE__MEMORY) || r->number[REGION] > MOST)
		return 0;
	m->caches_timed = 1;
	m->memory_timed = levels_plausible(r, TULLE__MEMORY, TULLE__LEVELS);
	for (int level = 0; level < (m->memory_timed ? TULLE__LEVELS : TULLE__MEMORY); level++) {
		m->read[level] = r->number[READ + level];
		m->gather[level] = r->number[GATHER + level];
	}
	if (!m->memory_timed)
		m->gather[TULLE__MEMORY] = fmin(tulle__machine_far_gather(m), MOST);
	m->region = r->number[REGION];
	return 1;
}

static void read_file(tulle__env *env, const char *wisdom, uint64_t signature, tulle__machine *m)
{
	enum { MOST_RECORDS = 8 }; /* other versions and other names */
	tulle__wisdom_record r[MOST_RECORDS];

	for (int n = tulle__wisdom_find(env, wisdom, 0, signature, r, MOST_RECORDS) - 1; n >= 0; n--)
		if (take_record(&r[n], m))
			return;
}

static void write_file(tulle__env *env, const char *wisdom, uint64_t signature,
                       const tulle__machine *m)
{
	tulle__wisdom_record r = { .machine = signature, .version = MACHINE_VERSION, .count = NUMBERS };

	memcpy(r.name, MACHINE, sizeof MACHINE);
	for (int level = 0; level < (m->memory_timed ? TULLE__LEVELS : TULLE__MEMORY); level++) {
		r.number[READ + level] = m->read[level];
		r.number[GATHER + level] = m->gather[level];
	}
	r.number[REGION] = m->region;
	tulle__wisdom_add(env, wisdom, &r, 1);
}

/* ---- this process ---- */

/* The latest machine that was timed. A failed probe is not repeated, since a machine that was too busy
 * for it often stays busy. */
static struct {
	pthread_mutex_t lock;
	tulle__machine machine;
	uint64_t signature, tried_caches, tried_memory; /* signatures */
} process = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A thread of the library may hold the lock during fork() (core/background.h): the child must find it free. */
static void before_fork(void)
{
	pthread_mutex_lock(&process.lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&process.lock);
}

static __attribute__((constructor)) void watch_fork(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

static void know_in_process(uint64_t signature, tulle__machine *m)
{
	pthread_mutex_lock(&process.lock);
	if (process.signature == signature)
		*m = process.machine;
	pthread_mutex_unlock(&process.lock);
}

static void keep_in_process(uint64_t signature, const tulle__machine *m)
{
	pthread_mutex_lock(&process.lock);
	process.machine = *m;
	process.signature = signature;
	pthread_mutex_unlock(&process.lock);
}

/* Returns 1 once per signature and kind of missing speeds. */
static int first_try(uint64_t signature, const tulle__machine *m)
{
	uint64_t *tried = m->caches_timed ? &process.tried_memory : &process.tried_caches;
	int first;

	pthread_mutex_lock(&process.lock);
	first = *tried != signature;
	*tried = signature;
	pthread_mutex_unlock(&process.lock);
	return first;
}

/* ---- both ---- */

void tulle__know_machine(tulle__env *env, const tulle__csr *a, const char *wisdom, double ahead,
                         tulle__machine *out)
{
	const int may_time = ahead >= TULLE__PROBE_PAYS * TULLE__PROBE_SECONDS;
	uint64_t signature;

	tulle__machine_assume(env, out);
	if (!wisdom && !may_time)
		return;
	signature = tulle__machine_signature(out);
	if (wisdom)
		read_file(env, wisdom, signature, out);
	if (!out->memory_timed)
		know_in_process(signature, out);
	if (may_time && tulle__machine_worth_probing(a, out) && first_try(signature, out) &&
	    tulle__machine_probe(env, a, out) == TULLE_OK && out->caches_timed)
		tulle__keep_machine(env, wisdom, out);
}

void tulle__keep_machine(tulle__env *env, const char *wisdom, const tulle__machine *m)
{
	const uint64_t signature = tulle__machine_signature(m);

	keep_in_process(signature, m);
	if (wisdom)
		write_file(env, wisdom, signature, m);
}
