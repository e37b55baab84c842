// Loads, stores and atomics, each of them checked: inside an array, aligned, and not in a race.
//
// A race: two threads touch the same word, one of them writes, not both by atomics, and no barrier of
// their block or, if they are of one warp, of that warp stands between. The latest reader and writer of each word are remembered; of several
// readers one is enough, since threads run in a fixed order.
#include "ptx/recorder.h"

#include <map>
#include <unordered_map>

namespace
{
using namespace ptx;

enum : std::uint64_t { WORD = 4 };

// Who touched a word, and when.
struct Mark {
	std::uint32_t block = ~0u;
	int thread = -1;
	unsigned barriers = 0;      // the block had passed
	unsigned warp_barriers = 0; // its warp had passed
	bool atomic = false;
};

struct Word {
	Mark writer, reader;
};

void **arguments;
std::vector<unsigned char> shared;
const std::vector<bool> *shared_used;
unsigned barriers;
std::map<int, unsigned> warp_barriers; // by number of the warp
std::unordered_map<std::uint64_t, Word> shared_words, global_words;

bool collide(const Mark &before, const Mark &now)
{
	if (before.thread < 0 || (before.atomic && now.atomic))
		return false;
	if (before.block != now.block)
		return true;
	if (before.thread / WIDTH == now.thread / WIDTH && before.warp_barriers != now.warp_barriers)
		return false;
	return before.thread != now.thread && before.barriers == now.barriers;
}

void check_race(std::unordered_map<std::uint64_t, Word> *words, const Thread &thread,
                const Instruction &self, std::uint64_t address, std::size_t bytes, bool write,
                bool atomic)
{
	if (counting)
		return; // marks assume that threads run one by one

	const Mark now = { static_cast<std::uint32_t>(standin::place.block), thread.number, barriers,
		               warp_barriers[thread.number / WIDTH], atomic };

	// Single bytes are remembered one by one, larger things by their words.
	for (std::uint64_t at = address; at < address + bytes; at += bytes < WORD ? bytes : WORD) {
		Word &word = (*words)[at];

		if (collide(word.writer, now))
			standin::fault("%s race: block %u, thread %d wrote what this thread %s: %s",
			               self.space == SHARED ? "shared" : "global", word.writer.block,
			               word.writer.thread, write ? "writes" : "reads", self.text.c_str());
		if (write && collide(word.reader, now))
			standin::fault("%s race: block %u, thread %d read what this thread writes: %s",
			               self.space == SHARED ? "shared" : "global", word.reader.block,
			               word.reader.thread, self.text.c_str());
		(write ? word.writer : word.reader) = now;
	}
}

void check_global(const Instruction &self, std::uint64_t address, std::size_t bytes, bool write)
{
	const char *const why = standin::trouble(address, bytes);

	if (why)
		standin::fault("a global %s of %zu bytes is %s: %s", write ? "write" : "read", bytes, why,
		               self.text.c_str());
}

void check_shared(const Instruction &self, std::uint64_t address, std::size_t bytes)
{
	for (std::uint64_t at = address; at < address + bytes; at++)
		if (at >= shared.size() || !(*shared_used)[at])
			standin::fault("a shared access of %zu bytes is outside its array: %s", bytes,
			               self.text.c_str());
}

// Source number 0 is the address.
void *checked(const Thread &thread, const Instruction &self, std::size_t bytes, bool write,
              bool atomic)
{
	const std::uint64_t address =
	    thread.registers[self.source[0]] + static_cast<std::uint64_t>(self.offset);

	if (address % bytes != 0)
		standin::fault("an access of %zu bytes is not aligned: %s", bytes, self.text.c_str());
	if (counting)
		record_access(thread.number % WIDTH, address, bytes);
	if (self.space == SHARED) {
		check_shared(self, address, bytes);
		check_race(&shared_words, thread, self, address, bytes, write, atomic);
		return &shared[address];
	}
	check_global(self, address, bytes, write);
	check_race(&global_words, thread, self, address, bytes, write, atomic);
	return reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));
}
} // namespace

void ptx::begin_launch(const Function &function, void **given)
{
	(void)function;
	arguments = given;
	global_words.clear();
}

void ptx::begin_block(const Function &function)
{
	shared.assign(function.shared_bytes, 0xff);
	shared_used = &function.shared_used;
	shared_words.clear();
	barriers = 0;
	warp_barriers.clear();
}

void ptx::pass_barrier()
{
	barriers++;
}

void ptx::pass_warp_barrier(int warp)
{
	warp_barriers[warp]++;
}

// One value, or the two or four of a vector: then the first is aligned to all of them.
template <class T> void ptx::load(Thread &thread, const Instruction &self)
{
	const std::size_t count = self.result.size();
	const char *from;
	T value;

	if (self.space == PARAMETER)
		from = static_cast<const char *>(arguments[thread.registers[self.source[0]]]) + self.offset;
	else
		from = static_cast<const char *>(checked(thread, self, count * sizeof(T), false, false));
	for (std::size_t n = 0; n < count; n++) {
		std::memcpy(&value, from + n * sizeof value, sizeof value);
		// Bytes and halves go to wider registers, extended by their sign.
		if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
			put<std::int64_t>(thread, self, value, n);
		else
			put<T>(thread, self, value, n);
	}
}

template <class T> void ptx::store(Thread &thread, const Instruction &self)
{
	const std::size_t count = self.source.size() - 1;
	char *const to = static_cast<char *>(checked(thread, self, count * sizeof(T), true, false));

	for (std::size_t n = 0; n < count; n++) {
		const T value = get<T>(thread, self, n + 1);

		std::memcpy(to + n * sizeof value, &value, sizeof value);
	}
}

void *ptx::atomic_place(Thread &thread, const Instruction &self, std::size_t bytes)
{
	return checked(thread, self, bytes, true, true);
}

#define INSTANCES(T)                                           \
	template void ptx::load<T>(Thread &, const Instruction &); \
	template void ptx::store<T>(Thread &, const Instruction &);
INSTANCES(std::int8_t)
INSTANCES(std::uint8_t)
INSTANCES(std::int16_t)
INSTANCES(std::uint16_t)
INSTANCES(std::int32_t)
INSTANCES(std::uint32_t)
INSTANCES(std::int64_t)
INSTANCES(std::uint64_t)
INSTANCES(float)
INSTANCES(double)
