// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the probability half share: distributions from text, random numbers with a
// fixed seed, and enumeration of all ways in which lanes can draw.
#ifndef DIVCOST_TESTS_SUPPORT_H
#define DIVCOST_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cases.h"

#include "divcost/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
  dc_distribution_spec *spec;
  dc_distribution distribution;
} made;

static inline void release(made *m) {
  dc_distribution_spec_free(m->spec);
  dc_distribution_free(&m->distribution);
}

static inline made make(const char *text, const dc_distribution_options *options) {
  made m;
  dc_error error = {0};
  if (dc_distribution_parse(text, &m.spec, &error) != DC_OK)
    fail_msg("%s: %s (at %u)", text, error.text, error.offset);
  if (dc_distribution_build(m.spec, options, &m.distribution, &error) != DC_OK)
    fail_msg("%s: %s", text, error.text);
  if (dc_distribution_check(&m.distribution, &error) != DC_OK)
    fail_msg("%s: %s", text, error.text);
  return m;
}

// A page or header, to be freed.
static inline char *read_page(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 16);
  if (!file || !text || !fread(text, 1, (1 << 16) - 1, file))
    fail_msg("cannot read %s", path);
  fclose(file);
  return text;
}

#define assert_close(got, wanted, relative)                                                        \
  do {                                                                                             \
    double close_got = (got), close_wanted = (wanted);                                             \
    if (!(fabs(close_got - close_wanted) <= (relative) * fabs(close_wanted)))                      \
      fail_msg("%s is %.17g, not %.17g (relative error %.3g)", #got, close_got, close_wanted,      \
               fabs(close_got / close_wanted - 1));                                                \
  } while (0)

#define assert_within(got, wanted, absolute)                                                       \
  do {                                                                                             \
    double within_got = (got), within_wanted = (wanted);                                           \
    if (!(fabs(within_got - within_wanted) <= (absolute)))                                         \
      fail_msg("%s is %.17g, not %.17g (error %.3g)", #got, within_got, within_wanted,             \
               fabs(within_got - within_wanted));                                                  \
  } while (0)

// References are computed in long double. Where that is no more than a double (some processors,
// valgrind) they have fewer digits themselves.
static inline double with_reference(double tolerance) {
  volatile long double one = 1, little = 0x1p-60L;
  return one + little > one ? tolerance : 1000 * tolerance;
}

// splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t random_bits(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double random_unit(uint64_t *state) {
  return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static inline unsigned random_below(uint64_t *state, unsigned limit) {
  return (unsigned)(random_bits(state) % limit);
}

// A distribution with random values and masses over a wide range; points must hold count.
static inline dc_distribution random_distribution(uint64_t *state, dc_point *points, size_t count,
                                                  int64_t step_max) {
  double total = 0;
  int64_t value = random_below(state, 3) == 0 ? -1 : (int64_t)random_below(state, 50);
  for (size_t i = 0; i < count; ++i) {
    value += 1 + (int64_t)(random_bits(state) % (uint64_t)step_max);
    points[i].value = value;
    points[i].mass = exp(-8 * random_unit(state));
    total += points[i].mass;
  }
  for (size_t i = 0; i < count; ++i)
    points[i].mass /= total;
  return (dc_distribution){points, count, 0, NULL};
}

// Calls visit for each of the count^lanes ways in which lanes draw, with its probability.
typedef void (*visit_draw)(const int64_t *counts, unsigned lanes, double probability,
                           void *context);

static inline void enumerate(const dc_distribution *distribution, unsigned lanes, visit_draw visit,
                             void *context) {
  size_t index[8] = {0};
  int64_t counts[8];
  for (;;) {
    double probability = 1;
    for (unsigned i = 0; i < lanes; ++i) {
      counts[i] = distribution->points[index[i]].value;
      probability *= distribution->points[index[i]].mass;
    }
    visit(counts, lanes, probability, context);
    unsigned i = 0;
    while (i < lanes && ++index[i] == distribution->count)
      index[i++] = 0;
    if (i == lanes)
      return;
  }
}

#endif
