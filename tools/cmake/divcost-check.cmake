# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# divcost_check(TARGET [TEST] [FAIL_ON CONDITION...] [BASELINE FILE] [MEASURED FILE] [REPORT FILE...]
#               [OPTIONS OPTION...])
#
# Has the target's CUDA files analysed by `divcost check`, whoever compiles them: a second
# compilation, by clang, of what has changed. By default after each build of the target, as
# CMAKE_CXX_CLANG_TIDY has it; findings are printed among the build's output.
#   TEST      by ctest instead, as the test divcost.TARGET
#   FAIL_ON   findings that make the build or the test fail: any, a rule, imbalance=R, lost=P
#   BASELINE  known findings, which don't (divcost check --write-baseline makes the file)
#   MEASURED  says what was measured (divcost profile import-ncu makes the file)
#   REPORT    writes a report: .txt, .json, .jsonl, .sarif or .html
#   OPTIONS   any other options of divcost check: --arch sm_80,sm_90 --timeout 60
include_guard()

function(divcost_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TEST" "BASELINE;MEASURED" "FAIL_ON;REPORT;OPTIONS")
  _divcost_require(divcost_check
    "TEST, FAIL_ON CONDITION..., BASELINE FILE, MEASURED FILE, REPORT FILE..., OPTIONS OPTION...")
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "divcost_check(${target}): needs compile_commands.json, which the generator "
      "'${CMAKE_GENERATOR}' doesn't write; configure with -G Ninja or -G \"Unix Makefiles\"")
  endif()
  get_target_property(kind ${target} TYPE)
  if(NOT arg_TEST AND NOT kind MATCHES "^(STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|EXECUTABLE)$")
    message(FATAL_ERROR "divcost_check(${target}): nothing is done after a build of a target of type "
      "${kind}; say divcost_check(${target} TEST ...)")
  endif()
  set(options "")
  if(arg_FAIL_ON)
    list(JOIN arg_FAIL_ON "," conditions)
    list(APPEND options --fail-on "${conditions}")
  endif()
  foreach(file IN LISTS arg_BASELINE)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND options --baseline "${file}")
  endforeach()
  foreach(file IN LISTS arg_MEASURED)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND options --measured "${file}")
  endforeach()
  foreach(file IN LISTS arg_REPORT)
    get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    list(APPEND options --report "${file}")
  endforeach()
  set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
  set_property(TARGET ${target} PROPERTY DIVCOST_CHECK ${options} ${arg_OPTIONS})
  # The target may get more files yet.
  cmake_language(EVAL CODE
    "cmake_language(DEFER CALL _divcost_settle_check [[${target}]] ${arg_TEST})")
endfunction()

# When all files of the target are known.
function(_divcost_settle_check target as_test)
  get_target_property(sources ${target} SOURCES)
  get_target_property(options ${target} DIVCOST_CHECK)
  set(files "")
  foreach(source IN LISTS sources)
    get_property(language SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY LANGUAGE)
    if((source MATCHES "\\.cu$" OR language STREQUAL CUDA) AND NOT source MATCHES "\\$<")
      get_filename_component(file "${source}" ABSOLUTE)
      list(APPEND files "${file}")
    endif()
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "divcost_check(${target}): it has no CUDA files")
  endif()
  set(command divcost::divcost check --quiet -p "${CMAKE_BINARY_DIR}" --results
    "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/divcost" ${options} ${files})
  if(as_test)
    add_test(NAME divcost.${target} COMMAND ${command})
  else()
    add_custom_command(TARGET ${target} POST_BUILD COMMAND ${command} VERBATIM
      COMMENT "Checking the divergence of ${target}")
  endif()
endfunction()
