// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same warnings on every way through the compiler.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cp %s unit.cu
// RUN: %clang %cuda -O2 -S -o unit.s unit.cu 2>&1 | grep -E 'warning|note' > normal.txt
// RUN: FileCheck %s < normal.txt
// RUN: %clang %cuda -fsyntax-only unit.cu 2>&1 | grep -E 'warning|note' > syntax.txt
// RUN: diff normal.txt syntax.txt
// RUN: %clang %cuda -O0 -save-temps -S -o unit.s unit.cu 2>&1 | FileCheck %s
// RUN: %clang %cuda -E -o unit.cui unit.cu
// RUN: %clang -x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78 \
// RUN:   --cuda-gpu-arch=sm_80 --cuda-device-only -O2 -S -o unit.s unit.cui 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 -S -o unit.s unit.cu -Rpass-analysis=divcost 2>&1 \
// RUN:   | FileCheck --check-prefix=REMARK %s
// RUN: %clang %cuda -fsyntax-only unit.cu -Rpass-analysis=divcost 2>&1 \
// RUN:   | FileCheck --check-prefix=REMARK %s

// CHECK: unit.cu:[[# @LINE + 13]]:3: warning: loop runs a different number of iterations in each lane: about {{[0-9]+}}% of the kernel's issue cycles are lost (annotated: geometric(0.1)) [divcost-imbalance]
// CHECK: unit.cu:[[# @LINE + 12]]:{{.*}} note: {{.*}}'bound' is read here
// CHECK: unit.cu:[[# @LINE + 8]]:{{.*}} note: kernel 'kernel(int*, int const*)' is estimated for sm_80 and blocks of 16x16x1 threads ('#pragma divcost launch')
// CHECK-NOT: warning:
//
// REMARK: unit.cu:[[# @LINE + 8]]:3: remark: loop runs a different number of iterations
// REMARK-SAME: [-Rpass-analysis=divcost]
// REMARK: unit.cu:[[# @LINE + 6]]:3: remark: data-dependent loop in kernel 'kernel(int*, int const*)', {{.*}}(annotated: geometric(0.1)) [-Rpass-analysis=divcost]


#pragma divcost launch(block=(16, 16))
__global__ void kernel(int *out, const int *bound) {
#pragma divcost trips(geometric(0.1))
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
