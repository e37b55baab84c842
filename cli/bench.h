/* bench.h -- what `tulle bench` has measured, and the ways to report it. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "mul.h"
#include "plot.h"

enum { CLI_MOST_MEASURED = CLI_MOST_CANDIDATES, CLI_MOST_PEERS = 24, CLI_PEER_NAME = 32 };

typedef enum { CLI_FORMAT, CLI_PLAIN_LOOP, CLI_PEER } cli_kind;

/* A format, the plain loop, or another library. */
typedef struct {
	cli_kind kind;
	const char *name;
	char refused[256]; /* why it was not measured; "": it was */
	int chosen;        /* the automatic plan has this format */
	cli_timing time;   /* as sampled */
	double over_csr;   /* csr's time over its own, by samples taken in turn */
	double product;    /* seconds of one: csr's / over_csr, since a machine changes its speed */
	double convert;    /* seconds */
	double bytes;      /* of the matrix that one multiplication reads; not of a peer */
	double allocated;  /* bytes beside the caller's arrays; not of a peer */
	int wrong;         /* y was beyond its error bound */
	int disturbed;     /* a peer: other processes took a core during nearly every sample */
} cli_measured;

/* Other libraries, measured by tulle-compare. */
typedef struct {
	int asked; /* the program was there */
	int count;
	cli_measured of[CLI_MOST_PEERS];
	char names[CLI_MOST_PEERS][CLI_PEER_NAME];
	char absent[256]; /* names of peers that the program does not have: "librsb, eigen" */
	/* Why none was measured; "": they were measured, or no program was run. */
	char unmeasured[320];
} cli_peers;

typedef struct {
	const cli_matrix *matrix;
	tulle_plan_info info; /* of the automatic plan */
	char *explain;        /* likewise */
	int threads;          /* of all but the plain loop, which has one */
	double multiplies;
	int count;
	cli_measured of[CLI_MOST_MEASURED]; /* formats by their total, refused ones last */
	cli_measured plain;
	cli_peers peers;
} cli_bench_results;

/* Conversion and all multiplications, in seconds. */
double cli_bench_total(const cli_bench_results *r, const cli_measured *m);

/* By their totals, refused ones last. */
void cli_bench_sort(const cli_bench_results *r, cli_measured *of, int count);

/* The least time of a product, in seconds. */
double cli_bench_fastest(const cli_bench_results *r);

/* Cells of tables, each in its static buffer: bytes that a product reads of the matrix, per nonzero; milliseconds of the
 * conversion; a mark after the row, " WRONG", " ?" or nothing. "-": unknown, or none. */
const char *cli_bench_per_nonzero_text(const cli_bench_results *r, const cli_measured *m);
const char *cli_bench_convert_text(const cli_measured *m);
const char *cli_bench_mark(const cli_measured *m);

/* Call `put` for each that was measured: formats, the plain loop, peers. */
void cli_bench_each(const cli_bench_results *r,
                    void (*put)(FILE *to, const cli_bench_results *r, const cli_measured *m),
                    FILE *to);

/* Call `put` for each that was not measured, with its number; returns how many these are. */
int cli_bench_each_refused(const cli_bench_results *r,
                           void (*put)(FILE *to, const cli_measured *m, int n), FILE *to);

/* Multiplications from which the conversion pays, compared with csr; INFINITY: it never does. */
double cli_bench_break_even(const cli_bench_results *r, const cli_measured *m);
const char *cli_bench_break_even_text(const cli_bench_results *r, const cli_measured *m);

/* The largest median over the least sample of one contender, and a sentence if it is too large; else "". */
double cli_bench_spread(const cli_bench_results *r);
const char *cli_bench_doubt(const cli_bench_results *r);

/* The entry of csr, which every format is compared with, and that of the automatic plan; NULL: not measured. */
const cli_measured *cli_bench_csr(const cli_bench_results *r);
const cli_measured *cli_bench_chosen(const cli_bench_results *r);

/* y = A x by a loop over rows, one thread, as work to be timed. */
typedef struct {
	const tulle_csr_view *a;
	const void *x;
	void *y;
} cli_plain_product;

void cli_plain_multiply(void *product, int times);

/* Time csr, the other formats and the plain loop, `seconds` for each, and check every result. */
void cli_bench_measure(const cli_common *common, double seconds, cli_bench_results *r);

/* Report it: a table with bars, a table in Markdown, an object, a page. */
void cli_bench_print(const cli_bench_results *r);
void cli_bench_markdown(const cli_bench_results *r);
void cli_bench_json(const cli_bench_results *r);
void cli_bench_html(const cli_bench_results *r, const char *path);

/* Run tulle-compare for the peers it has, `program` or the one that is found; "none": do not. Faults become one line on
 * stderr. The second function says what was measured, in one sentence or two. */
void cli_bench_peers(const cli_common *common, const char *program, const char *isa, double seconds,
                     cli_bench_results *r);
const char *cli_bench_peers_text(const cli_bench_results *r);

#endif
