/* device_who.c -- who takes part on a GPU: libtulle's formats, and peers from plug-ins. */
#include "device.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	const bench_device_wishes *wishes;
	bench_device_run *run;
	bench_device_contender *out;
	int *count;
} choice;

static void add(const choice *c, const bench_device_competitor *table, const char *variant,
                int same_bits)
{
	if (*c->count == BENCH_DEVICE_MAX)
		return;
	bench_device_contender *who = &c->out[(*c->count)++];
	snprintf(who->name, sizeof who->name, "%s:%s", table->name, variant);
	who->table = table;
	who->variant = who->name + strlen(table->name) + 1;
	who->same_bits = same_bits;
}

/* ---- ours ---- */

/* Those that need wider warps than this device has would only say so. */
static void add_all_formats(const choice *c)
{
	tulle_device_format_info f = { .size = sizeof f };
	for (int n = 0; tulle_device_format(n, &f); n++)
		if (f.width <= c->run->info.width)
			add(c, &bench_device_ours, f.format, f.same_bits);
}

static int choose_formats(const choice *c)
{
	const char *list = c->wishes->formats;
	char name[BENCH_NAME];
	int got;
	while ((got = bench_next_name(&list, name)) > 0) {
		if (!strcmp(name, "all"))
			add_all_formats(c);
		else if (strcmp(name, "none"))
			add(c, &bench_device_ours, name, 0);
	}
	return got;
}

/* ---- peers ---- */

static int wanted(const char *list, const char *peer)
{
	char name[BENCH_NAME];
	while (bench_next_name(&list, name) > 0)
		if (!strcmp(name, "all") || !strcmp(name, peer))
			return 1;
	return 0;
}

static void tell(const choice *c, const char *name, const char *text)
{
	char *peers = c->run->peers;
	const size_t length = strlen(peers);
	snprintf(peers + length, sizeof c->run->peers - length, "%s%s: %s", length ? "; " : "", name,
	         text);
}

static void add_peer(const choice *c, const bench_device_competitor *table)
{
	const char *device = c->run->info.name;
	const size_t length = strlen(table->driver);
	char text[BENCH_DEVICE_REASON] = "";
	if (!wanted(c->wishes->peers, table->name))
		return;
	if (strncmp(device, table->driver, length) || device[length] != ':') {
		snprintf(text, sizeof text, "only for devices of %s", table->driver);
		tell(c, table->name, text);
		return;
	}
	const int absent = table->about(atoi(device + length + 1), text, sizeof text);
	tell(c, table->name, text);
	for (const bench_device_variant *v = table->variant; v->name && !absent; v++)
		add(c, table, v->name, v->same_bits);
}

static void load(const choice *c, const char *path)
{
	/* Never closed: the libraries behind leave threads and exit handlers. */
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const bench_device_competitor *table = module ? dlsym(module, BENCH_DEVICE_COMPETITORS) : NULL;
	if (!table) {
		const char *file = strrchr(path, '/');
		tell(c, file ? file + 1 : path, "does not load");
		fprintf(stderr, "plug-in left out: %s\n", dlerror());
	}
	for (; table && table->name; table++)
		add_peer(c, table);
}

static int is_plugin(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && !strcmp(dot, ".so");
}

/* -1: there is no such folder. */
static int load_folder(const choice *c, const char *folder)
{
	struct dirent **entries;
	const int count = scandir(folder, &entries, is_plugin, alphasort);
	if (count < 0)
		return -1;
	for (int n = 0; n < count; n++) {
		char path[4096];
		if (snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name) < (int)sizeof path)
			load(c, path);
		free(entries[n]);
	}
	free(entries);
	return 0;
}

static void load_own(const choice *c)
{
	char path[3000], folder[3100];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length <= 0)
		return;
	path[length] = 0;
	*strrchr(path, '/') = 0;
	snprintf(folder, sizeof folder, "%s/competitors/device", path);
	load_folder(c, folder);
}

int bench_device_choose(const bench_device_wishes *wishes, bench_device_run *run,
                        bench_device_contender *out, int *count)
{
	const choice c = { wishes, run, out, count };
	*count = 0;
	run->peers[0] = 0;
	if (choose_formats(&c))
		return -1;
	/* Libraries of GPUs are large: who wants none loads none. */
	if (strcmp(wishes->peers, "none"))
		load_own(&c);
	if (wishes->plugins && load_folder(&c, wishes->plugins)) {
		fprintf(stderr, "no folder of plug-ins %s\n", wishes->plugins);
		return -1;
	}
	return 0;
}
