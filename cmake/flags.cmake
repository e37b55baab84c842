# Flags for every object of the project; a target asks for them with tulle_flags(target).
#
# -ffp-contract=off: the compiler must not fuse a multiply and an add behind our back, or the bits
# would depend on the compiler. Kernels that want fma say so. Never -ffast-math: linking a library
# with it turns denormals off in the whole host process.
add_library(tulle_flags INTERFACE)
target_compile_options(tulle_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wpointer-arith -Wundef
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -ffp-contract=off -fno-math-errno
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
  $<$<BOOL:${TULLE_WERROR}>:-Werror>)
target_compile_definitions(tulle_flags INTERFACE _POSIX_C_SOURCE=200809L)

if(TULLE_SANITIZE)
  add_compile_options(
    -fsanitize=${TULLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TULLE_SANITIZE})
endif()

function(tulle_flags)
  foreach(target ${ARGN})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tulle_flags>)
  endforeach()
endfunction()
