# Kernels for GPUs become part of the library: the text of each module X.gpu, for OpenCL, and X.gpu.h, by
# which C launches its kernels.
#
# Included by src/CMakeLists.txt. TULLE_GPU_MODULES is the list of modules, TULLE_GPU_FILE_<name> the file
# of each; modules.def and modules_text.c, which gpu/modules.c reads, are written to the build folder.

file(GLOB gpu_files CONFIGURE_DEPENDS gpu/*.gpu batch/*.gpu formats/*/*.gpu)
set(TULLE_GPU_MODULES "")
foreach(file ${gpu_files})
  get_filename_component(name ${file} NAME_WE)
  list(APPEND TULLE_GPU_MODULES ${name})
  set(TULLE_GPU_FILE_${name} ${file})
endforeach()
set_property(GLOBAL PROPERTY TULLE_GPU_FILES ${gpu_files})
# What each module is compiled after.
set(TULLE_GPU_DIALECT ${CMAKE_CURRENT_SOURCE_DIR}/gpu/dialect.h ${CMAKE_CURRENT_SOURCE_DIR}/gpu/rows.h)
set_property(GLOBAL PROPERTY TULLE_GPU_DIALECT ${TULLE_GPU_DIALECT})

# The modules with kernels for complex values: those of csr and sell, and what these share with others.
set(TULLE_GPU_COMPLEX carries csr sell update vectors)
set_property(GLOBAL PROPERTY TULLE_GPU_COMPLEX ${TULLE_GPU_COMPLEX})

# tulle_gpu_types(<module> <out>): the value types it is compiled for, as NAME:TULLE_F64:TULLE_COMPLEX.
function(tulle_gpu_types module out)
  set(types f32:0:0 f64:1:0)
  get_property(complex GLOBAL PROPERTY TULLE_GPU_COMPLEX)
  foreach(type c64:0:1 c128:1:1)
    string(REGEX MATCH "^[a-z0-9]+" name ${type})
    if(module IN_LIST complex AND name IN_LIST TULLE_TYPES)
      list(APPEND types ${type})
    endif()
  endforeach()
  set(${out} ${types} PARENT_SCOPE)
endfunction()

include(${PROJECT_SOURCE_DIR}/cmake/gpu_signatures.cmake)
foreach(name ${TULLE_GPU_MODULES})
  tulle_gpu_signatures(${name} ${TULLE_GPU_FILE_${name}})
endforeach()

# tulle_gpu_embed(<symbol> <out> <files...>): assembler, as a C string, that makes <files>, one after the other, bytes
# of the library.
function(tulle_gpu_embed symbol out)
  set(bytes "")
  foreach(file ${ARGN})
    string(APPEND bytes "        \".incbin \\\"${file}\\\"\\n\"\n")
  endforeach()
  set(${out} "__asm__(\".section .rodata\\n.balign 16\\n\"
        \".globl ${symbol}\\n.hidden ${symbol}\\n${symbol}:\\n\"
${bytes}        \".globl ${symbol}_end\\n.hidden ${symbol}_end\\n${symbol}_end:\\n\"
        \".byte 0\\n.previous\\n\");\n" PARENT_SCOPE)
endfunction()

set(definitions "")
set(texts "/* The texts of the kernels for GPUs. */\n")
tulle_gpu_embed(tulle__text_dialect piece ${TULLE_GPU_DIALECT})
string(APPEND texts "${piece}")
list(APPEND TULLE_GPU_TEXTS ${TULLE_GPU_DIALECT})
foreach(name ${TULLE_GPU_MODULES})
  tulle_gpu_embed(tulle__text_${name} piece ${TULLE_GPU_FILE_${name}})
  string(APPEND texts "${piece}")
  list(APPEND TULLE_GPU_TEXTS ${TULLE_GPU_FILE_${name}})
  if(name IN_LIST TULLE_GPU_COMPLEX)
    string(APPEND definitions "TULLE__GPU_MODULE(${name}, COMPLEX)\n")
  else()
    string(APPEND definitions "TULLE__GPU_MODULE(${name}, REAL)\n")
  endif()
endforeach()
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/gpu/modules.def CONTENT "${definitions}")
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/gpu/modules_text.c CONTENT "${texts}")
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/gpu/modules_text.c PROPERTIES
  OBJECT_DEPENDS "${TULLE_GPU_TEXTS}")
target_sources(tulle_objects PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/gpu/modules_text.c)
set_source_files_properties(gpu/modules.c PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/gpu
  OBJECT_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/gpu/modules.def)

include(${PROJECT_SOURCE_DIR}/cmake/nvcc.cmake)
