# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# divcost_enable(TARGET [REPORT DIR] [EMBED] [WARN NAME...] [PROFILE_USE FILE] [OPTIONS OPTION...])
#
# Has the target's CUDA code looked at while clang compiles it, whether CMake takes its files for
# CUDA (CMAKE_CUDA_COMPILER is clang) or for C++ (with -x cuda). The code stays what it is.
#   REPORT       writes a report of each file, as DIR/TARGET/FILE.json
#   EMBED        puts the report into the object, too: for ccache, and for libraries
#   WARN         switches warnings on, by name, or all
#   PROFILE_USE  takes trip counts from what an instrumented program counted
#   OPTIONS      any others, as docs/options.md writes them: threshold=0.2 block=16,16
#
# divcost_report(NAME TARGETS TARGET... [OUTPUT FILE])
#
# Adds a target NAME that builds the targets, which are enabled with REPORT, and prints what their
# reports say together; or writes it to FILE, as JSON or SARIF if it ends in .json or .sarif.
include_guard()

# Errors of what cmake_parse_arguments has made `arg` of.
macro(_divcost_require function possible)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${function}: there is no target '${target}' yet")
  endif()
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${function}(${target}): what is ${arg_UNPARSED_ARGUMENTS}"
      "${arg_KEYWORDS_MISSING_VALUES}? Possible: ${possible}")
  endif()
  if(NOT TARGET divcost::plugin)
    message(FATAL_ERROR "${function}(${target}): this divcost was installed without its plugin "
      "(-DDIVCOST_PASS=OFF)")
  endif()
endmacro()

function(divcost_enable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EMBED" "REPORT;PROFILE_USE" "WARN;OPTIONS")
  _divcost_require(divcost_enable
    "REPORT DIR, EMBED, WARN NAME..., PROFILE_USE FILE, OPTIONS OPTION...")
  set(options ${arg_OPTIONS})
  if(arg_EMBED)
    list(APPEND options embed)
  endif()
  if(arg_WARN)
    list(JOIN arg_WARN "," names)
    list(APPEND options "warn=${names}")
  endif()
  if(arg_PROFILE_USE)
    get_filename_component(profile "${arg_PROFILE_USE}" ABSOLUTE)
    list(APPEND options "profile-use=${profile}")
    set_property(TARGET ${target} PROPERTY DIVCOST_PROFILE "${profile}")
  endif()
  list(TRANSFORM options PREPEND "-fplugin-arg-divcost-")
  _divcost_of_clang(flags "-fplugin=$<TARGET_FILE:divcost::plugin>" ${options})
  target_compile_options(${target} PRIVATE "${flags}")
  if(arg_REPORT)
    get_filename_component(folder "${arg_REPORT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    set_property(TARGET ${target} PROPERTY DIVCOST_REPORTS "${folder}/${target}")
  endif()
  # The target may get more files yet.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _divcost_settle [[${target}]])")
endfunction()

# Options that go to clang alone.
function(_divcost_of_clang result)
  set(${result} "$<$<OR:$<COMPILE_LANG_AND_ID:CUDA,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>:${ARGN}>"
    PARENT_SCOPE)
endfunction()

# The files of the target that may be CUDA code.
function(_divcost_sources target result)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.(cu|cc|cpp|cxx|c\\+\\+|C)$")
  list(FILTER sources EXCLUDE REGEX "\\$<")
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# What the reports of files are called, in their order: a/b.cu is a_b.cu. Where several files of the
# target come out the same, each name ends with a hash of the file's.
function(_divcost_report_names sources result)
  set(names "")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "^\\.?/|[^-+._A-Za-z0-9]" "_" name "${source}")
    list(APPEND names "${name}")
    if(NOT DEFINED "first_${name}")
      set("first_${name}" "${source}")
    elseif(NOT "${first_${name}}" STREQUAL source)
      set("shared_${name}" TRUE)
    endif()
  endforeach()
  set(final "")
  foreach(source name IN ZIP_LISTS sources names)
    if(DEFINED "shared_${name}")
      string(MD5 hash "${source}")
      string(SUBSTRING "${hash}" 0 8 hash)
      string(APPEND name "-${hash}")
    endif()
    list(APPEND final "${name}.json")
  endforeach()
  set(${result} ${final} PARENT_SCOPE)
endfunction()

# When all files of the target are known: who compiles them, and what their reports are called.
function(_divcost_settle target)
  _divcost_sources(${target} sources)
  _divcost_check_compiler(${target} "${sources}")
  get_target_property(folder ${target} DIVCOST_REPORTS)
  get_target_property(profile ${target} DIVCOST_PROFILE)
  if(profile)
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY
      OBJECT_DEPENDS "${profile}")
  endif()
  if(NOT folder)
    return()
  endif()
  file(MAKE_DIRECTORY "${folder}")
  set(named "$<TARGET_PROPERTY:DIVCOST_REPORTS>")
  _divcost_report_names("${sources}" names)
  foreach(source name IN ZIP_LISTS sources names)
    _divcost_of_clang(flag "-fplugin-arg-divcost-report=${named}/${name}")
    # Another target may have the file, too, without reports or with others.
    set(flag "$<$<BOOL:${named}>:${flag}>")
    get_property(flags SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY COMPILE_OPTIONS)
    if(NOT flag IN_LIST flags)
      set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY
        COMPILE_OPTIONS "${flag}")
    endif()
    if(source MATCHES "\\.cu$")
      set_property(TARGET ${target} APPEND PROPERTY DIVCOST_REPORT_FILES "${folder}/${name}")
    endif()
  endforeach()
endfunction()

function(_divcost_check_compiler target sources)
  set(languages "")
  foreach(source IN LISTS sources)
    get_property(language SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY LANGUAGE)
    if(language)
      list(APPEND languages ${language})
    elseif(source MATCHES "\\.cu$")
      list(APPEND languages CUDA)
    else()
      list(APPEND languages CXX)
    endif()
  endforeach()
  set(clang "clang++-${divcost_LLVM_MAJOR}")
  if("CUDA" IN_LIST languages AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    message(FATAL_ERROR "divcost_enable(${target}): its CUDA files are compiled by nvcc, which loads no "
      "plugin of clang's. Either configure with -DCMAKE_CUDA_COMPILER=${clang}, or keep nvcc and say "
      "divcost_check(${target}), which compiles a second time with clang")
  endif()
  if("CUDA" IN_LIST languages)
    set(kind CUDA)
  else()
    set(kind CXX)
  endif()
  if(NOT CMAKE_${kind}_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "divcost_enable(${target}): CMAKE_${kind}_COMPILER is "
      "'${CMAKE_${kind}_COMPILER}', which is no clang; configure with "
      "-DCMAKE_${kind}_COMPILER=${clang}")
  endif()
  if(NOT CMAKE_${kind}_COMPILER_VERSION MATCHES "^${divcost_LLVM_MAJOR}\\.")
    message(FATAL_ERROR "divcost_enable(${target}): this divcost is for clang ${divcost_LLVM_MAJOR}, and "
      "CMAKE_${kind}_COMPILER is clang ${CMAKE_${kind}_COMPILER_VERSION}; configure with "
      "-DCMAKE_${kind}_COMPILER=${clang}, or with the divcost_DIR of a divcost for that clang")
  endif()
endfunction()

function(divcost_report name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT" "TARGETS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TARGETS)
    message(FATAL_ERROR "divcost_report(${name}): say TARGETS TARGET... [OUTPUT FILE]")
  endif()
  set(files "")
  foreach(target IN LISTS arg_TARGETS)
    get_target_property(folder ${target} DIVCOST_REPORTS)
    if(NOT folder)
      message(FATAL_ERROR "divcost_report(${name}): '${target}' has no reports; before, say "
        "divcost_enable(${target} REPORT DIR)")
    endif()
    list(APPEND files "$<TARGET_PROPERTY:${target},DIVCOST_REPORT_FILES>")
  endforeach()
  set(form "")
  if(arg_OUTPUT MATCHES "\\.(json|sarif)$")
    set(form "--${CMAKE_MATCH_1}")
  endif()
  if(arg_OUTPUT)
    get_filename_component(output "${arg_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    set(to > "${output}")
  endif()
  add_custom_target(${name} COMMAND divcost::divcost report ${form} "${files}" ${to}
    COMMAND_EXPAND_LISTS VERBATIM)
  add_dependencies(${name} ${arg_TARGETS})
endfunction()
