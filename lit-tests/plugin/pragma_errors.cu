// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A malformed pragma is an error at the very place.
//
// RUN: not %clang %cuda -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck --strict-whitespace --implicit-check-not=error: %s
// On the host's side the pragma is accepted without a word; the device's side has said it.
// RUN: %clang %cuda-any --cuda-host-only -fsyntax-only -Wall -Werror \
// RUN:   -Wno-unused-command-line-argument %s

// CHECK: [[# @LINE + 1]]:9: error: '#pragma divcost': expected a clause; possible: trips(DISTRIBUTION) and ignore("REASON") before a loop, launch(
#pragma divcost

// CHECK: [[# @LINE + 1]]:17: error: '#pragma divcost': unknown clause 'count'; possible: trips(DISTRIBUTION) and ignore("REASON") before a loop, launch(
#pragma divcost count(3)

// CHECK: [[# @LINE + 1]]:22: error: '#pragma divcost': expected '(' instead of the end of the line
#pragma divcost trips

// CHECK: [[# @LINE + 1]]:23: error: '#pragma divcost': p of geometric is 1.5
#pragma divcost trips(geometric(1.5))

// CHECK: [[# @LINE + 1]]:44: error: '#pragma divcost': unknown distribution 'gauss'; there are const, uniform,
#pragma divcost trips(0.5*const(3) + 0.5*  gauss(3))

// CHECK: [[# @LINE + 1]]:33: error: '#pragma divcost': expected ')' instead of the end of the line
#pragma divcost trips(poisson(3)

// CHECK: [[# @LINE + 1]]:35: error: '#pragma divcost': unknown clause 'x'; possible: trips(
#pragma divcost trips(poisson(3)) x

// CHECK: [[# @LINE + 1]]:23: error: '#pragma divcost': uniform(0,100000000) has more than
#pragma divcost trips(uniform(0, 100000000))

// CHECK: [[# @LINE + 1]]:30: error: '#pragma divcost': expected a whole number from 1 to 1024 instead of '0'
#pragma divcost launch(block=0)

// CHECK: [[# @LINE + 1]]:31: error: '#pragma divcost': expected the name of a parameter instead of '3'
#pragma divcost launch(extent(3, 4))

// CHECK: [[# @LINE + 1]]:32: error: '#pragma divcost': expected ',' instead of ')'
#pragma divcost launch(extent(x))

// CHECK: [[# @LINE + 1]]:34: error: '#pragma divcost': expected a whole number from 1 to
#pragma divcost launch(extent(x, 0))

// CHECK: [[# @LINE + 1]]:45: error: '#pragma divcost': the extent of 'x' is given twice
#pragma divcost launch(extent(x, 1), extent(x, 2))

// CHECK: [[# @LINE + 1]]:27: error: '#pragma divcost': expected warm or cold instead of 'hot'
#pragma divcost launch(l2=hot)

// CHECK: [[# @LINE + 1]]:33: error: '#pragma divcost': 'l2' is given twice
#pragma divcost launch(l2=warm, l2=cold)

// CHECK: [[# @LINE + 1]]:30: error: '#pragma divcost': a block has at most 1024 threads
#pragma divcost launch(block=(64, 64))

// CHECK: [[# @LINE + 1]]:38: error: '#pragma divcost': 'block' is given twice
#pragma divcost launch(block=(64,6), block=3)

// CHECK: [[# @LINE + 1]]:24: error: '#pragma divcost': 'grid' needs 'block' too
#pragma divcost launch(grid=3)

// CHECK: [[# @LINE + 1]]:26: error: '#pragma divcost': expected a whole number instead of '1.5'
#pragma divcost launch(n=1.5)

// CHECK: [[# @LINE + 1]]:32: error: '#pragma divcost': expected a whole number, (X, Y) or (X, Y, Z) instead of the end
#pragma divcost launch(block = )

// CHECK: [[# @LINE + 1]]:43: error: '#pragma divcost': expected a whole number instead of '08'
#pragma divcost launch(block=(0x10,0b1),n=08)

// CHECK: [[# @LINE + 1]]:28: error: '#pragma divcost': expected ',' or the end instead of 'm'
#pragma divcost launch(n=3 m=4)

// CHECK: [[# @LINE + 1]]:26: error: '#pragma divcost': expected a whole number instead of '9223372036854775808'
#pragma divcost launch(n=9223372036854775808)

// CHECK: [[# @LINE + 1]]:35: error: '#pragma divcost': expected per_warp_correlated(R) behind the comma, or nothing behind the distribution
#pragma divcost trips(poisson(3), correlated(0.5))

// CHECK: [[# @LINE + 1]]:55: error: '#pragma divcost': R of per_warp_correlated is 1.5, but must be in [0, 1]
#pragma divcost trips(poisson(3), per_warp_correlated(1.5))

// CHECK: [[# @LINE + 1]]:24: error: '#pragma divcost': expected a reason in quotes instead of 'because'
#pragma divcost ignore(because)

// CHECK: [[# @LINE + 1]]:24: error: '#pragma divcost': the reason of ignore is empty
#pragma divcost ignore("  ")

// CHECK: [[# @LINE + 1]]:29: error: '#pragma divcost': expected ')' instead of the end of the line
#pragma divcost ignore("why"

// CHECK: [[# @LINE + 1]]:35: error: '#pragma divcost': 'trips' is given twice
#pragma divcost trips(poisson(3)) trips(poisson(4))

// CHECK: [[# @LINE + 1]]:31: error: '#pragma divcost': launch stands before a kernel, trips and ignore before a loop: not in one pragma
#pragma divcost ignore("why") launch(block=64)

// CHECK: [[# @LINE + 3]]:3: error: '#pragma divcost': p of geometric is 1.5
#define BAD _Pragma("divcost trips(geometric(1.5))")
__global__ void kernel(int *out, const int *bound) {
  BAD for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
