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
