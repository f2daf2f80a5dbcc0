// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/waits.h"

static const struct {
  const char *name, *metric, *words;
} waits[DC_WAIT_COUNT] = {
    [DC_WAIT_SELECTED] = {"selected", "selected", "nothing: they issue"},
    [DC_WAIT_NOT_SELECTED] = {"not_selected", "not_selected",
                              "their turn among warps that could issue"},
    [DC_WAIT_LONG_SCOREBOARD] = {"long_sb", "long_scoreboard",
                                 "what they read of global, local or texture memory"},
    [DC_WAIT_SHORT_SCOREBOARD] = {"short_sb", "short_scoreboard",
                                  "shared memory, special functions or shuffles"},
    [DC_WAIT_LG_THROTTLE] = {"lg", "lg_throttle",
                             "room for more accesses to global or local memory"},
    [DC_WAIT_MIO_THROTTLE] = {"mio", "mio_throttle",
                              "room for more of shared memory, special functions or shuffles"},
    [DC_WAIT_TEX_THROTTLE] = {"tex", "tex_throttle", "room for more texture accesses"},
    [DC_WAIT_MATH_PIPE_THROTTLE] = {"math", "math_pipe_throttle",
                                    "an arithmetic pipe that is busy"},
    [DC_WAIT_FIXED] = {"wait", "wait", "the instruction before, whose time is fixed"},
    [DC_WAIT_BARRIER] = {"barrier", "barrier", "other warps at a barrier"},
    [DC_WAIT_MEMBAR] = {"membar", "membar", "a memory barrier"},
    [DC_WAIT_BRANCH_RESOLVING] = {"branch_resolving", "branch_resolving",
                                  "a branch to be resolved"},
    [DC_WAIT_NO_INSTRUCTION] = {"no_inst", "no_instructions", "their next instructions"},
    [DC_WAIT_IMC_MISS] = {"imc", "imc_miss", "constants that aren't in the cache"},
    [DC_WAIT_DRAIN] = {"drain", "drain", "what they wrote, at their end"},
    [DC_WAIT_DISPATCH] = {"dispatch", "dispatch_stall", "the dispatcher"},
    [DC_WAIT_SLEEPING] = {"sleep", "sleeping", "the end of their sleep"},
    [DC_WAIT_GMMA] = {"gmma", "warpgroup_arrive", "tensor cores"},
    [DC_WAIT_MISC] = {"misc", "misc", "other reasons"},
};

const char *dc_wait_name(dc_wait wait) { return waits[wait].name; }

const char *dc_wait_metric(dc_wait wait) { return waits[wait].metric; }

void dc_waits_rank(const double samples[DC_WAIT_COUNT], dc_wait ranked[DC_WAIT_COUNT - 1]) {
  for (unsigned w = DC_WAIT_SELECTED + 1, n = 0; w < DC_WAIT_COUNT; ++w, ++n) {
    unsigned at = n;
    for (; at > 0 && samples[ranked[at - 1]] < samples[w]; --at)
      ranked[at] = ranked[at - 1];
    ranked[at] = (dc_wait)w;
  }
}

const char *dc_wait_words(dc_wait wait) { return waits[wait].words; }
