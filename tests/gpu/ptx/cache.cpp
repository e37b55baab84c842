// A model of a GPU's L2.
#include "ptx/cache.h"

ptx::Cache::Cache(long long bytes)
{
	const long long sets = bytes / (LINE * WAYS);

	sets_ = sets > 0 ? static_cast<std::uint64_t>(sets) : 1;
	lines_.resize(sets_ * WAYS);
}

void ptx::Cache::write_back(Line *line)
{
	writes += __builtin_popcount(line->dirty);
	line->dirty = 0;
}

// Finds the line, or replaces the least recently used line of its set by it. To evict it first, it counts as used long ago.
ptx::Cache::Line &ptx::Cache::find(std::uint64_t number, bool evict_first)
{
	Line *const set = &lines_[number % sets_ * WAYS];
	Line *oldest = set;

	for (Line *line = set; line < set + WAYS; line++) {
		if (line->number == number) {
			line->used = evict_first ? line->used : ++clock_;
			return *line;
		}
		if (line->used < oldest->used)
			oldest = line;
	}
	write_back(oldest);
	oldest->number = number;
	oldest->valid = 0;
	oldest->used = evict_first ? 1 : ++clock_;
	return *oldest;
}

void ptx::Cache::read(std::uint64_t sector, bool evict_first)
{
	Line &line = find(sector / SECTORS, evict_first);
	const unsigned bit = 1u << sector % SECTORS;

	reads += (line.valid & bit) == 0;
	line.valid |= bit;
}

void ptx::Cache::write(std::uint64_t sector)
{
	Line &line = find(sector / SECTORS, false);
	const unsigned bit = 1u << sector % SECTORS;

	line.valid |= bit;
	line.dirty |= bit;
}

void ptx::Cache::flush()
{
	for (Line &line : lines_)
		write_back(&line);
}
