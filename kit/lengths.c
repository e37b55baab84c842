/* lengths.c -- row lengths with a given least, mean, longest and standard deviation. */
#include "standins.h"

/* Two populations. Most rows are near `centre`; the others are spread evenly over the longer side
 * of the range, from the mean to its end. Their share determines the deviation. */
typedef struct {
	double share, from, to; /* the tail */
	double centre, width;   /* the others: centre -width .. +width */
} mixture;

static double variance(mixture *m, const kit__target *t, double share)
{
	double middle = (m->from + m->to) / 2, length = m->to - m->from;
	m->share = share;
	m->centre = (t->mean - share * middle) / (1 - share);
	double off = middle - t->mean, on = m->centre - t->mean;
	return share * (length * length / 12 + off * off) +
	       (1 - share) * (m->width * m->width / 3 + on * on);
}

static mixture mix(const kit__target *t)
{
	mixture m = { .width = t->sd * 0.8 };
	int right = t->high - t->mean > t->mean - t->low;
	m.from = right ? t->mean : t->low;
	m.to = right ? t->high : t->mean;
	double room = right ? t->mean - t->low : t->high - t->mean;
	m.width = m.width < room ? m.width : room;
	/* The centre must stay inside the range: (1 - share) (mean -+ centre) = share (tail - mean). */
	double off = (m.to - m.from) / 2;
	double least = 0, most = off > 0 ? room / (room + off) : 0;
	for (int i = 0; i < 60; i++) {
		double share = (least + most) / 2;
		if (variance(&m, t, share) < t->sd * t->sd)
			least = share;
		else
			most = share;
	}
	return m;
}

/* Whole numbers whose mean is v. */
static double draw(const kit__target *t, const mixture *m, kit_rng *rng)
{
	double u = kit_random_unit(rng), v;
	if (t->sd <= 0) /* density falls with the third power: mean - low is the scale */
		v = t->low + (t->mean - t->low) * (1 / __builtin_sqrt(u + 0x1p-40) - 1);
	else if (u < m->share)
		v = m->from + (m->to - m->from) * (u / m->share);
	else
		v = m->centre + m->width * (2 * kit_random_unit(rng) - 1);
	v = v + kit_random_unit(rng);
	return v < t->low ? t->low : v > t->high ? t->high : v;
}

void kit__lengths(const kit__target *t, uint64_t seed, int64_t n, const int32_t *size,
                  int64_t total, int32_t *len)
{
	mixture m = mix(t);
	int64_t sum = 0, movable = 0;
	for (int64_t i = 0; i < n; i++) {
		if (len[i] < 0)
			continue;
		kit_rng rng = kit_random_seed(seed, (uint64_t)i);
		len[i] = (int32_t)draw(t, &m, &rng);
		sum += (int64_t)len[i] * (size ? size[i] : 1);
		movable += size ? size[i] : 1;
	}
	/* Then all lengths change by the same amount until the sum is right. This takes a few rounds,
	 * because some are already at an end of the range. */
	for (int round = 0; round < 100 && sum != total; round++) {
		int64_t before = sum;
		int64_t each = movable ? (total - sum) / movable : 0;
		int64_t stop = round % 7 * n / 7; /* not always the first rows */
		for (int64_t k = 0; k < n; k++) {
			int64_t i = (stop + k) % n, s = size ? size[i] : 1;
			int64_t step = each;
			if (!each && (total - sum >= s || sum - total >= s))
				step = total > sum ? 1 : -1;
			if (len[i] < 0 || !step)
				continue;
			int64_t to = len[i] + step;
			to = to < (int64_t)t->low ? (int64_t)t->low : to;
			to = to > (int64_t)t->high ? (int64_t)t->high : to;
			sum += (to - len[i]) * s;
			len[i] = (int32_t)to;
		}
		if (sum == before)
			break;
	}
}
