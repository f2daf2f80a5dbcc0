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
                                                         "shared memory"};
  size_t used = 0;
  *words = 0;
  for (unsigned k = DC_OCCUPANCY_LIMITS; k-- > 0;)
    if (limits >> k & 1 && used < size)
      used += (size_t)snprintf(words + used, size - used, "%s%s", used ? " and " : "", names[k]);
  return used;
}

static const char *origin_of(dc_registers_from from) {
  return from == DC_REGISTERS_PTXAS       ? "as ptxas says"
         : from == DC_REGISTERS_ESTIMATED ? "estimated"
                                          : "not known";
}

size_t dc_occupancy_words(const dc_estimate *estimate, char *words, size_t size) {
  enum { ROOM = 64 };
  const dc_occupancy_estimate *of = &estimate->occupancy;
  char most[ROOM], least[ROOM];
  *words = 0;
  if (!of->known)
    return 0;
  double all = of->warps_most;
  say_limits(of->low.limits, least, sizeof least);
  say_limits(of->high.limits, most, sizeof most);
  bool differ = of->low.limits != of->high.limits;
  dc_interval registers = {of->registers_low, of->registers_high};
  int length;
  if (of->high.blocks == 0)
    length = snprintf(words, size, "none: a block doesn't fit on an SM, for its %s", least);
  else
    length = snprintf(
        words, size,
        "%s, %s of %u warps of an SM, in %s block%s; limited by %s%s%s; %s registers a thread (%s)",
        dc_number_percent((dc_interval){of->low.warps / all, of->high.warps / all}).text,
        dc_number_count((dc_interval){of->low.warps, of->high.warps}).text, of->warps_most,
        dc_number_count((dc_interval){of->low.blocks, of->high.blocks}).text,
        of->high.blocks == 1 ? "" : "s", least, differ ? ", or by " : "", differ ? most : "",
        dc_number_count(registers).text, origin_of((dc_registers_from)of->registers_from));
  return length > 0 ? (size_t)length : 0;
}
