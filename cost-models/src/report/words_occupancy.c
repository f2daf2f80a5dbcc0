// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words about occupancy.
#include "divcost/number.h"
#include "divcost/words.h"

#include <stdio.h>
#include <string.h>

// "registers and warps".
static size_t say_limits(unsigned limits, char *words, size_t size) {
  static const char *const names[DC_OCCUPANCY_LIMITS] = {"warps", "blocks", "registers",
                                                         "shared memory", "launch bounds"};
  size_t used = 0;
  *words = 0;
  for (unsigned k = DC_OCCUPANCY_LIMITS; k-- > 0;)
    if (limits >> k & 1 && used < size)
      used += (size_t)snprintf(words + used, size - used, "%s%s", used ? " and " : "", names[k]);
  return used;
}

// "; limited by registers, or by warps".
static size_t say_reasons(const dc_occupancy_estimate *of, char *words, size_t size) {
  enum { ROOM = 64 };
  char least[ROOM], most[ROOM];
  unsigned low = of->low.limits, high = of->high.limits, both = low & high;
  if (of->low.blocks == of->high.blocks && both)
    low = high = both;
  say_limits(low, least, sizeof least);
  say_limits(high, most, sizeof most);
  int length = snprintf(words, size, "; limited by %s%s%s", least, low == high ? "" : ", or by ",
                        low == high ? "" : most);
  return length > 0 ? (size_t)length : 0;
}

static size_t say_registers(const dc_occupancy_estimate *of, char *words, size_t size) {
  const dc_interval registers = {of->registers_low, of->registers_high};
  int length = 0;
  switch ((dc_registers_from)of->registers_from) {
  case DC_REGISTERS_ANY:
    length = snprintf(words, size, "; its registers aren't known");
    break;
  case DC_REGISTERS_ESTIMATED:
    length = snprintf(words, size, "; about %s registers a thread (estimated)",
                      dc_number_count(registers).text);
    break;
  case DC_REGISTERS_PTXAS:
    length = snprintf(words, size, "; %s%u registers a thread (as ptxas says%s)",
                      registers.low < registers.high ? "at least " : "", of->registers_low,
                      registers.low < registers.high ? ", without what it calls" : "");
    break;
  }
  return length > 0 ? (size_t)length : 0;
}

size_t dc_occupancy_words(const dc_estimate *estimate, char *words, size_t size) {
  const dc_occupancy_estimate *of = &estimate->occupancy;
  *words = 0;
  if (!of->known)
    return 0;
  size_t used = 0;
  if (of->high.blocks == 0)
    used = (size_t)snprintf(words, size, "none: a block doesn't fit on an SM");
  else
    used = (size_t)snprintf(words, size, "%s, %s of %u warps of an SM, in %s block%s",
                            dc_number_percent(dc_occupancy_share(of)).text,
                            dc_number_count((dc_interval){of->low.warps, of->high.warps}).text,
                            of->warps_most,
                            dc_number_count((dc_interval){of->low.blocks, of->high.blocks}).text,
                            of->high.blocks == 1 ? "" : "s");
  used += used < size ? say_reasons(of, words + used, size - used) : 0;
  used += used < size ? say_registers(of, words + used, size - used) : 0;
  return used;
}
