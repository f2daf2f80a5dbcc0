// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rows of a joint distribution are divided into stages. Summation by parts bounds |G| at
// frequency k of N by the total variation of f over 2 sin(pi k / N), which falls up to k = N / 2;
// so the band ends where that, to the power n - 1, is negligible.
#include "imbalance/joint_stage.h"

#include "math/fft.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

static void variation_add(const dc_joint *joint, size_t row, dc_variation *v) {
  double here = joint->points[row].mass, before = row > 0 ? joint->points[row - 1].mass : 0;
  bool near = row > 0 && dc__joint_position(joint, row) - dc__joint_position(joint, row - 1) == 1;
  v->ascent += near || row == 0 ? fabs(here - before) : here + before;
  v->mass += here;
}

dc_variation dc__variation_before(const dc_joint *joint) {
  dc_variation v = {0, 0};
  for (size_t row = 0; row < joint->first_row; ++row)
    variation_add(joint, row, &v);
  return v;
}

dc_stage dc__stage_at(const dc_joint *joint, size_t row, dc_variation *v) {
  size_t limit = dc__joint_position(joint, row) * 4 / 3 + 1;
  double n = joint->lanes, roughness = 0;
  dc_stage s = {.end = row};
  while (s.end < joint->count && dc__joint_position(joint, s.end) <= limit) {
    double before = v->ascent + (s.end > 0 ? joint->points[s.end - 1].mass : 0);
    variation_add(joint, s.end, v);
    double after = v->ascent + joint->points[s.end].mass;
    roughness = fmax(roughness, fmax(before, after) / v->mass);
    ++s.end;
  }
  size_t values = joint->lanes * dc__joint_position(joint, s.end - 1) + 1;
  // From where on (bound on |G| / mass)^(n - 1) n < DC_NEGLIGIBLE; as a part of N.
  double sine = roughness / 2 / pow(DC_NEGLIGIBLE / n, 1 / (n - 1));
  double edge = sine < 1 ? asin(sine) / pi : 1;
  for (s.log2_band = 3; s.log2_band < dc__fft_log2(values); ++s.log2_band) {
    size_t band = (size_t)1 << s.log2_band;
    s.strides = (values + band - 1) / band;
    s.strides += s.strides % 32 == 0; // or they would share sets of the cache
    s.band = (double)band;
    s.size = (double)(s.strides * band);
    if (2 * edge * s.size + 2 <= s.band)
      return s;
  }
  s.strides = 1;
  s.band = s.size = (double)((size_t)1 << s.log2_band);
  return s;
}
