/* together.c -- many processes and threads write one wisdom file: nothing is lost, also while it is
 * rewritten, and nobody waits long. */
#include "records.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4, EACH = 200, AGAIN = 10 };

/* The n-th record that writer `who` adds for good, and one that a later turn makes stale. */
static tulle__wisdom_record lasting(int who, int n)
{
	char name[TULLE__WISDOM_NAME];

	snprintf(name, sizeof name, "w%d-%d", who, n % 40);
	return record_make((uint64_t)(n / 40), (uint64_t)who, name, 1, n);
}

static tulle__wisdom_record passing(int who, int turn)
{
	return record_make(77, (uint64_t)who, "again", turn % AGAIN, turn);
}

/* All records of one writer, alone and in pairs. `stale` more of them are superseded at once. */
static void work(int who, const char *path, int stale)
{
	caller c;

	caller_begin(&c);
	for (int n = 0; n < EACH; n += 2) {
		tulle__wisdom_record two[2] = { lasting(who, n), lasting(who, n + 1) };

		add_surely(&c, path, two, 1 + n / 2 % 2);
		if (n / 2 % 2 == 0)
			add_surely(&c, path, &two[1], 1);
		for (int k = 0; k < stale; k++) {
			two[0] = passing(who, n / 2 * stale + k);
			add_surely(&c, path, two, 1);
		}
	}
	CHECK_EQUAL(c.warnings, 0);
	caller_end(&c);
}

static void check_all_there(const char *path, int writers, int stale)
{
	caller c;
	int lost = 0;

	caller_begin(&c);
	for (int who = 0; who < writers; who++) {
		for (int n = 0; n < EACH; n++) {
			const tulle__wisdom_record r = lasting(who, n);

			lost += !file_has(&c, path, &r);
		}
		for (int k = 0; k < AGAIN && stale > 0; k++) { /* the last turn of each */
			const tulle__wisdom_record r = passing(who, EACH / 2 * stale - 1 - k);

			lost += !file_has(&c, path, &r);
		}
	}
	CHECK_THAT(lost == 0, "%d records are lost", lost);
	caller_end(&c);
}

static int count_lines(const char *path)
{
	size_t size;
	char *text = file_get(path, &size);
	int lines = 0;

	for (size_t n = 0; n < size; n++)
		lines += text[n] == '\n';
	free(text);
	return lines;
}

/* The exit code says whether the checks of a child held. */
static void wait_for(pid_t child)
{
	int status = -1;

	CHECK(waitpid(child, &status, 0) == child);
	CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a writer ended with %d", status);
}

/* With `stale` the file is rewritten again and again while all write. */
static void processes(int writers, int stale)
{
	char path[500];
	pid_t child[MOST];
	const int lines = writers * EACH * (2 + stale) / 2 + 1;

	snprintf(path, sizeof path, "%s", file_path("processes"));
	unlink(path);
	fflush(stdout);
	for (int who = 0; who < writers; who++) {
		child[who] = fork();
		if (child[who] == 0) {
			work(who, path, stale);
			fflush(stdout);
			_exit(check_failures() > 0);
		}
	}
	for (int who = 0; who < writers; who++)
		wait_for(child[who]);
	check_all_there(path, writers, stale);
	if (stale > 0)
		CHECK_THAT(count_lines(path) < lines, "it was never rewritten");
	else
		CHECK_EQUAL(count_lines(path), lines);
	CHECK_THAT(access(file_path("processes.part"), F_OK) != 0, "a .part is left");
	check_group("%d processes%s", writers, stale ? ", and it is rewritten" : "");
}

typedef struct {
	int who;
	const char *path;
} job;

static void *run_job(void *arg)
{
	const job *j = arg;

	work(j->who, j->path, 2);
	return NULL;
}

static void threads(void)
{
	char path[500];
	pthread_t thread[MOST];
	job jobs[MOST];

	snprintf(path, sizeof path, "%s", file_path("threads"));
	for (int who = 0; who < MOST; who++) {
		jobs[who] = (job){ who, path };
		pthread_create(&thread[who], NULL, run_job, &jobs[who]);
	}
	for (int who = 0; who < MOST; who++)
		pthread_join(thread[who], NULL);
	check_all_there(path, MOST, 2);
	check_group("%d threads, and it is rewritten", MOST);
}

/* Somebody has the lock and never lets go. A machine may be busy: the shortest of a few times counts. */
static void stuck_holder(void)
{
	const tulle__wisdom_record before = lasting(0, 0), after = lasting(0, 1);
	double reading = 9, writing = 9;
	char path[500];
	caller c;
	int fd;

	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_path("stuck"));
	tulle__wisdom_add(&c.env, path, &before, 1);
	fd = open(path, O_RDONLY);
	CHECK_EQUAL(flock(fd, LOCK_EX), 0);
	for (int n = 0; n < 3 && (reading > 0.3 || writing > 0.8); n++) {
		double began = seconds();

		CHECK(file_has(&c, path, &before));
		reading = seconds() - began;
		began = seconds();
		tulle__wisdom_add(&c.env, path, &after, 1);
		writing = seconds() - began;
		CHECK_WORDS(c.last, "stuck locked left as it is");
		CHECK(!file_has(&c, path, &after));
	}
	CHECK_THAT(reading < 0.3, "reading waited %.3f s for a lock", reading);
	CHECK_THAT(writing > 0.3 && writing < 0.8, "writing waited %.3f s for a lock", writing);
	close(fd);
	tulle__wisdom_add(&c.env, path, &after, 1);
	CHECK(file_has(&c, path, &after) && file_has(&c, path, &before));
	caller_end(&c);
	check_group("a holder of the lock who never lets go: reading waits %.4f s, writing %.2f s",
	            reading, writing);
}

/* Writers are killed at any moment; what they had finished stays, and the next goes on. */
static void killed(int times)
{
	char path[500], part[510];
	caller c;
	int lost = 0, parts = 0;

	caller_begin(&c);
	snprintf(path, sizeof path, "%s", file_path("killed"));
	snprintf(part, sizeof part, "%s.part", path);
	for (int n = 0; n < times; n++) {
		const tulle__wisdom_record r = record_make(5, 5, "stays", 1, n);
		struct timespec nap = { .tv_nsec = 1000000 + n * 7919 % 400 * 10000 };
		pid_t child;

		add_surely(&c, path, &r, 1);
		fflush(stdout);
		child = fork();
		if (child == 0) {
			for (int turn = 0;; turn++) {
				const tulle__wisdom_record all[2] = { passing(n, turn), passing(n + 1, turn) };

				tulle__wisdom_add(&c.env, path, all, 2);
			}
		}
		nanosleep(&nap, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		lost += !file_has(&c, path, &r);
		parts += access(part, F_OK) == 0;
	}
	CHECK_THAT(lost == 0, "%d of %d records were lost by a kill", lost, times);
	for (int turn = 0; turn < 1000; turn++) { /* enough to rewrite it once more */
		const tulle__wisdom_record r = passing(0, turn);

		add_surely(&c, path, &r, 1);
	}
	CHECK_THAT(access(part, F_OK) != 0, "what a kill left is left for ever");
	caller_end(&c);
	check_group("%d writers killed, %d inside a rewrite", times, parts);
}

int main(int argc, char **argv)
{
	const int full = argc > 1 && strcmp(argv[1], "--full") == 0;

	processes(2, 0);
	processes(MOST, 0);
	processes(2, 3);
	processes(MOST, 3);
	threads();
	stuck_holder();
	killed(full ? 1000 : 50);
	return check_end();
}
