// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct example {
  const char *line;          // after "nvcc"
  const char *words;         // clang's, after what every translation starts with
  const char *architectures; // separated by blanks
  const char *unknown;
} example;

static const char begin[] =
    "-O3 -fgpu-defer-diag -fno-strict-return -fplugin-arg-divcost-compiler=nvcc";

// How nvcc is called by CMake 3.25, by PyTorch's extensions, in makefiles; and each form of value.
static const example examples[] = {
    {"-forward-unknown-to-host-compiler -DNDEBUG -I/src/include -isystem=/usr/local/x/include -O3 "
     "--generate-code=arch=compute_75,code=[compute_75,sm_75] "
     "--generate-code=arch=compute_90,code=[compute_90,sm_90] -Xcompiler=-fPIE --extended-lambda "
     "-std=c++17 -MD -MT a.o -MF a.o.d -x cu -rdc=true -c a.cu -o a.o",
     "-DNDEBUG -I/src/include -isystem /usr/local/x/include -std=c++17 -fgpu-rdc -D__CUDACC_RDC__",
     "sm_75 sm_90", ""},
    {"-DTORCH -D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr --compiler-options '-fPIC' "
     "-gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_86,code=compute_86 "
     "--use_fast_math -Xfatbin -compress-all -c a.cu -o a.cuda.o",
     "-DTORCH -D__CUDA_NO_HALF_OPERATORS__ -fgpu-approx-transcendentals", "sm_80 sm_86", ""},
    {"-ccbin g++ -I../../Common -m64 --threads 0 --std=c++11 -gencode arch=compute_50,code=sm_50 "
     "-gencode arch=compute_60,code=compute_60 -o a.o -c a.cu",
     "-I../../Common -std=c++11", "sm_50 sm_60", ""},
    {"-arch=sm_70 -O2 -Xptxas -v -Xptxas -dlcm=ca -maxrregcount=32 -lineinfo a.cu -lcublas", "",
     "sm_70", ""},
    {"-arch compute_80 -code sm_80,sm_86 a.cu", "", "sm_80 sm_86", ""},
    {"-arch=compute_80 -code=compute_80,sm_86 a.cu", "", "sm_86", ""},
    {"--gpu-architecture=compute_70 a.cu", "", "sm_70", ""},
    {"-gencode arch=compute_90a,code=sm_90a a.cu", "", "sm_90a", ""},
    {"-gencode arch=compute_70,code=lto_70 a.cu", "", "sm_70", ""},
    {"-gencode \"arch=compute_70,code=\\\"sm_70,compute_70\\\"\" a.cu", "", "sm_70", ""},
    {"-gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80 a.cu", "",
     "sm_80", ""},
    {"-arch=native a.cu", "", "sm_90", ""},
    {"-arch=all a.cu", "", "sm_80 sm_90", ""},
    {"-arch=all-major a.cu", "", "sm_80 sm_90", ""},
    {"a.cu", "", "sm_75", ""},
    // a value: the next word or behind '='; several in a list
    {"-I /a -I=/b,/c -I/d --include-path /e --include-path=/f a.cu",
     "-I/a -I/b -I/c -I/d -I/e -I/f", "sm_75", ""},
    {"-DA=1,B -D C --define-macro=D -U X,Y a.cu", "-DA=1 -DB -DC -DD -UX -UY", "sm_75", ""},
    {"-D'G=\"q,r\"' -DH=1\\\\,2 a.cu", "'-DG=\"q,r\"' -DH=1,2", "sm_75", ""},
    {"-include a.h,b.h --pre-include=c.h -isystem /x,/y a.cu",
     "-include a.h -include b.h -include c.h -isystem /x -isystem /y", "sm_75", ""},
    // options for the host's compiler: what the device's code can tell stays
    {"-Xcompiler -fPIC,-Wall,-DX -Xcompiler=-fno-exceptions --compiler-options \"-O2 -I/h\" a.cu",
     "-DX -fno-exceptions -I/h", "sm_75", ""},
    {"-Xcompiler -isystem,/h,-march=native,-fopenmp a.cu", "-isystem /h", "sm_75", ""},
    {"-forward-unknown-to-host-compiler -Wextra -fno-rtti -march=native a.cu", "-fno-rtti", "sm_75",
     ""},
    {"-forward-unknown-opts -funsigned-char a.cu", "-funsigned-char", "sm_75", ""},
    // code
    {"-rdc=false -G a.cu", "-O0", "sm_75", ""},
    {"-rdc true a.cu", "-fgpu-rdc -D__CUDACC_RDC__", "sm_75", ""},
    {"--relocatable-device-code=true a.cu", "-fgpu-rdc -D__CUDACC_RDC__", "sm_75", ""},
    {"-dc a.cu", "-fgpu-rdc -D__CUDACC_RDC__", "sm_75", ""},
    {"--device-c a.cu", "-fgpu-rdc -D__CUDACC_RDC__", "sm_75", ""},
    {"-dw a.cu", "", "sm_75", ""},
    {"-ftz=true -fmad=false -prec-div=false -ftz false a.cu",
     "-fgpu-flush-denormals-to-zero -ffp-contract=off", "sm_75", ""},
    {"-noeh -ftemplate-depth 99 a.cu", "-fno-exceptions -ftemplate-depth=99", "sm_75", ""},
    // nothing of the device's code
    {"-Werror all-warnings -Werror=cross-execution-space-call --Werror reorder -w "
     "--diag-suppress 177,20012 -diag-suppress=1 -Xcudafe --display_error_number -t4 -t 4 "
     "--default-stream per-thread -Wno-deprecated-gpu-targets --compiler-bindir /usr/bin/g++ "
     "-allow-unsupported-compiler -Xlinker -rpath=/x -L/x -lfoo -l bar -cudart shared -keep "
     "--keep-dir /x -pg -g -O 2 a.cu",
     "", "sm_75", ""},
    // what begins like a joined option isn't one
    {"-lineinfo -link -lto -lib -dlto a.cu", "", "sm_75", ""},
    // nobody knows these
    {"--new-option=7 -Wfancy -dumbo value a.cu", "", "sm_75", "--new-option=7 -Wfancy -dumbo"},
};

static char *translate(const char *line, const char *directory, arguments *architectures,
                       arguments *unknown, dc_error *error) {
  compile_command command = {.directory = strdup(directory), .file = strdup("a.cu")};
  arguments words = {0};
  arguments_add(&command.words, "nvcc");
  arguments_add_text(&command.words, line);
  dc_status status = nvcc_translate(&command, 0, &words, architectures, unknown, error);
  char *text = status == DC_OK ? arguments_line(&words) : NULL;
  arguments_free(&words);
  compile_command_free(&command);
  return text;
}

static void check_line(const arguments *list, const char *expected) {
  char *line = arguments_line(list);
  assert_non_null(line);
  assert_string_equal(line, expected);
  free(line);
}

static void lines_of_build_systems_become_clangs(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof examples / sizeof *examples; ++k) {
    const example *e = &examples[k];
    arguments architectures = {0}, unknown = {0};
    dc_error error;
    char *words = translate(e->line, "/", &architectures, &unknown, &error);
    char expected[2000];
    snprintf(expected, sizeof expected, "%s%s%s", begin, *e->words ? " " : "", e->words);
    assert_non_null(words);
    assert_string_equal(words, expected);
    check_line(&architectures, e->architectures);
    check_line(&unknown, e->unknown);
    free(words);
    arguments_free(&architectures);
    arguments_free(&unknown);
  }
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void options_files_are_read_and_cycles_end(void **state) {
  (void)state;
  char folder[] = "/tmp/divcost-nvcc-XXXXXX", path[64], other[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.rsp", folder);
  snprintf(other, sizeof other, "%s/b.rsp", folder);
  write_file(path,
             "-I\"/with blank\" # what follows is no option: -DNO\n-DX=1\n--options-file b.rsp");
  write_file(other, "-isystem=/y");
  arguments architectures = {0}, unknown = {0};
  dc_error error;
  char *words =
      translate("--options-file a.rsp -DZ a.cu", folder, &architectures, &unknown, &error);
  assert_non_null(words);
  assert_string_equal(words,
                      "-O3 -fgpu-defer-diag -fno-strict-return -fplugin-arg-divcost-compiler=nvcc "
                      "'-I/with blank' -DX=1 -isystem /y -DZ");
  free(words);
  write_file(other, "-optf a.rsp");
  assert_null(translate("-optf a.rsp a.cu", folder, &architectures, &unknown, &error));
  assert_string_equal(error.text, "options file 'a.rsp': more than 8 in each other");
  assert_null(translate("-optf=c.rsp a.cu", folder, &architectures, &unknown, &error));
  assert_string_equal(error.text, "options file 'c.rsp': No such file or directory");
  unlink(other);
  assert_int_equal(mkfifo(other, 0600), 0); // not waited for
  assert_null(translate("-optf b.rsp a.cu", folder, &architectures, &unknown, &error));
  assert_string_equal(error.text, "options file 'b.rsp': it is no plain file");
  arguments_free(&architectures);
  arguments_free(&unknown);
  unlink(path);
  unlink(other);
  rmdir(folder);
}

static void a_name_stands_once_in_the_table(void **state) {
  (void)state;
  size_t count;
  const nvcc_option *options = nvcc_options(&count);
  for (size_t a = 0; a < count; ++a) {
    bool needs = options[a].action == NVCC_PASS || options[a].action == NVCC_PASS_EACH ||
                 options[a].action == NVCC_PASS_PAIR || options[a].action == NVCC_IF_TRUE ||
                 options[a].action == NVCC_IF_FALSE;
    assert_int_equal(needs, options[a].clang != NULL);
    for (size_t b = 0; b < a; ++b) {
      assert_string_not_equal(options[a].name, options[b].name);
      assert_string_not_equal(options[a].brief, options[b].brief);
    }
  }
}

// Each line "--name <value> (-brief)" of nvcc's help: the table has it, with a value where it takes
// one.
static void check_help_line(const char *line) {
  char word[100];
  const char *value, *brief = strstr(line, "(-");
  size_t length = strcspn(line, " \n");
  if (!brief || length >= sizeof word)
    return;
  snprintf(word, sizeof word, "%.*s", (int)length, line);
  const nvcc_option *option = nvcc_option_find(word, &value);
  if (!option || strcmp(option->name, word + 2) != 0)
    fail_msg("nvcc's %s is not in the table", word);
  const char *after = line + length + strspn(line + length, " ");
  bool takes = after < brief || !strcmp(word, "--dependency-output") ||
               !strcmp(word, "--qpp-config"); // whose values aren't shown
  if ((option->value != NVCC_NONE) != takes)
    fail_msg("nvcc's %s and its value", word);
  snprintf(word, sizeof word, "%.*s", (int)strcspn(brief + 1, ")"), brief + 1);
  if (nvcc_option_find(word, &value) != option)
    fail_msg("nvcc's %s is another option in the table", word);
}

static void the_table_has_every_option_of_nvccs_help(void **state) {
  (void)state;
  const char *nvcc = getenv("DIVCOST_NVCC");
  if (!nvcc || getenv("DIVCOST_TEST_UNDER_VALGRIND"))
    skip();
  char command[1100], line[4000];
  snprintf(command, sizeof command, "'%.1000s' --help", nvcc);
  FILE *help = popen(command, "r"); // NOLINT(cert-env33-c): the path is CMake's
  assert_non_null(help);
  unsigned options = 0;
  while (fgets(line, sizeof line, help))
    if (!strncmp(line, "--", 2)) {
      check_help_line(line);
      ++options;
    }
  pclose(help);
  assert_true(options > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_build_systems_become_clangs),
      cmocka_unit_test(options_files_are_read_and_cycles_end),
      cmocka_unit_test(a_name_stands_once_in_the_table),
      cmocka_unit_test(the_table_has_every_option_of_nvccs_help),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
