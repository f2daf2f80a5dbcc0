// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of kernels in an annotation file say what a launch pragma would: by function, with or
// without namespaces, for all instances of a template; the pragma is right, then the first entry.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/kernel_entries.py good > good.json
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-annotations=good.json -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report --all-instances unit.json | tr -s ' \n' ' ' > unit.txt
// RUN: FileCheck %s < unit.txt
// CHECK-DAG: space::gather(float const*, int const*, float*, int) at {{[^ ]+}} block 128 threads, from the annotation file at {{[^ ]*good.json:1:[0-9]+}} values n = 1048576, as launched efficiency {{.*}} in 16 blocks;{{.*}} time {{[0-9.]+}}..{{[0-9.]+}} us; goes to L2
// CHECK-DAG: each<int>(int*, int) at {{[^ ]+}} block 16x16 threads, from the annotation file at {{[^ ]*good.json:1:[0-9]+}} values n = 7, as launched
// CHECK-DAG: each<float>(float*, int) at {{[^ ]+}} block 16x16 threads, from the annotation file at {{[^ ]*good.json:1:[0-9]+}} values n = 7, as launched
// CHECK-DAG: both(int, int, int*) at {{[^ ]+}} block 64 threads, from the pragma at annotations_kernels.cu:66:17 values n = 3, m = -5, as launched
// CHECK-DAG: plain(int*) at {{[^ ]+}} block 96 threads, from the annotation file at {{[^ ]*good.json:1:[0-9]+}}
// RUN: grep -q '"extents": \[\[0, 4000000\]\]' unit.json
// RUN: grep -q '"block_from": "annotations"' unit.json
//
// The option comes before all of them:
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-annotations=good.json \
// RUN:   -fplugin-arg-divcost-block=32 -fplugin-arg-divcost-report=option.txt
// RUN: FileCheck --check-prefix=OPTION --implicit-check-not='from the annotation file' %s < option.txt
// OPTION: block 32 threads, from the option
//
// The note of a warning names it:
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-annotations=good.json 2>&1 | FileCheck --check-prefix=NOTE %s
// NOTE: note: kernel '{{.*gather.*}}' is estimated for sm_80 and blocks of 128x1x1 threads (from the annotation file)
//
// What is wrong with one entry of a kernel or several is a warning, for all architectures once:
// RUN: %python %S/Inputs/kernel_entries.py wrong > wrong.json
// RUN: %clang %cuda -fsyntax-only --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 %s -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-annotations=wrong.json 2>&1 | FileCheck --match-full-lines --implicit-check-not=warning: --check-prefix=WRONG %s
// WRONG-DAG: warning: divcost: 'wrong.json', kernels[0]: no kernel is named 'gahter'; the nearest is 'space::gather' at annotations_kernels.cu:50 [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json', kernels[1]: no kernel is named 'gather' in other.cu; the nearest is 'space::gather' at annotations_kernels.cu:50 [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json', line 1, column {{[0-9]+}}: kernels[2].launch: kernel 'gather' has no parameter 'm' that is a number; possible: block, grid, n [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json', line 1, column {{[0-9]+}}: kernels[2].launch: kernel 'gather' has no parameter 'n' that is a pointer; possible: x, index, y [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json', line 1, column {{[0-9]+}}: kernels[3].launch: 3000000000 does not fit the parameter 'n', whose type is 'int' [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json', kernels[6]: no kernel is named 'each<int>': names are without template arguments; the nearest is 'each' at annotations_kernels.h:5 [-Wbackend-plugin]
// WRONG-DAG: warning: divcost: 'wrong.json': kernels[4] and kernels[5] both say the block of the kernel 'each'; what kernels[4] says counts, remove the other [-Wbackend-plugin]
//
// opt has no syntax tree, and says so:
// RUN: %clang %cuda -O1 -fno-unroll-loops -gline-tables-only -w -S -emit-llvm -o unit.ll %s
// RUN: %opt -passes='divcost<annotations=good.json>' -disable-output unit.ll 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: warning: 'good.json': entries of kernels need the source, so clang: opt heeds those of loops alone
#include "Inputs/annotations_kernels.h"

namespace space {
__global__ void gather(const float *x, const int *index, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < 20; ++j)
      y[i] += x[index[i + j]];
#pragma divcost trips(geometric(0.05))
  for (int j = 0; j < index[i]; ++j)
    y[i] += x[j];
}
} // namespace space

template <class T> __global__ void unused(T *out) { out[0] = 1; }
template __global__ void each(int *, int);
template __global__ void each(float *, int);

// Of the file's entry, a value that isn't said here counts.
#pragma divcost launch(block=64, n=3)
__global__ void both(int n, int m, int *out) {
  for (int j = threadIdx.x; j < n; ++j)
    out[j] += m;
}
// Of overloads, the numbers are those of the ones that have such parameters.
__global__ void both(int *out) { out[0] = 1; }
