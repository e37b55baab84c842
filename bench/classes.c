/* classes.c -- classes of matrices with the same performance limit, three to six of each. */
#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SYMMETRIC_BLOCKS,
	BLOCKS,
	CONSTANT_STENCILS,
	STENCILS,
	NEAR,
	GRAPHS,
	POWER_ONES,
	POWER_VALUES,
	LINEAR_PROGRAMS,
	CIRCUITS,
	RANDOM,
	CLASSES
};

static const bench_class classes[CLASSES] = {
	[SYMMETRIC_BLOCKS] = { "sym-blocks", "symmetric, node blocks (FEM)" },
	[BLOCKS] = { "blocks", "unsymmetric, node blocks" },
	[CONSTANT_STENCILS] = { "const-stencils", "stencils of constant values" },
	[STENCILS] = { "stencils", "stencils of f64 values" },
	[NEAR] = { "near", "general, columns of 8 rows within 65536" },
	[GRAPHS] = { "graphs", "web and social graphs in natural order" },
	[POWER_ONES] = { "power-ones", "shuffled power law, pattern only" },
	[POWER_VALUES] = { "power-values", "shuffled power law with values" },
	[LINEAR_PROGRAMS] = { "lp", "linear programs: few long rows" },
	[CIRCUITS] = { "circuits", "short rows and dense ones" },
	[RANDOM] = { "random", "short rows of random columns" },
};

/* BOUND: generated, larger than the L2 caches and read in order, so bandwidth is the limit. */
enum { BOUND = 1 };

/* "gen:", "like:", or the name of a real one. */
static const struct {
	const char *item;
	int number, bound;
} members[] = {
	{ "gen:fem:n=30", SYMMETRIC_BLOCKS, BOUND },
	{ "gen:fem:n=45", SYMMETRIC_BLOCKS, BOUND },
	{ "gen:fem:n=45,b=2", SYMMETRIC_BLOCKS, BOUND },
	{ "gen:fem:n=24,b=6", SYMMETRIC_BLOCKS, BOUND },
	{ "like:pwtk", SYMMETRIC_BLOCKS, 0 },
	{ "fem_cylplate", SYMMETRIC_BLOCKS, 0 },

	{ "gen:fem:n=40,pattern=general,values=random", BLOCKS, BOUND },
	{ "gen:fem:n=45,b=2,pattern=general,values=random", BLOCKS, BOUND },
	{ "gen:fem:n=30,b=4,pattern=general,values=random", BLOCKS, BOUND },
	{ "gen:qcd:l=12,t=16", BLOCKS, 0 },
	{ "xenon1", BLOCKS, 0 },
	{ "conf6_0-4x4-30", BLOCKS, 0 },

	{ "gen:stencil5:n=1500", CONSTANT_STENCILS, BOUND },
	{ "gen:stencil9:n=1200", CONSTANT_STENCILS, BOUND },
	{ "gen:stencil7:n=120", CONSTANT_STENCILS, BOUND },
	{ "gen:stencil27:n=90", CONSTANT_STENCILS, BOUND },

	{ "gen:stencil5:n=1500,values=varying", STENCILS, BOUND },
	{ "gen:stencil9:n=1200,values=varying", STENCILS, BOUND },
	{ "gen:stencil7:n=120,values=varying", STENCILS, BOUND },
	{ "gen:stencil27:n=90,values=varying", STENCILS, BOUND },

	{ "gen:banded:rows=200000,width=40,fill=0.5", NEAR, BOUND },
	{ "gen:banded:rows=1000000,width=12,fill=0.4", NEAR, BOUND },
	{ "gen:fem:n=70,b=1,pattern=general,values=random", NEAR, BOUND },
	{ "cage11", NEAR, 0 },
	{ "teko_nsjac", NEAR, 0 },
	{ "ct2010", NEAR, 0 },

	{ "cnr-2000", GRAPHS, 0 },
	{ "uk-2007-05_100000", GRAPHS, 0 },
	{ "NotreDame_www", GRAPHS, 0 },
	{ "soc-Epinions1_und", GRAPHS, 0 },
	{ "fb-Cornell5", GRAPHS, 0 },
	{ "ca-AstroPh", GRAPHS, 0 },

	{ "gen:rmat:scale=20,order=shuffled,values=ones", POWER_ONES, 0 },
	{ "gen:rmat:scale=20,edges=8,order=shuffled,values=ones", POWER_ONES, 0 },
	{ "gen:rmat:scale=19,edges=32,order=shuffled,values=ones", POWER_ONES, 0 },

	{ "gen:rmat:scale=20,order=shuffled", POWER_VALUES, 0 },
	{ "gen:rmat:scale=20,edges=8,order=shuffled", POWER_VALUES, 0 },
	{ "gen:rmat:scale=19,edges=32,order=shuffled", POWER_VALUES, 0 },

	{ "gen:lp:rows=100,cols=200000,mean=20000", LINEAR_PROGRAMS, 0 },
	{ "gen:lp:rows=2000,cols=500000,mean=2000", LINEAR_PROGRAMS, 0 },
	{ "like:rail4284", LINEAR_PROGRAMS, 0 },
	{ "lp_nw04", LINEAR_PROGRAMS, 0 },
	{ "lp_fast0507", LINEAR_PROGRAMS, 0 },

	{ "gen:circuit:rows=300000", CIRCUITS, 0 },
	{ "gen:circuit:rows=1000000", CIRCUITS, 0 },
	{ "like:ASIC_680k", CIRCUITS, 0 },
	{ "like:dc2", CIRCUITS, 0 },
	{ "qp_BOYD1_A", CIRCUITS, 0 },
	{ "c-62", CIRCUITS, 0 },

	{ "gen:random:rows=60000,cols=60000,mean=6", RANDOM, 0 },
	{ "gen:random:rows=300000,cols=300000,mean=6", RANDOM, 0 },
	{ "gen:random:rows=1000000,cols=1000000,mean=6", RANDOM, 0 },
	{ "p2p-Gnutella31", RANDOM, 0 },
};

enum { MEMBERS = sizeof members / sizeof *members };

const bench_class *bench_class_at(int n)
{
	return n < CLASSES ? &classes[n] : NULL;
}

/* The file of a real one in $TULLE_MATRICES; 0 when there is none. */
static int find_file(const char *name, char *path, size_t size)
{
	static const char *const suffixes[] = { ".mtx", ".mtx.gz" };
	const char *folder = getenv("TULLE_MATRICES");
	for (size_t n = 0; folder && n < sizeof suffixes / sizeof *suffixes; n++) {
		snprintf(path, size, "%s/%s%s", folder, name, suffixes[n]);
		if (!access(path, R_OK))
			return 1;
	}
	return 0;
}

int bench_classes_open(const bench_class *class, bench_suite *suite)
{
	int absent = 0;
	for (int n = 0; n < MEMBERS; n++) {
		char path[4096];
		const char *item = members[n].item;
		if (class && class != &classes[members[n].number])
			continue;
		if (strchr(item, ':')) {
			snprintf(path, sizeof path, "%s", item);
		} else if (!find_file(item, path, sizeof path)) {
			absent++;
			continue;
		}
		bench_item *added = bench_suite_add(suite, path);
		if (!added)
			return -1;
		added->class = &classes[members[n].number];
		added->bound = members[n].bound;
	}
	if (absent)
		fprintf(stderr, "%d real matrices of %s are not in $TULLE_MATRICES\n", absent,
		        class ? class->name : "the classes");
	return 0;
}
