// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What assembly in the source means for divergence: told from its text, by the names of its
// instructions and special registers. What isn't known here is unknown.
#include "analysis/intrinsics.h"

#include <string.h>

#define MIX(name) (DC_MIX_##name + 1)

// PTX instructions whose result is a function of their operands: the part up to the first dot.
static const char *const pure_instructions[] = {
    "abs",   "add",      "addc",  "and",  "bfe",   "bfi",  "bfind", "bmsk", "brev", "clz",
    "cnot",  "copysign", "cos",   "cvt",  "cvta",  "div",  "dp2a",  "dp4a", "ex2",  "fma",
    "fns",   "isspacep", "lg2",   "lop3", "mad",   "madc", "max",   "min",  "mov",  "mul",
    "mul24", "mad24",    "neg",   "not",  "or",    "popc", "prmt",  "rcp",  "rem",  "rsqrt",
    "sad",   "selp",     "set",   "setp", "shf",   "shl",  "shr",   "sin",  "slct", "sqrt",
    "sub",   "subc",     "szext", "tanh", "testp", "xor",
};

static bool is_pure_instruction(const char *word, size_t length) {
  for (size_t k = 0; k < sizeof pure_instructions / sizeof *pure_instructions; ++k)
    if (strlen(pure_instructions[k]) == length && strncmp(pure_instructions[k], word, length) == 0)
      return true;
  return false;
}

// Whether each instruction of the text is pure. Declarations (.reg), predicates (@p) and braces are
// passed over.
static bool is_pure_text(const char *text) {
  while (*text) {
    text += strspn(text, " \t\r\n;{}");
    if (*text == '@')
      text += strcspn(text, " \t"), text += strspn(text, " \t");
    if (!*text)
      return true;
    size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
    bool declaration = strncmp(text, ".reg", 4) == 0;
    if (!declaration && (word == 0 || !is_pure_instruction(text, word)))
      return false;
    text += strcspn(text, ";");
  }
  return true;
}

// Whether the text names a special register: %tid, %laneid, %clock ... (in LLVM's text "%%" is a
// percent sign once it is unescaped; "$0" are operands; registers of the text's own begin with a
// letter too).
static bool names_special_register(const char *text) {
  static const char *const registers[] = {
      "tid",
      "ntid",
      "ctaid",
      "nctaid",
      "laneid",
      "warpid",
      "nwarpid",
      "smid",
      "nsmid",
      "gridid",
      "clock",
      "lanemask",
      "globaltimer",
      "cluster",
      "is_explicit",
      "pm",
      "envreg",
      "dynamic_smem_size",
      "total_smem_size",
      "aggr_smem_size",
      "current_graph_exec",
  };
  for (const char *at = strchr(text, '%'); at; at = strchr(at, '%')) {
    at += strspn(at, "%");
    for (size_t k = 0; k < sizeof registers / sizeof *registers; ++k)
      if (strncmp(at, registers[k], strlen(registers[k])) == 0)
        return true;
  }
  return false;
}

void dcp_inline_assembly(const char *text, dcp_meaning *meaning) {
  *meaning =
      (dcp_meaning){.op = SSA_UNKNOWN, .mix = MIX(INTEGER), .mask = -1, .text = "inline assembly"};
  text += strspn(text, " \t\r\n{");
  bool single =
      !strchr(text, ';') || strspn(strchr(text, ';'), "; \t\r\n}") == strlen(strchr(text, ';'));
  bool texture = strncmp(text, "tex.", 4) == 0 || strncmp(text, "tld4.", 5) == 0;
  if (single && (texture || strncmp(text, "ld.global.nc.", 13) == 0)) { // that nobody writes
    *meaning = (dcp_meaning){.op = SSA_FETCH, .mix = MIX(GLOBAL), .mask = -1};
  } else if (single && strncmp(text, "activemask.b32", 14) == 0) {
    *meaning = (dcp_meaning){.op = SSA_ACTIVEMASK, .mix = MIX(WARP), .mask = -1};
  } else if (single && strncmp(text, "mov.u32", 7) == 0 && strstr(text, "%laneid") &&
             !strchr(strchr(text, ',') ? strchr(text, ',') : "", '$')) {
    *meaning = (dcp_meaning){.op = SSA_SREG, .expr = DC_OP_LANE, .mix = MIX(INTEGER), .mask = -1};
  } else if (*text == 0) {
    // An empty text keeps the optimiser away from its operands and computes nothing.
    *meaning = (dcp_meaning){.op = SSA_PURE, .mask = -1};
  } else if (is_pure_text(text) && !names_special_register(text)) {
    *meaning = (dcp_meaning){.op = SSA_PURE, .mix = MIX(INTEGER), .mask = -1};
  }
}
