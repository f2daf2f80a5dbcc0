// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/intrinsics.h"

#include <string.h>

#define MIX(name) (DC_MIX_##name + 1)

typedef struct entry {
  const char *name; // whole name, or a prefix where it ends in '*'
  dcp_meaning meaning;
} entry;

#define SREG(name, leaf, dimension)                                                                \
  {                                                                                                \
    "llvm.nvvm.read.ptx.sreg." name, { SSA_SREG, leaf, 0, MIX(INTEGER), -1, dimension, NULL }      \
  }
#define SOURCE(name, level, mix, text)                                                             \
  {                                                                                                \
    name, { SSA_SOURCE, 0, level, mix, -1, 0, text }                                               \
  }
#define ACROSS(name, op, mask)                                                                     \
  {                                                                                                \
    name, { op, 0, 0, MIX(WARP), mask, 0, NULL }                                                   \
  }

#define RED "a reduction over a part of the block"

// The first match counts: exceptions stand before their prefix.
static const entry intrinsics[] = {
    SREG("tid.x", DC_OP_TID, 0),
    SREG("tid.y", DC_OP_TID, 1),
    SREG("tid.z", DC_OP_TID, 2),
    SREG("ntid.x", DC_OP_NTID, 0),
    SREG("ntid.y", DC_OP_NTID, 1),
    SREG("ntid.z", DC_OP_NTID, 2),
    SREG("ctaid.x", DC_OP_CTAID, 0),
    SREG("ctaid.y", DC_OP_CTAID, 1),
    SREG("ctaid.z", DC_OP_CTAID, 2),
    SREG("nctaid.x", DC_OP_NCTAID, 0),
    SREG("nctaid.y", DC_OP_NCTAID, 1),
    SREG("nctaid.z", DC_OP_NCTAID, 2),
    SREG("laneid", DC_OP_LANE, 0),
    SOURCE("llvm.nvvm.read.ptx.sreg.lanemask.*", DC_DIVERGENT, MIX(INTEGER), "the lane's mask"),
    SOURCE("llvm.nvvm.read.ptx.sreg.warpid", DC_WARP_UNIFORM, MIX(INTEGER), "the warp's number"),
    // A block that was preempted may go on elsewhere.
    SOURCE("llvm.nvvm.read.ptx.sreg.smid", DC_WARP_UNIFORM, MIX(INTEGER),
           "the multiprocessor's number"),
    SOURCE("llvm.nvvm.read.ptx.sreg.cluster.nctaid.*", DC_UNIFORM, MIX(INTEGER),
           "the cluster's dimensions"),
    SOURCE("llvm.nvvm.read.ptx.sreg.cluster.nctarank", DC_UNIFORM, MIX(INTEGER),
           "the cluster's size"),
    SOURCE("llvm.nvvm.read.ptx.sreg.cluster*", DC_BLOCK_UNIFORM, MIX(INTEGER),
           "the rank in the cluster"),
    SOURCE("llvm.nvvm.read.ptx.sreg.nclusterid.*", DC_UNIFORM, MIX(INTEGER),
           "the number of clusters"),
    SOURCE("llvm.nvvm.read.ptx.sreg.nsmid", DC_UNIFORM, MIX(INTEGER),
           "the number of multiprocessors"),
    SOURCE("llvm.nvvm.read.ptx.sreg.nwarpid", DC_UNIFORM, MIX(INTEGER), "the number of warps"),
    SOURCE("llvm.nvvm.read.ptx.sreg.warpsize", DC_UNIFORM, 0, "the warp's size"),
    SOURCE("llvm.nvvm.read.ptx.sreg.gridid", DC_UNIFORM, MIX(INTEGER), "the grid's number"),
    SOURCE("llvm.nvvm.read.ptx.sreg.envreg*", DC_UNIFORM, MIX(INTEGER), "a driver register"),
    SOURCE("llvm.nvvm.read.ptx.sreg.dynamic.smem.size", DC_UNIFORM, MIX(INTEGER),
           "the size of shared memory"),
    SOURCE("llvm.nvvm.read.ptx.sreg.total.smem.size", DC_UNIFORM, MIX(INTEGER),
           "the size of shared memory"),
    SOURCE("llvm.nvvm.read.ptx.sreg.aggr.smem.size", DC_UNIFORM, MIX(INTEGER),
           "the size of shared memory"),
    SOURCE("llvm.nvvm.read.ptx.sreg.*", DC_DIVERGENT, MIX(INTEGER), "a clock or counter"),
    SOURCE("llvm.readcyclecounter", DC_DIVERGENT, MIX(INTEGER), "the clock"),
    SOURCE("llvm.readsteadycounter", DC_DIVERGENT, MIX(INTEGER), "the clock"),

    ACROSS("llvm.nvvm.vote.all", SSA_VOTE, -1),
    ACROSS("llvm.nvvm.vote.any", SSA_VOTE, -1),
    ACROSS("llvm.nvvm.vote.uni", SSA_VOTE, -1),
    ACROSS("llvm.nvvm.vote.ballot", SSA_VOTE, -1),
    ACROSS("llvm.nvvm.vote.*", SSA_VOTE, 0),
    ACROSS("llvm.nvvm.redux.sync.*", SSA_VOTE, 1),
    ACROSS("llvm.nvvm.match.all.*", SSA_VOTE, 0),
    SOURCE("llvm.nvvm.match.any.*", DC_DIVERGENT, MIX(WARP), "the lanes with the same value"),
    SOURCE("llvm.nvvm.elect.sync", DC_DIVERGENT, MIX(WARP), "the elected lane"),
    ACROSS("llvm.nvvm.shfl.sync.*", SSA_SHUFFLE, 0),
    ACROSS("llvm.nvvm.activemask", SSA_ACTIVEMASK, -1),
    {"llvm.nvvm.bar.warp.sync", {SSA_WARPSYNC, 0, 0, MIX(BARRIER), 0, 0, NULL}},

    // Arrival alone doesn't wait, and barriers with a thread count or of a cluster are no
    // block-wide ones.
    {"llvm.nvvm.barrier.cta.arrive.*", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.cluster.*", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.sync.cnt", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.cta.sync.count", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.cta.sync.aligned.count", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    SOURCE("llvm.nvvm.barrier.cta.red.and.count", DC_DIVERGENT, MIX(BARRIER), RED),
    SOURCE("llvm.nvvm.barrier.cta.red.and.aligned.count", DC_DIVERGENT, MIX(BARRIER), RED),
    SOURCE("llvm.nvvm.barrier.cta.red.or.count", DC_DIVERGENT, MIX(BARRIER), RED),
    SOURCE("llvm.nvvm.barrier.cta.red.or.aligned.count", DC_DIVERGENT, MIX(BARRIER), RED),
    SOURCE("llvm.nvvm.barrier.cta.red.popc.count", DC_DIVERGENT, MIX(BARRIER), RED),
    SOURCE("llvm.nvvm.barrier.cta.red.popc.aligned.count", DC_DIVERGENT, MIX(BARRIER), RED),
    {"llvm.nvvm.barrier.cta.*", {SSA_BARRIER, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier0*", {SSA_BARRIER, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.n", {SSA_BARRIER, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.barrier.sync", {SSA_BARRIER, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.bar.sync", {SSA_BARRIER, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.membar.*", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},
    {"llvm.nvvm.fence.*", {SSA_EFFECT, 0, 0, MIX(BARRIER), -1, 0, NULL}},

    {"llvm.lifetime.*", {SSA_EFFECT, 0, 0, 0, -1, 0, NULL}},
    {"llvm.dbg.*", {SSA_EFFECT, 0, 0, 0, -1, 0, NULL}},
    {"llvm.assume", {SSA_EFFECT, 0, 0, 0, -1, 0, NULL}},
    {"llvm.experimental.noalias.scope.decl", {SSA_EFFECT, 0, 0, 0, -1, 0, NULL}},
    {"llvm.trap", {SSA_EFFECT, 0, 0, MIX(CONTROL), -1, 0, NULL}},
    {"llvm.debugtrap", {SSA_EFFECT, 0, 0, MIX(CONTROL), -1, 0, NULL}},
    {"llvm.nvvm.exit", {SSA_EFFECT, 0, 0, MIX(CONTROL), -1, 0, NULL}},
    {"llvm.nvvm.nanosleep", {SSA_EFFECT, 0, 0, MIX(CONTROL), -1, 0, NULL}},
    {"llvm.prefetch*", {SSA_EFFECT, 0, 0, MIX(GLOBAL), -1, 0, NULL}},
};

bool dcp_intrinsic(const char *name, dcp_meaning *meaning) {
  for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; ++k) {
    const char *pattern = intrinsics[k].name;
    size_t length = strlen(pattern);
    bool matches = pattern[length - 1] == '*' ? strncmp(name, pattern, length - 1) == 0
                                              : strcmp(name, pattern) == 0;
    if (matches) {
      *meaning = intrinsics[k].meaning;
      return true;
    }
  }
  return false;
}

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
  if (single && (strncmp(text, "tex.", 4) == 0 || strncmp(text, "tld4.", 5) == 0)) {
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
