# A toolchain file for Arm from another machine: Debian's g++-aarch64-linux-gnu, and qemu-user to run what it builds.
#
#     cmake -B build/arm -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake
#
# The emulated machine is what QEMU_CPU names: cortex-a72 has NEON only, max,sve256=on vectors of 256 bits.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# The cross compiler's own libc: Debian's zlib1g:arm64 brings another one, and the loader of one hangs with the libc of the
# other when a thread is created.
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib)
