/* contenders.h -- the contenders: peers from plug-ins, and libtulle's formats. */
#ifndef BENCH_CONTENDERS_H
#define BENCH_CONTENDERS_H

#include "competitor.h"

enum { BENCH_NAME = 96, BENCH_MAX_CONTENDERS = 128 };

typedef struct {
	char name[BENCH_NAME]; /* "mkl-opt", "tulle:csr:kernel=vector" */
	const bench_competitor *table;
	const char *variant; /* the part of the name for prepare() */
} bench_contender;

typedef struct {
	bench_contender item[BENCH_MAX_CONTENDERS];
	int count;
} bench_contenders;

/* Loads every plug-in of a folder. One that cannot be loaded is reported on stderr and left out; 0 if
 * the folder could be read. */
int bench_load_plugins(const char *folder);

/* Those of this folder beside the program ("competitors"), if there is one. */
int bench_load_own_plugins(const char *folder);

/* The loaded table number n = 0, 1, ... of those that can do all that is needed; NULL past the last. */
const bench_competitor *bench_plugin_at(int needs, int n);

/* A peer this bench has a plug-in for, loaded or not, likewise. */
const char *bench_known_peer_at(int needs, int n);

/* The loaded table of this name that can do what is needed, or NULL. */
const bench_competitor *bench_plugin_named(int needs, const char *name);

/* Takes the next name from a list. Tunables have commas too ("csr:kernel=vector,sigma=16,ell"): a word
 * with '=' and without ':' belongs to the name before it. 0 at the end, -1 for one too long. */
int bench_next_name(const char **list, char name[BENCH_NAME]);

/* Choose by the lists of --contenders and --formats ("all", "none", for formats
 * "best", or names). Unknown names are reported on stderr, and -1 is returned; a known peer that is not
 * loaded is left out. */
int bench_choose(const char *peers, const char *formats, bench_contenders *out);

/* Multiplies once by a 2 x 2 matrix, so that the start of a library is not counted as conversion
 * time. */
void bench_warm_up(const bench_contenders *chosen, int threads);

/* Is every name of the list among the chosen? Reports a name that is not. */
int bench_require(const char *list, const bench_contenders *chosen);

#endif
