/* contenders.c -- the contenders: peers from plug-ins, and libtulle's formats. */
#include "contenders.h"

#include "ours.h"
#include "tulle.h"

#include <dirent.h>
#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Known peers in their order, then others. */
static const bench_competitor *loaded[BENCH_MAX_CONTENDERS];
static int loaded_count;

static const struct {
	const char *name;
	int can;
} known[] = {
	{ "mkl", BENCH_ONE },   { "mkl-opt", BENCH_ONE },   { "librsb", BENCH_ONE },
	{ "eigen", BENCH_ONE }, { "graphblas", BENCH_ONE }, { "cusparse", BENCH_DEVICE },
};

enum { KNOWN = sizeof known / sizeof *known };

const bench_competitor *bench_plugin_at(int needs, int n)
{
	for (int at = 0; at < loaded_count; at++)
		if ((loaded[at]->can & needs) == needs && n-- == 0)
			return loaded[at];
	return NULL;
}

const bench_competitor *bench_plugin_named(int needs, const char *name)
{
	const bench_competitor *table;
	for (int n = 0; (table = bench_plugin_at(needs, n)); n++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

const char *bench_known_peer_at(int needs, int n)
{
	for (int at = 0; at < KNOWN; at++)
		if ((known[at].can & needs) == needs && n-- == 0)
			return known[at].name;
	return NULL;
}

/* Its place among the known peers; after the last for an unknown one. */
static int rank(const char *name)
{
	int n = 0;
	while (n < KNOWN && strcmp(known[n].name, name))
		n++;
	return n;
}

static void insert(const bench_competitor *table)
{
	if (loaded_count == BENCH_MAX_CONTENDERS)
		return;
	int at = loaded_count++;
	for (; at > 0 && rank(loaded[at - 1]->name) > rank(table->name); at--)
		loaded[at] = loaded[at - 1];
	loaded[at] = table;
}

static void load(const char *path)
{
	/* Never closed: the libraries that it uses may have threads and exit handlers. */
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const bench_competitor *table = module ? dlsym(module, BENCH_COMPETITORS) : NULL;
	if (!table) {
		fprintf(stderr, "plug-in left out: %s\n", dlerror());
		return;
	}
	for (; table->name; table++)
		insert(table);
}

static int is_plugin(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && !strcmp(dot, ".so");
}

int bench_load_plugins(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_plugin, alphasort);
	if (count < 0) {
		fprintf(stderr, "no folder of plug-ins %s\n", folder);
		return -1;
	}
	for (int n = 0; n < count; n++) {
		char path[4096];
		if (snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name) < (int)sizeof path)
			load(path);
		free(entries[n]);
	}
	free(entries);
	return 0;
}

int bench_load_own_plugins(const char *name)
{
	char path[4096], folder[4200];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length <= 0)
		return 0;
	path[length] = 0;
	snprintf(folder, sizeof folder, "%s/%s", dirname(path), name);
	return access(folder, R_OK) ? 0 : bench_load_plugins(folder);
}

void bench_warm_up(const bench_contenders *chosen, int threads)
{
	static const int32_t row_ptr[] = { 0, 1, 2 }, col[] = { 0, 1 };
	static const double val[] = { 1, 1 }, x[] = { 1, 1 };
	static const bench_matrix identity = { 2, 2, 2, row_ptr, col, val, NULL };
	const bench_problem problem = { .a = &identity, .threads = threads };
	double y[2];
	for (int n = 0; n < chosen->count; n++) {
		const bench_contender *c = &chosen->item[n];
		void *state = c->table->prepare(&problem, c->variant);
		if (!state)
			continue;
		c->table->multiply(state, x, y);
		c->table->release(state);
	}
}

/* ---- lists ----------------------------------------------------------------------------------- */

int bench_next_name(const char **list, char name[BENCH_NAME])
{
	const char *end = *list;
	if (!*end)
		return 0;
	for (;;) {
		end += strcspn(end, ",");
		const char *word = end + (*end == ',');
		size_t length = strcspn(word, ",");
		if (!*end || !memchr(word, '=', length) || memchr(word, ':', length))
			break;
		end = word;
	}
	size_t length = (size_t)(end - *list);
	if (length >= BENCH_NAME - strlen("tulle:")) {
		fprintf(stderr, "name too long: %.*s\n", (int)length, *list);
		return -1;
	}
	memcpy(name, *list, length);
	name[length] = 0;
	*list = end + (*end == ',');
	return 1;
}

static void add(bench_contenders *to, const char *prefix, const char *name,
                const bench_competitor *table, size_t variant)
{
	if (to->count == BENCH_MAX_CONTENDERS)
		return;
	bench_contender *c = &to->item[to->count++];
	snprintf(c->name, sizeof c->name, "%s%s", prefix, name);
	c->table = table;
	c->variant = c->name + variant;
}

static int add_peer(bench_contenders *to, const char *name)
{
	char peer[BENCH_NAME];
	size_t length = strcspn(name, ":");
	snprintf(peer, sizeof peer, "%.*s", (int)length, name);
	const bench_competitor *table = bench_plugin_named(BENCH_ONE, peer);
	if (table) {
		add(to, "", name, table, length + (name[length] == ':'));
		return 0;
	}
	if (rank(peer) < KNOWN && known[rank(peer)].can & BENCH_ONE)
		return 0;
	fprintf(stderr, "no contender %s; --list shows them all\n", name);
	return -1;
}

static int add_format(bench_contenders *to, const char *name)
{
	char format[BENCH_NAME];
	const char *of = strncmp(name, "transposed:", 11) ? name : name + 11;
	snprintf(format, sizeof format, "%.*s", (int)strcspn(of, ":"), of);
	if (!tulle_format_tunables(format) && !bench_ours_chose(name)) {
		fprintf(stderr, "no format %s; --list shows them all\n", format);
		return -1;
	}
	add(to, "tulle:", name, &bench_ours, strlen("tulle:"));
	return 0;
}

static int choose_peers(const char *list, bench_contenders *to)
{
	char name[BENCH_NAME];
	const bench_competitor *peer;
	int got;
	while ((got = bench_next_name(&list, name)) > 0) {
		if (!strcmp(name, "all")) {
			for (int n = 0; (peer = bench_plugin_at(BENCH_ONE, n)); n++)
				add_peer(to, peer->name);
		} else if (strcmp(name, "none") && add_peer(to, name)) {
			return -1;
		}
	}
	return got;
}

/* The formats that the planner can choose, as the plan of a matrix of one entry lists them. */
static void add_planned(bench_contenders *to)
{
	static const int32_t row_ptr[] = { 0, 1 }, col[] = { 0 };
	static const double val[] = { 1 };
	const tulle_plan_options options = { .size = sizeof options, .multiplies = 1000 };
	tulle_candidate_info info = { .size = sizeof info };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;
	if (!tulle_matrix_from_csr(NULL, 1, 1, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, val, NULL,
	                           &a) &&
	    !tulle_plan_create(a, &options, &plan))
		for (int n = 0; !tulle_plan_candidate(plan, n, &info); n++)
			add_format(to, info.format);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

static int choose_formats(const char *list, bench_contenders *to)
{
	char name[BENCH_NAME];
	const char *format;
	int got;
	while ((got = bench_next_name(&list, name)) > 0) {
		if (!strcmp(name, "all")) {
			for (int n = 0; (format = tulle_formats(n)); n++)
				add_format(to, format);
		} else if (!strcmp(name, "best")) {
			add_planned(to);
		} else if (strcmp(name, "none") && add_format(to, name)) {
			return -1;
		}
	}
	return got;
}

int bench_choose(const char *peers, const char *formats, bench_contenders *out)
{
	out->count = 0;
	return choose_peers(peers, out) || choose_formats(formats, out) ? -1 : 0;
}

int bench_require(const char *list, const bench_contenders *chosen)
{
	char name[BENCH_NAME];
	int got;
	while ((got = bench_next_name(&list, name)) > 0) {
		int n = 0;
		while (n < chosen->count && strcmp(chosen->item[n].name, name))
			n++;
		if (n == chosen->count) {
			fprintf(stderr, "required contender %s is absent\n", name);
			return -1;
		}
	}
	return got;
}
