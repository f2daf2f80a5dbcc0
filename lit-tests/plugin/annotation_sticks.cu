// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An annotation stays with its loop whatever becomes of it: instantiated, inlined, rotated,
// unswitched, unrolled; at every level of optimisation, and where no code is generated.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O0 -w -S -o 0.s %s -fplugin-arg-divcost-report=0.json
// RUN: %clang %cuda -O1 -w -S -o 1.s %s -fplugin-arg-divcost-report=1.json
// RUN: %clang %cuda -O2 -w -S -o 2.s %s -fplugin-arg-divcost-report=2.json
// RUN: %clang %cuda -O3 -w -S -o 3.s %s -fplugin-arg-divcost-report=3.json
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=none.json
// RUN: %python %S/Inputs/annotated.py 2.json > 2.txt
// RUN: FileCheck --match-full-lines %s < 2.txt
// RUN: %python %S/Inputs/annotated.py 0.json 1.json 3.json none.json > others.txt
// RUN: %python -c "print(open('2.txt').read() * 4, end='')" > wanted.txt
// RUN: diff wanted.txt others.txt
//
// Nothing is lost, so no warning says so.
// RUN: %clang %cuda -O2 -S -o 2.s %s -fplugin-arg-divcost-no-warn=all 2>&1 | count 0
// The optimiser's own module keeps it too, in every copy of the loop.
// RUN: %clang %cuda -O3 -w -S -emit-llvm -o 3.ll %s
// RUN: FileCheck --check-prefix=IR %s < 3.ll
// IR-DAG: !"divcost.trips", !"const(1)"
// IR-DAG: !"divcost.trips", !"const(2)"
// IR-DAG: !"divcost.trips", !"const(3)"
// IR-DAG: !"divcost.trips", !"const(4)"
// IR-DAG: !"divcost.trips", !"const(5)"

// CHECK: in_template<int> const(1) annotation_sticks.cu:[[# @LINE + 5]] ignored: template
// CHECK-NEXT: in_template<float> const(1) annotation_sticks.cu:[[# @LINE + 4]] ignored: template
template <class T> __global__ void in_template(T *out, const int *n) {
  struct Local {
    __device__ static void run(T *out, int n) {
#pragma divcost trips(const(1)) ignore("template")
      for (int i = 0; i < n; ++i)
        out[i] += 1;
    }
  };
  Local::run(out, n[threadIdx.x]);
}
template __global__ void in_template(int *, const int *);
template __global__ void in_template(float *, const int *);

__device__ void callee(int *out, int n) {
#pragma divcost trips(const(2))
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}
__device__ __noinline__ void stays(int *out, int n) {
#pragma divcost trips(const(3))
  do
    out[n] += 1;
  while (n-- > 0);
}
// CHECK-NEXT: inlined_twice const(2) annotation_sticks.cu:[[# @LINE - 10]]
// CHECK-NEXT: inlined_twice const(3) annotation_sticks.cu:[[# @LINE - 6]]
// CHECK-NEXT: inlined_twice const(2) annotation_sticks.cu:[[# @LINE - 12]]
__global__ void inlined_twice(int *out, const int *n) {
  callee(out, n[threadIdx.x]);
  stays(out, n[threadIdx.x + 2]);
  callee(out + 1, n[threadIdx.x + 1]);
}

// CHECK-NEXT: unswitched const(4) annotation_sticks.cu:[[# @LINE + 2]]
__global__ void unswitched(int *out, const int *n, bool twice) {
#pragma divcost trips(const(4))
  for (int i = 0; i < n[threadIdx.x]; ++i) {
    out[i] += 1;
    if (twice)
      out[i + 7] *= 3;
  }
}

// CHECK-NEXT: unrolled const(5) annotation_sticks.cu:[[# @LINE + 2]]
__global__ void unrolled(int *out, const int *n) {
#pragma divcost trips(const(5))
#pragma unroll 4
  for (int i = 0; i < n[threadIdx.x]; ++i)
    out[i] += out[i + 1];
}

// CHECK-NEXT: nested const(6) annotation_sticks.cu:[[# @LINE + 3]]
// CHECK-NEXT: nested const(7) annotation_sticks.cu:[[# @LINE + 4]]
__global__ void nested(int *out, const int *n) {
#pragma divcost trips(const(6))
  while (int m = n[threadIdx.x]) {
#pragma divcost trips(const(7))
    for (auto visit = [&] { return --m; }; visit();)
      out[m] += n[m];
  }
}
