/* device_model.c -- models of devices for the choice of a format: presets, devices of this machine, files. */
#include "api/device.h"
#include "core/status.h"
#include "core/text.h"
#include "io/decimal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int tulle_device_preset(int n, tulle_device_model *model)
{
	tulle_device_model known;

	return tulle__gpu_preset(n, &known) &&
	       tulle__write_info("tulle_device_model", model, &known, sizeof known) == TULLE_OK;
}

/* ---- of this machine ---- */

/* Defaults for figures that neither the driver nor a preset gives. */
static void assume(const tulle_device_info *info, tulle_device_model *out)
{
	*out = (tulle_device_model){ .clock = 1.5e9,
		                         .bandwidth = 12e9 * info->units,
		                         .l2 = 4 << 20,
		                         .registers = 65536,
		                         .warps = 2048. / info->width,
		                         .shared = 65536,
		                         .issue = 128. / info->width,
		                         .f32 = 64,
		                         .f64 = 2 };
}

tulle_status tulle__device_model(tulle__env *env, const tulle__gpu_driver *driver, int number,
                                 tulle_device_model *out)
{
	tulle_device_info info = { .size = sizeof info };
	const tulle_status s = driver->info(env, number, &info);

	if (s != TULLE_OK)
		return s;
	info.units = info.units > 0 ? info.units : 1;
	if (!tulle__gpu_preset_for(info.model, out))
		assume(&info, out);
	driver->properties(env, number, out);
	memcpy(out->name, info.name, sizeof out->name);
	tulle__show(out->model, sizeof out->model, info.model, strlen(info.model));
	out->units = info.units;
	out->width = info.width;
	out->shuffles = info.shuffles;
	out->memory = (double)info.memory;
	out->f64 = info.f64 ? out->f64 : 0;
	return TULLE_OK;
}

/* ---- of a file ---- */

typedef struct {
	const char *key;
	size_t at;   /* in tulle_device_model */
	int whole;   /* an int there */
	double unit; /* of the number in the file */
	double least, most;
	double otherwise; /* where the file does not have it; 0: it must */
} field;

#define AT(member) offsetof(tulle_device_model, member)
static const field fields[] = {
	{ "units", AT(units), 1, 1, 1, 65536, 0 },
	{ "lanes", AT(width), 1, 1, 1, TULLE__GPU_MOST_WIDTH, 32 },
	{ "clock_mhz", AT(clock), 0, 1e6, 1, 1e5, 0 },
	{ "bandwidth_gb", AT(bandwidth), 0, 1e9, 1e-3, 1e6, 0 },
	{ "l2_kib", AT(l2), 0, 1024, 1, 1e9, 0 },
	{ "memory_mib", AT(memory), 0, 1 << 20, 1, 1e9, 0 },
	{ "registers", AT(registers), 0, 1, 1024, 1e7, 65536 },
	{ "warps", AT(warps), 0, 1, 1, 1024, 64 },
	{ "shared_kib", AT(shared), 0, 1024, 1, 1e5, 64 },
	{ "issue", AT(issue), 0, 1, .01, 64, 4 },
	{ "f32", AT(f32), 0, 1, .01, 1e5, 64 },
	{ "f64", AT(f64), 0, 1, .01, 1e5, 32 },
};
#undef AT
enum { FIELDS = sizeof fields / sizeof *fields, MOST_BYTES = 1 << 16 };

typedef struct {
	const char *path;
	int64_t line;
	tulle_device_model *model;
	int seen[FIELDS], named;
} reader;

static tulle_status wrong(const reader *r, const char *what, const char *text, size_t length)
{
	return tulle__fail(TULLE_E_ARGUMENT, "%s:%" PRId64 ": %s \"%s\"",
	                   tulle__show_name(r->path, strlen(r->path)).text, r->line, what,
	                   tulle__show_name(text, length).text);
}

static void set(tulle_device_model *m, const field *f, double value)
{
	const double in_units = value * f->unit;
	const int whole = (int)value;

	if (f->whole)
		memcpy((char *)m + f->at, &whole, sizeof whole);
	else
		memcpy((char *)m + f->at, &in_units, sizeof in_units);
}

/* The text ends with a byte that is not part of a number. */
static tulle_status read_number(reader *r, int n, const char *text, const char *end)
{
	const field *const f = &fields[n];
	const size_t length = (size_t)(end - text);
	double value = 0;

	if (tulle__read_f64(text, &value) != end)
		return wrong(r, "not a number:", text, length);
	if (!(value >= f->least && value <= f->most) || (f->whole && value != floor(value)))
		return tulle__fail(TULLE_E_ARGUMENT, "%s:%" PRId64 ": %s is not %s from %g to %g",
		                   tulle__show_name(r->path, strlen(r->path)).text, r->line, f->key,
		                   f->whole ? "a whole number" : "a number", f->least, f->most);
	if (f->at == offsetof(tulle_device_model, width) && ((int)value & ((int)value - 1)) != 0)
		return wrong(r, "lanes are a power of two, not", text, length);
	if (r->seen[n]++)
		return wrong(r, "given twice:", f->key, strlen(f->key));
	set(r->model, f, value);
	return TULLE_OK;
}

static tulle_status read_name(reader *r, const char *text, const char *end)
{
	const size_t length = (size_t)(end - text);

	if (length == 0 || length >= sizeof r->model->model - 16) /* room for escapes */
		return wrong(r, "not a name:", text, length);
	if (r->named++)
		return wrong(r, "given twice:", "name", 4);
	tulle__show(r->model->model, sizeof r->model->model, text, length);
	return TULLE_OK;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *without_blanks(const char *p, const char *end)
{
	while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return end;
}

/* `key = value`, an empty line, or a comment. */
static tulle_status read_line(reader *r, const char *p, const char *end)
{
	const char *const comment = memchr(p, '#', (size_t)(end - p));
	const char *equals, *key_end, *value;
	size_t length;

	p = skip_blanks(p, end);
	end = without_blanks(p, comment ? comment < p ? p : comment : end);
	if (p == end)
		return TULLE_OK;
	equals = memchr(p, '=', (size_t)(end - p));
	if (!equals)
		return wrong(r, "no = in", p, (size_t)(end - p));
	key_end = without_blanks(p, equals);
	value = skip_blanks(equals + 1, end);
	length = (size_t)(key_end - p);
	if (length == 4 && memcmp(p, "name", 4) == 0)
		return read_name(r, value, end);
	for (int n = 0; n < FIELDS; n++)
		if (strlen(fields[n].key) == length && memcmp(p, fields[n].key, length) == 0)
			return read_number(r, n, value, end);
	return wrong(r, "unknown key", p, length);
}

static tulle_status fill_gaps(reader *r)
{
	for (int n = 0; n < FIELDS; n++) {
		if (!r->seen[n] && fields[n].otherwise == 0)
			return wrong(r, "the file has no", fields[n].key, strlen(fields[n].key));
		if (!r->seen[n])
			set(r->model, &fields[n], fields[n].otherwise);
	}
	return TULLE_OK;
}

static tulle_status parse(const char *path, const char *text, size_t bytes, tulle_device_model *out)
{
	const char *const end = text + bytes;
	reader r = { .path = path, .model = out };
	tulle_status s = TULLE_OK;

	tulle__decimal_start();
	*out = (tulle_device_model){ .name = "file", .model = "unnamed", .shuffles = 1 };
	for (const char *p = text, *stop; p < end && s == TULLE_OK; p = stop + 1) {
		const char *const newline = memchr(p, '\n', (size_t)(end - p));

		stop = newline ? newline : end;
		r.line++;
		s = read_line(&r, p, stop);
	}
	return s == TULLE_OK ? fill_gaps(&r) : s;
}

static tulle_status cannot_read(const char *path, const char *why)
{
	return tulle__fail(TULLE_E_IO, "%s: %s", tulle__show_name(path, strlen(path)).text, why);
}

static tulle_status read_file(const char *path, tulle_device_model *out)
{
	char text[MOST_BYTES + TULLE__TEXT_SLACK] = { 0 };
	struct stat about;
	FILE *file;
	size_t bytes;
	int failed;

	if (stat(path, &about) != 0)
		return cannot_read(path, strerror(errno));
	if (!S_ISREG(about.st_mode))
		return cannot_read(path, "not a regular file");
	file = fopen(path, "rb");
	if (!file)
		return cannot_read(path, strerror(errno));
	bytes = fread(text, 1, MOST_BYTES, file);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return cannot_read(path, "reading failed");
	if (bytes == MOST_BYTES)
		return tulle__fail(TULLE_E_ARGUMENT, "%s: too long for the description of a device",
		                   tulle__show_name(path, strlen(path)).text);
	return parse(path, text, bytes, out);
}

/* ---- by name ---- */

static int find_preset(const char *name, tulle_device_model *out)
{
	for (int n = 0; tulle__gpu_preset(n, out); n++)
		if (strcmp(name, out->name) == 0)
			return 1;
	return 0;
}

/* "cuda:0", "opencl:1" */
static int names_device(const char *name)
{
	const tulle__gpu_driver *driver;

	for (int n = 0; (driver = tulle__gpu_driver_at(n)); n++)
		if (strncmp(name, driver->name, strlen(driver->name)) == 0 &&
		    name[strlen(driver->name)] == ':')
			return 1;
	return 0;
}

static tulle_status unknown(const char *name)
{
	char list[256] = "";
	tulle_device_model m;
	size_t length = 0;

	for (int n = 0; tulle__gpu_preset(n, &m) && length < sizeof list - sizeof m.name - 2; n++)
		length +=
		    (size_t)snprintf(list + length, sizeof list - length, "%s%s", n ? ", " : "", m.name);
	return tulle__fail(TULLE_E_ARGUMENT,
	                   "unknown device \"%s\"; available: %s, cuda:N, opencl:N, or a file",
	                   tulle__show_name(name, strlen(name)).text, list);
}

static tulle_status find(tulle__env *env, const char *name, tulle_device_model *out)
{
	const tulle__gpu_driver *driver;
	int number = 0;
	tulle_status s;

	if (find_preset(name, out))
		return TULLE_OK;
	if (names_device(name)) {
		s = tulle__find_device(env, name, &driver, &number);
		return s == TULLE_OK ? tulle__device_model(env, driver, number, out) : s;
	}
	return strpbrk(name, "/.") ? read_file(name, out) : unknown(name);
}

tulle_status tulle_device_model_find(tulle_context *context, const char *name,
                                     tulle_device_model *model)
{
	tulle_device_model known;
	tulle_context *c;
	tulle_status s;

	if (!name || !*name)
		return tulle__fail(TULLE_E_ARGUMENT, "name is %s", name ? "empty" : "NULL");
	s = tulle__context_of(context, &c);
	if (s == TULLE_OK)
		s = find(&c->env, name, &known);
	return s == TULLE_OK ? tulle__write_info("tulle_device_model", model, &known, sizeof known) : s;
}
