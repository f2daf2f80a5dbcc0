// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch's time is lost to beside divergence, what single loops and branches cost, and the
// time of each launch; and what-if's word on the order of items.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// A line for each kernel:
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | sed 's/[a-z][a-z]*([^)]*) at [^ ]* block /\n&/g' | FileCheck --check-prefix=TEXT %s
// RUN: %divcost report --json unit.json | FileCheck --check-prefix=JSON %s
// RUN: %divcost what-if --block 128 unit.json | FileCheck --check-prefix=WHATIF %s
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only %s 2>&1 | FileCheck --check-prefix=WARNS %s

// A store of a warp touches 32 sectors where 4 would do, and there is nothing else to wait for.
// TEXT-DAG: {{^}}apart(float*) {{.*}} divergence costs none of the kernel's time, uncoalesced accesses {{[4-7][0-9]}} to {{[6-9][0-9]}}% costs
#pragma divcost launch(block=256, grid=8448, l2=warm)
__global__ void apart(float *out) { out[(blockIdx.x * blockDim.x + threadIdx.x) * 32] = 1; }

// Shared memory leaves room for half of the warps, which wait for one read after the other.
// TEXT-DAG: {{^}}waiting(int const*, int*) {{.*}}, limited occupancy {{(at most|[0-9]+ to)}} {{[2-5][0-9]}}%
#pragma divcost launch(block=256, grid=8448, extent(next, 1024), l2=warm)
__global__ void waiting(const int *next, int *out) {
  __shared__ int kept[12 * 1024];
  int at = blockIdx.x & 1023;
  kept[threadIdx.x] = at;
  for (int k = 0; k < 100; ++k)
    at = next[at & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at + kept[threadIdx.x ^ 1];
}

// Two loops, one of which costs most of it.
// TEXT-DAG: {{^}}two(int const*, int const*, float*) {{.*}} time 4224 blocks of 256: {{.*}} us; goes to issue slots {{.*}} of the kernel's time 2112 blocks of 512: {{.*}} us; goes to issue slots {{.*}} time divergence here costs {{[4-7][0-9]}} to {{[5-8][0-9]}}% of the kernel's time {{.*}} time divergence here costs at most {{[0-9]+}}% of the kernel's time
// JSON: "parts": [{{$}}
// JSON-NEXT: {"loop": 1, "lost": {"low": 0.{{[4-6][0-9]+}}, "high": 0.{{[5-8][0-9]+}}}},
// JSON-NEXT: {"loop": 0, "lost": {"low": -0.{{[0-9]+}}, "high": 0.{{[0-9]+}}}}
// WHATIF: {{^}}two(
// WHATIF: us, about
// WHATIF-NEXT: {{^  longest items first   [67][0-9]% less: [0-9.]+\.\.[0-9.]+ us$}}
// WHATIF: {{^}}waiting(
// WHATIF-NOT: longest items first
#pragma divcost launch(l2=warm)
__global__ void two(const int *a, const int *b, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5f;
#pragma divcost trips(0.95*const(20) + 0.05*const(2000))
  // WARNS: :[[@LINE+1]]:3: warning: {{.*}}: divergence here costs {{[4-7][0-9]}} to {{[5-8][0-9]}}% of the kernel's time, which goes to issue slots most; about
  for (int k = 0; k < a[i]; ++k)
    x = x * x + 0.25f * x;
#pragma divcost trips(geometric(0.01))
  // WARNS: :[[@LINE+1]]:3: warning: {{.*}}: divergence here costs at most {{[0-9]+}}% of the kernel's time, which goes to issue slots most; about
  for (int k = 0; k < b[i]; ++k)
    x = x * x + 0.75f;
  out[i] = x;
}
void launches(const int *a, float *out) {
  two<<<4224, 256>>>(a, a, out);
  two<<<2112, 512>>>(a, a, out);
}

// The last blocks may have long items.
// TEXT-DAG: {{^}}tail(int const*, float*) {{.*}} goes to empty block slots {{.*}}, the tail {{[5-7][0-9]}} to {{[6-8][0-9]}}%
#pragma divcost launch(block=256, grid=2112, l2=warm)
__global__ void tail(const int *a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5f;
#pragma divcost trips(0.999*const(20) + 0.001*const(20000))
  for (int k = 0; k < a[i]; ++k)
    x = x * x + 0.25f * x;
  out[i] = x;
}
