// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry of an annotation file that names no loop is a warning that names the nearest: by the
// file's name, then the function's, then the line; or by the id.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s unit.cu
// RUN: %python %S/Inputs/nearest.py > notes.json
// RUN: %clang %cuda -fsyntax-only unit.cu -fplugin-arg-divcost-no-warn=all -fplugin-arg-divcost-annotations=notes.json 2>&1 \
// RUN:   | FileCheck --match-full-lines --implicit-check-not=warning: %s
// CHECK: warning: divcost: 'notes.json', loops[0]: no loop begins at line 39 of unit.cu; the nearest is unit.cu:38 in 'scan' [-Wbackend-plugin]
// CHECK: warning: divcost: 'notes.json', loops[1]: no loop begins at line 1 of spvm(); the nearest is unit.cu:33 in 'spmv' [-Wbackend-plugin]
// CHECK: warning: divcost: 'notes.json', loops[2]: no loop begins at line 33 of scan(); the nearest is unit.cu:38 in 'scan' [-Wbackend-plugin]
// CHECK: warning: divcost: 'notes.json', loops[3]: no loop begins at line 33 of units.cu; the nearest is unit.cu:33 in 'spmv' [-Wbackend-plugin]
// CHECK: warning: divcost: 'notes.json', loops[4]: no loop has the id 0123456789abcdef; a JSON report tells the loops' ids [-Wbackend-plugin]
// CHECK: warning: divcost: 'notes.json', loops[5]: no loop has the id 0123456789abcdef; the nearest is {{[0-9a-f]*}} at unit.cu:38 in 'scan{{.*}}' [-Wbackend-plugin]
//
// One digit of an id is wrong.
// RUN: %clang %cuda -fsyntax-only unit.cu -fplugin-arg-divcost-no-warn=all -fplugin-arg-divcost-report=unit.json
// RUN: %python %S/Inputs/nearest.py unit.json > digit.json
// RUN: %clang %cuda -fsyntax-only unit.cu -fplugin-arg-divcost-no-warn=all -fplugin-arg-divcost-annotations=digit.json 2>&1 \
// RUN:   | FileCheck --check-prefix=DIGIT %s
// DIGIT: no loop has the id {{[0-9a-f]+}}; the nearest is {{[0-9a-f]+}} at unit.cu:33 in 'spmv{{.*}}'
//
// opt says it too.
// RUN: %clang %cuda -O1 -fno-unroll-loops -gline-tables-only -w -S -emit-llvm -o unit.ll unit.cu
// RUN: %opt -passes='divcost<annotations=notes.json>' -disable-output unit.ll 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: warning: 'notes.json', loops[0]: no loop begins at line 39 of unit.cu; the nearest is unit.cu:38 in 'scan'



__global__ void spmv(const int *length, float *out) {
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}

__global__ void scan(const int *length, float *out) {
  for (int j = 0; j < length[threadIdx.x]; j += 2)
    out[j] += 1;
}
