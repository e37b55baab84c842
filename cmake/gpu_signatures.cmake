# Signatures of the kernels for GPUs, from their definitions: src/gpu/launch.h says what they are for.
#
# tulle_gpu_signatures(<module> <file.gpu>) writes <TULLE_GENERATED>/<folder below src>/<file>.gpu.h. What it
# cannot read ends the configuration.

# The dialect's types in the names of constants.
set(TULLE_GPU_WORD_char CHAR)
set(TULLE_GPU_WORD_int INT)
set(TULLE_GPU_WORD_unsigned UNSIGNED)
set(TULLE_GPU_WORD_i64 I64)
set(TULLE_GPU_WORD_I INDEX)
set(TULLE_GPU_WORD_T VALUE)
set(TULLE_GPU_WORD_void CODED)

# tulle_gpu_parameters(<kernel> <text between the parentheses>): sets `fields`, the members of a structure,
# `table`, entries of tulle__gpu_param, and `count`.
function(tulle_gpu_parameters kernel text)
  string(REPLACE "," ";" list "${text}")
  set(fields "")
  set(table "")
  list(LENGTH list count)
  foreach(parameter IN LISTS list)
    string(STRIP "${parameter}" parameter)
    set(element NONE)
    if(parameter MATCHES "^GLOBAL (const )?(char|int|unsigned|i64|I|T|void) \\*(restrict )?([a-z_0-9]+)$")
      set(name ${CMAKE_MATCH_4})
      set(type tulle__gpu_memory)
      set(element ${TULLE_GPU_WORD_${CMAKE_MATCH_2}})
      set(kind MEMORY)
      if(name MATCHES "^[xy]$")
        string(TOUPPER ${name} kind)
      endif()
    elseif(parameter MATCHES "^T (alpha|beta)$")
      set(name ${CMAKE_MATCH_1})
      set(type double)
      string(TOUPPER ${name} kind)
    elseif(parameter MATCHES "^(int|i64|I) ([a-z_0-9]+)$")
      set(name ${CMAKE_MATCH_2})
      set(type int64_t)
      set(kind ${TULLE_GPU_WORD_${CMAKE_MATCH_1}})
      if(parameter MATCHES "^(int spread|i64 vectors|i64 ldx|i64 ldy)$")
        string(TOUPPER ${name} kind)
      endif()
    else()
      message(FATAL_ERROR "kernel ${kernel}: \"${parameter}\" is not int, i64, I, T alpha, T beta or an array of GLOBAL")
    endif()
    string(APPEND fields "\t${type} ${name};\n")
    string(APPEND table "\t{ \"${name}\", TULLE__GPU_${kind}, TULLE__GPU_OF_${element} },\n")
  endforeach()
  set(fields "${fields}" PARENT_SCOPE)
  set(table "${table}" PARENT_SCOPE)
  set(count ${count} PARENT_SCOPE)
endfunction()

function(tulle_gpu_signatures module file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX REPLACE "[ \t]*\\\\\n[ \t]*" " " text "${text}") # macros that go on in the next line
  string(REGEX MATCHALL "\nKERNEL\\([a-z_0-9]+\\)\\([^;{]*\\)\n{" kernels "${text}")
  # Lists of parameters that several kernels have in common: #define NAME(how), where how is `restrict`.
  string(REGEX MATCHALL "\n#define [A-Z]+\\(how\\) [^\n]*" lists "${text}")
  set(header "")
  foreach(kernel IN LISTS kernels)
    string(REGEX MATCH "KERNEL\\(([a-z_0-9]+)\\)\\((.*)\\)\n{" kernel "${kernel}")
    set(name ${CMAKE_MATCH_1})
    set(parameters "${CMAKE_MATCH_2}")
    foreach(list IN LISTS lists)
      string(REGEX MATCH "#define ([A-Z]+)\\(how\\) (.*)" list "${list}")
      string(REPLACE "*how " "*restrict " members "${CMAKE_MATCH_2}")
      string(REPLACE "${CMAKE_MATCH_1}(restrict)" "${members}" parameters "${parameters}")
    endforeach()
    string(REGEX REPLACE "[ \t\n]+" " " parameters "${parameters}")
    tulle_gpu_parameters(${name} "${parameters}")
    # Kernels with the same parameters share the types of the first.
    string(MD5 hash "${fields}${table}")
    if(NOT DEFINED first_${hash})
      set(first_${hash} ${name})
      string(APPEND header "
/* ${name} */
typedef struct {
${fields}} tulle__${name}_args;
typedef struct {
\ttulle__gpu_kernel kernel;
\tconst tulle__${name}_args *args; /* NULL: only its type is used */
} tulle__${name}_kernel;
static const tulle__gpu_param tulle__${name}_params[] = {
${table}};
_Static_assert(sizeof(tulle__${name}_args) == ${count} * sizeof(tulle__gpu_arg), \"an array of arguments\");
_Static_assert(${count} <= TULLE__GPU_PARAMS, \"TULLE__GPU_PARAMS\");
")
    endif()
    string(APPEND header "static const tulle__${first_${hash}}_kernel tulle__kernel_${name} = {
\t{ \"${module}\", \"${name}\", ${count}, tulle__${first_${hash}}_params }, NULL
};
")
  endforeach()
  string(REGEX MATCHALL "\nKERNEL\\(" begun "${text}")
  list(LENGTH begun begun)
  list(LENGTH kernels read)
  if(NOT begun EQUAL read OR read EQUAL 0)
    message(FATAL_ERROR "${file}: ${read} of ${begun} kernels could be read")
  endif()
  file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${file})
  string(TOUPPER TULLE_KERNELS_${module}_H guard)
  file(CONFIGURE OUTPUT ${TULLE_GENERATED}/${path}.h @ONLY CONTENT
"/* ${module}.gpu.h -- how to launch the kernels of ${module}.gpu, written by cmake/gpu_signatures.cmake. */
#ifndef ${guard}
#define ${guard}

#include \"gpu/launch.h\"
${header}
#endif
")
endfunction()
