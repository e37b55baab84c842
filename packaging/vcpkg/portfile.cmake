# tulle for vcpkg, as an overlay port: the library, its headers, the command as a tool (packaging/README.md).

# The build always makes the shared library.
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)

# The tree that this folder is in. A published port downloads a tarball here.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    cuda TULLE_CUDA
    tools TULLE_BUILD_CLI)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DTULLE_BUILD_STATIC=OFF
    -DTULLE_BUILD_TESTS=OFF
  OPTIONS_DEBUG
    -DTULLE_BUILD_CLI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tulle)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tulle AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
