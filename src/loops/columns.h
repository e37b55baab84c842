/* columns.h -- how the columns of a chunk or a row are kept. */
#ifndef TULLE_LOOPS_COLUMNS_H
#define TULLE_LOOPS_COLUMNS_H

typedef enum {
	COLUMNS_FAR,    /* 32 bits each */
	COLUMNS_NEAR,   /* 16 bits each, from the smallest one on */
	COLUMNS_STRIPS, /* they follow each other: a step of a chunk keeps its first, a row nothing */
	COLUMNS_STENCIL /* strips, and each step of the chunk has one value for all rows */
} column_kind;

#endif
