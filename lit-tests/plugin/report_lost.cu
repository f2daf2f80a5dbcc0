// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel loses is more than its loops do, also where cycles are an interval: lanes that part at
// branches are managed, too. The report's figure is that of the plugin, made anew or not.
//
// RUN: cd %S && %clang %cuda -fsyntax-only -w report_lost.cu -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report --json %t.json > %t.again.json
// RUN: %python -c "import json, sys; shares = [json.load(open(p))['kernels'][0]['estimates'][0]['share'] for p in sys.argv[1:]]; print(shares[0] == shares[1], 0.005 < shares[0]['high'] < 0.5)" %t.json %t.again.json | FileCheck --check-prefix=SAME %s
// SAME: True True
// RUN: %divcost report %t.json | FileCheck %s
// CHECK: sm_80 256 {{[0-9.,]+ 0[.][.][0-9.]+}}% 0% 0..
// CHECK: uniform loop, nothing lost
__global__ void ways(int *x, const int *y, int n) {
  for (int i = 0; i < n; ++i)
    if (y[threadIdx.x + i] > 0)
      for (int j = 0; j < 9; ++j)
        x[i + j] += y[j] * x[2 * j];
    else
      x[3 * i] = atomicAdd(x, 1);
}
