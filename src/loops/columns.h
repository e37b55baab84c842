/* columns.h -- how the columns of a chunk or a row are stored. */
#ifndef TULLE_LOOPS_COLUMNS_H
#define TULLE_LOOPS_COLUMNS_H

typedef enum {
	COLUMNS_FAR,    /* 32 bits each */
	COLUMNS_NEAR,   /* 16-bit offsets from the smallest column */
	COLUMNS_STRIPS, /* consecutive: one column per step of a chunk, none per row */
	COLUMNS_STENCIL /* strips whose steps have one value for all rows */
} column_kind;

#endif
