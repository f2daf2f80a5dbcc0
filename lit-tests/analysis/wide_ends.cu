// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends whose difference doesn't fit their type, and unsigned ones of which the lower is the larger.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel constant_ends 256x1x1 (assumed)
__global__ void constant_ends(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 9
  for (unsigned i = 0; i < 0x80000010u; i += 0x10000000u)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 4
  for (int i = -2000000000; i < 2000000000; i += 1000000000)
    out[i] = 2;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((2415919120 - threadIdx.x) / 268435456)
  for (unsigned i = threadIdx.x; i < 0x90000010u; i += 0x10000000u)
    out[i] = 3;
}

// With k > n there is no trip, however far apart they are.
// CHECK-LABEL: kernel unsigned_ends 256x1x1 (assumed)
__global__ void unsigned_ends(int *out, unsigned n, unsigned k) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - k, 0)
  for (unsigned i = k; i < n; ++i)
    out[i] = 1;
}

// What cancels leaves -n, and not 2^32 - n.
// CHECK-LABEL: kernel cancelled 16x16x1 (assumed)
__global__ void cancelled(int *out, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n * -1, 0) (if neither the loop's start nor its bound wraps)
  for (unsigned i = threadIdx.y + n; i < threadIdx.y; ++i)
    out[i] = 1;
}

// -blockDim.y is a large number, to which threadIdx.x of some lanes adds up to more than 2^32.
// CHECK-LABEL: kernel start_below_0 256x1x1 (assumed)
__global__ void start_below_0(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((34 - (threadIdx.x - blockDim.y)) / blockDim.x) (if neither the loop's start nor its bound wraps)
  for (unsigned i = threadIdx.x - blockDim.y; i < 34; i += blockDim.x)
    out[i] = 1;
}

// What is added to threadIdx.x takes the start past 2^31 - 1, for some lanes.
// CHECK-LABEL: kernel start_past_the_sign 256x1x1 (assumed)
__global__ void start_past_the_sign(int *out, int n) {
  int near = 2147483644u + threadIdx.x, far = 2147480000u + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((-3 - (threadIdx.x + 2147483644)) / 134217728) (if neither the loop's start nor its bound wraps)
  for (int i = near; i < -3; i += 1 << 27)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x - 2147480000) / 1024)
  for (int i = far; i < n; i += 1024)
    out[i] = 2;
}

// Steps of 3 may miss 0, after which the counter is near 2^32; steps of 3 from 3 on don't.
// CHECK-LABEL: kernel down 256x1x1 (assumed)
__global__ void down(int *out, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x) / 3) (if the loop's counter does not wrap)
  for (unsigned i = n; i > threadIdx.x; i -= 3)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil(({{n \+ threadIdx.x|threadIdx.x \+ n}} - 31) / 32) (if neither the loop's start nor its bound wraps; if no warp lies in two rows of the block)
  for (unsigned i = n + threadIdx.x; i > 31; i -= 32)
    out[i] = 2;
}

// n + m has a sign of its own, though it is compared without one.
// CHECK-LABEL: kernel sum_with_a_sign 256x1x1 (assumed)
__global__ void sum_with_a_sign(int *out, int n, int m, unsigned k) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max({{n \+ m|m \+ n}}, 0) (if neither the loop's start nor its bound wraps)
  for (int i = k; i < k + (n + m); ++i)
    out[i] = 1;
}

// With n < 0 the counter doesn't meet 0 for long: no count of 0.
// CHECK-LABEL: kernel not_equal 256x1x1 (assumed)
__global__ void not_equal(int *out, long long n, int k) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, min(n, ?)
  for (long long i = n; i != 0; --i)
    if (++out[k] > 5)
      break;
}

// A sum that is narrowed is taken as it is: LLVM may have computed it in fewer bits, and then nothing
// tells the signs of what it is made of.
// CHECK-LABEL: kernel narrowed_sum 256x1x1 (assumed)
__global__ void narrowed_sum(int *out, int n, signed char a, unsigned char b) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max((n + 10 & 65535) - 10, 0)
  for (unsigned short i = 10; i < (unsigned short)(10 + n); ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(b - 5 - (b + 56), 0)
  for (signed char i = b - 200; i < (signed char)(b - 5); ++i)
    out[i + 128] = 1;
}

// Sums of 64 bits that are cut: there is no telling the sign of n in `n + p[..]`.
// CHECK-LABEL: kernel cut_sum 256x1x1 (assumed)
__global__ void cut_sum(int *out, int n, const int *__restrict__ p, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m - ({{n \+ p\[...\]|p\[...\] \+ n}}), 0)
  for (unsigned i = n + (long long)p[n & 63]; i < m; ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(40 - threadIdx.x, 0)
  for (unsigned long long k = threadIdx.x; k < 40; ++k)
    // CHECK-NEXT: [[#@LINE+1]]: strided, max(n + p[...] + (threadIdx.x + i0 & 1) + 1 - ({{n \+ p\[...\]|p\[...\] \+ n}}), 0) (if neither the loop's start nor its bound wraps)
    for (unsigned i = n + (long long)p[n & 63]; i <= (n + (long long)p[n & 63]) + (k & 1); ++i)
      out[i] = 1;
}

// The start has lost the upper half of n, the bound hasn't: no count of what is left if both cancel.
// CHECK-LABEL: kernel cut_choice 256x1x1 (assumed)
__global__ void cut_choice(int *out, long long n) {
  unsigned most = blockIdx.y > 2 ? blockIdx.y : 2;
  // CHECK-NEXT: [[#@LINE+1]]: {{lane-affine|strided}}, max(max(blockIdx.y, 2) + (blockIdx.y & 1) - (threadIdx.x < 32 ? blockIdx.y : n) - (max(blockIdx.y, 2) - {{.*}}
  for (unsigned i = most - (threadIdx.x < 32 ? blockIdx.y : n);
       i < (most - (threadIdx.x < 32 ? blockIdx.y : n)) + (blockIdx.y & 1); ++i)
    out[i] = 1;
}

// LLVM takes -2 + min(i, m & 7) out of the loop, with the number in front: it is no 4294967294.
// CHECK-LABEL: kernel number_in_front 256x1x1 (assumed)
__global__ void number_in_front(int *out, const unsigned *__restrict__ in, unsigned k, unsigned m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, m - k
  for (unsigned i = k; i != m; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: strided{{.*}}
    for (unsigned j = threadIdx.x & 31; j < blockDim.y; j += 32)
      // CHECK-NEXT: [[#@LINE+1]]: uniform, min(k + i0, m & 7) (if neither the loop's start nor its bound wraps)
      for (unsigned c = (in[threadIdx.x + j] < j ? j : i) - 2;
           c < (in[threadIdx.x + j] < j ? j : i) - 2 + (i < (m & 7) ? i : m & 7); ++c)
        out[c] = 1;
}

// Up to the largest number there are 2^64 iterations, but for the other exit: no count of 0.
// CHECK-LABEL: kernel no_limit 256x1x1 (assumed)
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// JSON: "trips": {"expr": "min(n + 1, 9)", {{.*}}"mean": 9}
#pragma divcost launch(n = -1)
__global__ void no_limit(int *out, long long n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(n + 1, 9)
  for (unsigned long long i = 0;; ++i) {
    out[i] = 1;
    if (i >= (unsigned long long)n)
      break;
    out[2 * i] = 2;
    if (i == 8)
      break;
  }
}

// LLVM writes `gridDim.x - n / 33` as `gridDim.x + n / -33`, whose quotient has another sign.
// CHECK-LABEL: kernel negative_quotient 256x1x1 (assumed)
__global__ void negative_quotient(int *out, int n, unsigned m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{m \+ n / 33|n / 33 \+ m}} (if neither the loop's start nor its bound wraps)
  for (unsigned i = gridDim.x - n / 33; i < m + gridDim.x; ++i)
    out[i] = 1;
}

// 2 - threadIdx.x is below 0 from the third thread on: the quotients lie far apart then.
// CHECK-LABEL: kernel divided_start 256x1x1 (assumed)
__global__ void divided_start(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, max(n - (2 - threadIdx.x >> 6), 0) (if neither the loop's start nor its bound wraps; if no warp lies in two rows of the block)
  for (int i = (2 - threadIdx.x) >> 6; i < n; ++i)
    out[i] = 1;
}

// With a step below 0 the counter passes 0 in the lanes of small k, and is left behind the bound.
// CHECK-LABEL: kernel step_below_0 256x1x1 (assumed)
__global__ void step_below_0(int *out, short step) {
  unsigned k = threadIdx.x & 7;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil(1 / step) (if the loop's counter does not wrap)
  for (unsigned i = k; i <= k; i += step)
    out[i] = 1;
}

// Loop-invariant code motion would add n and k first, of which only one has a sign.
// CHECK-LABEL: kernel sign_in_between 256x1x1 (assumed)
__global__ void sign_in_between(int *out, unsigned n, int m, const int *__restrict__ p) {
  unsigned k = blockIdx.x >> 2;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n
  for (unsigned j = 0; j < n; ++j)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max({{p\[...\] \+ m|m \+ p\[...\]}}, 0) (if neither the loop's start nor its bound wraps)
    for (unsigned i = k; i < k + (m + p[j & 63]); ++i)
      out[i] = 1;
}

// Likewise n and m, of which one has 64 bits.
// CHECK-LABEL: kernel widened_in_between 256x1x1 (assumed)
__global__ void widened_in_between(int *out, int n, int m, unsigned k,
                                   const unsigned *__restrict__ p) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, k
  for (unsigned j = 0; j < k; ++j)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max({{.*}}p[...]{{.*}} - n, 0)
    for (unsigned i = n; i < (unsigned)(m + (long long)(n + p[j & 63])); ++i)
      out[i] = 1;
}

// What is below 0 becomes a large number when it is read without a sign.
// CHECK-LABEL: kernel divided_below_0 256x1x1 (assumed)
__global__ void divided_below_0(int *out, long long n) {
  unsigned w = ((int)threadIdx.x - 32) / 16;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (threadIdx.x - 32) / 16) / 2) (if neither the loop's start nor its bound wraps; if no warp lies in two rows of the block)
  while (w < n) {
    out[w] = 1;
    w += 2;
  }
}

// CHECK-LABEL: kernel widened_below_0 256x1x1 (assumed)
__global__ void widened_below_0(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, max(threadIdx.x - (threadIdx.x - 2), 0) (if neither the loop's start nor its bound wraps)
  for (unsigned long long i = (unsigned short)threadIdx.x - 2; i < threadIdx.x; ++i)
    out[i] = 1;
}

// The bound is near 0 for some lanes, and large for others, if the sum wraps in between.
// CHECK-LABEL: kernel bound_of_each_lane 256x1x1 (assumed)
__global__ void bound_of_each_lane(int *out, const unsigned *__restrict__ p) {
  int most = (blockIdx.x * blockDim.x + threadIdx.x + p[1]) / 32u;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil(((blockIdx.x * blockDim.x + threadIdx.x + p[...] >> 5) - 1) / 3) (if neither the loop's start nor its bound wraps; if no warp lies in two rows of the block)
  for (long long i = 1; i < most; i += 3)
    out[i] = 1;
}

// After 128 iterations the counter is still 0: no `7 >> i0 * 2` in 8 bits, which would be 7 again.
// CHECK-LABEL: kernel shifted_out 256x1x1 (assumed)
// RUN: FileCheck --check-prefix=SHIFTED %s < %t.json
// SHIFTED: ["lshr", 32,
__global__ void shifted_out(int *out, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i0 with 7 >> i0 * 2 == n
  for (signed char c = 7; c != n; c >>= 2)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, first i1 with (7 >> i0 * 2) - i1 * m == 0
    for (int i = c; i; i -= m)
      out[i] = 1;
}

// 2^64 - 32 is added, or 32 is subtracted: with k = 16 the one start is behind the bound.
// CHECK-LABEL: kernel large_number 256x1x1 (assumed)
__global__ void large_number(int *out, unsigned char k, unsigned long long n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(k + 1 - (k - 32), 0)
  for (unsigned long long i = 18446744073709551584ull + k; i <= k; ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n (if neither the loop's start nor its bound wraps)
  for (unsigned long long i = k; i < k + n; ++i)
    out[i] = 2;
}

// threadIdx.x - 3, cut to 32 bits, is large for the first lanes.
// CHECK-LABEL: kernel cut_below_0 256x1x1 (assumed)
__global__ void cut_below_0(int *out) {
  unsigned start = (long long)threadIdx.x - 3, end = (long long)threadIdx.x - 3 + blockIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, {{.*}} (if neither the loop's start nor its bound wraps)
  for (unsigned i = start; i <= end; ++i)
    out[i] = 1;
}

// In the lanes in which the bound is the largest number there is no end but the break.
// CHECK-LABEL: kernel up_to_the_largest 256x1x1 (assumed)
__global__ void up_to_the_largest(int *out, unsigned n) {
  unsigned k = n - threadIdx.x;
  int w = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 1 (if the loop's counter does not wrap)
  for (unsigned i = k; i <= k; ++i) {
    out[i] = 1;
    if (w++ > 5)
      break;
  }
}

// What the inner loop is left for rests on the same as whether it is entered.
// CHECK-LABEL: kernel left_from_inside 256x1x1 (assumed)
__global__ void left_from_inside(int *out, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(n, ?) (if neither the loop's start nor its bound wraps)
  for (unsigned i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}} (if neither the loop's start nor its bound wraps)
    for (unsigned long long j = threadIdx.x / 32 - 1ull; j < threadIdx.x / 32; j += 3) {
      out[j] = 1;
      if (i)
        return;
    }
}

// A size that has a sign: with m < 0 there is no trip.
// CHECK-LABEL: kernel signed_size 256x1x1 (assumed)
__global__ void signed_size(int *out, int k, int m) {
  int start = min(k, 20);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m, 0) (if neither the loop's start nor its bound wraps)
  for (unsigned long long i = start; i < start + m; ++i)
    out[i] = 1;
}

// A counter of 16 bits that begins below 0 is a large number where it is compared without a sign.
// CHECK-LABEL: kernel short_without_sign 256x1x1 (assumed)
__global__ void short_without_sign(int *out) {
  short start = (threadIdx.x & 31) - blockDim.y;
  unsigned end = blockDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{.*}} (if neither the loop's start nor its bound wraps)
  for (short i = start; i < end; i += 29)
    out[i & 7] = 1;
}

// What is cut to an int may have been shifted without its sign: it is -2 for blocks of 7 threads.
// CHECK-LABEL: kernel shifted_and_cut 256x1x1 (assumed)
__global__ void shifted_and_cut(int *out) {
  long long end = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(2 - (int)(1 - (blockDim.x << 56 >> 56) >> 2), 0)
  for (int i = (end - (signed char)blockDim.x) >> 2; i <= end; i += end)
    out[i & 7] = 1;
}

// A size of 64 bits has no sign where it is compared without one, up to and with the bound too.
// CHECK-LABEL: kernel size_without_sign 256x1x1 (assumed)
__global__ void size_without_sign(int *out, unsigned k, unsigned long long n) {
  unsigned start = k & 15;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, min(n + 1, ?) (if neither the loop's start nor its bound wraps)
  for (unsigned long long i = start; i <= start + n; ++i) {
    out[i & 63] += 1;
    if (out[i & 31] == blockDim.x)
      break;
  }
}

// What a loop leaves behind rests on what its own count rests on: here 1 / n if n is above 0, else
// the counter passes 0, sooner in one block than in another.
// CHECK-LABEL: kernel counter_carried_on 256x1x1 (assumed)
__global__ void counter_carried_on(int n, unsigned *out) {
  int bound = gridDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil(1 / n) (if the loop's counter does not wrap)
  for (int i = blockIdx.x; i <= blockIdx.x; i += n)
    bound ^= 5;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(?, 0) (if the loop's counter does not wrap)
  for (int i = 0; i < bound; ++i)
    out[i] += 1;
}

// LLVM makes n + ~blockIdx.x of this start: a large number or one below 0, nothing tells which.
// CHECK-LABEL: kernel complement_in_sum 256x1x1 (assumed)
__global__ void complement_in_sum(int n, unsigned *out) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(blockIdx.x - ({{n [+] [(]-1 - blockIdx.x[)]|-1 - blockIdx.x [+] n}}), 0)
  for (unsigned i = n - blockIdx.x - 1; i < blockIdx.x; ++i)
    out[i & 63] = out[i & 31] * 5;
}

// A counter that is narrowed in each iteration comes round, and what else is made of it sees that.
// CHECK-LABEL: kernel comes_round 256x1x1 (assumed)
__global__ void comes_round(int *out, int n) {
  int width = 128;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k) {
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(?, 0)
    for (int i = 0; i < width; ++i)
      out[i] = k;
    width = (signed char)width + 7;
  }
}

// What is read from memory may be below 0, which 32 bits without flags don't tell: the bound stays
// the sum of 32 bits that is compared.
// CHECK-LABEL: kernel below_0_in_a_sum 256x1x1 (assumed)
__global__ void below_0_in_a_sum(int *out, unsigned n, const int *__restrict__ p) {
  unsigned start = n >> 3, bound = (n >> 3) + (2 - p[1]);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max((n >> 3) - p[...] + 2 - (short)(n >> 3), 0) (if neither the loop's start nor its bound wraps)
  for (short i = start; i < bound; ++i)
    out[i] = 1;
}

// LLVM makes (n + usub.sat(k, gridDim.x)) of the bound, where n may be below 0 and nothing wraps.
// What has no sign anyway may be added to.
// CHECK-LABEL: kernel saturated 256x1x1 (assumed)
__global__ void saturated(int *out, int n, int m, short k) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{m \+ max\(k - gridDim.x, 0\)|max\(k - gridDim.x, 0\) \+ m}} (if neither the loop's start nor its bound wraps)
  for (int i = n; i < n + ((m + k) - min(gridDim.x, (unsigned)k)); ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(max(n, m) - m, 0) (if neither the loop's start nor its bound wraps)
  for (unsigned i = threadIdx.x; i < threadIdx.x + (n - min((unsigned)n, (unsigned)m)); ++i)
    out[i] = 2;
}
