// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two entries of an annotation file that say the same of one loop: the first counts, and which one
// doesn't is a warning, once for all architectures. Trips and a reason to ignore don't meet, and
// what a pragma overrules is no mistake.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{"divcost-annotations": 1, "loops": [' > twice.json
// RUN: echo ' {"file": "annotations_twice.cu", "line": 37, "trips": "poisson(30)"},' >> twice.json
// RUN: echo ' {"file": "annotations_twice.cu", "line": 37, "ignore": "only in tests"},' >> twice.json
// RUN: echo ' {"function": "kernel", "line": 37, "trips": "poisson(7)"},' >> twice.json
// RUN: echo ' {"file": "annotations_twice.cu", "line": 40, "trips": "const(2)"},' >> twice.json
// RUN: echo ' {"file": "annotations_twice.cu", "line": 40, "trips": "const(3)"}]}' >> twice.json
// RUN: %clang %cuda -fsyntax-only --cuda-gpu-arch=sm_90 %s -fplugin-arg-divcost-annotations=twice.json \
// RUN:   -fplugin-arg-divcost-report=unit.txt 2>&1 | FileCheck --implicit-check-not=loops[ %s
// CHECK: warning: divcost: 'twice.json': loops[0] and loops[2] both say the trip counts of the loop at annotations_twice.cu:37; what loops[0] says counts, remove the other
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck --check-prefix=REPORT %s
// REPORT-DAG: poisson(30), annotated at twice.json: loops[0]
// REPORT-DAG: ignored only in tests (twice.json: loops[1])
//
// An entry by id comes after those by line:
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: %python %S/Inputs/by_id.py unit.json > ids.json
// RUN: %python -c 'import json; notes = json.load(open("ids.json")); notes["loops"].append({"function": "kernel", "line": 37, "trips": "const(9)"}); json.dump(notes, open("ids.json", "w"))'
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=ids.json 2>&1 | FileCheck --check-prefix=ID %s
// ID: warning: divcost: 'ids.json': loops[2] and loops[{{[01]}}] both say the trip counts of the loop at annotations_twice.cu:37; what loops[2] says counts
//
// A file that isn't one isn't waited for, and read no further than it can be one:
// RUN: mkfifo pipe
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=pipe 2>&1 | FileCheck --check-prefix=PIPE %s
// PIPE: error: divcost: cannot read the annotations 'pipe': it is no plain file
// RUN: echo '{"divcost-annotations": 1, "loops": [{"file": "a.cu", "line": 3, "trips": "histogram(\"pipe\")"}]}' > law.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=law.json 2>&1 | FileCheck --check-prefix=LAW %s
// LAW: error: divcost: 'law.json', line 1, column 76: loops[0].trips: cannot read the histogram 'pipe': it is no plain file
__global__ void kernel(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x + 1]; ++i)
    out[i] += i;
#pragma divcost trips(uniform(1, 8))
  for (int i = 0; i < bound[threadIdx.x + 2]; ++i)
    out[i] += i;
}
#ifdef ZERO
// RUN: not %clang %cuda -DZERO -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ZERO %s
__global__ void zero(int *out, const int *bound) {
// ZERO: annotations_twice.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cannot read the histogram '/dev/zero': it is no plain file
#pragma divcost trips(histogram("/dev/zero"))
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
#endif
