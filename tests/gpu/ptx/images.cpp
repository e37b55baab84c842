// From an image, which is a fatbin or PTX, to the PTX that is interpreted.
//
// The machine code in a fatbin is of no use here. Beside each fatbin nvcc left the PTX from which it made
// that code, for each architecture: PTX_IMAGES in the environment is the folder with the fatbins, and
// the one that equals the image tells the module and its types; PTX_ARCHITECTURE (75, 80, ...) chooses.
#include "ptx/program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace
{
namespace fs = std::filesystem;

std::string contents(const fs::path &path)
{
	std::ifstream file(path, std::ios::binary);

	return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string text_of(const fs::path &fatbin)
{
	const std::string ending =
	    ".compute_" + std::to_string(standin::setting("PTX_ARCHITECTURE", 75)) + ".ptx";

	for (const fs::directory_entry &entry :
	     fs::directory_iterator(fs::path(fatbin).replace_extension()))
		if (entry.path().string().size() > ending.size() &&
		    entry.path().string().compare(entry.path().string().size() - ending.size(),
		                                  ending.size(), ending) == 0)
			return contents(entry.path());
	standin::fault("there is no PTX of that architecture beside %s", fatbin.c_str());
}
} // namespace

const char standin::model[] = "PTX interpreted by a CPU (not a GPU)";

CUmodule standin::load(const void *image)
{
	static const unsigned char magic[] = { 0x50, 0xed, 0x55, 0xba };
	const char *const folder = std::getenv("PTX_IMAGES");

	if (std::memcmp(image, "//", 2) == 0)
		return ptx::parse(static_cast<const char *>(image));
	if (std::memcmp(image, magic, sizeof magic) != 0 || !folder)
		return nullptr;

	// 16 bytes of head, of which the last 8 tell how many follow.
	const char *const bytes = static_cast<const char *>(image);
	std::uint64_t following;

	std::memcpy(&following, bytes + 8, sizeof following);
	for (const fs::directory_entry &entry : fs::directory_iterator(folder))
		if (entry.path().extension() == ".fatbin" && entry.file_size() == 16 + following) {
			const std::string file = contents(entry.path());

			if (std::memcmp(file.data(), image, file.size()) == 0)
				return ptx::parse(text_of(entry.path()));
		}
	return nullptr;
}
