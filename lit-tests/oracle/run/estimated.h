// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an estimate says of a launch, held against what its lanes did: of launches whose whole grid
// was run, where the estimate knows all values that decide the lanes' ways (it is emulated then).
#ifndef DIVCOST_ORACLE_ESTIMATED_H
#define DIVCOST_ORACLE_ESTIMATED_H

#include "check.h"
#include "launch.h"

// Which loops an estimate is held against, where the launch tells all that decides the lanes' ways:
// sets their `estimable`. Once for a kernel. O(loops^2 + blocks^2).
void find_estimable(claims *of);

// Holds the estimate of a launch that has finished against c->loops: entries by a warp, the lanes'
// mean trip count, the lanes that iterate.
void check_estimate(check *c, const launch *l);

#endif
