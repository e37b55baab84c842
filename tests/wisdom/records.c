/* records.c -- what the tests of wisdom share: records, a log that is kept, forged lines. */
#include "records.h"

#include "core/hash.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void keep_line(void *user, tulle_log_level level, const char *line)
{
	caller *c = user;

	c->lines++;
	c->warnings += level == TULLE_LOG_WARNING;
	snprintf(c->last, sizeof c->last, "%s", line);
}

void caller_begin(caller *c)
{
	memset(c, 0, sizeof *c);
	c->env.alloc = tulle__default_alloc;
	c->env.free = tulle__default_free;
	c->env.log = keep_line;
	c->env.user = c;
	c->env.memory_limit = (size_t)64 << 20;
}

void caller_end(caller *c)
{
	CHECK_EQUAL(atomic_load(&c->env.blocks_held), 0);
	CHECK_EQUAL(atomic_load(&c->env.bytes_held), 0);
}

tulle__wisdom_record record_make(uint64_t of, uint64_t machine, const char *name, int version,
                                 int turn)
{
	tulle__wisdom_record r = { .matrix = of, .machine = machine, .version = version };
	uint64_t h;

	snprintf(r.name, sizeof r.name, "%s", name);
	h = tulle__hash((uint64_t)turn, &r, sizeof r);
	r.count = 1 + (int)(h % 4);
	for (int k = 0; k < r.count; k++) {
		h = tulle__hash(h, &k, sizeof k);
		r.number[k] = (double)h * 1e-23; /* all bits of a double, seconds as they are measured */
	}
	return r;
}

int record_same(const tulle__wisdom_record *a, const tulle__wisdom_record *b)
{
	return a->matrix == b->matrix && a->machine == b->machine && a->version == b->version &&
	       a->count == b->count && strcmp(a->name, b->name) == 0 &&
	       memcmp(a->number, b->number, sizeof a->number) == 0;
}

tulle__wisdom_record some_record(int turn)
{
	return record_make(1, 1, "sell", 1, turn);
}

void add_some(caller *c, const char *path, int turn)
{
	const tulle__wisdom_record r = some_record(turn);

	tulle__wisdom_add(&c->env, path, &r, 1);
}

int find_some(caller *c, const char *path)
{
	tulle__wisdom_record out[4];

	return tulle__wisdom_find(&c->env, path, 1, 1, out, 4);
}

void record_print(bytes *text, const tulle__wisdom_record *r)
{
	char line[TULLE__WISDOM_LINE_MAX];

	bytes_add(text, line, tulle__wisdom_write(r, line));
}

void add_surely(caller *c, const char *path, const tulle__wisdom_record *r, int count)
{
	for (int n = 0; n < 100; n++) {
		c->last[0] = '\0';
		tulle__wisdom_add(&c->env, path, r, count);
		if (!strstr(c->last, "locked"))
			return;
		c->warnings--;
	}
	CHECK_THAT(0, "%s", c->last);
}

int file_has(caller *c, const char *path, const tulle__wisdom_record *r)
{
	tulle__wisdom_record found[64];
	const int count = tulle__wisdom_find(&c->env, path, r->matrix, r->machine, found, 64);

	for (int n = 0; n < count; n++)
		if (strcmp(found[n].name, r->name) == 0 && found[n].version == r->version)
			return record_same(&found[n], r);
	return 0;
}

double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

char *text_with_slack(const char *text, size_t count)
{
	char *to = grab((int64_t)(count + TULLE__WISDOM_SLACK), 1);

	memcpy(to, text, count);
	memset(to + count, '\n', TULLE__WISDOM_SLACK);
	return to;
}
