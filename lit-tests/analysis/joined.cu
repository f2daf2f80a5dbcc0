// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds that have one value behind one side of a branch and another behind the other.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// Each thread has size or size + 1 elements.
// CHECK-LABEL: kernel split 256x1x1 (assumed)
__global__ void split(const float *in, float *out, int s) {
  int i = threadIdx.x;
  int size = s / 256, threshold = s - size * 256;
  int begin, end;
  if (i < threshold) {
    begin = i * (size + 1);
    end = (i + 1) * (size + 1);
  } else {
    begin = threshold + i * size;
    end = threshold + (i + 1) * size;
  }
  float sum = 0;
  // CHECK: [[#@LINE+1]]: lane-affine, max({{.*}} ? {{.*}} : {{.*}}, 0)
  for (int j = begin; j < end; j++)
    sum += in[j];
  out[i] = sum;
}

// The values are known, the way isn't.
// CHECK-LABEL: kernel by_data 256x1x1 (assumed)
__global__ void by_data(const float *in, float *out, int s) {
  int end = s;
  if (in[threadIdx.x] < 0) {
    out[threadIdx.x] = 2;
    end = s * 2 + threadIdx.x;
  }
  // CHECK: [[#@LINE+1]]: data-dependent, {{.*}}
  for (int j = 0; j < end; j++)
    out[j] = 1;
}
