/* gpu_rank.c -- computes the order of formats from counts. Costs are not times: several constants are assumed,
 * and nothing was measured. */
#include "gpu/gpu_estimate.h"

#include "gpu/gpu_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Assumed, the same for all devices. */
static const double LATENCY = 600;      /* cycles from a load to its use */
static const double REQUEST_BYTES = 32; /* that a unit gets from L2 per cycle ... */
static const double REQUESTS_MOST = 4;  /* ... at most this multiple of the bandwidth of memory */
static const double LAUNCH_SECONDS = 2e-6; /* between two launches that follow each other */
static const double LOCAL_EXCHANGE = 12;   /* instructions of an exchange through local memory */

/* ---- one candidate ---- */

/* Warps that a unit holds of this kernel. */
static double resident_warps(const tulle__gpu_subject *s, const tulle__gpu_use *use)
{
	const tulle_device_model *const d = s->device;
	const int wide = s->value > sizeof(float);
	const double shared = use->shared[wide] * fmax(1, s->value / sizeof(double));
	const double per_block = fmax(1, TULLE__GPU_THREADS / (double)d->width);
	const double by_registers = floor(d->registers / (use->registers[wide] * (double)d->width));
	const double by_shared = shared > 0 ? floor(d->shared / shared) * per_block : d->warps;

	return fmax(1, fmin(d->warps, fmin(by_registers, by_shared)));
}

typedef struct {
	const char *name;
	double cost;
} part;

static part larger(part a, part b)
{
	return b.cost > a.cost ? b : a;
}

/* Data and instructions are added. The maximum would make formats equal that differ only in the smaller of the
 * two. */
void tulle__gpu_judge(const tulle__gpu_subject *s, tulle__gpu_candidate *c)
{
	const tulle_device_model *const d = s->device;
	const tulle__gpu_estimate *const e = &c->e;
	const double held = resident_warps(s, e->use), running = fmin(held, ceil(e->warps / d->units));
	const tulle__type *const type = tulle__type_of(s->a->value_type);
	const double cycles = d->units * d->clock,
	             lanes = type->part_size > sizeof(float) ? d->f64 : d->f32;
	const double products =
	    type->parts * type->parts; /* real ones, of a value and an element of x */
	const double instructions = e->instructions + (d->shuffles ? 0 : LOCAL_EXCHANGE) * e->shuffles;
	const double bytes = e->array_bytes + s->x_bytes + s->rows * s->value;
	const part memory = { "memory", bytes / d->bandwidth };
	const part requests = { "requests",
		                    (e->requested + e->x_requested + e->y_requested) /
		                        fmin(cycles * REQUEST_BYTES, d->bandwidth * REQUESTS_MOST) };
	const part waiting = { "latency", e->waits * LATENCY / (fmax(1, running) * cycles) };
	const part issue = { "instructions", instructions / (d->issue * cycles) };
	const part arithmetic = { "arithmetic",
		                      lanes > 0 ? products * e->arithmetic * d->width / (lanes * cycles)
		                                : 0 };
	const part chain = { "longest warp", e->chain * LATENCY / d->clock };
	const part launches = { "launches", e->launches * LAUNCH_SECONDS };
	const part data = larger(larger(memory, requests), waiting), work = larger(issue, arithmetic);

	c->bytes = bytes;
	c->occupancy = held / d->warps;
	c->cost = fmax(data.cost + work.cost, chain.cost) + launches.cost;
	c->limit = larger(larger(larger(data, work), chain), launches).name;
}

/* ---- all of them ---- */

static void refuse(tulle__gpu_candidate *c, const char *why)
{
	snprintf(c->e.refuses, sizeof c->e.refuses, "%s", why);
}

static void check(const tulle__gpu_subject *s, int same_bits, tulle__gpu_candidate *c)
{
	const double needs = c->e.held + s->rows * s->value + (double)s->a->cols * s->value;

	if (same_bits && c->e.atomics)
		refuse(c, "adds by atomics, in another order each time");
	else if (s->lossy && !c->format->gpu->rounds)
		refuse(c, "does not round values (lossy)");
	else if (needs > s->device->memory)
		snprintf(c->e.refuses, sizeof c->e.refuses,
		         "needs %.1f GiB with x and y, the device has %.1f", needs / (1 << 30),
		         s->device->memory / (1 << 30));
}

static void replace(tulle__gpu_candidate *old, const tulle__gpu_candidate *c)
{
	const int place = old->place;

	*old = *c;
	old->place = place;
}

/* Among estimates that differ only in a parameter of the same kernel, the best one becomes a candidate. */
static void add(tulle__gpu_ranking *r, const tulle__gpu_candidate *c)
{
	int n = r->count - 1;

	for (; n >= 0 && r->of[n].format == c->format; n--)
		if (r->of[n].e.use == c->e.use) {
			if (r->of[n].e.refuses[0] || (!c->e.refuses[0] && c->cost < r->of[n].cost))
				replace(&r->of[n], c);
			return;
		}
	if (r->count < TULLE__GPU_CANDIDATES) {
		r->of[r->count] = *c;
		r->of[r->count].place = r->count;
		r->count++;
	}
}

static tulle_status add_format(const tulle__gpu_subject *s, const tulle__format *format,
                               int same_bits, tulle__gpu_ranking *r)
{
	tulle__gpu_candidate c = { .format = format };
	tulle__gpu_estimates all = { .count = 0 };
	tulle_status status;

	if (!format->gpu->complex && tulle__type_of(s->a->value_type)->parts > 1) {
		refuse(&c, "no kernels for complex values on a device");
		add(r, &c);
		return TULLE_OK;
	}
	if (!format->gpu->estimate) {
		refuse(&c, "no estimate: its layout is known only after the conversion");
		add(r, &c);
		return TULLE_OK;
	}
	status = format->gpu->estimate(s, &all);
	for (int n = 0; n < all.count && status == TULLE_OK; n++) {
		c.e = all.of[n];
		if (!c.e.refuses[0])
			check(s, same_bits, &c);
		if (!c.e.refuses[0])
			tulle__gpu_judge(s, &c);
		add(r, &c);
	}
	return status;
}

/* Rejected candidates come last; equal ones are in the order of formats.def. */
static int by_cost(const void *a, const void *b)
{
	const tulle__gpu_candidate *const p = a, *const q = b;
	const int p_out = p->e.refuses[0] != 0, q_out = q->e.refuses[0] != 0;

	if (p_out != q_out)
		return p_out - q_out;
	if (p->cost != q->cost)
		return p->cost > q->cost ? 1 : -1;
	return p->place - q->place;
}

tulle_status tulle__gpu_rank(const tulle__gpu_subject *s, int same_bits, tulle__gpu_ranking *out)
{
	const tulle__format *format;
	tulle_status status = TULLE_OK;

	out->ranked = out->count = 0;
	for (int n = 0; status == TULLE_OK && (format = tulle__format_at(n)); n++)
		if (format->gpu)
			status = add_format(s, format, same_bits, out);
	if (status != TULLE_OK)
		return status;
	qsort(out->of, (size_t)out->count, sizeof *out->of, by_cost);
	while (out->ranked < out->count && !out->of[out->ranked].e.refuses[0])
		out->ranked++;
	return TULLE_OK;
}
