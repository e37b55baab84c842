/* cache.h -- a model of a GPU's L2: 16-way set associative, LRU, lines of 128 bytes with four sectors of 32 bytes.
 *
 * A read miss fetches one sector. A write allocates its sector without a fetch (hardware keeps a byte mask) and is
 * written back when the line is evicted. */
#ifndef PTX_CACHE_H
#define PTX_CACHE_H

#include <cstdint>
#include <vector>

namespace ptx
{
class Cache
{
	struct Line {
		std::uint64_t number = ~std::uint64_t{ 0 }; // of the line in memory
		std::uint64_t used = 0;                     // time of the last access; 0: never
		unsigned valid = 0, dirty = 0;              // by sector
	};

	std::vector<Line> lines_; // sets one after another
	std::uint64_t sets_ = 1, clock_ = 0;

	Line &find(std::uint64_t number, bool evict_first);
	void write_back(Line *line);

  public:
	enum { SECTOR = 32, SECTORS = 4, LINE = SECTOR * SECTORS, WAYS = 16 };

	long long reads = 0, writes = 0; // sectors from and to memory

	explicit Cache(long long bytes);
	void read(std::uint64_t sector,
	          bool evict_first); // evict_first: before lines that were accessed otherwise
	void write(std::uint64_t sector);
	void flush(); // write back all dirty sectors
};
} // namespace ptx

#endif
