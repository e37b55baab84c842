/* values.h -- classes of values: what has to be kept of a matrix's values so that each is there to
 * the last bit. */
#ifndef TULLE_CORE_VALUES_H
#define TULLE_CORE_VALUES_H

typedef enum {
	TULLE__OWN,    /* all of it */
	TULLE__SINGLE, /* doubles that are floats: the floats */
	TULLE__TABLE,  /* at most TULLE__TABLE_SIZE different ones: a byte says which */
	TULLE__ONES    /* nothing */
} tulle__value_class;

enum { TULLE__TABLE_SIZE = 16, TULLE__VALUE_CLASSES = 4 };

typedef struct {
	tulle__value_class class;
	int count;   /* of different values, class TABLE */
	int rounded; /* class SINGLE, and not exact */
	union {
		double f64[TULLE__TABLE_SIZE];
		float f32[TULLE__TABLE_SIZE];
	} table; /* after the last one zeros */
} tulle__value_code;

#endif
