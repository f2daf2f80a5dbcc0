// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions from a file: applied by file and line or function and line; the pragma wins; what is
// wrong is an error with its place; what matches nothing is a warning.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{"divcost-annotations": 1, "loops": [' > good.json
// RUN: echo ' {"file": "annotations.cu", "line": 71, "trips": "poisson(30)"},' >> good.json
// RUN: echo ' {"function": "inner", "line": 64, "trips": "geometric(0.5)"},' >> good.json
// RUN: echo ' {"function": "space::inner", "file": "plugin/annotations.cu", "line": 74, "trips": "const(1)"},' >> good.json
// RUN: echo ' {"file": "annotations.cu", "line": 74, "trips": "const(2)"},' >> good.json
// RUN: echo ' {"file": "notations.cu", "line": 71, "trips": "const(3)"}]}' >> good.json
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=good.json \
// RUN:   -fplugin-arg-divcost-report=unit.txt 2>&1 | FileCheck --check-prefix=UNUSED %s
// UNUSED: warning: divcost: 'good.json', loops[2]: no loop begins at line 74 of space::inner in plugin/annotations.cu; the nearest is annotations.cu:64 in 'space::inner'
// UNUSED: warning: divcost: 'good.json', loops[4]: no loop begins at line 71 of notations.cu; the nearest is annotations.cu:71 in 'kernel'
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck %s
// CHECK-DAG: poisson(30), annotated at good.json: loops[0]
// CHECK-DAG: geometric(0.5), annotated at good.json: loops[1]
// CHECK-DAG: uniform(1, 8), annotated at annotations.cu:73
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=none.json 2>&1 \
// RUN:   | FileCheck --check-prefix=NONE %s
// NONE: error: divcost: cannot read the annotations 'none.json': No such file or directory
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=%t 2>&1 \
// RUN:   | FileCheck --check-prefix=FOLDER %s
// FOLDER: error: divcost: cannot read the annotations '{{.*}}': it is no plain file
// RUN: echo '{"divcost-annotations": 1, "loops": [}' > syntax.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=syntax.json 2>&1 \
// RUN:   | FileCheck --check-prefix=SYNTAX %s
// SYNTAX: error: divcost: 'syntax.json', line 1, column 38: unexpected token{{$}}
// RUN: echo '{"loops": []}' > version.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=version.json 2>&1 \
// RUN:   | FileCheck --check-prefix=VERSION %s
// VERSION: error: divcost: 'version.json' is no annotation file
// RUN: echo '{"divcost-annotations": 1, "loops": [{"file": "a.cu", "line": 3, "trips": "geometric(2)"}]}' > law.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=law.json 2>&1 \
// RUN:   | FileCheck --check-prefix=LAW %s
// LAW: error: divcost: 'law.json', line 1, column 76: loops[0].trips: p of geometric is 2
// RUN: echo '{"divcost-annotations": 1, "loops": [{"file": "a.cu", "line": 3, "trip": "const(2)"}]}' > key.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=key.json 2>&1 \
// RUN:   | FileCheck --check-prefix=KEY %s
// KEY: error: divcost: 'key.json', line 1, column 66: loops[0] has an unknown key 'trip'; possible: file, function, line, id, trips, ignore
// RUN: echo '{"divcost-annotations": 1, "kernels": [{"function": "inner", "launch": "block=32, grid=1,, n=3"}]}' > launch.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=launch.json 2>&1 \
// RUN:   | FileCheck --check-prefix=LAUNCH %s
// LAUNCH: error: divcost: 'launch.json', line 1, column 90: kernels[0].launch: expected block, grid, extent, l2 or the name of a parameter instead of ','
// RUN: echo '{"divcost-annotations": 1, "kernels": [{"function": "k", "launch": "block=32"}, {"launch": "block=32"}]}' > function.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=function.json 2>&1 \
// RUN:   | FileCheck --check-prefix=FUNCTION %s
// FUNCTION: error: divcost: 'function.json', line 1, column 81: kernels[1] needs a text 'function'
// RUN: echo '{"divcost-annotations": 1}' > nothing.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=nothing.json 2>&1 \
// RUN:   | FileCheck --check-prefix=NOTHING %s
// NOTHING: error: divcost: 'nothing.json' has neither 'loops' nor 'kernels'
// RUN: echo '{"divcost-annotations": 1, "loops": [], "kernel": []}' > list.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=list.json 2>&1 \
// RUN:   | FileCheck --check-prefix=LIST %s
// LIST: error: divcost: 'list.json' has an unknown key 'kernel'; possible: loops, kernels

namespace space {
__device__ void inner(int *out, int bound) {
  for (int i = 0; i < bound; ++i)
    out[i] += i;
}
} // namespace space

__global__ void kernel(int *out, const int *bound) {
  space::inner(out, bound[threadIdx.x]);
  for (int i = 0; i < bound[threadIdx.x + 1]; ++i)
    out[i] += i;
#pragma divcost trips(uniform(1, 8))
  for (int i = 0; i < bound[threadIdx.x + 2]; ++i)
    out[i] += i;
}
