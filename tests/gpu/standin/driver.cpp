// The driver's side of a stand-in for libcuda: contexts, memory, streams and modules, kept strictly.
//
// Stricter than CUDA, so that what runs here needs no luck there: work waits in its stream until
// somebody waits for the stream (memory that goes too early is missed), every call that needs a
// context demands one, and memory, streams, modules and contexts that were not given back are a fault at the
// end of the process. Memory is filled with 0xff: NaN, or -1. In the environment:
//
//     STANDIN_DEVICES=n   how many devices there are; 0: cuInit finds none
//     STANDIN_MEMORY=n    bytes of a device
//     STANDIN_FAIL=n      the n-th call fails, counted from 1
//     STANDIN_CALLS=1     tells at the end how many calls there were
#include "standin/driver.h"
#include "standin/backend.h"
#include "standin/memory.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

using namespace standin;

namespace
{
const std::map<int, const char *> failure_names = {
	{ SUCCESS, "CUDA_SUCCESS" },
	{ INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" },
	{ OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY" },
	{ NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED" },
	{ NO_DEVICE, "CUDA_ERROR_NO_DEVICE" },
	{ INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE" },
	{ INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE" },
	{ INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT" },
	{ INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE" },
	{ NOT_FOUND, "CUDA_ERROR_NOT_FOUND" },
	{ CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED" },
	{ UNKNOWN, "CUDA_ERROR_UNKNOWN" },
};

enum { MOST_DEVICES = 4 };
enum { LEGACY = 1, PER_THREAD = 2 }; // handles of the default streams
} // namespace

struct CUctx_st {
	int device;
	int holders;
};

namespace
{
bool initialised;
long long calls;
CUctx_st contexts[MOST_DEVICES];
std::set<CUstream> streams, gone_streams;
std::set<CUmodule> modules;
CUstream_st default_stream, thread_stream; // threads share the one that CUDA has for each
thread_local std::vector<CUcontext> current;

int devices()
{
	return static_cast<int>(standin::setting("STANDIN_DEVICES", 1));
}

void drain(CUstream stream)
{
	while (!stream->waiting.empty()) {
		const Work work = stream->waiting.front();

		stream->waiting.pop_front();
		work();
	}
}

// What the process did not give back, told at its end.
struct Books {
	~Books()
	{
		const char *const held = standin::memory_held()     ? "memory"
		                         : !streams.empty()         ? "a stream"
		                         : !modules.empty()         ? "a module"
		                         : contexts[0].holders != 0 ? "the primary context"
		                                                    : nullptr;

		if (standin::setting("STANDIN_CALLS", 0))
			std::fprintf(stderr, "standin: %lld calls\n", calls);
		if (held) {
			std::fprintf(stderr, "standin: the process ends and still holds %s\n", held);
			std::fflush(nullptr);
			std::_Exit(98);
		}
	}
} books;
} // namespace

namespace standin
{
Place place;
std::recursive_mutex lock;

Failure arrive(Needs needs)
{
	calls++;
	if (calls == setting("STANDIN_FAIL", 0))
		return UNKNOWN;
	if (needs >= DRIVER && !initialised)
		return NOT_INITIALIZED;
	if (needs >= CONTEXT && (current.empty() || current.back()->holders == 0))
		return INVALID_CONTEXT;
	return SUCCESS;
}

CUstream known(CUstream stream)
{
	const auto handle = reinterpret_cast<std::uintptr_t>(stream);

	if (gone_streams.count(stream)) // undefined with CUDA
		fault("a stream is used that was destroyed");
	if (handle <= LEGACY)
		return &default_stream;
	if (handle == PER_THREAD)
		return &thread_stream;
	return streams.count(stream) ? stream : nullptr;
}

bool capturing()
{
	return std::any_of(streams.begin(), streams.end(),
	                   [](const CUstream stream) { return stream->capturing; });
}

void add(CUstream stream, const Work &work)
{
	if (stream->capturing)
		stream->captured.push_back(work);
	else
		stream->waiting.push_back(work);
}

void fault(const char *format, ...)
{
	va_list args;

	std::fprintf(stderr, "standin: kernel %s, block %lld, thread %d: ",
	             place.kernel ? place.kernel : "(none)", place.block, place.thread);
	va_start(args, format);
	std::vfprintf(stderr, format, args);
	va_end(args);
	std::fputc('\n', stderr);
	std::abort();
}

long long setting(const char *name, long long otherwise)
{
	const char *const text = std::getenv(name);

	return text && *text ? std::atoll(text) : otherwise;
}
} // namespace standin

// ---- the driver and its devices ----

EXPORT cuInit(unsigned flags)
{
	ARRIVE(NOTHING);
	if (flags != 0)
		return INVALID_VALUE;
	if (devices() < 1 || devices() > MOST_DEVICES)
		return NO_DEVICE;
	initialised = true;
	return SUCCESS;
}

EXPORT cuDriverGetVersion(int *version)
{
	ARRIVE(NOTHING);
	*version = 13000;
	return SUCCESS;
}

EXPORT cuGetErrorName(CUresult result, const char **name)
{
	const auto found = failure_names.find(result);

	*name = found == failure_names.end() ? nullptr : found->second;
	return *name ? SUCCESS : INVALID_VALUE;
}

EXPORT cuDeviceGetCount(int *count)
{
	ARRIVE(DRIVER);
	*count = devices();
	return SUCCESS;
}

EXPORT cuDeviceGet(CUdevice *device, int number)
{
	ARRIVE(DRIVER);
	if (number < 0 || number >= devices())
		return INVALID_DEVICE;
	*device = number;
	return SUCCESS;
}

EXPORT cuDeviceGetName(char *name, int size, CUdevice device)
{
	ARRIVE(DRIVER);
	if (device < 0 || device >= devices())
		return INVALID_DEVICE;
	std::snprintf(name, static_cast<size_t>(size), "%s", standin::model);
	return SUCCESS;
}

EXPORT cuDeviceGetAttribute(int *value, CUdevice_attribute what, CUdevice device)
{
	static const std::map<int, int> values = {
		{ CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32 },
		{ CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2 },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 7 },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 5 },
	};
	const auto found = values.find(what);

	ARRIVE(DRIVER);
	if (device < 0 || device >= devices() || found == values.end())
		return INVALID_VALUE;
	*value = found->second;
	return SUCCESS;
}

EXPORT cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	ARRIVE(DRIVER);
	if (device < 0 || device >= devices())
		return INVALID_DEVICE;
	*bytes = standin::memory_size();
	return SUCCESS;
}

// ---- contexts ----

EXPORT cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	ARRIVE(DRIVER);
	if (device < 0 || device >= devices())
		return INVALID_DEVICE;
	*context = &contexts[device];
	(*context)->device = device;
	(*context)->holders++;
	return SUCCESS;
}

EXPORT cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	ARRIVE(DRIVER);
	if (device < 0 || device >= devices() || contexts[device].holders == 0)
		return INVALID_CONTEXT;
	contexts[device].holders--;
	return SUCCESS;
}

EXPORT cuCtxPushCurrent_v2(CUcontext context)
{
	ARRIVE(DRIVER);
	if (!context || context->holders == 0)
		return INVALID_CONTEXT;
	current.push_back(context);
	return SUCCESS;
}

EXPORT cuCtxPopCurrent_v2(CUcontext *context)
{
	ARRIVE(CONTEXT);
	*context = current.back();
	current.pop_back();
	return SUCCESS;
}

EXPORT cuCtxSynchronize(void)
{
	ARRIVE(CONTEXT);
	if (capturing())
		return CAPTURE_UNSUPPORTED;
	drain(&default_stream);
	drain(&thread_stream);
	for (const CUstream stream : streams)
		drain(stream);
	return SUCCESS;
}

// ---- memory ----

EXPORT cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes)
{
	ARRIVE(CONTEXT);
	if (capturing())
		return CAPTURE_UNSUPPORTED;
	if (bytes == 0)
		return INVALID_VALUE;
	*memory = standin::memory_get(bytes);
	return *memory ? SUCCESS : OUT_OF_MEMORY;
}

EXPORT cuMemFree_v2(CUdeviceptr memory)
{
	ARRIVE(CONTEXT);
	if (capturing())
		return CAPTURE_UNSUPPORTED;
	return standin::memory_release(memory) ? SUCCESS : INVALID_VALUE;
}

EXPORT cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	if (standin::trouble(to, bytes))
		return INVALID_VALUE;
	add(known(stream), [=] { standin::memory_write(to, from, bytes); });
	return SUCCESS;
}

EXPORT cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	if (standin::trouble(from, bytes))
		return INVALID_VALUE;
	add(known(stream), [=] { standin::memory_read(to, from, bytes); });
	return SUCCESS;
}

EXPORT cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	if (standin::trouble(to, bytes))
		return INVALID_VALUE;
	add(known(stream), [=] { standin::memory_fill(to, byte, bytes); });
	return SUCCESS;
}

// ---- streams ----

EXPORT cuStreamCreate(CUstream *stream, unsigned flags)
{
	ARRIVE(CONTEXT);
	if (flags > CU_STREAM_NON_BLOCKING)
		return INVALID_VALUE;
	*stream = new CUstream_st;
	streams.insert(*stream);
	gone_streams.erase(*stream);
	return SUCCESS;
}

EXPORT cuStreamDestroy_v2(CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!stream || known(stream) != stream)
		return INVALID_HANDLE;
	drain(stream);
	streams.erase(stream);
	gone_streams.insert(stream);
	delete stream;
	return SUCCESS;
}

EXPORT cuStreamSynchronize(CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	if (known(stream)->capturing)
		return CAPTURE_UNSUPPORTED;
	drain(known(stream));
	return SUCCESS;
}

// ---- kernels ----

EXPORT cuModuleLoadData(CUmodule *module, const void *image)
{
	ARRIVE(CONTEXT);
	*module = standin::load(image);
	if (!*module)
		return INVALID_IMAGE;
	modules.insert(*module);
	return SUCCESS;
}

EXPORT cuModuleUnload(CUmodule module)
{
	ARRIVE(CONTEXT);
	if (modules.erase(module) == 0)
		return INVALID_HANDLE;
	delete module;
	return SUCCESS;
}

EXPORT cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	ARRIVE(CONTEXT);
	if (modules.count(module) == 0)
		return INVALID_HANDLE;
	*function = module->find(name);
	return *function ? SUCCESS : NOT_FOUND;
}

// Copies the arguments, as CUDA does.
EXPORT cuLaunchKernel(CUfunction function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                      unsigned threads_x, unsigned threads_y, unsigned threads_z,
                      unsigned shared_bytes, CUstream stream, void **arguments, void **extra)
{
	std::vector<std::vector<char>> copies;

	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	if (blocks_x < 1 || blocks_x > INT32_MAX || threads_x < 1 || threads_x > 1024 ||
	    threads_x % 32 != 0 || blocks_y != 1 || blocks_z != 1 || threads_y != 1 || threads_z != 1 ||
	    shared_bytes != 0 || extra)
		return INVALID_VALUE;
	for (std::size_t n = 0; n < function->argument_bytes.size(); n++) {
		const char *const from = static_cast<const char *>(arguments[n]);

		copies.emplace_back(from, from + function->argument_bytes[n]);
	}
	add(known(stream), [=]() mutable {
		std::vector<void *> pointers;

		for (std::vector<char> &copy : copies)
			pointers.push_back(copy.data());
		standin::place = { function->name.c_str(), -1, -1 };
		standin::run(function, blocks_x, threads_x, pointers.data());
		standin::place = {};
	});
	return SUCCESS;
}
