/* bench_peers.c -- times of other libraries: `tulle bench` runs tulle-compare on the same matrix and reads its list.
 *
 * The list is written by bench/table_file.c, which describes it. The program is executed without a shell, with its standard
 * output discarded. If anything fails, the rows of other libraries are missing and a line is printed on stderr; the
 * command continues. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "tulle-compare"

enum {
	TABLE_FD = 3,
	FIELDS = 12,
	CONTENDERS = 7 /* it samples plain, csr and its peers together */
};

extern char **environ;

static const char ABSENT[] =
    "MKL, librsb, Eigen and GraphBLAS are not part of this command: " PROGRAM
    " (-DTULLE_BUILD_BENCH=ON) measures them beside tulle.";

__attribute__((format(printf, 2, 3))) static void unmeasured(cli_peers *p, const char *format, ...)
{
	va_list words;

	va_start(words, format);
	vsnprintf(p->unmeasured, sizeof p->unmeasured, format, words);
	va_end(words);
	p->count = 0;
}

/* ---- the program ------------------------------------------------------------------------------ */

/* In the folder of this command, or in bench/ there, as in a build folder; otherwise the name, for PATH. */
static const char *find_program(void)
{
	static char path[PATH_MAX];
	const char *const places[] = { PROGRAM, "bench/" PROGRAM };
	char own[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

	own[length > 0 ? length : 0] = '\0';
	char *const name = strrchr(own, '/');
	if (!name)
		return PROGRAM;
	name[1] = '\0';
	for (int n = 0; n < 2; n++) {
		const int written = snprintf(path, sizeof path, "%s%s", own, places[n]);

		if (written < (int)sizeof path && !access(path, X_OK))
			return path;
	}
	return PROGRAM;
}

/* A descriptor of a temporary file, above those that the program inherits. */
static int descriptor(FILE *file)
{
	return fcntl(fileno(file), F_DUPFD_CLOEXEC, 10);
}

/* 0, or the error number; the program has `table` as TABLE_FD and `said` as its stderr. */
static int spawn(const char *program, char *const *arguments, int table, int said, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int status = posix_spawn_file_actions_init(&actions);

	if (status)
		return status;
	status = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!status)
		status = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (!status)
		status = posix_spawn_file_actions_adddup2(&actions, said, 2);
	if (!status)
		status = posix_spawn_file_actions_adddup2(&actions, table, TABLE_FD);
	if (!status)
		status = posix_spawnp(pid, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

/* The first line of its stderr, without the newline. */
static void first_line(FILE *said, char *line, int room)
{
	rewind(said);
	if (!fgets(line, room, said))
		*line = '\0';
	line[strcspn(line, "\n")] = '\0';
}

/* 0 if its exit status is 0 (all results are right) or 1 (some are WRONG). */
static int await(pid_t pid, const char *program, FILE *said, cli_peers *p)
{
	char line[160];
	int status = 0;
	pid_t ended;

	cli_watch_child(pid);
	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	cli_watch_child(0);
	if (ended < 0)
		unmeasured(p, "%s: %s", program, strerror(errno));
	else if (WIFSIGNALED(status))
		unmeasured(p, "%s: ended by signal %d", program, WTERMSIG(status));
	else if (WEXITSTATUS(status) > 1) {
		first_line(said, line, sizeof line);
		unmeasured(p, "%s: exit status %d%s%s", program, WEXITSTATUS(status), *line ? ": " : "",
		           line);
	}
	return *p->unmeasured ? -1 : 0;
}

/* ---- its list --------------------------------------------------------------------------------- */

static int split(char *line, char *field[FIELDS])
{
	int count = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *next = line; next && count < FIELDS; count++) {
		field[count] = next;
		next = strchr(next, '\t');
		if (next)
			*next++ = '\0';
	}
	return count;
}

/* Only characters that names of tulle-compare have, so that it can be printed in every kind of output. */
static int is_name(const char *text)
{
	static const char good[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:=_.-";

	return *text && strlen(text) < CLI_PEER_NAME && text[strspn(text, good)] == '\0';
}

static int is_same_matrix(const cli_bench_results *r, char *const field[FIELDS])
{
	return strtoll(field[2], NULL, 10) == r->info.rows &&
	       strtoll(field[3], NULL, 10) == r->info.cols &&
	       strtoll(field[4], NULL, 10) == r->info.nnz;
}

static cli_measured *add_peer(cli_peers *p, const char *name)
{
	cli_measured *const m = &p->of[p->count];

	*m = (cli_measured){ .kind = CLI_PEER, .name = p->names[p->count] };
	snprintf(p->names[p->count++], CLI_PEER_NAME, "%s", name);
	return m;
}

static void add_absent(cli_peers *p, const char *name)
{
	const size_t used = strlen(p->absent);

	snprintf(p->absent + used, sizeof p->absent - used, "%s%s", used ? ", " : "", name);
}

/* Parses one line; 0 if it is valid. csr is the time of our csr in the same process. */
static int take_line(cli_bench_results *r, char *field[FIELDS], int count, double *csr)
{
	cli_peers *const p = &r->peers;
	const int measured = !strcmp(field[0], "measured") && count == 12;

	if (!strcmp(field[0], "absent") && count == 2 && is_name(field[1])) {
		add_absent(p, field[1]);
		return 0;
	}
	if ((!measured && (strcmp(field[0], "refused") || count != 8)) || !is_name(field[6]) ||
	    !is_same_matrix(r, field) || p->count == CLI_MOST_PEERS)
		return -1;
	if (!measured) {
		snprintf(add_peer(p, field[6])->refused, sizeof p->of->refused, "%s",
		         *field[7] ? field[7] : "it does not support the matrix");
		return 0;
	}
	const cli_timing time = { .median = strtod(field[7], NULL), .best = strtod(field[8], NULL) };
	if (!(time.median > 0 && time.best > 0))
		return -1;
	if (!strcmp(field[6], "tulle:csr"))
		*csr = time.best;
	if (!strcmp(field[6], "plain") || !strncmp(field[6], "tulle:", 6))
		return 0;
	cli_measured *const m = add_peer(p, field[6]);
	m->time = time;
	m->convert = strtod(field[9], NULL);
	m->wrong = strcmp(field[10], "1") != 0;
	m->disturbed = strcmp(field[11], "0") != 0;
	return 0;
}

/* Times are computed from the ratio to csr, like those of the formats, but from the best samples. Other processes slow
 * down OpenMP teams, which most peers use, far more than ours, so medians would be unfair to the peers. */
static void set_products(cli_bench_results *r, double csr)
{
	for (int n = 0; n < r->peers.count; n++) {
		cli_measured *const m = &r->peers.of[n];

		if (*m->refused)
			continue;
		m->over_csr = csr / m->time.best;
		m->product = cli_bench_csr(r)->product / m->over_csr;
	}
}

static void read_table(FILE *table, const char *program, cli_bench_results *r)
{
	char *line = NULL, *field[FIELDS];
	size_t room = 0;
	double csr = 0;
	int number = 0, good = 1, ended = 0;

	rewind(table);
	while (good && !ended && getline(&line, &room, table) > 0) {
		const int count = split(line, field);

		ended = !strcmp(field[0], "end");
		if (number++ == 0)
			good = !strcmp(field[0], PROGRAM) && count == 2 && !strcmp(field[1], "1");
		else if (!ended)
			good = !take_line(r, field, count, &csr);
	}
	free(line);
	if (!good)
		unmeasured(&r->peers, "%s: line %d of its list is not understood", program, number);
	else if (!ended || !(csr > 0))
		unmeasured(&r->peers, "%s: its list is not complete", program);
	else
		set_products(r, csr);
}

/* ---- both ------------------------------------------------------------------------------------- */

typedef struct {
	char text[PATH_MAX + 256], *word[16];
	size_t used;
	int count;
} arguments;

static void add(arguments *a, const char *word)
{
	char *const to = a->text + a->used;

	a->used += (size_t)snprintf(to, sizeof a->text - a->used, "%s", word) + 1;
	a->word[a->count++] = to;
}

static void add_option(arguments *a, const char *option, const char *value)
{
	add(a, option);
	add(a, value);
}

/* 0 if the name of the file is too long. */
static int command_line(const char *isa, double seconds, const cli_bench_results *r, arguments *a)
{
	char number[32], path[PATH_MAX];

	/* With a folder before it, the name cannot be taken for an option or the specification of a matrix. */
	const int length =
	    snprintf(path, sizeof path, "%s%s", *r->matrix->path == '/' ? "" : "./", r->matrix->path);
	add(a, PROGRAM);
	add_option(a, "--formats", "csr");
	snprintf(number, sizeof number, "%d", r->threads);
	add_option(a, "--threads", number);
	snprintf(number, sizeof number, "%g", CONTENDERS * seconds);
	add_option(a, "--seconds", number);
	snprintf(number, sizeof number, "/dev/fd/%d", TABLE_FD);
	add_option(a, "--table", number);
	if (isa)
		add_option(a, "--isa", isa);
	add(a, path);
	return length < (int)sizeof path;
}

/* named: the user named the program, so it must exist. */
static void run(const char *program, int named, const arguments *a, cli_bench_results *r)
{
	FILE *const table = tmpfile(), *const said = tmpfile();
	const int to = table ? descriptor(table) : -1, words = said ? descriptor(said) : -1;
	pid_t pid = 0;
	const int status = to < 0 || words < 0 ? errno : spawn(program, a->word, to, words, &pid);

	r->peers.asked = named || status != ENOENT;
	if (status && r->peers.asked)
		unmeasured(&r->peers, "%s: %s", program, strerror(status));
	else if (!status && !await(pid, program, said, &r->peers))
		read_table(table, program, r);
	if (to >= 0)
		close(to);
	if (words >= 0)
		close(words);
	if (table)
		fclose(table);
	if (said)
		fclose(said);
}

/* Why the program cannot compute what this command does; NULL: it can. */
static const char *obstacle(const cli_common *common, const cli_bench_results *r)
{
	if (r->matrix->view.value_type != TULLE_F64)
		return "it multiplies in f64 only";
	if (common->real_part)
		return "it does not take real parts";
	if (r->matrix->lists.row || r->matrix->lists.col)
		return "it does not leave out rows and columns without entries";
	return common->memory_limit ? "it does not know --memory-limit" : NULL;
}

void cli_bench_peers(const cli_common *common, const char *program, const char *isa, double seconds,
                     cli_bench_results *r)
{
	const char *const why = obstacle(common, r);
	arguments a = { .used = 0 };

	if (program && !strcmp(program, "none"))
		return;
	if (why) {
		unmeasured(&r->peers, PROGRAM ": %s", why);
		return;
	}
	if (!command_line(isa, seconds, r, &a))
		return;
	cli_progress_begin(common, "timing", "other libraries");
	run(program ? program : find_program(), program != NULL, &a, r);
	cli_progress_end();
	cli_bench_sort(r, r->peers.of, r->peers.count);
	if (*r->peers.unmeasured)
		cli_warn(r->peers.unmeasured);
}

/* ---- what it came to -------------------------------------------------------------------------- */

const char *cli_bench_peers_text(const cli_bench_results *r)
{
	static char text[640];
	const cli_peers *const p = &r->peers;
	int disturbed = 0;

	if (*p->unmeasured) {
		snprintf(text, sizeof text, "Other libraries are not measured: %s.",
		         cli_safe(p->unmeasured));
		return text;
	}
	if (!p->asked)
		return ABSENT;
	for (int n = 0; n < p->count; n++)
		disturbed |= p->of[n].disturbed;
	snprintf(text, sizeof text,
	         "Other libraries: measured by " PROGRAM ", in turn with csr, by best samples.%s%s%s%s",
	         disturbed ? " ?: other processes disturbed nearly every sample." : "",
	         *p->absent ? " Absent: " : "", p->absent, *p->absent ? "." : "");
	return text;
}
