/* device.h -- tulle-compare --device: formats and their peers on a GPU. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "contenders.h"
#include "device_competitor.h"
#include "kit.h"
#include "suite.h"
#include "timing.h"
#include "tulle_gpu.h"

#include <stdio.h>

enum { BENCH_DEVICE_REASON = 160, BENCH_DEVICE_MAX = 256, BENCH_DEVICE_LAUNCHES = 12 };

/* The request; matrices are those of the suite. */
typedef struct {
	const char *device;          /* "cuda:0", or "cuda": the first of its kind */
	const char *formats, *peers; /* lists as for contenders on the CPU */
	const char *type;            /* "f64", "f32" */
	const char *plugins;         /* a folder of more, or NULL */
	double seconds;              /* for the samples of one matrix */
	const char *json;            /* file for the results, or NULL */
	int batch;                   /* problems of batches; `peers` names all contenders then */
	int argc;
	char **argv;
} bench_device_wishes;

/* One contender. */
typedef struct {
	char name[BENCH_NAME + 16]; /* "tulle:csr:kernel=scalar", "cusparse:csr-alg1" */
	const bench_competitor *table;
	const char *variant;
	int same_bits;
} bench_device_contender;

/* One launch of a multiplication; best: seconds, when it is repeated alone. */
typedef struct {
	tulle_device_launch_info is;
	double best;
} bench_device_launch;

/* What one contender did on one matrix. */
typedef struct {
	const bench_device_contender *who;
	double error;        /* error / bound, the largest of all rows */
	double best, median; /* seconds of one multiplication */
	double convert;      /* seconds from arrays on the host to ready */
	size_t bytes, peak;  /* of the device; peak 0: not known */
	int wrong;           /* a call failed, a row exceeds its bound, or promised bits changed */
	int same_bits;       /* promised; of ours the plan says it */
	int changed;         /* not all multiplications gave the same bits */
	int launches;        /* 0: not known */
	int described;       /* of these: the first ones, of our own formats only */
	bench_device_launch launch[BENCH_DEVICE_LAUNCHES];
	char note[64];
	char why[BENCH_DEVICE_REASON]; /* it did not take the matrix; empty: it did */
} bench_device_row;

/* Description of the run. */
typedef struct {
	tulle_device_info info;
	const char *type;
	char peers[512]; /* peers, or why they do not take part */
	int argc;
	char **argv;
} bench_device_run;

/* Exit status of the program: 0, 1 for wrong results, 2. */
int bench_compare_device(const bench_device_wishes *wishes, const bench_suite *suite);

/* ---- device_subject.c: what is multiplied ---- */

/* A matrix, or all problems of a batch as the blocks of one. */
typedef struct {
	const char *name;
	bench_device_matrix a;
	int64_t longest;  /* nonzeros of the longest row */
	double variation; /* standard deviation of the row lengths over their mean */
	void *x, *start;  /* the vectors of the first product, y before it */
	kit_oracle *oracle;
	void *own; /* values that were made for this, or NULL */
} bench_device_subject;

/* The matrix must live as long as the subject. -1 when memory is short. */
int bench_device_subject_make(const bench_loaded *m, int f32, bench_device_subject *out);
void bench_device_subject_free(bench_device_subject *subject);

/* Squares of the differences between row lengths and their mean, summed. */
double bench_length_squares(const int32_t *row_ptr, int64_t rows, double mean);

/* ---- device_session.c: subjects one after the other, lines and JSON ---- */

typedef struct bench_device_session bench_device_session;

/* Opens the device and chooses the contenders; NULL with a message on stderr. */
bench_device_session *bench_device_begin(const bench_device_wishes *wishes);
void bench_device_one(bench_device_session *s, const bench_device_subject *of);
void bench_device_failed(bench_device_session *s); /* a subject could not be made */
int bench_device_end(bench_device_session *s);     /* exit status as above */

/* ---- device_ours.c: libtulle's formats, on the one device that is open ---- */

extern const bench_competitor bench_device_ours;
int bench_device_open(const char *name, tulle_device_info *info); /* -1 with a sentence on stderr */
void bench_device_close(void);
void bench_device_ours_tell(const void *state, bench_device_row *row);

/* Queue launch n of a product; y is undefined then. 0: done. */
int bench_device_ours_launch(void *state, int n);

/* The one that is open, and its queue. */
tulle_device *bench_device_handle(void);
tulle_queue *bench_device_queue(void);

/* ---- device_batches.c: batches, and loops over single products of any contender ---- */

extern const bench_competitor bench_device_batch_ours, bench_device_loop;
void bench_device_batch_tell(const void *state, bench_device_row *row);

/* ---- device_contenders.c: who takes part ---- */

/* Chooses by the lists; -1 with a sentence on stderr. Fills run->peers. */
int bench_device_choose(const bench_device_wishes *wishes, bench_device_run *run,
                        bench_device_contender *out, int *count);

/* ---- device_measure.c: one matrix ---- */

/* `row` has room for `count`. -1 when memory is short. */
int bench_device_measure(const bench_device_subject *of, int number, double seconds,
                         const bench_device_contender *who, int count, bench_device_row *row);

/* ---- device_json.c: the run, each matrix as it comes, the end ---- */

void bench_device_json_begin(FILE *out, const bench_device_run *run);
void bench_device_json_matrix(FILE *out, const bench_device_run *run,
                              const bench_device_subject *of, int first,
                              const bench_device_row *row, int count);
void bench_device_json_end(FILE *out);

#endif
