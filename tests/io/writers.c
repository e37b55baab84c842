/* writers.c -- every writer of the library: what was there keeps its rights, a limit for files is an
 * error and no signal, and nothing but the file itself is touched. */
#include "files.h"

#include "api/handles.h"
#include "gpu/opencl_cache.h"
#include "planner/wisdom.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static tulle_context *context;
static tulle_matrix *written;

/* ---- the writers ---- */

typedef struct {
	const char *folder, *file;         /* NULL: it chooses the name itself */
	void (*prepare)(const char *path); /* NULL: any old file will do */
	void (*write)(const char *path);
	int owners_alone; /* 1: a new file has mode 0600, whatever the umask is */
} writer;

static void write_matrix(const char *path)
{
	(void)tulle_matrix_write(written, path, NULL);
}

static void add_record(const char *path, int n)
{
	const tulle__wisdom_record r = {
		.matrix = 1, .machine = 1, .name = "sell", .version = 1, .count = 1, .number = { n }
	};

	tulle__wisdom_add(&context->env, path, &r, 1);
}

static void prepare_wisdom(const char *path)
{
	unlink(path);
	add_record(path, 0);
}

static void append_wisdom(const char *path)
{
	add_record(path, 1);
}

/* One stale record less than makes a rewrite worthwhile. */
static void prepare_stale_wisdom(const char *path)
{
	unlink(path);
	for (int n = 0; n < 64; n++)
		add_record(path, n);
}

static void rewrite_wisdom(const char *path)
{
	add_record(path, 64);
}

/* The folder of the path is the cache's; the file's name follows from the key. */
static void keep_binary(const char *path)
{
	static const tulle__opencl_key key = { { "device", "driver", "options", "dialect", "module" },
		                                   { 6, 6, 7, 7, 6 } };
	static const unsigned char binary[3000];
	char folder[500];

	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
	tulle__opencl_cache_put(&context->env, folder, &key, binary, sizeof binary);
}

static const writer writers[] = {
	{ "matrix", "file.mtx", NULL, write_matrix, 0 },
	{ "packed", "file.mtx.gz", NULL, write_matrix, 0 },
	{ "tuned", "file.tulle", NULL, write_matrix, 0 },
	{ "wisdom-appended", "file", prepare_wisdom, append_wisdom, 0 },
	{ "wisdom-rewritten", "file", prepare_stale_wisdom, rewrite_wisdom, 0 },
	{ "kernel", NULL, NULL, keep_binary, 1 },
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* ---- its folder ---- */

static const writer *w;
static char path[800]; /* of its file */

/* The files in the folder of the path; *last becomes the path of one of them. */
static int count_files(char last[800])
{
	char folder[500];
	const struct dirent *e;
	int count = 0;
	DIR *d;

	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
	d = opendir(folder);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.') {
			snprintf(last, 800, "%s/%.200s", folder, e->d_name);
			count++;
		}
	if (d)
		closedir(d);
	return count;
}

static void enter(const writer *now)
{
	char last[800];

	w = now;
	mkdir(file_path(w->folder), 0700);
	snprintf(path, sizeof path, "%s/%s", file_path(w->folder), w->file ? w->file : "unknown");
	if (!w->file) {
		w->write(path);
		CHECK_EQUAL(count_files(last), 1);
		memcpy(path, last, sizeof path);
	}
}

/* An old file, as the writer wants it. */
static void prepare(void)
{
	FILE *f;

	if (w->prepare) {
		w->prepare(path);
		return;
	}
	f = fopen(path, "w");
	if (!f || fputs("old", f) < 0 || fclose(f) != 0)
		abort();
}

static bytes contents(void)
{
	bytes b = { 0 };

	b.at = file_get(path, &b.count);
	return b;
}

static int same(const bytes *a, const bytes *b)
{
	return a->count == b->count && memcmp(a->at, b->at, a->count) == 0;
}

/* What the file has after a write that nothing hinders. */
static bytes complete(void)
{
	prepare();
	w->write(path);
	return contents();
}

/* ---- neighbours ---- */

enum { NEIGHBOURS = 200 };

static void neighbour(int n, char name[900])
{
	if (n == 0)
		snprintf(name, 900, "%s.part", path);
	else
		snprintf(name, 900, "%s.%ld-%d.part", path, (long)getpid(), n - 1);
}

/* Files and links that have the names of parts are not ours: neither written to nor removed. */
static void check_neighbours(void)
{
	bytes full = complete(), now;
	char name[900], victim[500], last[800];

	snprintf(victim, sizeof victim, "%s", file_path("victim"));
	for (int n = 0; n < NEIGHBOURS; n++) {
		neighbour(n, name);
		CHECK(symlink(victim, name) == 0);
	}
	prepare();
	w->write(path);
	now = contents();
	CHECK_THAT(same(&now, &full), "%s: not written beside a .part", w->folder);
	CHECK_EQUAL(count_files(last), NEIGHBOURS + 1);
	CHECK_THAT(access(victim, F_OK) != 0, "%s: written through a link", w->folder);
	for (int n = 0; n < NEIGHBOURS; n++) {
		neighbour(n, name);
		CHECK_THAT(unlink(name) == 0, "%s: %s is gone", w->folder, name);
	}
	free(full.at);
	free(now.at);
}

/* ---- rights ---- */

static int mode_of(void)
{
	struct stat s = { .st_mode = 0 };

	CHECK(stat(path, &s) == 0);
	return s.st_mode & 07777;
}

static void check_rights(void)
{
	static const mode_t masks[] = { 022, 077, 007, 0 };
	static const mode_t modes[] = { 0600, 0640, 0604, 0644, 0664, 0666, 0755 };

	for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
		umask(masks[m]);
		check_about("%s, umask %03o", w->folder, (unsigned)masks[m]);
		unlink(path);
		w->write(path);
		CHECK_EQUAL(mode_of(), w->owners_alone ? 0600 : 0666 & ~masks[m]);
		for (size_t n = 0; n < sizeof modes / sizeof *modes; n++) {
			prepare();
			CHECK(chmod(path, modes[n]) == 0);
			w->write(path);
			CHECK_EQUAL(mode_of(), w->owners_alone ? 0600 : modes[n]);
		}
	}
	umask(022);
	check_about(" ");
}

/* ---- a limit for files ---- */

typedef enum { DEFAULT, CAUGHT, IGNORED, BLOCKED, PENDING, MANNERS } manner;

static const char *const manner_names[MANNERS] = { "default", "caught", "ignored", "blocked",
	                                               "pending" };
static manner host;
static volatile sig_atomic_t caught;

static void catch_it(int number)
{
	(void)number;
	caught++;
}

/* What the host does with SIGXFSZ. */
static void behave(void)
{
	sigset_t set;

	signal(SIGXFSZ, host == CAUGHT ? catch_it : host == IGNORED ? SIG_IGN : SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	if (host == BLOCKED || host == PENDING)
		sigprocmask(SIG_BLOCK, &set, NULL);
	if (host == PENDING)
		raise(SIGXFSZ);
}

static void check_host(void)
{
	struct sigaction now;
	sigset_t set;

	sigaction(SIGXFSZ, NULL, &now);
	CHECK(now.sa_handler == (host == CAUGHT ? catch_it : host == IGNORED ? SIG_IGN : SIG_DFL));
	sigprocmask(SIG_BLOCK, NULL, &set);
	CHECK_EQUAL(sigismember(&set, SIGXFSZ), host == BLOCKED || host == PENDING);
	sigpending(&set);
	CHECK_EQUAL(sigismember(&set, SIGXFSZ), host == PENDING);
	CHECK_EQUAL(caught, 0);
}

static void limit_files(rlim_t most)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = most;
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* All or nothing, and the host sees no signal. */
static void check_limit(size_t most, const bytes *full)
{
	bytes before, after;
	char last[800];

	prepare();
	before = contents();
	limit_files(most);
	w->write(path);
	limit_files(RLIM_INFINITY);
	after = contents();
	CHECK_THAT(same(&after, most < full->count ? &before : full),
	           "%s, limit %zu of %zu bytes, SIGXFSZ %s: %zu bytes", w->folder, most, full->count,
	           manner_names[host], after.count);
	CHECK_EQUAL(count_files(last), 1);
	check_host();
	free(before.at);
	free(after.at);
}

static void check_limits(void)
{
	bytes full = complete();

	behave();
	for (size_t most = 1; most < full.count; most *= 3)
		check_limit(most, &full);
	check_limit(0, &full);
	check_limit(full.count - 1, &full);
	check_limit(full.count, &full);
	free(full.at);
}

/* ---- names ---- */

/* The name of a file may be as long as the system lets it. */
static void check_long_name(void)
{
	char name[NAME_MAX + 1];

	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = '\0';
	CHECK_OK(tulle_matrix_write(written, file_path(name), NULL));
	CHECK_OK(tulle_matrix_write(written, file_path(name), NULL));
	CHECK(unlink(file_path(name)) == 0);
}

int main(void)
{
	umask(022);
	context = context_for(NULL, 1, 0);
	CHECK_OK(tulle_matrix_read(context,
	                           file_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n"
	                                              "3 4 5\n1 1 1\n1 3 2\n2 2 3\n3 1 4\n3 4 5\n"),
	                           NULL, &written));
	for (int n = 0; n < WRITERS; n++) {
		enter(&writers[n]);
		check_neighbours();
		check_rights();
		for (host = DEFAULT; host < MANNERS; host++)
			in_child(check_limits);
		check_group("%s", w->folder);
	}
	check_long_name();
	check_group("long names");
	tulle_matrix_destroy(written);
	tulle_context_destroy(context);
	return check_end();
}
