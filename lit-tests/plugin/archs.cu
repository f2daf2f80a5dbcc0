// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several architectures: every loop is reported once, and one report holds them all.
//
// RUN: rm -rf %t && mkdir -p %t/temporary && cd %t
// RUN: env TMPDIR=%t/temporary %clang %cuda-any --cuda-gpu-arch=sm_70 --cuda-gpu-arch=sm_80 \
// RUN:   --cuda-gpu-arch=sm_90 -fsyntax-only %s -fplugin-arg-divcost-report=unit.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %python -c "import json; unit = json.load(open('unit.json')); \
// RUN:   print(unit['archs'], len(unit['kernels']), len(unit['kernels'][0]['estimates']))" \
// RUN:   | FileCheck --check-prefix=JSON %s
// JSON: ['sm_70', 'sm_80', 'sm_90'] 1 3
//
// What the processes shared goes with the host's process, or with a later run where that is not the
// last one (clang 19, without objects): nothing piles up, and no report is left half-written.
// RUN: env TMPDIR=%t/temporary %clang %cuda-any --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 \
// RUN:   -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: ls %t/temporary | wc -l | FileCheck --check-prefix=LEFT %s
// LEFT: {{^ *[01]$}}
// RUN: ls %t | FileCheck --check-prefix=FILES %s
// FILES: temporary
// FILES-NEXT: unit.json
// FILES-NOT: {{.}}

__global__ void kernel(int *out, const int *bound) {
  // CHECK: archs.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
