/* device_contenders.c -- the contenders on a GPU: libtulle's formats, and peers from plug-ins. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const bench_device_wishes *wishes;
	bench_device_run *run;
	bench_device_contender *out;
	int *count;
} choice;

static void add(const choice *c, const bench_competitor *table, const char *variant, int same_bits)
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

/* Leaves out variants that need wider warps than this device has. */
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

/* Does it run on this device? Reports what it is, or why not. */
static int runs_here(const choice *c, const bench_competitor *table)
{
	const bench_device_calls *calls = table->device;
	const char *device = c->run->info.name;
	const size_t length = strlen(calls->driver);
	char text[BENCH_DEVICE_REASON] = "";
	if (strncmp(device, calls->driver, length) || device[length] != ':') {
		snprintf(text, sizeof text, "only for devices of %s", calls->driver);
		tell(c, table->name, text);
		return 0;
	}
	const int absent = calls->about(atoi(device + length + 1), text, sizeof text);
	tell(c, table->name, text);
	return !absent;
}

/* Its variants; on batches a loop over the first of them, its default. */
static void add_variants(const choice *c, const bench_competitor *table)
{
	const bench_device_variant *v = table->device->variant;
	char name[BENCH_NAME];
	if (c->wishes->batch) {
		snprintf(name, sizeof name, "%s:%s", table->name, v->name);
		add(c, &bench_device_loop, name, v->same_bits);
	}
	for (; v->name && !c->wishes->batch; v++)
		add(c, table, v->name, v->same_bits);
}

static void add_peer(const choice *c, const bench_competitor *table)
{
	if (wanted(c->wishes->peers, table->name) && runs_here(c, table))
		add_variants(c, table);
}

static void add_peers(const choice *c)
{
	const int needs = BENCH_DEVICE | (strcmp(c->wishes->type, "f32") ? BENCH_F64 : BENCH_F32);
	const bench_competitor *table;
	const char *peer;
	for (int n = 0; (table = bench_plugin_at(needs, n)); n++)
		add_peer(c, table);
	for (int n = 0; (peer = bench_known_peer_at(BENCH_DEVICE, n)); n++)
		if (!bench_plugin_named(BENCH_DEVICE, peer) && wanted(c->wishes->peers, peer))
			tell(c, peer, "absent");
}

/* ---- batches ---- */

static void add_all_kernels(const choice *c)
{
	tulle_device_batch_kernel_info k = { .size = sizeof k };
	for (int n = 0; tulle_device_batch_kernel(n, &k); n++)
		add(c, &bench_device_batch_ours, k.kernel, k.same_bits);
	add(c, &bench_device_batch_ours, "auto", 1);
	add(c, &bench_device_loop, "tulle:csr", 0);
}

/* "loop:PEER:VARIANT", the peer as the device allows. */
static void add_loop(const choice *c, const char *name)
{
	char peer[BENCH_NAME];
	snprintf(peer, sizeof peer, "%.*s", (int)strcspn(name, ":"), name);
	const bench_competitor *table = bench_plugin_named(BENCH_DEVICE, peer);
	if (!table || runs_here(c, table))
		add(c, &bench_device_loop, name, 0);
}

static int choose_kernels(const choice *c)
{
	const char *list = c->wishes->formats;
	char name[BENCH_NAME];
	int got;
	while ((got = bench_next_name(&list, name)) > 0) {
		if (!strcmp(name, "all"))
			add_all_kernels(c);
		else if (!strncmp(name, "loop:", 5))
			add_loop(c, name + 5);
		else if (!strncmp(name, "tulle:", 6))
			add(c, &bench_device_batch_ours, name + 6, 0);
		else {
			fprintf(stderr, "no contender %s: tulle:KERNEL or loop:CONTENDER:VARIANT\n", name);
			return -1;
		}
	}
	return got;
}

int bench_device_choose(const bench_device_wishes *wishes, bench_device_run *run,
                        bench_device_contender *out, int *count)
{
	const choice c = { wishes, run, out, count };
	*count = 0;
	run->peers[0] = 0;
	/* GPU libraries are large, so they are loaded only if peers are requested. */
	if ((strcmp(wishes->peers, "none") && bench_load_own_plugins("competitors/device")) ||
	    (wishes->plugins && bench_load_plugins(wishes->plugins)) ||
	    (wishes->batch ? choose_kernels(&c) : choose_formats(&c)))
		return -1;
	add_peers(&c);
	return 0;
}
