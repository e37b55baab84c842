/* device_model.c -- devices as the choice of a format sees them: presets. */
#include "api/device.h"

int tulle_device_preset(int n, tulle_device_model *model)
{
	tulle_device_model known;

	return tulle__gpu_preset(n, &known) &&
	       tulle__write_info("tulle_device_model", model, &known, sizeof known) == TULLE_OK;
}
