# The instruction sets: reads src/simd/isa.def, chooses those to build and writes isas.h for C.
#
# Sets TULLE_EVERY_ISA (names of the list), TULLE_ISAS (those that this build has kernels for), for each set
# TULLE_ISA_<field>_<name>, TULLE_ISA_WITHOUT_GATHERS_<name> (the set that has its kernels without gathers),
# TULLE_ISA_COMPLEX_<name> (header with its words for complex numbers; empty: it has none),
# and TULLE_GENERATED (the folder of isas.h).
set(TULLE_ISAS "" CACHE STRING "Instruction sets to build, e.g. scalar;avx2; empty: all for this kind of processor; native: those of this machine that it uses")
set(TULLE_MORE_ISAS "" CACHE STRING
  "A second list in the form of src/simd/isa.def; its headers are named from the list's own folder")
# In the folder that compilers of src/ run in, so that ccache finds in one build what another has compiled
# (ccache.cmake). Makefiles run them in the target's own folder.
if(CMAKE_GENERATOR MATCHES "Makefiles")
  set(TULLE_GENERATED ${PROJECT_BINARY_DIR}/src/tulle_generated)
else()
  set(TULLE_GENERATED ${CMAKE_BINARY_DIR}/tulle_generated)
endif()

# tulle_read_isas(<list> <folder of its headers>): append the sets of a list to TULLE_EVERY_ISA.
macro(tulle_read_isas list folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} text)
  string(REGEX REPLACE "\n[ \t]+" " " text "${text}") # an entry may go on in the next line
  string(REGEX MATCHALL "\nISA\\([^\n]*" lines "${text}")
  if(NOT lines)
    message(FATAL_ERROR "${list} has no line ISA(...)")
  endif()
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "ISA\\(([a-z0-9_]+), ([0-9]+), ([01]), ([a-z0-9_]+), ([a-z0-9_]+), ([a-z0-9_]+), \"([^\"]+)\", \"([^\"]*)\", (.+)\\)$")
      message(FATAL_ERROR "${list}: this is not a line as src/simd/isa.def describes it:${line}")
    endif()
    set(name ${CMAKE_MATCH_1})
    if(name IN_LIST TULLE_EVERY_ISA)
      message(FATAL_ERROR "${list}: instruction set ${name} is listed twice")
    endif()
    foreach(other ${CMAKE_MATCH_4} ${CMAKE_MATCH_5})
      if(NOT other STREQUAL "none" AND NOT other IN_LIST TULLE_EVERY_ISA)
        message(FATAL_ERROR "${list}: ${name}: no set ${other} is listed before it")
      endif()
    endforeach()
    list(APPEND TULLE_EVERY_ISA ${name})
    set(TULLE_ISA_BYTES_${name} ${CMAKE_MATCH_2})
    set(TULLE_ISA_FUSED_${name} ${CMAKE_MATCH_3})
    set(TULLE_ISA_LOWER_${name} ${CMAKE_MATCH_4})
    set(TULLE_ISA_PRICES_${name} ${CMAKE_MATCH_5})
    set(TULLE_ISA_PROCESSOR_${name} ${CMAKE_MATCH_6})
    set(TULLE_ISA_WORDS_${name} ${CMAKE_MATCH_7})
    separate_arguments(TULLE_ISA_FLAGS_${name} UNIX_COMMAND "${CMAKE_MATCH_8}")
    set(TULLE_ISA_PROBE_${name} "${CMAKE_MATCH_9}")
    set(TULLE_ISA_FOLDER_${name} ${folder})
  endforeach()
endmacro()

set(TULLE_EVERY_ISA "")
tulle_read_isas(${PROJECT_SOURCE_DIR}/src/simd/isa.def ${PROJECT_SOURCE_DIR}/src)
if(TULLE_MORE_ISAS)
  cmake_path(ABSOLUTE_PATH TULLE_MORE_ISAS BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE more)
  cmake_path(GET more PARENT_PATH folder)
  tulle_read_isas(${more} ${folder})
endif()

# tulle_native_isas(<candidates> <variable>): of the candidates, sets without vectors, and the widest that this machine has.
function(tulle_native_isas candidates variable)
  if(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "TULLE_ISAS=native: this build is for another machine; name the instruction sets, or leave TULLE_ISAS empty")
  endif()
  set(lines "")
  foreach(isa ${candidates})
    string(APPEND lines "\tif (${TULLE_ISA_PROBE_${isa}})\n\t\tputs(\"${isa}\");\n")
  endforeach()
  set(program ${CMAKE_BINARY_DIR}/native_isas.c)
  file(WRITE ${program} "#include \"core/isa_probe.h\"\n\n#include <stdio.h>\n\nint main(void)\n{\n${lines}\treturn 0;\n}\n")
  try_run(status compiled ${CMAKE_BINARY_DIR} ${program}
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src
    COMPILE_OUTPUT_VARIABLE log RUN_OUTPUT_VARIABLE found)
  if(NOT compiled OR NOT status EQUAL 0)
    message(FATAL_ERROR "TULLE_ISAS=native: ${program} failed:\n${log}")
  endif()
  string(REGEX MATCHALL "[a-z0-9_]+" found "${found}")
  set(widest 0)
  foreach(isa ${found})
    if(TULLE_ISA_BYTES_${isa} GREATER widest)
      set(widest ${TULLE_ISA_BYTES_${isa}})
    endif()
  endforeach()
  set(chosen "")
  foreach(isa ${found})
    if(TULLE_ISA_BYTES_${isa} EQUAL 0 OR TULLE_ISA_BYTES_${isa} EQUAL widest)
      list(APPEND chosen ${isa})
    endif()
  endforeach()
  message(STATUS "Instruction sets of this machine: ${chosen}")
  set(${variable} ${chosen} PARENT_SCOPE)
endfunction()

if(NOT TULLE_ISAS OR TULLE_ISAS STREQUAL "native")
  string(REGEX REPLACE "^(AMD64|amd64)$" "x86_64" processor "${CMAKE_SYSTEM_PROCESSOR}")
  string(REGEX REPLACE "^(ARM64|arm64)$" "aarch64" processor "${processor}")
  set(possible "")
  foreach(isa ${TULLE_EVERY_ISA})
    if(TULLE_ISA_PROCESSOR_${isa} MATCHES "^(any|${processor})$")
      list(APPEND possible ${isa})
    endif()
  endforeach()
  if(TULLE_ISAS)
    tulle_native_isas("${possible}" TULLE_ISAS)
  else()
    set(TULLE_ISAS ${possible})
  endif()
endif()

# Every set that is built ends its way down in one that is built, too: a kernel is always found.
foreach(isa ${TULLE_ISAS})
  if(NOT isa IN_LIST TULLE_EVERY_ISA)
    message(FATAL_ERROR "TULLE_ISAS: unknown instruction set ${isa}; listed: ${TULLE_EVERY_ISA}")
  endif()
  set(lowest ${isa})
  while(NOT TULLE_ISA_LOWER_${lowest} STREQUAL "none")
    set(lowest ${TULLE_ISA_LOWER_${lowest}})
  endwhile()
  if(NOT lowest IN_LIST TULLE_ISAS)
    message(FATAL_ERROR "TULLE_ISAS: ${isa} needs ${lowest}")
  endif()
endforeach()

set(every "")
set(built "")
set(complex "")
set(shared "")
foreach(isa ${TULLE_EVERY_ISA})
  string(TOUPPER ${isa} ISA)
  string(TOUPPER ${TULLE_ISA_LOWER_${isa}} LOWER)
  string(TOUPPER ${TULLE_ISA_PRICES_${isa}} PRICES)
  string(APPEND every " \\\n\tX(${isa}, ${ISA}, ${TULLE_ISA_BYTES_${isa}}, ${TULLE_ISA_FUSED_${isa}}, ${LOWER}, ${PRICES})")
  set(lower ${TULLE_ISA_LOWER_${isa}})
  set(TULLE_ISA_WITHOUT_GATHERS_${isa} ${isa})
  if(lower IN_LIST TULLE_ISAS AND TULLE_ISA_BYTES_${lower} EQUAL TULLE_ISA_BYTES_${isa})
    set(TULLE_ISA_WITHOUT_GATHERS_${isa} ${lower})
  endif()
  # Words for complex numbers are in complex_*.h beside vec_*.h. They gather by loads, in every set.
  string(REGEX REPLACE "vec_([a-z0-9]+\\.h)$" "complex_\\1" words "${TULLE_ISA_WORDS_${isa}}")
  set(TULLE_ISA_COMPLEX_${isa} "")
  if(isa STREQUAL "scalar")
    set(TULLE_ISA_COMPLEX_${isa} ${TULLE_ISA_WORDS_${isa}})
  elseif(TULLE_ISA_WITHOUT_GATHERS_${isa} STREQUAL isa AND EXISTS ${TULLE_ISA_FOLDER_${isa}}/${words})
    set(TULLE_ISA_COMPLEX_${isa} ${words})
  endif()
  if(TULLE_ISA_COMPLEX_${isa})
    string(APPEND complex "#define TULLE__COMPLEX_${isa}(...) __VA_ARGS__\n")
  else()
    string(APPEND complex "#define TULLE__COMPLEX_${isa}(...)\n")
  endif()
  if(isa IN_LIST TULLE_ISAS)
    string(APPEND built " \\\n\tX(${isa}, ${ISA}, (${TULLE_ISA_PROBE_${isa}}), a, b)")
    string(APPEND shared " \\\n\tX(${TULLE_ISA_WITHOUT_GATHERS_${isa}}, ${ISA}, (${TULLE_ISA_PROBE_${isa}}), a, b)")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${TULLE_GENERATED}/isas.h @ONLY CONTENT
"/* isas.h -- the instruction sets, written by cmake/isas.cmake from src/simd/isa.def. */
#ifndef TULLE_ISAS_H
#define TULLE_ISAS_H

/* X(name, NAME, bytes, fused, LOWER, PRICES) of every set. */
#define TULLE__EVERY_ISA(X)@every@

/* X(name, NAME, probe, a, b) of those that this build has kernels for. */
#define TULLE__BUILT_ISAS(X, a, b)@built@

/* The same with the name of the set that has the kernels without gathers. */
#define TULLE__BUILT_ISAS_WITHOUT_GATHERS(X, a, b)@shared@

/* Its arguments, if kernels of the set are compiled for complex types. */
@complex@
#endif
")
