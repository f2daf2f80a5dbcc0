// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages of joint_fourier.c: how many frequencies a run of rows needs.
#ifndef DIVCOST_JOINT_STAGE_H
#define DIVCOST_JOINT_STAGE_H

#include "imbalance/joint.h"

// What is left out of a row's spectrum: under this part of its probability.
#define DC_NEGLIGIBLE 1e-16

typedef struct dc_stage {
  size_t end;     // rows up to here
  size_t strides; // A
  unsigned log2_band;
  double band; // P
  double size; // N
} dc_stage;

// What the next stage depends on from the rows before it.
typedef struct dc_variation {
  double mass, ascent; // sums of f, and of |f(v) - f(v - 1)| up to the row
} dc_variation;

// Before joint->first_row. O(rows).
dc_variation dc__variation_before(const dc_joint *joint);

// The stage that begins at row, and *v moved on to its end. O(rows of the stage).
dc_stage dc__stage_at(const dc_joint *joint, size_t row, dc_variation *v);

#endif
