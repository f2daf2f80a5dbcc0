// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/analysis.h"

#include <stdlib.h>
#include <string.h>

#define FIXED                                                                                      \
  " --cuda-device-only -fsyntax-only -fno-color-diagnostics -Qunused-arguments -Wno-everything "   \
  "-Wbackend-plugin -Wno-error=backend-plugin -ferror-limit=5 -fno-crash-diagnostics "             \
  "-fplugin=/p.so "                                                                                \
  "-fplugin-arg-divcost-report=/r.json"

static compile_command command_of(const char *file, const char *line) {
  compile_command command = {.directory = strdup("/src"), .file = strdup(file)};
  arguments_add_text(&command.words, line);
  return command;
}

static void check_analysis(const char *line, const analysis_request *request,
                           const char *expected) {
  compile_command command = command_of("a.cu", line);
  arguments words = {0}, unknown = {0};
  dc_error error;
  assert_int_equal(analysis_arguments(&command, request, &words, &unknown, &error), DC_OK);
  char *text = arguments_line(&words);
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
  arguments_free(&words);
  arguments_free(&unknown);
  compile_command_free(&command);
}

static const analysis_request plain = {.clang = "/c", .plugin = "/p.so", .report = "/r.json"};

static void outputs_phases_and_launchers_are_left_out(void **state) {
  (void)state;
  check_analysis(
      "/usr/bin/ccache /usr/bin/clang++ -DX -I inc --cuda-gpu-arch=sm_80 -O2 -std=c++17 "
      "-Werror -MD -MT a.o -MF a.d -x cuda -c a.cu -o a.o",
      &plain, "/c -DX -I inc --cuda-gpu-arch=sm_80 -O2 -std=c++17 -Werror" FIXED " -x cuda a.cu");
  check_analysis(
      "env CCACHE_DIR=/x ccache clang++ --driver-mode=g++ -S -emit-llvm --cuda-host-only "
      "-save-temps=obj -w -oout -xcuda -fplugin=/y/divcost.so "
      "-fplugin-arg-divcost-report=old.json -fplugin-arg-divcost-block=64 -- /src/a.cu",
      &plain, "/c --driver-mode=g++ -fplugin-arg-divcost-block=64" FIXED " -x cuda a.cu");
}

static void other_files_named_like_the_source_stay(void **state) {
  (void)state;
  check_analysis("clang++ -include a.cu -include other/a.cu -I a.cu a.cu", &plain,
                 "/c -include a.cu -include other/a.cu -I a.cu" FIXED " -x cuda a.cu");
}

static void requests_are_added(void **state) {
  (void)state;
  analysis_request request = plain;
  request.architectures = "sm_80,sm_90";
  request.dependencies = "/h";
  request.buffer = "/b.cu";
  check_analysis("clang++ --cuda-gpu-arch=sm_50 --offload-arch=sm_52 a.cu", &request,
                 "/c --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90" FIXED
                 " -Xclang -header-include-file -Xclang /h -Xclang -sys-header-deps"
                 " -Xclang -remap-file -Xclang 'a.cu;/b.cu' -x cuda a.cu");
  request = plain;
  request.architectures = "sm_60";
  check_analysis("/opt/bin/nvcc -arch=sm_80 -DX a.cu", &request,
                 "/c -O3 -fgpu-defer-diag -fno-strict-return -fplugin-arg-divcost-compiler=nvcc "
                 "-DX --cuda-gpu-arch=sm_60" FIXED " -x cuda a.cu");
}

static void a_command_without_a_compiler_is_refused(void **state) {
  (void)state;
  compile_command command = command_of("a.cu", "ccache");
  arguments words = {0}, unknown = {0};
  dc_error error;
  assert_int_equal(analysis_arguments(&command, &plain, &words, &unknown, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the command for 'a.cu' names no compiler");
  arguments_free(&words);
  compile_command_free(&command);
}

static bool is_cuda(const char *file, const char *line) {
  compile_command command = command_of(file, line);
  bool result = compile_command_is_cuda(&command);
  compile_command_free(&command);
  return result;
}

static void cuda_goes_by_the_language_then_by_the_name(void **state) {
  (void)state;
  assert_true(is_cuda("a.cu", "nvcc a.cu"));
  assert_true(is_cuda("a.cuh", "clang++ a.cuh"));
  assert_true(is_cuda("a.cpp", "clang++ -x cuda a.cpp"));
  assert_true(is_cuda("a.cpp", "nvcc -x cu a.cpp"));
  assert_true(is_cuda("a.cpp", "nvcc --x=cu a.cpp"));
  assert_false(is_cuda("a.cpp", "nvcc a.cpp"));
  assert_false(is_cuda("a.cu", "clang++ -x c++ a.cu"));
  assert_false(is_cuda("a.cu", "nvcc -x=c++ a.cu"));
  assert_false(is_cuda("cu", "gcc cu"));
}

static void words_and_lines_are_each_others_inverse(void **state) {
  (void)state;
  static const char *const words[] = {"clang++", "-DX=a b", "it's", "", "\\", "\"q\"", "#x", "$y"};
  arguments list = {0}, again = {0};
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    arguments_add(&list, words[k]);
  char *line = arguments_line(&list);
  assert_non_null(line);
  arguments_add_text(&again, line);
  assert_int_equal(again.count, list.count);
  for (size_t k = 0; k < list.count; ++k)
    assert_string_equal(again.words[k], list.words[k]);
  free(line);
  arguments_free(&list);
  arguments_free(&again);
}

static void flags_come_after_optimisation(void **state) {
  (void)state;
  char *flags[] = {"-DX"}, *with[] = {"--cuda-gpu-arch=sm_70", "-O0"};
  compile_command command;
  dc_error error;
  assert_int_equal(compile_command_of_flags("a.cu", flags, 1, &command, &error), DC_OK);
  char *line = arguments_line(&command.words);
  assert_string_equal(line, "clang++ -O2 -DX a.cu");
  free(line);
  compile_command_free(&command);
  assert_int_equal(compile_command_of_flags("a.cu", with, 2, &command, &error), DC_OK);
  line = arguments_line(&command.words);
  assert_string_equal(line, "clang++ -O2 --cuda-gpu-arch=sm_70 -O0 a.cu");
  free(line);
  compile_command_free(&command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_phases_and_launchers_are_left_out),
      cmocka_unit_test(other_files_named_like_the_source_stay),
      cmocka_unit_test(requests_are_added),
      cmocka_unit_test(a_command_without_a_compiler_is_refused),
      cmocka_unit_test(cuda_goes_by_the_language_then_by_the_name),
      cmocka_unit_test(words_and_lines_are_each_others_inverse),
      cmocka_unit_test(flags_come_after_optimisation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
