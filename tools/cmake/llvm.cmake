# Finds the LLVM that the plugin is built for, and the clang, opt, lit and FileCheck that its tests
# run. LLVM_DIR names it, as the folder of LLVMConfig.cmake; without it LLVM 22 is looked for.
#
# LLVM is asked through its llvm-config and not through LLVMConfig.cmake: the plugin links nothing of
# LLVM (the compiler that loads it brings the symbols), and the latter insists on every static
# library and tool of LLVM being installed.
#
# Gives: DIVCOST_LLVM_MAJOR, DIVCOST_LLVM_BINDIR, and the target divcost_llvm with the headers and
# the flags that code for LLVM and clang needs.
set(LLVM_DIR "" CACHE PATH "Folder of LLVMConfig.cmake of the LLVM to build for (empty: LLVM 22)")

if(LLVM_DIR)
  get_filename_component(divcost_llvm_prefix "${LLVM_DIR}/../../.." ABSOLUTE)
  set(divcost_llvm_config "${divcost_llvm_prefix}/bin/llvm-config")
else()
  find_program(DIVCOST_LLVM_CONFIG NAMES llvm-config-22 llvm-config
    HINTS /usr/lib/llvm-22/bin DOC "llvm-config of the LLVM to build for")
  set(divcost_llvm_config "${DIVCOST_LLVM_CONFIG}")
endif()
if(NOT EXISTS "${divcost_llvm_config}")
  message(FATAL_ERROR "no LLVM found (looked for ${divcost_llvm_config}); install llvm-22-dev and "
    "libclang-22-dev, or name another one's folder with -DLLVM_DIR=PREFIX/lib/cmake/llvm")
endif()

foreach(what version includedir bindir)
  execute_process(COMMAND "${divcost_llvm_config}" --${what}
    OUTPUT_VARIABLE divcost_llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
string(REGEX MATCH "^[0-9]+" DIVCOST_LLVM_MAJOR "${divcost_llvm_version}")
if(NOT DIVCOST_LLVM_MAJOR MATCHES "^(19|22)$")
  message(FATAL_ERROR "${divcost_llvm_config} is of LLVM ${divcost_llvm_version}; "
    "divcost is built for LLVM 22 or 19")
endif()
if(NOT EXISTS "${divcost_llvm_includedir}/clang/Frontend/FrontendAction.h")
  message(FATAL_ERROR "clang's headers aren't in ${divcost_llvm_includedir}; "
    "install libclang-${DIVCOST_LLVM_MAJOR}-dev")
endif()
set(DIVCOST_LLVM_BINDIR "${divcost_llvm_bindir}")
message(STATUS "LLVM ${divcost_llvm_version}: ${divcost_llvm_bindir}")

add_library(divcost_llvm INTERFACE)
target_include_directories(divcost_llvm SYSTEM INTERFACE "${divcost_llvm_includedir}")
target_compile_definitions(divcost_llvm INTERFACE
  _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_compile_options(divcost_llvm INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
