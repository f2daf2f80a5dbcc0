// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A malformed pragma is an error at the very place.
//
// RUN: not %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --strict-whitespace --implicit-check-not=error: %s
// On the host's side the pragma is accepted without a word; the device's side has said it.
// RUN: %clang %cuda-any --cuda-host-only -fsyntax-only -Wall -Werror \
// RUN:   -Wno-unused-command-line-argument %s

// CHECK: [[# @LINE + 1]]:9: error: '#pragma divcost': expected a clause; possible: trips(DISTRIBUTION) before a loop, launch(
#pragma divcost

// CHECK: [[# @LINE + 1]]:17: error: '#pragma divcost': unknown clause 'count'; possible: trips(DISTRIBUTION) before a loop, launch(
#pragma divcost count(3)

// CHECK: [[# @LINE + 1]]:22: error: '#pragma divcost': expected '(' instead of the end of the line
#pragma divcost trips

// CHECK: [[# @LINE + 1]]:23: error: '#pragma divcost': p of geometric is 1.5
#pragma divcost trips(geometric(1.5))

// CHECK: [[# @LINE + 1]]:44: error: '#pragma divcost': unknown distribution 'gauss'; there are const, uniform,
#pragma divcost trips(0.5*const(3) + 0.5*  gauss(3))

// CHECK: [[# @LINE + 1]]:33: error: '#pragma divcost': expected ')' instead of the end of the line
#pragma divcost trips(poisson(3)

// CHECK: [[# @LINE + 1]]:35: error: '#pragma divcost': expected the end of the line instead of 'x'
#pragma divcost trips(poisson(3)) x

// CHECK: [[# @LINE + 1]]:23: error: '#pragma divcost': uniform(0,100000000) has more than
#pragma divcost trips(uniform(0, 100000000))

// CHECK: [[# @LINE + 1]]:30: error: '#pragma divcost': expected a whole number from 1 to 1024 instead of '0'
#pragma divcost launch(block=0)

// CHECK: [[# @LINE + 1]]:30: error: '#pragma divcost': a block has at most 1024 threads
#pragma divcost launch(block=(64, 64))

// CHECK: [[# @LINE + 1]]:38: error: '#pragma divcost': 'block' is given twice
#pragma divcost launch(block=(64,6), block=3)

// CHECK: [[# @LINE + 1]]:17: error: '#pragma divcost': 'grid' needs 'block' too
#pragma divcost launch(grid=3)

// CHECK: [[# @LINE + 1]]:26: error: '#pragma divcost': expected a whole number instead of '1.5'
#pragma divcost launch(n=1.5)

// CHECK: [[# @LINE + 3]]:3: error: '#pragma divcost': p of geometric is 1.5
#define BAD _Pragma("divcost trips(geometric(1.5))")
__global__ void kernel(int *out, const int *bound) {
  BAD for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
