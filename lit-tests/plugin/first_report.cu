// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// first-report: two instances of a template whose many differ in constants alone, and none of what the whole report leaves
// out; nothing is said twice. Where there are few instances it isn't written.
//
// RUN: rm -f %t.*
// RUN: %clang %cuda -fsyntax-only -DINSTANCES=12 %s -fplugin-arg-divcost-verbosity=0 \
// RUN:   -fplugin-arg-divcost-report=%t.json -fplugin-arg-divcost-first-report=%t.first.json 2>&1 \
// RUN:   | FileCheck --check-prefix=SAID --implicit-check-not="warning:" %s
// RUN: grep -c '^   "symbol":' %t.first.json %t.json | FileCheck --check-prefix=COUNT %s
// RUN: grep '"suppressed": true' %t.first.json
// RUN: %clang %cuda -fsyntax-only -DINSTANCES=12 %s -fplugin-arg-divcost-report=%t.alone.json 2>/dev/null
// RUN: cmp %t.json %t.alone.json
// RUN: %clang %cuda -fsyntax-only -DINSTANCES=4 %s -fplugin-arg-divcost-report=%t.few.json \
// RUN:   -fplugin-arg-divcost-first-report=%t.few.first.json 2>/dev/null
// RUN: not test -e %t.few.first.json
// SAID: [[#@LINE+12]]:3: warning: {{.*}} in the worst of 12 instances
// COUNT: first.json:3
// COUNT: json:13

__global__ void silent(const int *begin, float *out) {
  for (int j = 0; j < begin[threadIdx.x]; ++j) // NOLINT
    out[j] += 1;
}

template <int N>
__global__ void rows(const int *begin, const float *values, float *out) {
  float sum = 0;
  for (int j = begin[threadIdx.x * N]; j < begin[threadIdx.x * N + 1]; ++j)
    sum += values[j];
  out[threadIdx.x] = sum;
}

template <int N> void launch(const int *begin, const float *values, float *out) {
  rows<N><<<1, 256>>>(begin, values, out);
  if constexpr (N > 1)
    launch<N - 1>(begin, values, out);
}
template void launch<INSTANCES>(const int *, const float *, float *);
