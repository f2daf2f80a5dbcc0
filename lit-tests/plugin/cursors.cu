// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that a loop hands on and that only some iterations move, by constants: lanes walk there.
// Where they move by what is read, nobody knows.
//
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report --jsonl %t.json > /dev/null
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], a['name'], a['class'], s[12]) for k in json.load(open(sys.argv[1]))['kernels'] for a, s in zip(k['accesses'], k['skeleton']['accesses'])]" %t.json | FileCheck %s

// CHECK-DAG: refill stream walk 4
__global__ void refill(const int *begin, const unsigned *stream, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = begin[i], held = 0;
  unsigned bits = 0;
  for (int k = 0; k < begin[i + 1]; ++k) {
    if (held < 8) {
      bits ^= stream[at++];
      held += 32;
    }
    held -= bits & 7;
    bits >>= 3;
  }
  out[i] = bits;
}

// Two steps of two bytes, or one: 4 at the most.
// CHECK-DAG: skip text walk 4
__global__ void skip(const int *begin, const unsigned short *text, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = begin[i], sum = 0;
  for (int k = 0; k < begin[i + 1]; ++k) {
    int c = text[at];
    sum = sum * 31 + c;
    at += sum & 1 ? 2 : 1;
  }
  out[i] = sum;
}

// Backwards, too.
// CHECK-DAG: back text walk 8
__global__ void back(const int *begin, const double *text, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = begin[i];
  double sum = 0;
  for (int k = 0; k < begin[i + 1]; ++k) {
    sum = sum * 0.5 + text[at];
    if (sum > 1)
      --at;
  }
  out[i] = sum;
}

// CHECK-DAG: jump text gather 0
__global__ void jump(const int *begin, const unsigned char *text, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = begin[i], sum = 0;
  for (int k = 0; k < begin[i + 1]; ++k) {
    int c = text[at];
    sum += c;
    at += c;
  }
  out[i] = sum;
}
