/* driver.h -- what the parts of the driver's side share: how a call begins, streams and the work in them. */
#ifndef TULLE_TESTS_GPU_STANDIN_DRIVER_H
#define TULLE_TESTS_GPU_STANDIN_DRIVER_H

#include "gpu/cuda_api.h"

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default"))) CUresult

namespace standin
{
using Work = std::function<void()>;

enum Failure {
	SUCCESS = 0,
	INVALID_VALUE = 1,
	OUT_OF_MEMORY = 2,
	NOT_INITIALIZED = 3,
	NO_DEVICE = 100,
	INVALID_DEVICE = 101,
	INVALID_IMAGE = 200,
	INVALID_CONTEXT = 201,
	INVALID_HANDLE = 400,
	NOT_FOUND = 500,
	CAPTURE_UNSUPPORTED = 900,
	UNKNOWN = 999
};

enum Needs { NOTHING, DRIVER, CONTEXT };

extern std::recursive_mutex lock;

// Every call begins here.
Failure arrive(Needs needs);

#define ARRIVE(needs)                                                 \
	const std::lock_guard<std::recursive_mutex> guard(standin::lock); \
	if (const standin::Failure early = standin::arrive(needs))        \
	return early

// The stream of a handle; nullptr: there is none.
CUstream known(CUstream stream);

// Queue work, or record it while the stream is captured.
void add(CUstream stream, const Work &work);

// Is any stream captured? Then nothing may be allocated, freed or waited for.
bool capturing();
} // namespace standin

struct CUstream_st {
	std::deque<standin::Work> waiting;
	std::vector<standin::Work> captured;
	bool capturing = false;
};

#endif
