// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SASS as Nsight Compute and nvdisasm print it: "@P0   BRA 0x7f51ab7ac420", "@P0 BRA P1, 0x...",
// "BRA.DIV UR4, 0x...", "CALL.REL.NOINC 0x...", "RET.REL.NODEC R2, 0x..." (the address is the base
// of a relative one, not where it goes). The names: CUDA Binary Utilities, section 6, instruction
// sets of Volta to Blackwell.
#include "measured/sass.h"

#include "divcost/measured.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  dc_sass_flow flow;
} names[] = {{"BRA", DC_SASS_BRANCH},    {"JMP", DC_SASS_BRANCH},   {"BRX", DC_SASS_INDIRECT},
             {"BRXU", DC_SASS_INDIRECT}, {"JMX", DC_SASS_INDIRECT}, {"JMXU", DC_SASS_INDIRECT},
             {"EXIT", DC_SASS_EXIT},     {"KILL", DC_SASS_EXIT},    {"RET", DC_SASS_RETURN},
             {"CALL", DC_SASS_CALL}};

static bool is_word(const char *text, size_t length, const char *word) {
  return length == strlen(word) && memcmp(text, word, length) == 0;
}

static const char *next_word(const char *text) {
  text += strcspn(text, " \t");
  return text + strspn(text, " \t");
}

// The last number in hexadecimal, or 0.
static uint64_t last_address(const char *text) {
  uint64_t found = 0;
  for (const char *at = text; (at = strstr(at, "0x")) != NULL; at += 2)
    found = strtoull(at, NULL, 16);
  return found;
}

dc_sass dc__sass_read(const char *text) {
  dc_sass out = {.flow = DC_SASS_NEXT};
  text += strspn(text, " \t");
  out.predicated = *text == '@';
  if (out.predicated)
    text = next_word(text);
  size_t length = strcspn(text, " \t.;");
  out.joins = is_word(text, length, "BSYNC") || is_word(text, length, "WARPSYNC");
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (is_word(text, length, names[k].name))
      out.flow = (uint8_t)names[k].flow;
  const char *operands = next_word(text);
  if (out.flow != DC_SASS_BRANCH && out.flow != DC_SASS_CALL)
    return out;
  // A second predicate, or lanes that differ (BRA.DIV): some go on behind it, too.
  out.predicated |= out.flow == DC_SASS_BRANCH && strncmp(operands, "0x", 2) != 0 &&
                    strchr(operands, ',') != NULL;
  // Of "CALL.REL.NOINC R14, 0x..." the address is the base, as of RET.
  if (out.flow == DC_SASS_BRANCH || strncmp(operands, "0x", 2) == 0)
    out.target = last_address(operands);
  return out;
}

bool dc_sass_begins_kernel(const char *text) {
  text += strspn(text, " \t");
  if (*text == '@')
    text = next_word(text);
  const char *operands = next_word(text);
  return strncmp(operands, "R1,", 3) == 0 && strstr(operands, "c[0x0]") != NULL;
}
