# Kernels for GPUs become part of the library: what nvcc makes of each module, for CUDA.
#
# Included by cmake/gpu.cmake, after the list of modules. For each module and pair of types there is one
# fatbin, with machine code for the architectures below, and PTX for all others: of compute_75, since
# the driver compiles PTX for any GPU that is newer than it. The kernels use nothing that came later.
# Beside each fatbin nvcc leaves the PTX of every architecture and a table of registers for the tests.
set(TULLE_CUDA OFF CACHE STRING "Kernels for CUDA: AUTO (when nvcc is found), ON, OFF")
set_property(CACHE TULLE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(TULLE_CUDA_PREBUILT "" CACHE PATH
  "Folder of fatbins (src/gpu/cuda) that another build of the same sources made, instead of nvcc")
set(TULLE_CUDA_ARCHITECTURES "" CACHE STRING
  "Architectures with machine code; empty: all that are known, 75;80;90;100;120. Tests of the kernels need 75, 90 and 120")
set(architectures ${TULLE_CUDA_ARCHITECTURES})
if(NOT architectures)
  set(architectures 75 80 90 100 120)
endif()
set(TULLE_CUDA_BUILT_FOR ${architectures} PARENT_SCOPE)
set(TULLE_CUDA_IMAGES ${CMAKE_CURRENT_BINARY_DIR}/gpu/cuda)

if(TULLE_CUDA_PREBUILT)
  set(TULLE_CUDA_IMAGES ${TULLE_CUDA_PREBUILT})
elseif(NOT TULLE_CUDA STREQUAL "OFF")
  find_program(TULLE_NVCC nvcc HINTS /usr/local/cuda/bin)
  mark_as_advanced(TULLE_NVCC)
  if(NOT TULLE_NVCC AND TULLE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TULLE_CUDA is ON and nvcc is not on PATH")
  endif()
endif()
if(TULLE_CUDA_PREBUILT OR TULLE_CUDA STREQUAL "OFF" OR NOT TULLE_NVCC)
  set(TULLE_HAVE_NVCC OFF PARENT_SCOPE)
  if(NOT TULLE_CUDA_PREBUILT)
    return()
  endif()
else()
  set(TULLE_HAVE_NVCC ON PARENT_SCOPE)
endif()

list(TRANSFORM TULLE_GPU_DIALECT PREPEND "-include;" OUTPUT_VARIABLE include_dialect)
set(codes -gencode arch=compute_75,code=compute_75)
foreach(architecture ${architectures})
  list(APPEND codes -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()

# tulle_nvcc(<name> <type> <i64>): the fatbin of one module for one pair of types; <type> is one of
# tulle_gpu_types(). Adds it to `fatbins` and the lines that make it bytes of the library to `images`.
function(tulle_nvcc name type i64)
  string(REPLACE ":" ";" type ${type})
  list(GET type 0 value)
  list(GET type 1 f64)
  list(GET type 2 complex)
  math(EXPR index "32 + 32 * ${i64}")
  set(types ${value}_i${index})
  set(folder ${TULLE_CUDA_IMAGES}/${name}_${types})
  set(fatbin ${TULLE_CUDA_IMAGES}/${name}_${types}.fatbin)
  if(NOT TULLE_CUDA_PREBUILT)
    add_custom_command(OUTPUT ${fatbin}
      COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DUSAGE=${TULLE_CUDA_IMAGES}/${name}_${types}.usage
        -P ${PROJECT_SOURCE_DIR}/cmake/nvcc_run.cmake -- ${TULLE_NVCC} -fatbin -x cu -std=c++17
        ${codes} -Xptxas -v --keep --keep-dir ${folder} ${include_dialect}
        -DWIDTH=32 -DBLOCK=256 -DTULLE_F64=${f64} -DTULLE_COMPLEX=${complex} -DTULLE_I64=${i64}
        ${TULLE_GPU_FILE_${name}} -o ${fatbin}
      DEPENDS ${TULLE_GPU_FILE_${name}} ${TULLE_GPU_DIALECT}
        ${PROJECT_SOURCE_DIR}/cmake/nvcc_run.cmake
      COMMENT "nvcc ${name} ${types}"
      VERBATIM)
  elseif(NOT EXISTS ${fatbin})
    message(FATAL_ERROR "TULLE_CUDA_PREBUILT: there is no ${fatbin}")
  endif()
  tulle_gpu_embed(tulle__gpu_${name}_${types} piece ${fatbin})
  set(fatbins ${fatbins} ${fatbin} PARENT_SCOPE)
  set(images "${images}${piece}" PARENT_SCOPE)
endfunction()

set(fatbins "")
set(images "/* What nvcc made of the kernels for GPUs. */\n")
foreach(name ${TULLE_GPU_MODULES})
  tulle_gpu_types(${name} types)
  foreach(type ${types})
    foreach(i64 0 1)
      tulle_nvcc(${name} ${type} ${i64})
    endforeach()
  endforeach()
endforeach()
if(NOT TULLE_CUDA_PREBUILT)
  add_custom_target(cuda_images DEPENDS ${fatbins})
endif()
set(images_file ${CMAKE_CURRENT_BINARY_DIR}/gpu/modules_cuda.c)
file(GENERATE OUTPUT ${images_file} CONTENT "${images}")
set_source_files_properties(${images_file} PROPERTIES OBJECT_DEPENDS "${fatbins}")
target_sources(tulle_objects PRIVATE ${images_file})
# For this file alone: the others are the same with and without CUDA.
set_property(SOURCE gpu/modules.c APPEND PROPERTY COMPILE_DEFINITIONS TULLE__HAVE_NVCC)
