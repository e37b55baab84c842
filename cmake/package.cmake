# Debian packages by `cpack -G DEB`: the library, what developers need, the command. `./dev package` makes them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tulle)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # or CPack puts one line for all before each description
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CONTACT "The tulle authors <tulle@example.org>") # a placeholder for whoever publishes packages
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME}) # as Debian's tools know them
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_COMPONENTS_ALL runtime development)
if(TULLE_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0upstream1) # older than a package of Debian's own
set(CPACK_DEBIAN_PACKAGE_SOURCE tulle)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # the command's libtulle is not installed yet
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# The package of the library has the SONAME in its name: two of them can be installed side by side.
get_target_property(soversion tulle SOVERSION)
set(library libtulle${soversion})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libisal2, ocl-icd-libopencl1") # loaded at run time where they are there
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "sparse matrix-vector multiplication, shared library
tulle multiplies sparse matrices by vectors: y = alpha A x + beta y. It takes
CSR arrays as they are, or converts them to the storage format with the least
total time for a given matrix, machine and number of multiplications.
.
This package contains the shared library.")
# Programs that were linked with this version need it or a later one with the same SONAME.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
# dpkg's trigger runs ldconfig. CPack writes scripts that call it once more, unless scripts are named; these
# do not exist, so there are none (CPack warns of it).
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/deb/triggers no/postinst no/postrm)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtulle-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${version})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "sparse matrix-vector multiplication, development files
tulle multiplies sparse matrices by vectors: y = alpha A x + beta y.
.
This package contains the headers for C and C++, the source of the Fortran
module, the CMake package and the pkg-config file.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tulle)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION math)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${library} (>= ${version})")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "sparse matrix-vector multiplication, command
tulle multiplies sparse matrices by vectors: y = alpha A x + beta y.
.
This package contains the command tulle, its manual pages and completions. It
inspects and draws matrices from Matrix Market files, reports which storage
format costs least and why, measures formats, and ranks the nodes of graphs.")

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/deb/finish.cmake)
include(CPack)
