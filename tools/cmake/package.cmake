# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package for Debian: `cpack -G DEB` in the build folder.
# Libraries that the command and the plugin link are found by dpkg-shlibdeps; the plugin links nothing
# of clang, so the clang that it is for is named here.
set(DIVCOST_PACKAGER "divcost <divcost@packager.invalid>" CACHE STRING
  "Who makes the package: NAME <ADDRESS>")

set(CPACK_PACKAGE_VENDOR "divcost")
set(CPACK_PACKAGE_CONTACT "${DIVCOST_PACKAGER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(DIVCOST_PASS)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${DIVCOST_LLVM_MAJOR}")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libjansson-dev")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "divcost is a plugin for clang. While clang compiles CUDA code, it looks at
every loop of every kernel and says which of them run a different number of
iterations in the lanes of one warp, why, and what that costs.
.
This package has the plugin, the command divcost, the libraries for programs
of your own, and what CMake and pkg-config need to find them.")

# What Debian wants beside the files of every installation.
if(DIVCOST_GZIP)
  configure_file(tools/debian/changelog.in ${PROJECT_BINARY_DIR}/debian/changelog.Debian @ONLY)
  execute_process(COMMAND ${DIVCOST_GZIP} -9nf changelog.Debian
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz tools/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES tools/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME divcost)
endif()
include(CPack)
