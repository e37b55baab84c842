// The memory of a stand-in's device: blocks of the heap, each on its own, so that AddressSanitizer knows
// their ends, and a list of them for a back end that checks by itself.
//
// A block of STANDIN_SPARSE bytes or more is one piece of 16 MiB mapped again and again: contents that
// repeat every 16 MiB fit, and 2^31 entries need no memory to speak of.
#include "standin/memory.h"
#include "standin/backend.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace
{
constexpr std::size_t PERIOD = std::size_t{ 16 } << 20;
constexpr std::size_t ALIGNMENT = 256; // as CUDA's

struct Block {
	std::size_t bytes;
	bool sparse;
};

// By address. Never destroyed: the books are closed at the very end of the process.
std::map<std::uint64_t, Block> &held = *new std::map<std::uint64_t, Block>;
std::size_t total;

void *pointer(std::uint64_t address)
{
	return reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));
}

std::size_t whole_periods(std::size_t bytes)
{
	return (bytes + PERIOD - 1) / PERIOD * PERIOD;
}

void *map_sparse(std::size_t bytes)
{
	const std::size_t whole = whole_periods(bytes);
	const int file = memfd_create("standin", 0);
	char *const at = static_cast<char *>(
	    mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
	bool good = file >= 0 && at != MAP_FAILED && ftruncate(file, PERIOD) == 0;

	for (std::size_t done = 0; good && done < whole; done += PERIOD)
		good = mmap(at + done, PERIOD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
		       MAP_FAILED;
	if (file >= 0)
		close(file);
	return good ? at : nullptr;
}
} // namespace

std::size_t standin::memory_size()
{
	return static_cast<std::size_t>(setting("STANDIN_MEMORY", 1LL << 40));
}

bool standin::memory_held()
{
	return !held.empty();
}

std::uint64_t standin::memory_get(std::size_t bytes)
{
	const bool sparse = bytes >= static_cast<std::size_t>(setting("STANDIN_SPARSE", 1LL << 40));
	void *at = nullptr;

	if (bytes > memory_size() - total)
		return 0;
	if (sparse)
		at = map_sparse(bytes);
	else if (posix_memalign(&at, ALIGNMENT, bytes) != 0)
		at = nullptr;
	if (!at)
		return 0;
	std::memset(at, 0xff, sparse ? PERIOD : bytes);
	total += bytes;
	held[reinterpret_cast<std::uintptr_t>(at)] = { bytes, sparse };
	return reinterpret_cast<std::uintptr_t>(at);
}

bool standin::memory_release(std::uint64_t address)
{
	const auto found = held.find(address);

	if (found == held.end())
		return false;
	if (found->second.sparse)
		munmap(pointer(address), whole_periods(found->second.bytes));
	else
		std::free(pointer(address));
	total -= found->second.bytes;
	held.erase(found);
	return true;
}

const char *standin::trouble(std::uint64_t address, std::size_t bytes)
{
	auto after = held.upper_bound(address);

	if (after == held.begin())
		return "outside every array";
	--after;
	if (address - after->first >= after->second.bytes)
		return "outside every array";
	if (after->second.bytes - (address - after->first) < bytes)
		return "beyond the end of its array";
	return nullptr;
}

standin::Extent standin::extent_of(std::uint64_t address)
{
	const auto found = std::prev(held.upper_bound(address));

	return { found->first, found->second.bytes };
}

namespace
{
void demand(std::uint64_t address, std::size_t bytes, const char *what)
{
	if (const char *const why = standin::trouble(address, bytes))
		standin::fault("a %s of %zu bytes reached its turn and is %s", what, bytes, why);
}
} // namespace

void standin::memory_write(std::uint64_t to, const void *from, std::size_t bytes)
{
	demand(to, bytes, "write");
	std::memcpy(pointer(to), from, bytes);
}

void standin::memory_read(void *to, std::uint64_t from, std::size_t bytes)
{
	demand(from, bytes, "read");
	std::memcpy(to, pointer(from), bytes);
}

void standin::memory_fill(std::uint64_t to, unsigned char byte, std::size_t bytes)
{
	demand(to, bytes, "fill");
	std::memset(pointer(to), byte, bytes);
}
