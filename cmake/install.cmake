# What `cmake --install` puts where: the libraries, the headers, the CMake package, pkg-config. The components are the
# packages of package.cmake; what has none is in no package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)

set(libraries tulle)
if(TULLE_BUILD_STATIC)
  list(APPEND libraries tulle_static)
endif()
install(TARGETS ${libraries} EXPORT tulle
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/tulle.h include/tulle.hpp include/tulle_batch.h include/tulle_gpu.h include/tulle_machine.h
  include/tulle_pagerank.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set(TULLE_FORTRAN_DIR ${CMAKE_INSTALL_DATADIR}/tulle/fortran)
install(FILES bindings/fortran/tulle_c.f90 bindings/fortran/tulle.f90
  DESTINATION ${TULLE_FORTRAN_DIR} COMPONENT development)
# Not README.md, whose links lead into the source tree.
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(tulle) -> tulle::tulle, tulle::tulle_static where it was built, tulle::fortran in projects with Fortran. Before 1.0 a minor release may break the API.
install(EXPORT tulle NAMESPACE tulle:: FILE tulle-targets.cmake DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/tulle-config.cmake.in
  ${PROJECT_BINARY_DIR}/tulle-config.cmake INSTALL_DESTINATION ${package_dir} PATH_VARS TULLE_FORTRAN_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tulle-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tulle-config.cmake
  ${PROJECT_BINARY_DIR}/tulle-config-version.cmake DESTINATION ${package_dir} COMPONENT development)

# pkg-config. The prefix is found from where the file lies, so an installed tree may be moved and
# `cmake --install --prefix` needs no new configure.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
else()
  string(REGEX REPLACE "[^/]+" ".." up ${pc_dir})
  set(PC_PREFIX "\${pcfiledir}/${up}")
  set(PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(IS_ABSOLUTE ${TULLE_FORTRAN_DIR})
  set(PC_FORTRANDIR ${TULLE_FORTRAN_DIR})
else()
  set(PC_FORTRANDIR "\${prefix}/${TULLE_FORTRAN_DIR}")
endif()
configure_file(cmake/tulle.pc.in ${PROJECT_BINARY_DIR}/tulle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tulle.pc DESTINATION ${pc_dir} COMPONENT development)
