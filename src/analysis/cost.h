/* cost.h -- what a multiplication or a conversion consists of, and what that costs on a machine.
 *
 * A format counts its work in the kinds below. A kind has a unit that the machine sets (the time in
 * which it reads a byte, gathers an element), and each format a price for it, in these units, that
 * was fitted to measurements (bench/fit.py). Seconds are the sum of amount * unit * price. */
#ifndef TULLE_ANALYSIS_COST_H
#define TULLE_ANALYSIS_COST_H

#include "analysis/features.h"

typedef enum {
	TULLE__BYTES, /* read in order from the second cache; formats count all here; unit: a byte read */
	TULLE__L3_BYTES,  /* those of them that tulle__place_bytes() finds in the third cache */
	TULLE__FAR_BYTES, /* ... and in memory */
	TULLE__GATHERS,   /* of x that has left the first cache; unit: a gather from the second */
	TULLE__MISSES,    /* of x that has left the second one, too; unit: a gather from beyond */
	TULLE__STEPS, /* nonzeros whose x is gathered, idle lanes among them; unit: a random read from L1 */
	TULLE__LOADS, /* nonzeros whose x is loaded in one piece; the same unit */
	TULLE__ROWS,  /* rows that are begun and ended; the same unit */
	TULLE__CALLS, /* one; unit: 1 us */
	TULLE__KINDS
} tulle__kind_of_work;

typedef struct {
	double amount[TULLE__KINDS];
} tulle__amounts;

struct tulle__estimate {
	const char *refuses; /* why the format does not take such a matrix, NULL: it does */
	double bytes;        /* that one multiplication reads of the stored matrix */
	double own_bytes;    /* memory that the conversion takes for good */
	double parts;        /* that can run at once; 0: enough for any team */
	char because[128];   /* half a sentence: what in this matrix speaks for the format */
	tulle__amounts multiply, convert;
};

typedef struct {
	double multiply[TULLE__KINDS], convert[TULLE__KINDS];
} tulle__prices;

struct tulle__estimator {
	void (*estimate)(const tulle__features *f, const tulle__request *request, tulle__estimate *out);
	const tulle__prices *prices; /* for each instruction set; all 0: none */
	double
	    many_price; /* of TULLE__STEPS for several vectors at once, which tulle__count_many() counts;
	                    * 0: the format takes one vector after the other */
};

/* The prices of a set, or of the next lower one that has any. */
const tulle__prices *tulle__prices_for(const tulle__estimator *by, tulle__isa isa);

/* Bytes to the levels from which this machine reads them, when one multiplication follows the other. */
void tulle__place_bytes(const tulle__features *f, const tulle__machine *m, tulle__estimate *e);

/* Seconds that each kind of work takes at a price of one, for all threads of the team together that get
 * one of `parts` (0: all do). */
void tulle__units(const tulle__features *f, const tulle__machine *m, int64_t serial_below,
                  double parts, double unit[TULLE__KINDS]);

double tulle__seconds_of(const tulle__amounts *amounts, const double unit[TULLE__KINDS],
                         const double price[TULLE__KINDS]);

/* ---- amounts that several formats count alike ---- */

/* Bytes of a stored value, when values may be kept by their class. */
double tulle__coded_bytes(const tulle__features *f, const tulle__request *request);

/* The same in a format that keeps all values, in the type that it gets. */
static inline double tulle__full_bytes(const tulle__features *f)
{
	return f->given_bytes > 0 ? f->value_bytes : 0;
}

/* A multiplication that reads out->bytes and x and writes y, and takes nonzeros and rows one by one. */
void tulle__count_multiplication(const tulle__features *f, tulle__estimate *out);

/* Gathers and misses of `nonzeros` in the order of the matrix. */
void tulle__count_gathers(const tulle__features *f, double nonzeros, tulle__amounts *out);

/* ---- several vectors at once ---- */

/* Features of a matrix whose x and y are those of all vectors. */
tulle__features tulle__features_of_many(const tulle__features *f, int64_t vectors);

/* What a multiplication by one vector consists of, turned into that by several. The kernels differ little: a lane
 * is a vector, so a nonzero takes a step for its column and value, one for each register of vectors, and what
 * misses a cache brings the lines of a row of X. */
void tulle__count_many(const tulle__features *f, const tulle__machine *m, int64_t vectors,
                       tulle__amounts *out);

/* A conversion that reads the CSR arrays and writes `written` bytes. */
void tulle__count_conversion(const tulle__features *f, double written, tulle__amounts *out);

/* ---- A^T ---- */

/* What building A^T costs (transpose_estimate.c): `convert` and `own_bytes`, from the features of A. */
extern const tulle__estimator tulle__transpose_estimator;

/* Features of A^T as far as those of A tell: sizes are known, all else is assumed to be as in A. */
void tulle__transpose_features(const tulle__features *f, tulle__features *out);

/* ---- blocks ---- */

/* What expanding block CSR costs (expand_estimate.c), likewise. */
extern const tulle__estimator tulle__expand_estimator;

#endif
