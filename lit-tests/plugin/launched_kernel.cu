// A kernel that another kernel names, to launch it, is no callee of that one: its parameters are its
// own, and its loops are reported once.
//
// clang 19 has no such code.
// REQUIRES: llvm-22
//
// RUN: cd %S && %clang %cuda -O2 -w -S -o /dev/null launched_kernel.cu -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report %t.json | FileCheck %s

__device__ void *last;

__global__ void child(int *out, int n, int m) {
  for (int k = 0; k < n + m; ++k)
    out[k] += threadIdx.x;
}

// CHECK: {{^}}parent(int*)
// CHECK-NOT: uniform loop
// CHECK: launched_kernel.cu:[[# @LINE + 3]]:3  loses
// CHECK-NOT: uniform loop
__global__ void parent(int *out) {
  for (int k = 0; k < threadIdx.x; ++k)
    out[k] = k;
  last = (void *)child;
}
// CHECK: {{^}}child(int*, int, int)
// CHECK: uniform loop
