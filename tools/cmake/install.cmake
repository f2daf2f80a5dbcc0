# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` puts where, beside the libraries, the command and the plugin: the package that
# find_package(divcost) finds, pkg-config's files, and the documentation.
include(CMakePackageConfigHelpers)
set(divcost_package ${CMAKE_INSTALL_LIBDIR}/cmake/divcost)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/divcost-config.cmake.in
  ${PROJECT_BINARY_DIR}/divcost-config.cmake INSTALL_DESTINATION ${divcost_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/divcost-config-version.cmake
  COMPATIBILITY SameMinorVersion) # until version 1, minor versions may change anything
install(FILES ${PROJECT_BINARY_DIR}/divcost-config.cmake
  ${PROJECT_BINARY_DIR}/divcost-config-version.cmake ${CMAKE_CURRENT_LIST_DIR}/divcost-enable.cmake
  DESTINATION ${divcost_package})
install(EXPORT divcost NAMESPACE divcost:: FILE divcost-targets.cmake DESTINATION ${divcost_package})

file(RELATIVE_PATH divcost_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" divcost_pc_prefix "${divcost_pc_prefix}")
set(divcost_pc_plugin "")
if(DIVCOST_PASS)
  set(divcost_pc_plugin "plugin=\${libdir}/divcost/divcost.so")
endif()
foreach(name divcost divcost-json divcost-profile)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES README.md LICENSE.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
