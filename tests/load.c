/* load.c -- 64 threads multiply by plans that others of them create, update, replace, save and destroy meanwhile, and the process
 * forks: every product has the right bits, and memory, open files and threads stay as they are.
 *
 * Usage: test_load [--seconds S]. The time is divided into rounds. Between two rounds all threads have ended and all plans are
 * destroyed; what is then left is compared. */
#include "support.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	THREADS = 64,
	SLOTS = 8,
	CROWDED = 2,
	VERSIONS = 3,
	CHILD_SECONDS = 60,
	MOST_ROUNDS = 1000,
	LEAST_ROUNDS = 12,
	LONG_RUN = 120
};

/* A sanitizer keeps what was freed, and its malloc does not count. */
#ifdef LOAD_SANITIZED
enum { MEMORY_IS_OURS = 0 };
#else
enum { MEMORY_IS_OURS = 1 };
#endif

/* ThreadSanitizer does not allow a child of a process with threads to start threads. */
#ifdef LOAD_WITHOUT_FORKS
enum { FORKS = 0 };
#else
enum { FORKS = 1 };
#endif

/* Formats with scratch and without, and the library's choice. */
static const char *const specs[SLOTS] = { NULL,   "csr",  "csr:kernel=balanced",
	                                      "sell", "csr5", "csr2",
	                                      "coo",  "hot" };

/* Shared by all threads. A plan may not be updated or destroyed while it is used, so each one has a lock; the
 * matrix, its context and the library have none. */
static struct {
	matrix m;
	index_pair pair;
	arrays arr[VERSIONS]; /* the same pattern, three sets of values */
	double *x, *want[SLOTS][VERSIONS];
	tulle_context *context;
	tulle_matrix *a;
	char path[64];
	struct {
		pthread_rwlock_t lock;
		tulle_plan *plan;
		int version;
	} slot[SLOTS];
	atomic_int stop;
	atomic_long products, plans, updates, files, children;
} shared;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what the threads do ---- */

static tulle_plan *make_plan(tulle_matrix *a, int slot)
{
	const tulle_plan_options o = { .size = sizeof o,
		                           .format = specs[slot],
		                           .reproducible = 1 }; /* the same choice each time */
	tulle_plan *plan = NULL;

	CHECK_OK(tulle_plan_create(a, &o, &plan));
	atomic_fetch_add(&shared.plans, 1);
	return plan;
}

static void check_bits(const tulle_plan *plan, int slot, int version, double *y)
{
	const size_t bytes = (size_t)shared.m.rows * sizeof *y;

	memset(y, 0xff, bytes); /* NaN */
	if (CHECK_OK(tulle_mul_f64(plan, 1, shared.x, 0, y)))
		CHECK_THAT(memcmp(y, shared.want[slot][version], bytes) == 0,
		           "slot %d, version %d: other bits", slot, version);
	atomic_fetch_add_explicit(&shared.products, 1, memory_order_relaxed);
}

static void multiply_slot(int slot, double *y)
{
	pthread_rwlock_rdlock(&shared.slot[slot].lock);
	check_bits(shared.slot[slot].plan, slot, shared.slot[slot].version, y);
	pthread_rwlock_unlock(&shared.slot[slot].lock);
}

static void update_slot(int slot, int version)
{
	pthread_rwlock_wrlock(&shared.slot[slot].lock);
	CHECK_OK(tulle_plan_update(shared.slot[slot].plan, shared.arr[version].val));
	shared.slot[slot].version = version;
	pthread_rwlock_unlock(&shared.slot[slot].lock);
	atomic_fetch_add(&shared.updates, 1);
}

/* Made and destroyed while others use the plan that it replaces, and the matrix. */
static void replace_slot(int slot)
{
	tulle_plan *fresh = make_plan(shared.a, slot), *old;

	pthread_rwlock_wrlock(&shared.slot[slot].lock);
	old = shared.slot[slot].plan;
	shared.slot[slot].plan = fresh;
	shared.slot[slot].version = 0;
	pthread_rwlock_unlock(&shared.slot[slot].lock);
	tulle_plan_destroy(old);
}

/* A matrix and a plan of one thread's own, in the shared context; the plan is the last to go. */
static void live_alone(int slot, int version, double *y)
{
	const tulle_matrix_options o = { .size = sizeof o, .ownership = TULLE_COPY };
	tulle_matrix *a = NULL;
	tulle_plan *plan;

	CHECK_OK(tulle_matrix_from_csr(shared.context, shared.m.rows, shared.m.cols, shared.pair.offset,
	                               shared.arr[0].row_ptr, shared.pair.column, shared.arr[0].col,
	                               TULLE_F64, shared.arr[0].val, &o, &a));
	plan = make_plan(a, slot);
	tulle_matrix_destroy(a);
	check_bits(plan, slot, 0, y);
	CHECK_OK(tulle_plan_update(plan, shared.arr[version].val));
	check_bits(plan, slot, version, y);
	tulle_plan_destroy(plan);
}

/* Only one thread: there is one file. */
static void save_and_load(int slot, double *y)
{
	tulle_plan *plan = NULL;
	int version;

	pthread_rwlock_rdlock(&shared.slot[slot].lock);
	version = shared.slot[slot].version;
	CHECK_OK(tulle_plan_save(shared.slot[slot].plan, shared.path, NULL));
	pthread_rwlock_unlock(&shared.slot[slot].lock);
	if (CHECK_OK(tulle_plan_load(shared.context, shared.path, NULL, NULL, &plan)))
		check_bits(plan, slot, version, y);
	tulle_plan_destroy(plan);
	atomic_fetch_add(&shared.files, 1);
}

/* Of 64 threads 48 multiply, half of them by one plan: more calls at once than its pool has scratch for. 7 update, 4 replace
 * plans, 4 have plans of their own, one saves and loads. */
static void *work(void *arg)
{
	const int number = *(const int *)arg;
	uint64_t state = (uint64_t)number + (uint64_t)atomic_load(&shared.products) * THREADS;
	double *y = grab(shared.m.rows, sizeof *y);

	check_about("thread %d", number);
	while (!atomic_load(&shared.stop)) {
		const int slot = (int)random_below(&state, SLOTS);
		const int version = (int)random_below(&state, VERSIONS);

		if (number < 48)
			multiply_slot(number < 24 ? CROWDED : slot, y);
		else if (number < 55)
			update_slot(slot, version);
		else if (number < 59)
			replace_slot(slot);
		else if (number < 63)
			live_alone(slot, version, y);
		else
			save_and_load(slot, y);
	}
	free(y);
	return NULL;
}

/* A child has none of the threads that are at work, and multiplies all the same. Locks other than the slot's are as the other
 * threads held them. */
static void multiply_in_child(int slot, double *y)
{
	const size_t bytes = (size_t)shared.m.rows * sizeof *y;
	int status = 0;
	pid_t pid;

	if (!FORKS || check_failures() > 0) /* a failure may take all these seconds each time */
		return;
	pthread_rwlock_rdlock(&shared.slot[slot].lock);
	pid = fork();
	if (pid == 0) {
		alarm(CHILD_SECONDS);
		_exit(tulle_mul_f64(shared.slot[slot].plan, 1, shared.x, 0, y) != TULLE_OK ||
		      memcmp(y, shared.want[slot][shared.slot[slot].version], bytes) != 0);
	}
	pthread_rwlock_unlock(&shared.slot[slot].lock);
	if (CHECK_THAT(pid > 0 && waitpid(pid, &status, 0) == pid, "fork"))
		CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child of slot %d: status %d",
		           slot, status);
	atomic_fetch_add(&shared.children, 1);
}

/* ---- rounds ---- */

static void run_threads(double seconds)
{
	const double until = now() + seconds;
	pthread_t thread[THREADS];
	int number[THREADS];
	double *y = grab(shared.m.rows, sizeof *y);

	atomic_store(&shared.stop, 0);
	for (int n = 0; n < THREADS; n++) {
		number[n] = n;
		CHECK_EQUAL(pthread_create(&thread[n], NULL, work, &number[n]), 0);
	}
	do {
		multiply_in_child((int)(atomic_load(&shared.children) % SLOTS), y);
		usleep(10000);
	} while (now() < until);
	atomic_store(&shared.stop, 1);
	for (int n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	free(y);
}

/* What the process holds when nothing is going on. */
typedef struct {
	double resident, heap; /* bytes */
	int files, threads;
	size_t blocks;
	double products;
} rest;

static double resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (f) {
		CHECK(fscanf(f, "%*d %ld", &pages) == 1);
		fclose(f);
	}
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static rest take_rest(void)
{
	rest r = { .blocks = context_info(shared.context).blocks_held,
		       .files = entries_of("/proc/self/fd"),
		       .threads = entries_of("/proc/self/task") };
	struct mallinfo2 heap;

	malloc_trim(0);
	heap = mallinfo2();
	r.resident = resident_bytes();
	r.heap = (double)heap.uordblks + (double)heap.hblkhd;
	return r;
}

static rest run_round(double seconds)
{
	const long before = atomic_load(&shared.products);
	rest r;

	for (int n = 0; n < SLOTS; n++) {
		shared.slot[n].plan = make_plan(shared.a, n);
		shared.slot[n].version = 0;
	}
	run_threads(seconds);
	for (int n = 0; n < SLOTS; n++)
		tulle_plan_destroy(shared.slot[n].plan);
	r = take_rest();
	r.products = (double)(atomic_load(&shared.products) - before);
	return r;
}

static double mean_resident(const rest *r, int first, int end)
{
	double sum = 0;

	for (int n = first; n < end; n++)
		sum += r[n].resident;
	return sum / (end - first);
}

static double least_heap(const rest *r, int first, int end)
{
	double least = r[first].heap;

	for (int n = first; n < end; n++)
		least = r[n].heap < least ? r[n].heap : least;
	return least;
}

/* The first tenth is not counted; then the first quarter is compared with the last one. The system keeps stacks of threads that
 * have ended, with all pages that were ever used: a constant for them. Resident memory of a short run is only printed: while
 * the heap stayed as it was, it has grown from 9 to 15 MiB in 3 s. */
static void compare(const rest *r, int rounds)
{
	const double page = 4096, stacks = THREADS * 16 * page;
	const int is_long = rounds >= LONG_RUN;
	const int warm = rounds / 10 + 1, quarter = (rounds - warm) / 4;
	const double first = mean_resident(r, warm, warm + quarter),
	             last = mean_resident(r, rounds - quarter, rounds);
	const double heap = least_heap(r, warm, warm + quarter),
	             heap_last = least_heap(r, rounds - quarter, rounds);

	check_about("%d rounds", rounds);
	CHECK_THAT(!MEMORY_IS_OURS || !is_long || last <= 1.01 * first + stacks,
	           "resident memory grows from %.0f to %.0f bytes", first, last);
	CHECK_THAT(!MEMORY_IS_OURS || heap_last <= 1.01 * heap + 4 * page,
	           "the heap grows from %.0f to %.0f bytes", heap, heap_last);
	for (int n = 0; n < rounds; n++) {
		CHECK_EQUAL(r[n].blocks, r[0].blocks);
		CHECK_EQUAL(r[n].files, r[0].files);
		if (n >= warm)
			CHECK_THAT(r[n].threads <= r[warm].threads, "round %d: %d threads, before %d", n,
			           r[n].threads, r[warm].threads);
	}
	check_group("%d threads, %d rounds: %ld products, %ld plans, %ld updates, %ld files, %ld "
	            "children; resident "
	            "%.2f MiB, then %.2f; heap %.0f KiB, then %.0f; %.0f products in the first round, "
	            "%.0f in the last",
	            THREADS, rounds, atomic_load(&shared.products), atomic_load(&shared.plans),
	            atomic_load(&shared.updates), atomic_load(&shared.files),
	            atomic_load(&shared.children), first / 0x1p20, last / 0x1p20, heap / 1024,
	            heap_last / 1024, r[0].products, r[rounds - 1].products);
}

/* ---- */

static void set_up(char folder[32])
{
	pthread_rwlockattr_t fair;
	uint64_t state = 7;

	shared.pair = pairs[0];
	shared.m = matrix_mirrored(matrix_blocks("load", 2000, 2, 4, 60, 9, &state), TULLE_SYMMETRIC);
	shared.m.kind = TULLE_GENERAL; /* values have no symmetry */
	for (int v = 0; v < VERSIONS; v++) {
		for (int64_t k = 0; k < shared.m.nnz; k++)
			shared.m.val[k] = random_unit(&state);
		shared.arr[v] = cast(&shared.m, shared.pair, TULLE_F64, 0);
	}
	shared.x = grab(shared.m.cols, sizeof *shared.x);
	for (int64_t j = 0; j < shared.m.cols; j++)
		shared.x[j] = random_unit(&state);
	shared.context = context_for(NULL, 4, -1); /* each product wants a team */
	shared.a = borrow(shared.context, &shared.m, shared.pair, TULLE_F64, &shared.arr[0]);
	pthread_rwlockattr_init(&fair);
	pthread_rwlockattr_setkind_np(&fair, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	for (int n = 0; n < SLOTS; n++)
		pthread_rwlock_init(&shared.slot[n].lock, &fair);
	pthread_rwlockattr_destroy(&fair);
	snprintf(folder, 32, "/tmp/tulle-load-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
	snprintf(shared.path, sizeof shared.path, "%s/plan.tulle", folder);
}

/* What one thread gets that is alone. */
static void compute_wanted(void)
{
	for (int n = 0; n < SLOTS; n++) {
		tulle_plan *plan = make_plan(shared.a, n);

		for (int v = 0; v < VERSIONS; v++) {
			shared.want[n][v] = grab(shared.m.rows, sizeof(double));
			CHECK_OK(tulle_plan_update(plan, shared.arr[v].val));
			CHECK_OK(tulle_mul_f64(plan, 1, shared.x, 0, shared.want[n][v]));
		}
		tulle_plan_destroy(plan);
	}
}

static void tear_down(const char *folder)
{
	unlink(shared.path);
	CHECK_EQUAL(rmdir(folder), 0);
	tulle_matrix_destroy(shared.a);
	CHECK_EQUAL(context_info(shared.context).blocks_held, 0);
	tulle_context_destroy(shared.context);
	for (int n = 0; n < SLOTS; n++) {
		pthread_rwlock_destroy(&shared.slot[n].lock);
		for (int v = 0; v < VERSIONS; v++)
			free(shared.want[n][v]);
	}
	for (int v = 0; v < VERSIONS; v++)
		arrays_free(&shared.arr[v]);
	free(shared.x);
	matrix_free(&shared.m);
}

int main(int argc, char **argv)
{
	const double seconds = argc == 3 && !strcmp(argv[1], "--seconds") ? strtod(argv[2], NULL)
	                       : argc == 1                                ? 10
	                                                                  : 0;
	static rest r[MOST_ROUNDS];
	char folder[32];
	int rounds = (int)(2 * seconds);

	if (seconds <= 0) {
		printf("usage: %s [--seconds S]\n", argv[0]);
		return 2;
	}
	rounds = rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
	set_up(folder);
	compute_wanted();
	for (int n = 0; n < rounds; n++)
		r[n] = run_round(seconds / rounds);
	compare(r, rounds);
	tear_down(folder);
	return check_end();
}
