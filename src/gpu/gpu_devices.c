/* gpu_devices.c -- the devices of devices.def. */
#include "gpu/gpu_estimate.h"

#include <stdio.h>
#include <string.h>

/* A line of devices.def. */
typedef struct {
	const char *name, *model, *reported;
	int units, width;
	double mhz, gb, l2_kib, memory_mib;
	double registers, warps, shared_kib, issue, f32, f64; /* per unit */
} preset;

#define DEVICE(...) { __VA_ARGS__ },
static const preset presets[] = {
#include "gpu/devices.def"
};
#undef DEVICE

enum { PRESETS = sizeof presets / sizeof *presets };

int tulle__gpu_preset(int n, tulle_device_model *out)
{
	const preset *p;

	if (n < 0 || n >= PRESETS)
		return 0;
	p = &presets[n];
	*out = (tulle_device_model){ .units = p->units,
		                         .width = p->width,
		                         .shuffles = 1,
		                         .clock = 1e6 * p->mhz,
		                         .bandwidth = 1e9 * p->gb,
		                         .l2 = 1024 * p->l2_kib,
		                         .memory = 1024. * 1024 * p->memory_mib,
		                         .registers = p->registers,
		                         .warps = p->warps,
		                         .shared = 1024 * p->shared_kib,
		                         .issue = p->issue,
		                         .f32 = p->f32,
		                         .f64 = p->f64 };
	snprintf(out->name, sizeof out->name, "%s", p->name);
	snprintf(out->model, sizeof out->model, "%s", p->model);
	return 1;
}

int tulle__gpu_preset_for(const char *model, tulle_device_model *out)
{
	for (int n = 0; n < PRESETS; n++)
		if (strstr(model, presets[n].reported))
			return tulle__gpu_preset(n, out);
	return 0;
}
