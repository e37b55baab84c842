/* cost.h -- the work of a multiplication or a conversion, and its cost on a machine.
 *
 * A format counts its work in the kinds below. The machine sets the unit of each kind (the time to
 * read a byte, to gather an element). Each format has a price per kind, in these units, which was
 * fitted to measurements (bench/fit.py). Seconds are the sum of amount * unit * price. */
#ifndef TULLE_ANALYSIS_COST_H
#define TULLE_ANALYSIS_COST_H

#include "analysis/features.h"

typedef enum {
	TULLE__BYTES, /* read in order from the second cache; formats count all here; unit: a byte read */
	TULLE__L3_BYTES,  /* those of them that tulle__place_bytes() finds in the third cache */
	TULLE__FAR_BYTES, /* ... and in memory */
	TULLE__GATHERS,   /* of x that was evicted from L1; unit: a gather from L2 */
	TULLE__MISSES,    /* of x that was evicted from L2; unit: a gather from L3 or memory */
	TULLE__STEPS, /* nonzeros whose x is gathered, including idle lanes; unit: a random read from
	                 L1 */
	TULLE__LOADS, /* nonzeros whose x is loaded in one piece; the same unit */
	TULLE__ROWS,  /* rows that are begun and ended; the same unit */
	TULLE__CALLS, /* one; unit: 1 us */
	TULLE__KINDS
} tulle__kind_of_work;

typedef struct {
	double amount[TULLE__KINDS];
} tulle__amounts;

struct tulle__estimate {
	const char *refuses; /* why the format does not support such a matrix; NULL: it does */
	double bytes;        /* of the stored matrix that one multiplication reads */
	double own_bytes;    /* memory that stays allocated after the conversion */
	double parts;        /* parts that can run at once; 0: enough for any team */
	char because[128];   /* half a sentence: the property of this matrix that favours the format */
	tulle__amounts multiply, convert;
};

typedef struct {
	double multiply[TULLE__KINDS], convert[TULLE__KINDS];
} tulle__prices;

struct tulle__estimator {
	void (*estimate)(const tulle__features *f, const tulle__request *request, tulle__estimate *out);
	const tulle__prices *prices; /* for each instruction set; all 0: none */
	double many_price; /* of TULLE__STEPS for several vectors at once, which tulle__count_many()
	                   counts; 0: the format multiplies vectors one by one */
};

/* The prices of an instruction set, or of the next lower one that has any. */
const tulle__prices *tulle__prices_for(const tulle__estimator *by, tulle__isa isa);

/* Distribute bytes to the cache levels from which repeated multiplications read them. */
void tulle__place_bytes(const tulle__features *f, const tulle__machine *m, tulle__estimate *e);

/* Seconds of each kind of work at a price of one, with all threads of the team that get one of `parts`
 * (0: all do). */
void tulle__units(const tulle__features *f, const tulle__machine *m, int64_t serial_below,
                  double parts, double unit[TULLE__KINDS]);

double tulle__seconds_of(const tulle__amounts *amounts, const double unit[TULLE__KINDS],
                         const double price[TULLE__KINDS]);

/* ---- amounts that several formats count alike ---- */

/* Bytes of a stored value, if values may be compressed by their class. */
double tulle__coded_bytes(const tulle__features *f, const tulle__request *request);

/* The same in a format that keeps all values, in the type that it gets. */
static inline double tulle__full_bytes(const tulle__features *f)
{
	return f->given_bytes > 0 ? f->value_bytes : 0;
}

/* In csr, which keeps values of 16 bits widened to f32. */
void tulle__count_widening(const tulle__features *f, tulle__estimate *out);

/* A multiplication that reads out->bytes and x, writes y, and processes nonzeros and rows one by
 * one. */
void tulle__count_multiplication(const tulle__features *f, tulle__estimate *out);

/* Gathers and misses of `nonzeros` in the order of the matrix. */
void tulle__count_gathers(const tulle__features *f, double nonzeros, tulle__amounts *out);

/* ---- several vectors at once ---- */

/* Features with x and y of all vectors. */
tulle__features tulle__features_of_many(const tulle__features *f, int64_t vectors);

/* Convert the amounts for one vector to those for several. The kernels of all formats are similar: a lane is a
 * vector, so a nonzero takes one step for its column and value and one per register of vectors. A cache miss
 * loads the lines of a row of X. */
void tulle__count_many(const tulle__features *f, const tulle__machine *m, int64_t vectors,
                       tulle__amounts *out);

/* A conversion that reads the CSR arrays and writes `written` bytes. */
void tulle__count_conversion(const tulle__features *f, double written, tulle__amounts *out);

/* ---- A^T ---- */

/* Cost of building A^T (transpose_estimate.c): `convert` and `own_bytes`, from the features of A. */
extern const tulle__estimator tulle__transpose_estimator;

/* Features of A^T before it is built: sizes are known, everything else is assumed to be as in A. */
void tulle__transpose_features(const tulle__features *f, tulle__features *out);

/* ---- blocks ---- */

/* Cost of expanding block CSR (expand_estimate.c), likewise. */
extern const tulle__estimator tulle__expand_estimator;

#endif
