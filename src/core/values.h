/* values.h -- classes of values: how values are compressed, without loss unless the caller requests
 * rounding. */
#ifndef TULLE_CORE_VALUES_H
#define TULLE_CORE_VALUES_H

typedef enum {
	TULLE__OWN,    /* stored as they are */
	TULLE__SINGLE, /* doubles that are exact as floats, stored as floats */
	TULLE__TABLE,  /* at most TULLE__TABLE_SIZE different values: a byte is the index */
	TULLE__ONES,   /* all are one: nothing is stored */
	TULLE__BF16, /* 16 bits each: as given, or doubles rounded with a power of two per chunk as scale */
	TULLE__F16 /* the same in another 16-bit type */
} tulle__value_class;

enum { TULLE__TABLE_SIZE = 16, TULLE__VALUE_CLASSES = 6 };

static inline int tulle__is_half(tulle__value_class class)
{
	return class == TULLE__BF16 || class == TULLE__F16;
}

typedef struct {
	tulle__value_class class;
	int count;   /* of different values, class TABLE */
	int rounded; /* values are not exact */
	union {
		double f64[TULLE__TABLE_SIZE];
		float f32[TULLE__TABLE_SIZE];
	} table; /* zeros after the last value */
} tulle__value_code;

#endif
