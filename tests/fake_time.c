/* fake_time.c -- a clock and a team that do what the test says. */
#include "fake_time.h"

#include "core/threads.h"

#include <string.h>

fake_time fake;

/* A probe looks at the clock less often than this. Who still looks waits for a lock. */
enum { PROBE_LOOKS = 200 };
static const double LOCK_NAP = .01;

/* By the names that the linker puts in place of the library's. */
double real_seconds(void) __asm__("__real_tulle__seconds");
double my_seconds(void) __asm__("__wrap_tulle__seconds");
double my_seconds(void)
{
	if (!fake.own)
		return real_seconds();
	fake.now += fake.looks++ < PROBE_LOOKS ? fake.per_look : LOCK_NAP;
	return fake.now;
}

void real_run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                    int64_t amount) __asm__("__real_tulle__run_parts");
void my_run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                  int64_t amount) __asm__("__wrap_tulle__run_parts");
void my_run_parts(tulle__env *env, tulle__work *work, const void *arg, int64_t parts,
                  int64_t amount)
{
	if (!fake.own) {
		real_run_parts(env, work, arg, parts, amount);
		return;
	}
	fake.runs++;
	fake.now += fake.per_run;
	fake.per_run *= fake.growth;
	atomic_store(&env->last_team, fake.team > 0 ? fake.team : env->threads);
}

void fake_begin(double per_run)
{
	fake = (fake_time){ .own = 1, .now = 1, .per_run = per_run, .growth = 1 };
}

void env_begin(tulle__env *env, int threads)
{
	inner_env(env, TULLE__SCALAR);
	env->threads = threads;
}

static const double value;
const tulle__csr huge_values = {
	.rows = 1, .cols = 1, .nnz = 1 << 30, .value_type = TULLE_F64, .val = &value
};
