/* pagerank.h -- what `tulle pagerank` found out, for the files that tell it. */
#ifndef CLI_PAGERANK_H
#define CLI_PAGERANK_H

#include "cli.h"
#include "tulle_pagerank.h"

/* A format of --formats: seconds of an iteration, by turns with the others. */
typedef struct {
	const char *asked;     /* "auto", or as tulle_plan_options.format */
	tulle_pagerank *graph; /* while it is measured */
	const char *format;    /* the one that it became */
	double plan_seconds;
	double median, best;
} cli_contender;

enum { CLI_MOST_CONTENDERS = 16 };

typedef struct {
	const cli_matrix *matrix;
	tulle_pagerank *graph;
	const char *format; /* named by the user; NULL: chosen ... */
	const char *wisdom; /* ... with this file; NULL: none */
	tulle_pagerank_rules rules;
	tulle_pagerank_info info;
	int threads; /* of the last pass over the nodes */

	double *residual; /* of each iteration ... */
	int64_t room;     /* ... and how many there is room for */

	double *ranks;
	int64_t *top; /* nodes by their rank, the highest first */
	int64_t top_count;
	const char *const *name; /* of the top nodes; NULL: they have none */

	cli_contender contender[CLI_MOST_CONTENDERS];
	int contenders;
} cli_ranks;

/* pagerank_compare.c: measure the formats in turn, for a second or so. */
void cli_pagerank_compare(cli_ranks *r, char *formats, const tulle_pagerank_options *options);

/* pagerank_print.c: for a person, and as JSON. */
void cli_pagerank_print(const cli_ranks *r);
void cli_pagerank_json(const cli_ranks *r);

#endif
