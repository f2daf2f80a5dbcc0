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
  ${CMAKE_CURRENT_LIST_DIR}/divcost-check.cmake
  DESTINATION ${divcost_package})
install(EXPORT divcost NAMESPACE divcost:: FILE divcost-targets.cmake DESTINATION ${divcost_package})

file(RELATIVE_PATH divcost_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" divcost_pc_prefix "${divcost_pc_prefix}")
set(divcost_pc_plugin "")
if(DIVCOST_PASS)
  set(divcost_pc_plugin "plugin=\${libdir}/divcost/divcost.so")
endif()
foreach(name divcost divcost-json divcost-report divcost-profile)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The README there is that of docs/, the map of these pages; the repository's is about its checkout.
install(FILES LICENSE.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)

# Manual pages, compressed as systems have them, and completion for shells where these look for it.
find_program(DIVCOST_GZIP gzip)
file(GLOB divcost_pages CONFIGURE_DEPENDS tools/man/*.[17])
foreach(page IN LISTS divcost_pages)
  get_filename_component(name "${page}" NAME)
  string(REGEX MATCH "[17]$" section "${name}")
  if(DIVCOST_GZIP)
    configure_file("${page}" ${PROJECT_BINARY_DIR}/man/${name} COPYONLY)
    execute_process(COMMAND ${DIVCOST_GZIP} -9nf ${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/man
      COMMAND_ERROR_IS_FATAL ANY)
    set(page ${PROJECT_BINARY_DIR}/man/${name}.gz)
  endif()
  install(FILES "${page}" DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
set(divcost_zsh site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(divcost_zsh vendor-completions) # Debian's zsh reads this one there
endif()
install(FILES tools/completion/divcost.bash RENAME divcost
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/_divcost DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${divcost_zsh})
install(FILES tools/completion/divcost.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
