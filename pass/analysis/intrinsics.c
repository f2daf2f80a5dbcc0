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

// A function of the operands of the lane alone.
#define PURE(name)                                                                                 \
  {                                                                                                \
    name, { SSA_PURE, 0, 0, 0, -1, 0, NULL }                                                       \
  }
// Waits for all threads of the block.
#define BARRIER(name, aligned)                                                                     \
  {                                                                                                \
    name, { SSA_BARRIER, 0, 0, MIX(BARRIER), -1, aligned, NULL }                                   \
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
    SOURCE("llvm.nvvm.read.ptx.sreg.dynamic_smem_size", DC_UNIFORM, MIX(INTEGER),
           "the size of shared memory"),
    SOURCE("llvm.nvvm.read.ptx.sreg.total_smem_size", DC_UNIFORM, MIX(INTEGER),
           "the size of shared memory"),
    SOURCE("llvm.nvvm.read.ptx.sreg.aggr_smem_size", DC_UNIFORM, MIX(INTEGER),
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
    {"llvm.nvvm.match.any.*",
     {SSA_SOURCE, 0, DC_DIVERGENT, MIX(WARP), 0, 0, "the lanes with the same value"}},
    SOURCE("llvm.nvvm.elect.sync", DC_DIVERGENT, MIX(WARP), "the elected lane"),
    ACROSS("llvm.nvvm.shfl.sync.*", SSA_SHUFFLE, 0),
    ACROSS("llvm.nvvm.activemask", SSA_ACTIVEMASK, -1),
    {"llvm.ssa.copy.*", {SSA_ALIKE, 0, 0, 0, -1, 0, NULL}}, // the mark of ir/butterflies.h
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
    BARRIER("llvm.nvvm.barrier.cta.sync.aligned.all", 1),
    BARRIER("llvm.nvvm.barrier.cta.sync.all", 0),
    BARRIER("llvm.nvvm.barrier.cta.red.and.aligned.all", 1),
    BARRIER("llvm.nvvm.barrier.cta.red.and.all", 0),
    BARRIER("llvm.nvvm.barrier.cta.red.or.aligned.all", 1),
    BARRIER("llvm.nvvm.barrier.cta.red.or.all", 0),
    BARRIER("llvm.nvvm.barrier.cta.red.popc.aligned.all", 1),
    BARRIER("llvm.nvvm.barrier.cta.red.popc.all", 0),
    BARRIER("llvm.nvvm.barrier0*", 1),
    BARRIER("llvm.nvvm.barrier.n", 1),
    BARRIER("llvm.nvvm.barrier.sync", 0),
    BARRIER("llvm.nvvm.bar.sync", 1),
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

    // Each lane has its own part of a matrix.
    SOURCE("llvm.nvvm.mma.*", DC_DIVERGENT, MIX(SPECIAL), "a part of a matrix product"),

    // Arithmetic.
    PURE("llvm.nvvm.abs.*"),
    PURE("llvm.nvvm.add.*"),
    PURE("llvm.nvvm.bmsk.*"),
    PURE("llvm.nvvm.ceil.*"),
    PURE("llvm.nvvm.cos.*"),
    PURE("llvm.nvvm.div.*"),
    PURE("llvm.nvvm.ex2.*"),
    PURE("llvm.nvvm.fabs*"),
    PURE("llvm.nvvm.flo.*"),
    PURE("llvm.nvvm.floor.*"),
    PURE("llvm.nvvm.fma.*"),
    PURE("llvm.nvvm.fmax.*"),
    PURE("llvm.nvvm.fmin.*"),
    PURE("llvm.nvvm.fns"),
    PURE("llvm.nvvm.fshl.*"),
    PURE("llvm.nvvm.fshr.*"),
    PURE("llvm.nvvm.idp2a.*"),
    PURE("llvm.nvvm.idp4a.*"),
    PURE("llvm.nvvm.lg2.*"),
    PURE("llvm.nvvm.mul.*"),
    PURE("llvm.nvvm.mul24.*"),
    PURE("llvm.nvvm.mulhi.*"),
    PURE("llvm.nvvm.neg.*"),
    PURE("llvm.nvvm.prmt*"),
    PURE("llvm.nvvm.rcp.*"),
    PURE("llvm.nvvm.rotate.*"),
    PURE("llvm.nvvm.round.*"),
    PURE("llvm.nvvm.rsqrt.*"),
    PURE("llvm.nvvm.sad.*"),
    PURE("llvm.nvvm.saturate.*"),
    PURE("llvm.nvvm.sin.*"),
    PURE("llvm.nvvm.sqrt.*"),
    PURE("llvm.nvvm.swap.*"),
    PURE("llvm.nvvm.trunc.*"),
    // From one type to another.
    PURE("llvm.nvvm.bf16x2.to.*"),
    PURE("llvm.nvvm.bf2h.*"),
    PURE("llvm.nvvm.bitcast.*"),
    PURE("llvm.nvvm.d2f.*"),
    PURE("llvm.nvvm.d2i.*"),
    PURE("llvm.nvvm.d2ll.*"),
    PURE("llvm.nvvm.d2ui.*"),
    PURE("llvm.nvvm.d2ull.*"),
    PURE("llvm.nvvm.e2m1x2.*"),
    PURE("llvm.nvvm.e2m3x2.*"),
    PURE("llvm.nvvm.e3m2x2.*"),
    PURE("llvm.nvvm.e4m3x2.*"),
    PURE("llvm.nvvm.e5m2x2.*"),
    PURE("llvm.nvvm.f16x2.to.*"),
    PURE("llvm.nvvm.f2bf16.*"),
    PURE("llvm.nvvm.f2f16.*"),
    PURE("llvm.nvvm.f2h.*"),
    PURE("llvm.nvvm.f2i.*"),
    PURE("llvm.nvvm.f2ll.*"),
    PURE("llvm.nvvm.f2tf32.*"),
    PURE("llvm.nvvm.f2ui.*"),
    PURE("llvm.nvvm.f2ull.*"),
    PURE("llvm.nvvm.f32x4.to.*"),
    PURE("llvm.nvvm.ff.to.*"),
    PURE("llvm.nvvm.ff2bf16x2.*"),
    PURE("llvm.nvvm.ff2f16x2.*"),
    PURE("llvm.nvvm.i2d.*"),
    PURE("llvm.nvvm.i2f.*"),
    PURE("llvm.nvvm.ll2d.*"),
    PURE("llvm.nvvm.ll2f.*"),
    PURE("llvm.nvvm.lohi.i2d"),
    PURE("llvm.nvvm.move.*"),
    PURE("llvm.nvvm.sext.*"),
    PURE("llvm.nvvm.ue8m0x2.*"),
    PURE("llvm.nvvm.ui2d.*"),
    PURE("llvm.nvvm.ui2f.*"),
    PURE("llvm.nvvm.ull2d.*"),
    PURE("llvm.nvvm.ull2f.*"),
    PURE("llvm.nvvm.zext.*"),
    // Of pointers, textures, surfaces and what the compiler was told.
    PURE("llvm.nvvm.internal.addrspace.wrap"),
    PURE("llvm.nvvm.isspacep.*"),
    PURE("llvm.nvvm.istypep.*"),
    PURE("llvm.nvvm.ptr.*"),
    PURE("llvm.nvvm.reflect"),
    PURE("llvm.nvvm.suq.*"),
    PURE("llvm.nvvm.texsurf.handle*"),
    PURE("llvm.nvvm.txq.*"),
};

enum { ROWS = sizeof intrinsics / sizeof *intrinsics };

const char *dcp_intrinsic_pattern(size_t row) { return row < ROWS ? intrinsics[row].name : NULL; }

size_t dcp_intrinsic_row(const char *name) {
  for (size_t k = 0; k < ROWS; ++k) {
    const char *pattern = intrinsics[k].name;
    size_t length = strlen(pattern);
    bool matches = pattern[length - 1] == '*' ? strncmp(name, pattern, length - 1) == 0
                                              : strcmp(name, pattern) == 0;
    if (matches)
      return k;
  }
  return ROWS;
}

bool dcp_intrinsic(const char *name, dcp_meaning *meaning) {
  size_t row = dcp_intrinsic_row(name);
  if (row < ROWS)
    *meaning = intrinsics[row].meaning;
  return row < ROWS;
}
