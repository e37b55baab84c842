/* memory.h -- the memory of the device that a stand-in pretends to have. */
#ifndef STANDIN_MEMORY_H
#define STANDIN_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace standin
{
std::size_t memory_size(); /* bytes of the device */
bool memory_held();        /* some is not released */

std::uint64_t memory_get(std::size_t bytes); /* 0: there is no room */
bool memory_release(std::uint64_t address);  /* false: nothing begins there */

/* Copies and fills in the order of a stream: a fault if the memory is gone by then. */
void memory_write(std::uint64_t to, const void *from, std::size_t bytes);
void memory_read(void *to, std::uint64_t from, std::size_t bytes);
void memory_fill(std::uint64_t to, unsigned char byte, std::size_t bytes);
} // namespace standin

#endif
