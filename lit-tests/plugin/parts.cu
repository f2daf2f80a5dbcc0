// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else an annotation can say: that the lanes of a warp are correlated, and that a loop is to be
// ignored, with the reason; in warnings, remarks, both reports, the IR, and back from the IR.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O1 -fno-unroll-loops -gline-tables-only -S -emit-llvm -o unit.ll %s -fplugin-arg-divcost-report=unit.json 2>&1 \
// RUN:   | FileCheck --check-prefix=WARN --implicit-check-not=warning: %s
// WARN: parts.cu:55:3: warning: {{.*}} lost (annotated: geometric(0.05)) [divcost-imbalance]
// WARN: parts.cu:60:3: warning: {{.*}} lost (annotated: geometric(0.05), per_warp_correlated(0.5)) [divcost-imbalance]
// WARN: parts.cu:72:3: warning: {{.*}} [divcost-data-dependent]
//
// RUN: %divcost report unit.json | tr -s ' \n' ' ' > unit.txt
// RUN: FileCheck --check-prefix=FREE %s < unit.txt
// FREE: geometric(0.05), annotated at parts.cu:54; mean 20 imbalance 3.98
// RUN: FileCheck --check-prefix=ALIKE %s < unit.txt
// 2.49 is half of 1 and half of 3.98.
// ALIKE: geometric(0.05), lanes of a warp correlated by 0.5, annotated at parts.cu:59; mean 20 imbalance 2.49
// RUN: FileCheck --check-prefix=IGNORED %s < unit.txt
// IGNORED: uniform(0, 150), annotated at parts.cu:64
// IGNORED: ignored rows are "short" today (parts.cu:64)
//
// RUN: %python %S/Inputs/findings.py unit.json | FileCheck --check-prefix=JSON --match-full-lines %s
// What an ignored loop's cost depends on isn't asked for; that of the next loop is.
// JSON:      free 55 imbalance: said
// JSON-NEXT: alike 60 imbalance: said
// JSON-NEXT: quiet 65 imbalance: suppressed: rows are "short" today
// JSON-NEXT: asked 70 data-dependent: suppressed: measured
// JSON-NEXT: asked 72 data-dependent: said
//
// RUN: %clang %cuda -fsyntax-only -w %s -Rpass-analysis=divcost 2>&1 | FileCheck --check-prefix=REMARK %s
// REMARK-NOT: parts.cu:65:3: remark: loop runs
// REMARK: parts.cu:65:3: remark: data-dependent loop in kernel 'quiet({{.*}}, ignored: rows are "short" today, SIMT
//
// RUN: FileCheck --check-prefix=IR %s < unit.ll
// IR-DAG: = !{!"divcost.trips", !"geometric(0.05)", !"annotated", double 5.000000e-01}
// IR-DAG: = !{!"divcost.trips", !"geometric(0.05)", !"annotated"}
// IR-DAG: = !{!"divcost.ignore", !"rows are \22short\22 today"}
// RUN: %opt -passes='divcost<print;report=again.json>' -disable-output unit.ll 2>err.txt | FileCheck --check-prefix=READ %s
// READ: annotated geometric(0.05), per_warp_correlated(0.5) exit
// READ: annotated uniform(0, 150) ignored (rows are "short" today) exit
// RUN: FileCheck --check-prefix=OPT --implicit-check-not='65:3: loop runs' %s < err.txt
// OPT: parts.cu:55:3: loop runs a different number
// RUN: %python %S/Inputs/findings.py again.json | FileCheck --check-prefix=AGAIN %s
// AGAIN: quiet 65 imbalance: suppressed: rows are "short" today






__global__ void free(const int *length, float *out) {
#pragma divcost trips(geometric(0.05))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}
__global__ void alike(const int *length, float *out) {
#pragma divcost trips(geometric(0.05), per_warp_correlated(0.5))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}
__global__ void quiet(const int *length, float *out) {
#pragma divcost ignore("rows are \"short\" " "today") trips(uniform(0, 150))
  for (int j = 0; j < length[threadIdx.x]; ++j)
    out[j] += 1;
}
__global__ void asked(const int *length, float *out) {
#pragma divcost ignore("measured")
  for (int j = 0; j < length[threadIdx.x + 1]; ++j)
    out[j] += 1;
  for (int j = 0; j < length[threadIdx.x + 2]; j += length[j])
    out[j] += 1;
}
