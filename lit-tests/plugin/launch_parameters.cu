// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter of a function is what all calls of it in the unit give it, if it keeps that and nobody
// can call the function otherwise.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], k['block'], k['block_from'], *[l['class'] + ': ' + l.get('condition', 'always') for l in k['loops']]) for k in json.load(open(sys.argv[1]))['kernels']]" %t.json | FileCheck %s

#define KERNEL(name)                                                                               \
  static __global__ void name(int *out, int n) {                                                   \
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; ++i)                         \
      out[i] = i;                                                                                  \
  }

// CHECK: told [64, 1, 1] launch warp-uniform: blocks of 64x1x1{{$}}
KERNEL(told)
static void tell(int *out, int threads) { told<<<4, threads>>>(out, 10); }

// CHECK-NEXT: told_by_others [16, 1, 1] launch strided: blocks of 16x1x1; if launched only with these dimensions
KERNEL(told_by_others)
void tell_others(int *out, dim3 threads) { told_by_others<<<4, threads>>>(out, 10); }

// CHECK-NEXT: differs [256, 1, 1] computed
KERNEL(differs)
static void tell_both(int *out, int threads) { differs<<<4, threads>>>(out, 10); }

// CHECK-NEXT: changed [256, 1, 1] computed
KERNEL(changed)
static void change(int *out, int threads) {
  threads *= 2;
  changed<<<4, threads>>>(out, 10);
}

// CHECK-NEXT: pointed_to [256, 1, 1] computed
KERNEL(pointed_to)
static void point_to(int *out, int threads) { pointed_to<<<4, threads>>>(out, 10); }

// CHECK-NEXT: again [256, 1, 1] computed
KERNEL(again)
static void call_again(int *out, int threads, dim3 shape) {
  again<<<threads, shape>>>(out, 10);
  call_again(out, threads, shape);
  call_again(out, threads, shape);
}

// CHECK-NEXT: of_template [32, 1, 1] launch
KERNEL(of_template)
template <int n> static void tell_n(int *out, int threads) {
  of_template<<<n, threads>>>(out, 10);
}

void run(int *out, int given) {
  tell(out, 64);
  tell(out, 32 * 2);
  tell_others(out, dim3(16));
  tell_both(out, 64);
  tell_both(out, 128);
  change(out, 64);
  point_to(out, 64);
  void (*pointer)(int *, int) = point_to;
  pointer(out, given);
  call_again(out, 64, dim3(64));
  tell_n<2>(out, 32);
}
