// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule that doesn't warn from the start: its findings are notes that fail no gate, until somebody switches it on.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-report=off.json
// RUN: %divcost report --fail-on any off.json > /dev/null
// RUN: not %divcost report --fail-on barrier-exited off.json > /dev/null
// RUN: %divcost report --sarif off.json | FileCheck --check-prefix=NOTE %s
// NOTE: "ruleId": "barrier-exited",
// NOTE-NEXT: "ruleIndex":
// NOTE-NEXT: "level": "note",
//
// RUN: echo '{"divcost-config": 1, "rules": {"barrier-exited": true}}' > .divcost
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-config=.divcost -fplugin-arg-divcost-report=on.json 2>&1 | FileCheck %s
// CHECK: switched_on.cu:[[@LINE+11]]:3: warning: {{.*}} [divcost-barrier-exited]
// RUN: not %divcost report --fail-on any on.json > /dev/null
// RUN: %divcost report --json on.json > again.json && not %divcost report --fail-on any again.json > /dev/null
// RUN: %divcost report --sarif again.json | FileCheck --check-prefix=WARNING %s
// WARNING: "ruleId": "barrier-exited",
// WARNING-NEXT: "ruleIndex":
// WARNING-NEXT: "level": "warning",

__global__ void shift(int *x, int n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();
  x[threadIdx.x] = 1;
}
