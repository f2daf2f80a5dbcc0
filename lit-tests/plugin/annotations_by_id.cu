// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry by id, the one in the report, finds its loop again after edits elsewhere in the file and
// in the function, in the right kernel and call path; a pragma, and an entry by line, go before it.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cp %s unit.cu
// RUN: %clang %cuda -fsyntax-only -w unit.cu -fplugin-arg-divcost-report=before.json
// RUN: %python %S/Inputs/by_id.py before.json > notes.json
// RUN: %clang %cuda -fsyntax-only -DEDITED -fplugin-arg-divcost-no-warn=all unit.cu -fplugin-arg-divcost-annotations=notes.json \
// RUN:   -fplugin-arg-divcost-report=after.json 2>&1 | count 0
// RUN: %python %S/Inputs/annotated.py after.json | FileCheck --match-full-lines %s
// CHECK:      in_two<1> const(1) notes.json: loops[0] ignored: 0
// CHECK-NEXT: in_two<2> const(2) notes.json: loops[1] ignored: 1
// CHECK-NEXT: other const(3) notes.json: loops[2] ignored: 2
// CHECK-NEXT: other const(4) notes.json: loops[3] ignored: 3
// CHECK-NEXT: other const(30) unit.cu:44 ignored: 4
//
// RUN: %clang %cuda -O1 -fno-unroll-loops -w -S -emit-llvm -o unit.ll unit.cu
// RUN: %opt -passes='divcost<report=opt.json>' -disable-output unit.ll
// RUN: %python %S/Inputs/by_id.py opt.json > opt_notes.json
// RUN: %opt -passes='divcost<report=opt.json;annotations=opt_notes.json>' -disable-output unit.ll
// RUN: %python %S/Inputs/annotated.py opt.json | FileCheck --check-prefix=OPT %s
// OPT: in_two<1> const(1) opt_notes.json: loops[0] ignored: 0

#ifdef EDITED
// Some lines more, and another kernel.
__global__ void new_one(const int *length, float *out) {
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 2;
}
#endif

template <int N> __device__ void callee(const int *length, float *out) {
  for (int j = 0; j < length[threadIdx.x + N]; ++j)
    out[j] += 1;
}
template <int N> __global__ void in_two(const int *length, float *out) { callee<N>(length, out); }
template __global__ void in_two<1>(const int *, float *);
template __global__ void in_two<2>(const int *, float *);

__global__ void other(const int *length, float *out) {
#pragma divcost trips(const(30))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
#ifdef EDITED
  for (int k = 0; k < length[threadIdx.x + 7]; k += 2)
    out[k] += 9;
#endif
  for (int k = 0;   k < length[threadIdx.x + 1]; ++k) {
#ifdef EDITED
    out[k] += 5;
#endif
    do
      out[k] += 1;
    while (out[k] < length[k]);
  }
}
