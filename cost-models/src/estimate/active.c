// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measures of active lanes that the walk carries (walk.c says what they are): their
// sums, and what becomes of them where some lanes go on and others don't.
#include "estimate/estimate_internal.h"

#include <string.h>

double dc__active_total(const dc_active *lanes, unsigned measure) {
  if (lanes->exact)
    return lanes->at[measure][lanes->size];
  double sum = 0;
  for (unsigned j = 1; j <= lanes->size; ++j)
    sum += lanes->at[measure][j];
  return sum;
}

double dc__active_lanes(const dc_active *lanes) {
  if (lanes->exact)
    return lanes->at[0][lanes->size] * lanes->size;
  double sum = 0;
  for (unsigned j = 1; j <= lanes->size; ++j)
    sum += lanes->at[0][j] * j;
  return sum;
}

// The lanes that are active in `length` iterations in which only `members` of the set take part.
void dc__active_restrict(const dc_walk *walk, const dc_active *in, uint32_t members, double length,
                         dc_active *out) {
  unsigned s = in->size, m = dc__lanes_count(members);
  out->set = members;
  out->size = m;
  out->exact = in->exact;
  out->n = in->n + 1;
  if (in->exact) {
    for (unsigned i = 0; i < in->n; ++i)
      out->at[i][m] = length * in->at[i][s];
    out->at[in->n][m] = length * in->at[0][s] * (s - m) / walk->lanes;
    return;
  }
  if (m == s) {
    for (unsigned i = 0; i < in->n; ++i)
      for (unsigned j = 0; j <= s; ++j)
        out->at[i][j] = length * in->at[i][j];
    memset(out->at[in->n], 0, (s + 1) * sizeof(double));
    return;
  }
  for (unsigned i = 0; i < out->n; ++i)
    memset(out->at[i], 0, (m + 1) * sizeof(double));
  for (unsigned j = 1; j <= s; ++j) {
    unsigned least = j > s - m ? j - (s - m) : 0, most = j < m ? j : m;
    if (in->at[0][j] == 0)
      continue;
    for (unsigned k = least; k <= most; ++k) {
      double p = length * walk->choose[m][k] * walk->choose[s - m][j - k] / walk->choose[s][j];
      for (unsigned i = 0; i < in->n; ++i)
        out->at[i][k] += p * in->at[i][j];
      out->at[in->n][k] += p * in->at[0][j] * (j - k) / walk->lanes;
    }
  }
}

// Only `members` of the set go on; the others are no loss of a loop.
void dc__active_keep(const dc_walk *walk, const dc_active *in, uint32_t members, dc_active *out) {
  dc__active_restrict(walk, in, members, 1, out);
  out->n = in->n;
}

// What is active in the iterations that rows[j] tells of, for each number j of lanes that enter.
void dc__active_add(const dc_walk *walk, const dc_active *in, unsigned j, const double *row,
                    dc_active *out) {
  for (unsigned i = 0; i < in->n; ++i) // rows inside: what compilers vectorise
    for (unsigned k = 1; k <= j; ++k)
      out->at[i][k] += in->at[i][j] * row[k];
  double lost = in->at[0][j] / walk->lanes;
  for (unsigned k = 1; k <= j; ++k)
    out->at[in->n][k] += lost * row[k] * (int)(j - k);
}

void dc__active_clear(const dc_active *in, dc_active *out) {
  out->set = in->set;
  out->size = in->size;
  out->exact = false;
  out->n = in->n + 1;
  for (unsigned i = 0; i < out->n; ++i)
    memset(out->at[i], 0, (in->size + 1) * sizeof(double));
}

// Each lane goes on with this chance: by itself, or (the share `alike`) all of the warp together.
void dc__active_thin(const dc_walk *walk, const dc_active *in, double chance, double alike,
                     dc_active *out) {
  dc__active_clear(in, out);
  for (unsigned j = in->exact ? in->size : 1; j <= in->size; ++j) {
    double row[DC_WARP + 1] = {0};
    if (in->at[0][j] == 0)
      continue;
    dc__binomial_lanes(row, j, chance, 1 - alike);
    row[j] += alike * chance;
    dc__active_add(walk, in, j, row, out);
  }
}
