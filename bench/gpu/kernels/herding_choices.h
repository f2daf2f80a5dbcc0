// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the exit branches of a loop unrolled ten times follow the warp's majority: so many of
// them (the share, in tenths), in three random choices. Bit k is the branch of the iterations k,
// 10 + k, 20 + k, ... For the kernels and for what runs them.
#ifndef DIVCOST_BENCH_HERDING_CHOICES_H
#define DIVCOST_BENCH_HERDING_CHOICES_H

#define HERDING_BRANCHES 10

// X(share, choice, bits)
// clang-format off
#define HERDING_CHOICES(X) \
  X(0, 0, 0x000) X(1, 0, 0x002) X(1, 1, 0x080) X(1, 2, 0x020) \
  X(2, 0, 0x028) X(2, 1, 0x201) X(2, 2, 0x110) X(3, 0, 0x0a2) \
  X(3, 1, 0x058) X(3, 2, 0x094) X(4, 0, 0x170) X(4, 1, 0x059) \
  X(4, 2, 0x149) X(5, 0, 0x266) X(5, 1, 0x0d5) X(5, 2, 0x31c) \
  X(6, 0, 0x1f2) X(6, 1, 0x26d) X(6, 2, 0x30f) X(7, 0, 0x3a7) \
  X(7, 1, 0x2f5) X(7, 2, 0x373) X(8, 0, 0x3fa) X(8, 1, 0x3bd) \
  X(8, 2, 0x3f3) X(9, 0, 0x37f) X(9, 1, 0x3ef) X(9, 2, 0x3fb) \
  X(10, 0, 0x3ff)
// clang-format on

#endif
