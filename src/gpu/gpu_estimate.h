/* gpu_estimate.h -- the cost of a product in a format on a device, counted from the pattern before anything is
 * built, and the order of formats by this cost.
 *
 * A format's estimate() returns one or several ways to run it, each with its counts. For a large matrix the counts
 * come from a sample of its warps. docs/adr/0025-gpu-choice.md describes how the counts give an order. */
#ifndef TULLE_GPU_GPU_ESTIMATE_H
#define TULLE_GPU_GPU_ESTIMATE_H

#include "core/format.h"
#include "csr/csr_matrix.h"
#include "tulle_gpu.h"

enum {
	TULLE__GPU_SECTOR = 32,     /* bytes of a memory transaction */
	TULLE__GPU_THREADS = 128,   /* of a block, as tulle__gpu_block() */
	TULLE__GPU_MOST_WIDTH = 64, /* lanes of a warp */
	TULLE__GPU_IN_FLIGHT = 4,   /* entries that sum_entries() loads before it uses the first */
	TULLE__GPU_ESTIMATES = 16,  /* the most of a format */
	TULLE__GPU_CANDIDATES = 24  /* the most of a ranking */
};

/* ---- one way to run a format ---- */

/* Resources of a block of a kernel, for f32 and f64 (complex types: registers as f64, shared memory by their size); a test compares them with tests/gpu/resources/table.txt. */
typedef struct {
	const char *kernel;
	int registers[2]; /* of a thread */
	int shared[2];    /* bytes of a block */
} tulle__gpu_use;

typedef struct {
	const tulle__gpu_use *use; /* the kernel that does most of the work */
	char params[40];           /* "kernel=vector,lanes=8" */
	char refuses[96];          /* why it cannot be built; empty: all members below are set */
	double held;               /* bytes of the arrays on the device */
	double array_bytes;        /* of them, that memory delivers */
	double requested;          /* bytes that warps request of them, in whole sectors */
	double x_requested, y_requested;
	double instructions; /* of warps */
	double shuffles;     /* of them: exchanges between lanes */
	double arithmetic;   /* of them: multiplications and additions of values */
	double warps;        /* of all launches */
	double waits;        /* of warps for loads whose result the next instruction needs */
	double chain;        /* those of the warp that has the most */
	int launches;
	int atomics;
} tulle__gpu_estimate;

typedef struct {
	int count;
	tulle__gpu_estimate of[TULLE__GPU_ESTIMATES];
} tulle__gpu_estimates;

/* ---- the matrix ---- */

typedef struct tulle__gpu_subject {
	tulle__env *env;
	const tulle__csr *a; /* with `updates`, its values are not read */
	const tulle_device_model *device;
	double value, index; /* bytes of a value and of an offset */
	double rows, nnz;
	int64_t longest, empty_rows;
	double x_bytes;     /* that memory delivers of x: gpu_subject.c */
	int updates, lossy; /* as in tulle_device_plan_options */
} tulle__gpu_subject;

/* offset: 0 for 32 bits where they suffice. */
tulle_status tulle__gpu_subject_make(tulle__env *env, const tulle__csr *a,
                                     const tulle_device_model *device, tulle_index_type offset,
                                     tulle__gpu_subject *out);

/* ---- counting ---- */

/* What each lane of a warp reads, for n = 0 .. turns - 1: entry number entry + n * entry_stride of the matrix in
 * CSR order, which the format stores in slot + n * slot_stride. */
typedef struct {
	int lanes;
	int64_t slot_stride, entry_stride;
	int64_t slot[TULLE__GPU_MOST_WIDTH], entry[TULLE__GPU_MOST_WIDTH], turns[TULLE__GPU_MOST_WIDTH];
} tulle__gpu_warp;

/* Fills in warp n. */
typedef void tulle__gpu_warp_of(const tulle__gpu_subject *s, const void *layout, int64_t n,
                                tulle__gpu_warp *out);

typedef struct {
	double turns;       /* of all warps: steps in which some lane has an entry */
	double col, val, x; /* sectors */
} tulle__gpu_requests;

tulle__gpu_requests tulle__gpu_count(const tulle__gpu_subject *s, int64_t warps,
                                     tulle__gpu_warp_of *of, const void *layout);

/* All entries in CSR order, one per lane; adjacent lanes have adjacent entries. */
tulle__gpu_requests tulle__gpu_count_entries(const tulle__gpu_subject *s);

/* Entries and turns of warp n where `lanes` lanes share a row; slots are the format's. */
void tulle__gpu_row_lanes(const tulle__gpu_subject *s, int64_t lanes, int64_t n,
                          tulle__gpu_warp *out);

/* Adds what such a kernel needs besides its arrays: x, y, instructions (`setup` per warp, `turn` per turn) and
 * waits. */
void tulle__gpu_estimate_rows(const tulle__gpu_subject *s, const tulle__gpu_requests *r,
                              int64_t lanes, double setup, double turn, tulle__gpu_estimate *e);

/* Warps of a launch with `lanes` lanes per row. */
int64_t tulle__gpu_row_warps(const tulle__gpu_subject *s, int64_t lanes);

/* Sectors of n elements of `size` bytes that begin at a multiple of n. */
double tulle__gpu_sectors(double n, double size);

/* Waits of warps for the turns of a loop. */
double tulle__gpu_waits(double turns, double warps);

/* The next estimate of a format, all 0. */
tulle__gpu_estimate *tulle__gpu_add(tulle__gpu_estimates *to, const tulle__gpu_use *use);

/* ---- the order ---- */

typedef struct {
	const tulle__format *format;
	tulle__gpu_estimate e;
	double bytes;      /* that memory delivers and stores */
	double occupancy;  /* 0 .. 1 */
	double cost;       /* in machine units: for the order only */
	const char *limit; /* what takes most of it */
	int place;         /* in the order of formats.def */
} tulle__gpu_candidate;

typedef struct {
	int ranked, count; /* the first `ranked` can be built; for the others e.refuses is set */
	tulle__gpu_candidate of[TULLE__GPU_CANDIDATES];
} tulle__gpu_ranking;

/* The cost of one estimate. */
void tulle__gpu_judge(const tulle__gpu_subject *s, tulle__gpu_candidate *c);

tulle_status tulle__gpu_rank(const tulle__gpu_subject *s, int same_bits, tulle__gpu_ranking *out);

/* ---- presets ---- */

/* The n-th of devices.def, 0 after the last; the one of which `model` is a device. */
int tulle__gpu_preset(int n, tulle_device_model *out);
int tulle__gpu_preset_for(const char *model, tulle_device_model *out);

#endif
