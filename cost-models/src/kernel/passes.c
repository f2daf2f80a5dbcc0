// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/passes.h"

#include <math.h>

enum { LLVM_MAX = 32 };

unsigned dc__passes_llvm(const dc_loop *loop, unsigned factor) {
  unsigned copies = loop->unroll_llvm;
  if (copies < 2 || copies > LLVM_MAX)
    return 1;
  return copies < factor ? copies : factor;
}

dc_passes dc__passes_whole(unsigned factor) {
  return (dc_passes){.iterations = factor, .divisor = factor};
}

bool dc__passes_next(unsigned factor, unsigned llvm, dc_passes *kind) {
  bool whole = kind->modulus == 0, rest_of_llvm = llvm > 1 && kind->iterations == 1;
  if (whole && llvm > 1) {
    *kind = (dc_passes){.iterations = 1, .divisor = 1, .modulus = llvm};
    return true;
  }
  unsigned half = (whole || rest_of_llvm ? factor : kind->iterations) / 2;
  *kind = (dc_passes){.iterations = half, .divisor = half, .modulus = 2};
  return half >= llvm;
}

double dc__passes_of(dc_passes kind, double trips) {
  double passes = floor(trips / kind.divisor);
  return kind.modulus ? fmod(passes, kind.modulus) : passes;
}
