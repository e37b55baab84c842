/* modules.c -- the kernels that are part of this library: source texts, and the output of nvcc. */
#include "gpu/runtime.h"

#include <string.h>

/* Defined in modules_text.c, which the build writes; with nvcc, there are also four images per
 * module. */
#define TULLE__GPU_MODULE(name) extern const char tulle__text_##name[], tulle__text_##name##_end[];
TULLE__GPU_MODULE(dialect)
#include "modules.def"
#undef TULLE__GPU_MODULE

#ifdef TULLE__HAVE_NVCC
#define TULLE__GPU_MODULE(name)                                                     \
	extern const char tulle__gpu_##name##_f32_i32[], tulle__gpu_##name##_f32_i64[], \
	    tulle__gpu_##name##_f64_i32[], tulle__gpu_##name##_f64_i64[];
#include "modules.def"
#undef TULLE__GPU_MODULE
#define IMAGES(name)                                                      \
	{                                                                     \
		{ tulle__gpu_##name##_f32_i32, tulle__gpu_##name##_f32_i64 },     \
		    { tulle__gpu_##name##_f64_i32, tulle__gpu_##name##_f64_i64 }, \
	}
#else
#define IMAGES(name)                    \
	{                                   \
		{ NULL, NULL }, { NULL, NULL }, \
	}
#endif

const tulle__gpu_module tulle__gpu_dialect = {
	"dialect",
	tulle__text_dialect,
	tulle__text_dialect_end,
	{ { NULL, NULL }, { NULL, NULL } },
};

#define TULLE__GPU_MODULE(name) \
	{ #name, tulle__text_##name, tulle__text_##name##_end, IMAGES(name) },
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
