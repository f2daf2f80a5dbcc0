// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words about accesses to memory.
#include "divcost/number.h"
#include "divcost/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A text that is written piece by piece, and counted where it doesn't fit.
typedef struct text {
  char *words;
  size_t size, used;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void say(text *to, const char *format, ...) {
  bool fits = to->used < to->size;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(fits ? to->words + to->used : NULL, fits ? to->size - to->used : 0, format,
                         arguments);
  va_end(arguments);
  to->used += length > 0 ? (size_t)length : 0;
}

static const char *const units[] = {"sectors", "passes", "addresses"};

static bool is_made(const dc_estimate *estimate, uint32_t access) {
  return access < estimate->n_accesses && estimate->accesses[access].requests > 0;
}

// All of one kind of memory, per warp.
static void say_all(const dc_kernel *kernel, const dc_estimate *estimate, dc_memory_unit unit,
                    const char *where, text *to) {
  dc_interval ideal, taken = dc_memory_taken(kernel, estimate, unit, &ideal);
  if (taken.high > 0)
    say(to, "%s%s %s%s, %s needed", to->used ? "; " : "", dc_number_count(taken).text, units[unit],
        where, dc_number_count(ideal).text);
}

size_t dc_memory_words(const dc_kernel *kernel, const dc_estimate *estimate, char *words,
                       size_t size) {
  text to = {words, size, 0};
  *words = 0;
  say_all(kernel, estimate, DC_SECTORS, " of 32 bytes per warp", &to);
  say_all(kernel, estimate, DC_WAVEFRONTS, " over shared memory", &to);
  say_all(kernel, estimate, DC_ADDRESSES, " of constants, one by one", &to);
  return to.used;
}

// A count is never negative.
static dc_interval whole(int64_t stride) {
  double size = fabs((double)stride);
  return (dc_interval){size, size};
}

size_t dc_access_words(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t access,
                       char *words, size_t size) {
  static const char *const prepositions[] = {"from", "to", "on"};
  static const char *const spaces[] = {"memory", "global memory", "shared memory", "local memory",
                                       "constant memory"};
  text to = {words, size, 0};
  const dc_access *data = &kernel->accesses[access];
  const char *name = dc_kernel_text(kernel, data->name);
  *words = 0;
  if (!is_made(estimate, access))
    return 0;
  const dc_access_estimate *figures = &estimate->accesses[access];
  say(&to, "%s %s ", dc_access_kind_name((dc_access_kind)data->kind), prepositions[data->kind]);
  say(&to, *name ? "'%s'" : "%s", *name ? name : spaces[data->space]);
  say(&to, ", %s", dc_access_class_name((dc_access_class)figures->access_class));
  if (figures->stride)
    say(&to, " by %s%s bytes", figures->stride < 0 ? "-" : "",
        dc_number_count(whole(figures->stride)).text);
  say(&to, ": %s %s a request, %s needed", dc_number_count(figures->taken).text,
      units[dc_memory_unit_of((dc_space)data->space)], dc_number_count(figures->ideal).text);
  if (figures->from == DC_FROM_ASSUMED)
    say(&to, " (assumed)");
  return to.used;
}

// What the requests of an access take beyond what they need, in all, at the most.
static double excess_of(const dc_estimate *estimate, uint32_t access) {
  if (!is_made(estimate, access))
    return 0;
  const dc_access_estimate *figures = &estimate->accesses[access];
  return figures->requests * (figures->taken.high - figures->ideal.high);
}

uint32_t dc_next_access(const dc_estimate *estimate, uint32_t last) {
  uint32_t found = DC_NONE;
  double most = 0, before = last == DC_NONE ? 0 : excess_of(estimate, last);
  for (uint32_t k = 0; k < estimate->n_accesses; ++k) {
    double excess = excess_of(estimate, k);
    bool left = last == DC_NONE || excess < before || (excess == before && k > last);
    if (left && excess > most) {
      found = k;
      most = excess;
    }
  }
  return found;
}
