/* kernel_table.h -- all compiled variants of one format's kernels, as one table.
 *
 * TULLE__KERNEL_TABLE(name, format, suffix) defines a static table [isa][value type] of the arrays
 * that the kernel objects export, NULL where this build has none. `suffix` is empty, or _i32_i32
 * and so on for a format with index pairs. TULLE__KERNEL_TABLE_COMPLEX is for formats flagged
 * TULLE__HAS_COMPLEX, and TULLE__KERNEL_TABLE_ANY for those flagged TULLE__ANY_TYPE, too: it adds the kernels
 * of the types that not every format has.
 * Kernels exported by TULLE_KERNELS_WITHOUT_GATHERS have tables whose names end so.
 * TULLE__KERNEL_TABLE_F64(name, folder) is a table [isa] for kernels that exist for f64 only. */
#ifndef TULLE_CORE_KERNEL_TABLE_H
#define TULLE_CORE_KERNEL_TABLE_H

#include "core/format.h"
#include "core/types.h"

typedef const tulle__kernel *tulle__kernel_table[TULLE__ISAS][TULLE__VALUE_TYPES];

/* clang-format makes initialisers in macros unreadable. */
/* clang-format off */
#define TULLE__KERNELS_OF(format, isa, type, suffix) \
	tulle__##format##_kernels_##isa##_##type##suffix

/* Kernels are declared for every type; a column of types.def says which exist and are in a
 * table. */
#define TULLE__DECLARE_TYPE(type, compute, parts, kernels, one, format, isa, suffix) \
	extern const tulle__kernel TULLE__KERNELS_OF(format, isa, type, suffix)[];
#define TULLE__DECLARE(format, isa, suffix) \
	TULLE__EACH_TYPE(TULLE__DECLARE_TYPE, format, isa, suffix)

#define TULLE__IN_ROW_EVERYWHERE(type, isa, ...) __VA_ARGS__
#define TULLE__IN_ROW_WIDENED(type, isa, ...)
#define TULLE__IN_ROW_STORED(type, isa, ...)
#define TULLE__IN_ROW_SCALAR(type, isa, ...)
#define TULLE__IN_ROW_COMPLEX(type, isa, ...)
#define TULLE__ENTRY(type, compute, parts, kernels, one, format, isa, suffix) \
	TULLE__IN_ROW_##kernels(type, isa, [TULLE__TYPE_##type] =                 \
	                                       TULLE__KERNELS_OF(format, isa, type, suffix),)
#define TULLE__ROW(format, isa, suffix) { TULLE__EACH_TYPE(TULLE__ENTRY, format, isa, suffix) }

/* The same with complex types, for the sets that have words for them. */
#define TULLE__IN_COMPLEX_ROW_EVERYWHERE(type, isa, ...) __VA_ARGS__
#define TULLE__IN_COMPLEX_ROW_WIDENED(type, isa, ...)
#define TULLE__IN_COMPLEX_ROW_STORED(type, isa, ...)
#define TULLE__IN_COMPLEX_ROW_SCALAR(type, isa, ...)
#define TULLE__IN_COMPLEX_ROW_COMPLEX(type, isa, ...) \
	TULLE__BUILT_##type(TULLE__COMPLEX_##isa(__VA_ARGS__))
#define TULLE__COMPLEX_ENTRY(type, compute, parts, kernels, one, format, isa, suffix) \
	TULLE__IN_COMPLEX_ROW_##kernels(type, isa, [TULLE__TYPE_##type] =                 \
	                                               TULLE__KERNELS_OF(format, isa, type, suffix),)
#define TULLE__COMPLEX_ROW(format, isa, suffix) \
	{ TULLE__EACH_TYPE(TULLE__COMPLEX_ENTRY, format, isa, suffix) }

/* And with widened types. */
#define TULLE__IN_ANY_ROW_EVERYWHERE(type, isa, ...) __VA_ARGS__
#define TULLE__IN_ANY_ROW_WIDENED(type, isa, ...) __VA_ARGS__
#define TULLE__IN_ANY_ROW_STORED(type, isa, ...)
#define TULLE__IN_ANY_ROW_SCALAR(type, isa, ...)
#define TULLE__IN_ANY_ROW_COMPLEX(type, isa, ...) \
	TULLE__IN_COMPLEX_ROW_COMPLEX(type, isa, __VA_ARGS__)
#define TULLE__ANY_ENTRY(type, compute, parts, kernels, one, format, isa, suffix) \
	TULLE__IN_ANY_ROW_##kernels(type, isa, [TULLE__TYPE_##type] =                 \
	                                           TULLE__KERNELS_OF(format, isa, type, suffix),)
#define TULLE__ANY_ROW(format, isa, suffix) \
	{ TULLE__EACH_TYPE(TULLE__ANY_ENTRY, format, isa, suffix) }

#define TULLE__ADDED_EVERYWHERE(...)
#define TULLE__ADDED_WIDENED(...)
#define TULLE__ADDED_STORED(...)
#define TULLE__ADDED_COMPLEX(...)
#define TULLE__ADDED_SCALAR(...) __VA_ARGS__
#define TULLE__ADDED(type, compute, parts, kernels, one, format, suffix) \
	TULLE__ADDED_##kernels([TULLE__SCALAR][TULLE__TYPE_##type] =         \
	                           TULLE__KERNELS_OF(format, scalar, type, suffix),)

#define TULLE__DECLARE_SET(isa, ISA, probe, format, suffix) TULLE__DECLARE(format, isa, suffix)
#define TULLE__ROW_OF_SET(isa, ISA, probe, format, suffix) \
	[TULLE__##ISA] = TULLE__ROW(format, isa, suffix),
#define TULLE__COMPLEX_ROW_OF_SET(isa, ISA, probe, format, suffix) \
	[TULLE__##ISA] = TULLE__COMPLEX_ROW(format, isa, suffix),
#define TULLE__ANY_ROW_OF_SET(isa, ISA, probe, format, suffix) \
	[TULLE__##ISA] = TULLE__ANY_ROW(format, isa, suffix),

/* `sets`: TULLE__BUILT_ISAS or TULLE__BUILT_ISAS_WITHOUT_GATHERS. `row`: the entries of a set. Then come
 * entries beside theirs. */
#define TULLE__TABLE_OF(sets, row, name, format, suffix, ...) \
	sets(TULLE__DECLARE_SET, format, suffix)                  \
	static const tulle__kernel_table name = { sets(row, format, suffix) __VA_ARGS__ }

#define TULLE__KERNEL_TABLE(name, format, suffix) \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS, TULLE__ROW_OF_SET, name, format, suffix, )
#define TULLE__KERNEL_TABLE_WITHOUT_GATHERS(name, format, suffix) \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS_WITHOUT_GATHERS, TULLE__ROW_OF_SET, name, format, suffix, )
#define TULLE__KERNEL_TABLE_COMPLEX(name, format, suffix) \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS, TULLE__COMPLEX_ROW_OF_SET, name, format, suffix, )
#define TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(name, format, suffix)                           \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS_WITHOUT_GATHERS, TULLE__COMPLEX_ROW_OF_SET, name, format, \
	                suffix, )
#define TULLE__KERNEL_TABLE_ANY(name, format, suffix)                               \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS, TULLE__ANY_ROW_OF_SET, name, format, suffix, \
	                TULLE__EACH_TYPE(TULLE__ADDED, format, suffix))
#define TULLE__KERNEL_TABLE_ANY_WITHOUT_GATHERS(name, format, suffix)                              \
	TULLE__TABLE_OF(TULLE__BUILT_ISAS_WITHOUT_GATHERS, TULLE__ANY_ROW_OF_SET, name, format,    \
	                suffix, TULLE__EACH_TYPE(TULLE__ADDED, format, suffix))

#define TULLE__DECLARE_F64(isa, ISA, probe, folder, b) \
	extern const tulle__kernel TULLE__KERNELS_OF(folder, isa, f64, )[];
#define TULLE__ENTRY_F64(isa, ISA, probe, folder, b) \
	[TULLE__##ISA] = TULLE__KERNELS_OF(folder, isa, f64, ),
#define TULLE__KERNEL_TABLE_F64(name, folder)               \
	TULLE__BUILT_ISAS(TULLE__DECLARE_F64, folder, )         \
	static const tulle__kernel *const name[TULLE__ISAS] = { \
		TULLE__BUILT_ISAS(TULLE__ENTRY_F64, folder, )       \
	}
/* clang-format on */

#endif
