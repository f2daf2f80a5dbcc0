// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros of divcost.h say what the pragmas say, at the line where they stand, on every way
// through the compiler.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s unit.cu
// RUN: %clang %cuda -I%repo/runtime/include -O2 -S -o unit.s unit.cu -fplugin-arg-divcost-report=unit.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// CHECK: unit.cu:50:3: warning: {{.*}} (annotated: geometric(0.1), per_warp_correlated(0.25)) [divcost-imbalance]
// CHECK: unit.cu:50:21: note: lanes leave the loop by this condition
// CHECK: unit.cu:45:{{[0-9]+}}: note: kernel {{.*}} blocks of 64x1x1 threads ('#pragma divcost launch')
// RUN: %python %S/../plugin/Inputs/annotated.py unit.json | FileCheck --check-prefix=LIST --match-full-lines %s
// LIST:      kernel 0.5*const(1) + 0.5*const(3) unit.cu:57
// LIST-NEXT: kernel uniform(1, 9) unit.cu:52 ignored: of no interest
// LIST-NEXT: kernel geometric(0.1) unit.cu:49
//
// Preprocessed first, by a clang that knows no plugin, and compiled then; and with -save-temps.
// RUN: %plain-clang %cuda -I%repo/runtime/include -E -o unit.cui unit.cu
// RUN: %clang -x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78 \
// RUN:   --cuda-gpu-arch=sm_80 --cuda-device-only -O2 -S -o again.s unit.cui \
// RUN:   -fplugin-arg-divcost-report=again.json 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %python %S/../plugin/Inputs/annotated.py again.json | FileCheck --check-prefix=LIST --match-full-lines %s
// RUN: %clang %cuda -I%repo/runtime/include -O0 -save-temps -S -o unit.s unit.cu 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
//
// An error is said where the macro is used.
// RUN: not %clang %cuda -I%repo/runtime/include -fsyntax-only -DBAD unit.cu 2>&1 \
// RUN:   | FileCheck --check-prefix=BAD --implicit-check-not=error: %s
// BAD: unit.cu:62:3: error: '#pragma divcost': p of geometric is 7, but must be in (0, 1]
//
// No code: the same as without the plugin, and as without the macros.
// RUN: %plain-clang %cuda -I%repo/runtime/include -O2 -S -o plain.s unit.cu -Wall -Wextra -Werror
// RUN: %plain-clang %cuda -DDIVCOST_H "-DDIVCOST_TRIPS(...)=" "-DDIVCOST_IGNORE(x)=" \
// RUN:   "-DDIVCOST_LAUNCH(...)=" -I%repo/runtime/include -O2 -S -o none.s unit.cu
// RUN: %clang %cuda -I%repo/runtime/include -w -O2 -S -o unit.s unit.cu
// RUN: cmp unit.s plain.s
// RUN: cmp unit.s none.s

#include <divcost.h>

#define BLOCK 64
#define MEAN 0.1

DIVCOST_LAUNCH(block=BLOCK, n=100)
__global__ void kernel(const int *length, float *out, int n) {
  if (static_cast<int>(threadIdx.x) >= n)
    return;
  DIVCOST_TRIPS(geometric(MEAN), per_warp_correlated(0.25))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
  DIVCOST_IGNORE("of no interest") DIVCOST_TRIPS(uniform(1, 9))
  while (*out > length[threadIdx.x])
    *out -= 1;
#define EACH(i, n)                                                                                 \
  DIVCOST_TRIPS(0.5*const(1) + 0.5*const(3)) for (int i = 0; i < n; ++i)
  EACH(k, length[threadIdx.x + 1])
    out[k] *= 2;
}
#ifdef BAD
__global__ void bad(const int *length, float *out) {
  DIVCOST_TRIPS(geometric(7))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}
#endif
