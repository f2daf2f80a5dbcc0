// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is told where the grid and all trip counts are known, and why not elsewhere; a plain
// compilation warns in the same words as one with a report.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-verbosity=0 2> plain.txt
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-verbosity=0 -fplugin-arg-divcost-report=unit.json 2> reported.txt
// RUN: diff plain.txt reported.txt
// RUN: FileCheck %s < plain.txt
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | FileCheck --check-prefix=TEXT %s
// RUN: %divcost report --json unit.json | FileCheck --check-prefix=JSON %s
//
// JSON-DAG: "extents": {{\[}}[0, 4000000], [2, 16000000]]
// JSON-DAG: "l2": "warm"
// JSON-DAG: "time": {"unknown": "grid"}
// JSON-DAG: "time": {"unknown": "trips"}
//
// RUN: not %clang %cuda -fsyntax-only -DWRONG %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: :31: error: '#pragma divcost': kernel 'copy' has no parameter 'n' that is a pointer; possible: from, to
// WRONG: :46: error: '#pragma divcost': kernel 'copy' has no parameter 'where' that is a pointer
//
// RUN: %divcost what-if --arch sm_90 unit.json | FileCheck --check-prefix=WHATIF %s
// WHATIF: busy(
// WHATIF: us, about {{ *[0-9.,]+ *}}

struct item {
  float weight[3];
  int next;
};

// Lanes that wait for the longest of them: most of the issue slots are lost, and most of the time.
// CHECK: time.cu:[[# @LINE + 7]]:3: warning: loop runs a different number of iterations in each lane: divergence costs {{[5-8][0-9]}} to {{[7-9][0-9]}}% of the kernel's time, which goes to issue slots most; about 9{{[0-9]}}% of the kernel's issue cycles are lost
// TEXT-DAG: busy({{.*}} time {{[0-9.]+}}..{{[0-9.]+}} {{[mu]}}s; goes to issue slots ({{[0-9]+}}%){{.*}}; divergence costs {{[0-9]+}} to {{[0-9]+}}% of the kernel's time
#pragma divcost launch(block=256, grid=4224, n=1081344, extent(rounds, 1000000), extent(out, 4000000), l2=warm)
__global__ void busy(const int *rounds, int n, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5f;
#pragma divcost trips(0.95*const(20) + 0.05*const(2000))
  for (int k = 0; k < rounds[i]; ++k)
    x = x * x + 0.25f * x;
  out[i] = x;
}

// A stream of memory: what lanes lose costs next to nothing.
// CHECK: time.cu:[[# @LINE + 7]]:3: warning: loop runs a different number of iterations in each lane: divergence costs {{(none|at most [0-9]+%)}} of the kernel's time, which goes to DRAM most; about
#pragma divcost launch(block=256, grid=4096, extent(length, 1048576), extent(table, 100000000), l2=cold)
__global__ void stream(const int *length, const item *table, const int *first, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int at = first[i];
#pragma divcost trips(geometric(0.05))
  for (int k = 0; k < length[i]; ++k)
    sum += table[(at + 7919 * k) % 100000000].weight[1];
  out[i] = sum;
}

// TEXT-DAG: no_grid(float*) {{.*}} time not known: how many blocks are launched isn't; DIVCOST_LAUNCH(block=..., grid=...) says it
__global__ void no_grid(float *out) { out[threadIdx.x] = 1; }

// TEXT-DAG: no_trips(int const*, float*) {{.*}} time not known: how often loops run is assumed
#pragma divcost launch(block=64, grid=64)
__global__ void no_trips(const int *length, float *out) {
  for (int k = 0; k < length[threadIdx.x]; ++k)
    out[k] = 1;
}

// Copies of a structure are accesses, as wide as its alignment lets them be.
#ifdef WRONG
#pragma divcost launch(extent(n, 10), extent(where, 10))
#endif
__global__ void copy(const item *from, item *to, int n) { to[threadIdx.x] = from[threadIdx.x]; }
