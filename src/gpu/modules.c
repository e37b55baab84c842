/* modules.c -- the kernels that are part of this library: source texts, and the output of nvcc. */
#include "gpu/runtime.h"

#include <string.h>

/* modules.def has a line TULLE__GPU_MODULE(name, kind) per module; kind: REAL, or COMPLEX if it has kernels for complex
 * values, too. Defined in modules_text.c, which the build writes; with nvcc, there is also an image per module
 * and pair of types. */
#define TULLE__GPU_MODULE(name, kind) \
	extern const char tulle__text_##name[], tulle__text_##name##_end[];
TULLE__GPU_MODULE(dialect, REAL)
#include "modules.def"
#undef TULLE__GPU_MODULE

#define IS_COMPLEX_REAL 0
#define IS_COMPLEX_COMPLEX 1

#ifdef TULLE__HAVE_NVCC
#define DECLARE(name, type) \
	extern const char tulle__gpu_##name##_##type##_i32[], tulle__gpu_##name##_##type##_i64[];
#define DECLARE_REAL(name)
#define DECLARE_COMPLEX(name) \
	TULLE__BUILT_c64(DECLARE(name, c64)) TULLE__BUILT_c128(DECLARE(name, c128))
#define TULLE__GPU_MODULE(name, kind) \
	DECLARE(name, f32)                \
	DECLARE(name, f64)                \
	DECLARE_##kind(name)
#include "modules.def"
#undef TULLE__GPU_MODULE

#define IMAGE(name, type)                                          \
	[TULLE__TYPE_##type - 1] = { tulle__gpu_##name##_##type##_i32, \
		                         tulle__gpu_##name##_##type##_i64 },
#define IMAGES_REAL(name) IMAGE(name, f32) IMAGE(name, f64)
#define IMAGES_COMPLEX(name) \
	IMAGES_REAL(name)        \
	TULLE__BUILT_c64(IMAGE(name, c64)) TULLE__BUILT_c128(IMAGE(name, c128))
#else
#define IMAGES_REAL(name) { NULL },
#define IMAGES_COMPLEX(name) { NULL },
#endif

const tulle__gpu_module tulle__gpu_dialect = {
	.name = "dialect",
	.begin = tulle__text_dialect,
	.end = tulle__text_dialect_end,
};

#define TULLE__GPU_MODULE(name, kind) \
	{ #name,                          \
	  tulle__text_##name,             \
	  tulle__text_##name##_end,       \
	  IS_COMPLEX_##kind,              \
	  { IMAGES_##kind(name) } },
static const tulle__gpu_module module[] = {
#include "modules.def"
};

const tulle__gpu_module *tulle__gpu_module_named(const char *name)
{
	for (size_t n = 0; n < sizeof module / sizeof *module; n++)
		if (strcmp(module[n].name, name) == 0)
			return &module[n];
	return NULL;
}

const char *tulle__gpu_image(const tulle__gpu_module *of, tulle__gpu_types types)
{
	return of->image[types.value - 1][types.index == TULLE_I64];
}
