# Compile through ccache where it is there. Include it from a top-level list only, after project().
#
# Paths are counted from the root of the tree, so that every build in build/NAME finds what another one
# compiled with the same flags: petsc, gpu and the wheel share the library's objects with release.
find_program(TULLE_CCACHE ccache)
mark_as_advanced(TULLE_CCACHE)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tree)
foreach(language C CXX)
  if(TULLE_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${tree} CCACHE_NOHASHDIR=1 ${TULLE_CCACHE})
  endif()
endforeach()
