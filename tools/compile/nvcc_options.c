// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of nvcc's options, in the order of `nvcc --help` (13.0), then unlisted ones.
// docs/check.md has the same by meaning.
#include "compile/nvcc.h"

#include <string.h>

// clang doesn't define what CUDA's headers ask for; without it the device's cudaMalloc always
// fails.
#define RELOCATABLE "-fgpu-rdc -D__CUDACC_RDC__"

static const nvcc_option options[] = {
    // phases: the analysis stops after the syntax tree, and writes no output
    {"cuda", "cuda", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"cubin", "cubin", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"fatbin", "fatbin", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"ptx", "ptx", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"optix-ir", "optix-ir", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"ltoir", "ltoir", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"preprocess", "E", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"generate-dependencies", "M", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"generate-nonsystem-dependencies", "MM", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"generate-dependencies-with-compile", "MD", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"generate-nonsystem-dependencies-with-compile", "MMD", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"dependency-output", "MF", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"generate-dependency-targets", "MP", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"compile", "c", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"device-c", "dc", NVCC_NONE, NVCC_PASS, RELOCATABLE},
    {"device-w", "dw", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"device-link", "dlink", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"link", "link", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"lib", "lib", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"run", "run", NVCC_NONE, NVCC_OUTPUT, NULL},
    // files
    {"output-file", "o", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"pre-include", "include", NVCC_VALUE, NVCC_PASS_PAIR, "-include"},
    {"objdir-as-tempdir", "objtemp", NVCC_NONE, NVCC_DROP, NULL},
    {"library", "l", NVCC_JOINED, NVCC_DROP, NULL},
    {"define-macro", "D", NVCC_JOINED, NVCC_PASS_EACH, "-D"},
    {"undefine-macro", "U", NVCC_JOINED, NVCC_PASS_EACH, "-U"},
    {"include-path", "I", NVCC_JOINED, NVCC_PASS_EACH, "-I"},
    {"system-include", "isystem", NVCC_VALUE, NVCC_PASS_PAIR, "-isystem"},
    {"library-path", "L", NVCC_JOINED, NVCC_DROP, NULL},
    {"output-directory", "odir", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"compiler-bindir", "ccbin", NVCC_VALUE, NVCC_DROP, NULL},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", NVCC_NONE, NVCC_DROP, NULL},
    {"archiver-binary", "arbin", NVCC_VALUE, NVCC_DROP, NULL},
    {"cudart", "cudart", NVCC_VALUE, NVCC_DROP, NULL},
    {"cudadevrt", "cudadevrt", NVCC_VALUE, NVCC_DROP, NULL},
    {"libdevice-directory", "ldir", NVCC_VALUE, NVCC_DROP, NULL},
    {"target-directory", "target-dir", NVCC_VALUE, NVCC_DROP, NULL},
    {"use-local-env", "use-local-env", NVCC_NONE, NVCC_DROP, NULL},
    {"force-cl-env-setup", "force-cl-env-setup", NVCC_NONE, NVCC_DROP, NULL},
    // compiler and linker
    {"profile", "pg", NVCC_NONE, NVCC_DROP, NULL},
    {"debug", "g", NVCC_NONE, NVCC_DROP, NULL},
    {"device-debug", "G", NVCC_NONE, NVCC_PASS, "-O0"},
    {"generate-line-info", "lineinfo", NVCC_NONE, NVCC_DROP, NULL},
    {"optimization-info", "opt-info", NVCC_VALUE, NVCC_DROP, NULL},
    {"optimize", "O", NVCC_JOINED, NVCC_DROP, NULL}, // the host's code only
    {"Ofast-compile", "Ofc", NVCC_VALUE, NVCC_DROP, NULL},
    {"dopt", "dopt", NVCC_VALUE, NVCC_DROP, NULL},
    {"dlink-time-opt", "dlto", NVCC_NONE, NVCC_DROP, NULL},
    {"lto", "lto", NVCC_NONE, NVCC_DROP, NULL},
    {"gen-opt-lto", "gen-opt-lto", NVCC_NONE, NVCC_DROP, NULL},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", NVCC_VALUE, NVCC_DROP, NULL},
    {"ftemplate-depth", "ftemplate-depth", NVCC_VALUE, NVCC_PASS, "-ftemplate-depth="},
    {"no-exceptions", "noeh", NVCC_NONE, NVCC_PASS, "-fno-exceptions"},
    {"shared", "shared", NVCC_NONE, NVCC_DROP, NULL},
    {"x", "x", NVCC_JOINED, NVCC_DROP, NULL}, // it is CUDA, or it isn't analysed
    {"std", "std", NVCC_VALUE, NVCC_PASS, "-std="},
    {"no-host-device-initializer-list", "nohdinitlist", NVCC_NONE, NVCC_DROP, NULL},
    {"no-host-device-move-forward", "nohdmoveforward", NVCC_NONE, NVCC_DROP, NULL},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", NVCC_NONE, NVCC_DROP, NULL}, // as in clang
    {"extended-lambda", "extended-lambda", NVCC_NONE, NVCC_DROP, NULL},               // the same
    {"expt-extended-lambda", "expt-extended-lambda", NVCC_NONE, NVCC_DROP, NULL},
    {"machine", "m", NVCC_JOINED, NVCC_DROP, NULL},
    {"m64", "m64", NVCC_NONE, NVCC_DROP, NULL},
    {"compiler-options", "Xcompiler", NVCC_VALUE, NVCC_HOST, NULL},
    {"linker-options", "Xlinker", NVCC_VALUE, NVCC_DROP, NULL},
    {"archive-options", "Xarchive", NVCC_VALUE, NVCC_DROP, NULL},
    {"ptxas-options", "Xptxas", NVCC_VALUE, NVCC_DROP, NULL},
    {"nvlink-options", "Xnvlink", NVCC_VALUE, NVCC_DROP, NULL},
    {"static-global-template-stub", "static-global-template-stub", NVCC_VALUE, NVCC_DROP, NULL},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", NVCC_VALUE,
     NVCC_DROP, NULL},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", NVCC_NONE,
     NVCC_FORWARD, NULL},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", NVCC_NONE, NVCC_DROP,
     NULL},
    {"forward-unknown-opts", "forward-unknown-opts", NVCC_NONE, NVCC_FORWARD, NULL},
    {"dont-use-profile", "noprof", NVCC_NONE, NVCC_DROP, NULL},
    {"dryrun", "dryrun", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"verbose", "v", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"threads", "t", NVCC_JOINED, NVCC_DROP, NULL},
    {"split-compile", "split-compile", NVCC_VALUE, NVCC_DROP, NULL},
    {"split-compile-extended", "split-compile-extended", NVCC_VALUE, NVCC_DROP, NULL},
    {"fdevice-syntax-only", "fdevice-syntax-only", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"fdevice-time-trace", "fdevice-time-trace", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"keep", "keep", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"keep-dir", "keep-dir", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"save-temps", "save-temps", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"clean-targets", "clean", NVCC_NONE, NVCC_OUTPUT, NULL},
    {"time", "time", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"run-args", "run-args", NVCC_VALUE, NVCC_DROP, NULL},
    {"input-drive-prefix", "idp", NVCC_VALUE, NVCC_DROP, NULL},
    {"dependency-drive-prefix", "ddp", NVCC_VALUE, NVCC_DROP, NULL},
    {"drive-prefix", "dp", NVCC_VALUE, NVCC_DROP, NULL},
    {"dependency-target-name", "MT", NVCC_VALUE, NVCC_OUTPUT, NULL},
    {"no-align-double", "no-align-double", NVCC_NONE, NVCC_DROP, NULL},
    {"no-device-link", "nodlink", NVCC_NONE, NVCC_DROP, NULL},
    // code generation
    {"gpu-architecture", "arch", NVCC_VALUE, NVCC_ARCHITECTURE, NULL},
    {"gpu-code", "code", NVCC_VALUE, NVCC_CODE, NULL},
    {"generate-code", "gencode", NVCC_VALUE, NVCC_GENERATE_CODE, NULL},
    {"relocatable-device-code", "rdc", NVCC_VALUE, NVCC_IF_TRUE, RELOCATABLE},
    {"entries", "e", NVCC_VALUE, NVCC_DROP, NULL},
    {"maxrregcount", "maxrregcount", NVCC_VALUE, NVCC_DROP, NULL},
    {"use_fast_math", "use_fast_math", NVCC_NONE, NVCC_PASS, "-fgpu-approx-transcendentals"},
    {"ftz", "ftz", NVCC_VALUE, NVCC_IF_TRUE, "-fgpu-flush-denormals-to-zero"},
    {"prec-div", "prec-div", NVCC_VALUE, NVCC_DROP, NULL},
    {"prec-sqrt", "prec-sqrt", NVCC_VALUE, NVCC_DROP, NULL},
    {"fmad", "fmad", NVCC_VALUE, NVCC_IF_FALSE, "-ffp-contract=off"},
    {"extra-device-vectorization", "extra-device-vectorization", NVCC_NONE, NVCC_DROP, NULL},
    {"default-stream", "default-stream", NVCC_VALUE, NVCC_DROP, NULL},
    {"disable-warnings", "w", NVCC_NONE, NVCC_DROP, NULL},
    {"keep-device-functions", "keep-device-functions", NVCC_NONE, NVCC_DROP, NULL},
    {"source-in-ptx", "src-in-ptx", NVCC_NONE, NVCC_DROP, NULL},
    {"restrict", "restrict", NVCC_NONE, NVCC_DROP, NULL},
    // messages, tools
    {"Wreorder", "Wreorder", NVCC_NONE, NVCC_DROP, NULL},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", NVCC_NONE, NVCC_DROP, NULL},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", NVCC_NONE, NVCC_DROP, NULL},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", NVCC_NONE, NVCC_DROP, NULL},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", NVCC_NONE, NVCC_DROP, NULL},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", NVCC_NONE, NVCC_DROP, NULL},
    {"Werror", "Werror", NVCC_VALUE, NVCC_DROP, NULL},
    {"resource-usage", "res-usage", NVCC_NONE, NVCC_DROP, NULL},
    {"extensible-whole-program", "ewp", NVCC_NONE, NVCC_DROP, NULL},
    {"no-compress", "no-compress", NVCC_NONE, NVCC_DROP, NULL},
    {"qpp-config", "qpp-config", NVCC_VALUE, NVCC_DROP, NULL},
    {"compile-as-tools-patch", "astoolspatch", NVCC_NONE, NVCC_DROP, NULL},
    {"list-gpu-code", "code-ls", NVCC_NONE, NVCC_DROP, NULL},
    {"list-gpu-arch", "arch-ls", NVCC_NONE, NVCC_DROP, NULL},
    {"display-error-number", "err-no", NVCC_NONE, NVCC_DROP, NULL},
    {"no-display-error-number", "no-err-no", NVCC_NONE, NVCC_DROP, NULL},
    {"diag-error", "diag-error", NVCC_VALUE, NVCC_DROP, NULL},
    {"diag-suppress", "diag-suppress", NVCC_VALUE, NVCC_DROP, NULL},
    {"diag-warn", "diag-warn", NVCC_VALUE, NVCC_DROP, NULL},
    {"host-linker-script", "hls", NVCC_VALUE, NVCC_DROP, NULL},
    {"augment-host-linker-script", "aug-hls", NVCC_NONE, NVCC_DROP, NULL},
    {"relocatable-link", "r", NVCC_NONE, NVCC_DROP, NULL},
    {"brief-diagnostics", "brief-diag", NVCC_VALUE, NVCC_DROP, NULL},
    {"jump-table-density", "jtd", NVCC_VALUE, NVCC_DROP, NULL},
    {"relocatable-ptx", "reloc-ptx", NVCC_NONE, NVCC_DROP, NULL},
    {"device-stack-protector", "device-stack-protector", NVCC_VALUE, NVCC_DROP, NULL},
    {"compress-mode", "compress-mode", NVCC_VALUE, NVCC_DROP, NULL},
    {"frandom-seed", "frandom-seed", NVCC_VALUE, NVCC_DROP, NULL},
    {"sanitize", "sanitize", NVCC_VALUE, NVCC_DROP, NULL},
    {"jobserver", "jobserver", NVCC_NONE, NVCC_DROP, NULL},
    {"help", "h", NVCC_NONE, NVCC_DROP, NULL},
    {"version", "V", NVCC_NONE, NVCC_DROP, NULL},
    {"options-file", "optf", NVCC_VALUE, NVCC_OPTIONS_FILE, NULL},
    // not in the help
    {"cudafe-options", "Xcudafe", NVCC_VALUE, NVCC_DROP, NULL},
    {"fatbin-options", "Xfatbin", NVCC_VALUE, NVCC_DROP, NULL},
    {"cicc-options", "Xcicc", NVCC_VALUE, NVCC_DROP, NULL},
};

const nvcc_option *nvcc_options(size_t *count) {
  *count = sizeof options / sizeof *options;
  return options;
}

// Whether `text` starts with the option's name and ends there or goes on with its value.
static bool matches(const nvcc_option *option, const char *name, const char *text,
                    const char **value) {
  size_t length = strlen(name);
  if (strncmp(text, name, length) != 0)
    return false;
  const char *rest = text + length;
  *value = NULL;
  if (!*rest)
    return true;
  if (option->value == NVCC_NONE || (*rest != '=' && option->value != NVCC_JOINED))
    return false;
  *value = rest + (*rest == '=');
  return true;
}

// Of names that a word can be taken for, one that has the word as a whole or up to a '=' is meant,
// not one that it is joined to: -isystem is no -I, -link no -l.
const nvcc_option *nvcc_option_find(const char *word, const char **value) {
  *value = NULL;
  if (word[0] != '-' || !word[1])
    return NULL;
  bool is_long = word[1] == '-';
  const char *text = word + 1 + is_long, *joined_value = NULL;
  const nvcc_option *joined = NULL;
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    const nvcc_option *option = &options[k];
    const char *name = is_long || option->value != NVCC_JOINED ? option->name : option->brief;
    if (!matches(option, name, text, value) &&
        (option->value == NVCC_JOINED || !matches(option, option->brief, text, value)))
      continue;
    if (option->value != NVCC_JOINED || !*value)
      return option;
    joined = option;
    joined_value = *value;
  }
  *value = joined_value;
  return joined;
}
