// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rules. What finds them is a file each in pass/findings.
#include "divcost/rules.h"

#include <stdio.h>
#include <string.h>

static const dc_rule_info table[DC_RULE_COUNT] = {
    [DC_RULE_IMBALANCE] =
        {"imbalance", true, true, "high",
         "A loop runs a different number of iterations in each lane of a warp",
         "The warp goes on until its slowest lane is done; the others idle meanwhile. Give lanes "
         "work of the same size: sort or bin the work, let several lanes share one item, or take "
         "work from a queue. If the trip counts are known to be alike, say so with "
         "DIVCOST_TRIPS(DISTRIBUTION), of divcost.h, before the loop; DIVCOST_IGNORE(\"reason\") "
         "ends the message."},
    [DC_RULE_DATA_DEPENDENT] =
        {"data-dependent", true, true, "medium",
         "A loop may run a different number of iterations in each lane, by values that only the "
         "run knows",
         "Lanes that draw their trip counts independently lose what the message says, lanes that "
         "are alike nothing. Say how its trip counts are distributed with "
         "DIVCOST_TRIPS(DISTRIBUTION), of divcost.h, before it, measure them with "
         "-fplugin-arg-divcost-profile-generate, or give the launch's values with "
         "DIVCOST_LAUNCH(...) before the kernel."},
    [DC_RULE_BARRIER] =
        {"barrier", true, false, "high",
         "A barrier is in control flow that not all of its threads take alike",
         "Threads that do not arrive make the barrier undefined. Move it to where all threads of "
         "the block (of its mask, for __syncwarp) come by, or make the condition the same for "
         "them."},
    [DC_RULE_GAVE_UP] = {"gave-up", true, false, "very-high",
                         "A kernel or function could not be analysed or estimated",
                         "Nothing is known of what its loops lose. The message says why. Smaller "
                         "kernels are analysed."},
    [DC_RULE_BARRIER_EXITED] =
        {"barrier-exited", false, false, "high",
         "Threads may have left the kernel when the others wait at a barrier",
         "GPUs from sm_70 on take threads that have exited as arrived; older ones wait for them, "
         "and the PTX ISA wants the barrier's condition to be the same for all threads of the "
         "block. Let all threads come by and guard what some of them must not do."},
    [DC_RULE_EFFICIENCY] =
        {"efficiency", true, true, "high",
         "Lanes of a kernel's warps idle, in several places or for want of threads",
         "A warp issues for 32 lanes, however few of them there are or have work. Launch blocks of "
         "a multiple of 32 threads, give the work of one thread to many, and bring together what "
         "goes one way at the places that are named. Where a kernel must be small, it costs "
         "little: raise the threshold, or silence the line. Where data decide, a profile tells how "
         "much it is."},
    [DC_RULE_BRANCH] =
        {"branch", true, true, "medium",
         "Lanes of a warp part at a branch, and those of one way idle",
         "A warp executes the ways of a branch one after the other, each with the lanes that take "
         "it. Bring together what goes one way: sort or compact the items first, let neighbouring "
         "lanes decide alike, or give what one lane does to many. Where lanes are known to decide "
         "alike, silence the line."},
    [DC_RULE_COALESCING] =
        {"coalescing", true, true, "high",
         "The lanes of a warp access global memory that doesn't lie side by side",
         "Memory comes in sectors of 32 bytes: a warp whose lanes are far apart gets, and waits "
         "for, up to 32 sectors where 4 would hold all that it needs. Let neighbouring threads "
         "take neighbouring elements: exchange the indices, make an array of each field of a "
         "structure, or go through a tile in shared memory."},
    [DC_RULE_BANK_CONFLICT] =
        {"bank-conflict", true, true, "high",
         "Lanes of a warp access different words of one bank of shared memory",
         "Shared memory has 32 banks of 4 bytes, each of which gives one word at a time: lanes "
         "that want several of one bank wait for each other. Pad the rows of the array by an "
         "element, or let neighbouring threads take neighbouring elements."},
    [DC_RULE_CONSTANT] =
        {"constant", true, true, "high",
         "Lanes of a warp read different addresses of constant memory",
         "Constant memory gives one address at a time to a warp, so that lanes that want "
         "different ones wait for each other. Put what lanes read apart into global memory, "
         "as 'const __restrict__', or copy it to shared memory first."},
};

const dc_rule_info *dc_rule_about(dc_rule rule) { return &table[rule]; }

const char *dc_rule_name(dc_rule rule) {
  return (unsigned)rule < DC_RULE_COUNT ? table[rule].name : "?";
}

int dc_rule_parse(const char *name) {
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    if (strcmp(table[rule].name, name) == 0)
      return rule;
  return -1;
}

size_t dc_rule_names(char *text, size_t size) {
  size_t length = 0;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
    bool fits = length < size;
    length += (size_t)snprintf(fits ? text + length : NULL, fits ? size - length : 0, "%s%s",
                               rule ? ", " : "", table[rule].name);
  }
  return length;
}
