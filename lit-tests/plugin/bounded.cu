// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the code shows the most trips that a loop can have, what is assumed stays within.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only %s -Rpass-analysis=divcost -fplugin-arg-divcost-report=unit.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not='poisson(64)' %s
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | FileCheck --check-prefix=TEXT %s
// TEXT: known range, 32 at most; assumed: from binomial(32, 0.5) to uniform(0, 32); mean 16 imbalance 1.36..1.96 in aggregate, 1.36..1.98 expected (assumed); at worst 32
// RUN: FileCheck --check-prefix=JSON %s < unit.json
// JSON: "trips": {{{.*}}"from": "range", "most": 32, "mean": 16}
//
// What is drawn stays within, too: no lane of the first loop runs more than 32 times.
// RUN: %divcost emulate unit.json --kernel minimum --json > drawn.json
// RUN: %divcost emulate unit.json --kernel minimum --assume 'const(40)' --json > asked.json
// RUN: %python -c "import json; a, b = (json.load(open(f))['instructions'] for f in ('drawn.json', 'asked.json')); assert a < b, (a, b)"

__global__ void minimum(const int *length, float *out) {
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: warning: {{.*}} {{[0-9]+}}% to {{[0-9]+}}% of the kernel's issue cycles are lost if the lanes are independent, none if they are alike (range: 32 trips at most; assumed: from binomial(32, 0.5) to uniform(0, 32)); DIVCOST_TRIPS(DISTRIBUTION) before it would tell [divcost-data-dependent]
  for (int j = 0; j < min(length[threadIdx.x], 32); ++j)
    out[j] += 1;
}

__global__ void narrow_type(const unsigned char *__restrict__ length, float *__restrict__ out) {
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: warning: {{.*}}(range: 255 trips at most; assumed: from binomial(255, 0.2509804) to given(geometric(
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}

__global__ void masked(const int *length, float *out) {
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: warning: {{.*}}(range: 15 trips at most
  for (int j = 0; j < (length[threadIdx.x] & 15); ++j)
    out[j] += 1;
}

__global__ void selected(const int *length, float *out) {
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: warning: {{.*}}(range: 24 trips at most
  for (int j = 0; j < (length[threadIdx.x] ? 8 : 24); ++j)
    out[j] += 1;
}

// The other way out tells more than the data.
__global__ void probe(const int *keys, int *slot, int key) {
  int at = threadIdx.x;
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: warning: {{.*}}(range: 50 trips at most
  for (int tries = 0; tries < 50; ++tries) {
    if (keys[at] == key)
      break;
    at = keys[at + 1];
  }
  *slot = at;
}

__global__ void alike(const int *__restrict__ n, float *__restrict__ out) {
  // CHECK: bounded.cu:[[# @LINE + 1]]:3: remark: block-uniform loop {{.*}}(range: 20 trips at most; 10 assumed)
  for (int j = 0; j < min(n[blockIdx.x], 20); ++j)
    out[j * 32 + threadIdx.x] += 1;
}
