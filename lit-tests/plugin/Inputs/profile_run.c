/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What profile_run.cu runs: its kernel, thread by thread, and the same by hand with a line
 * "function number trips" for each entry of a loop. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 128 };
extern unsigned one_lane_tid, one_lane_ctaid, one_lane_ntid;
void _Z6kernelPiPKii(int *out, const int *bound, int n);

static int bound[THREADS], by_device[THREADS], by_hand[THREADS];

static int inner(const int *p, int n) {
  int s = 0, trips = 0;
  for (int k = 0; k < n; ++k)
    ++trips, s += p[k];
  printf("inner 0 %d\n", trips);
  return s;
}

static void kernel(int *out, int i, int n) {
  int trips = 0, w = bound[i];
  for (int j = 0; j < bound[i]; ++j) {
    ++trips;
    if (out[j] == 3)
      break;
    out[i] += inner(bound, out[j] & 7);
  }
  printf("kernel 0 %d\n", trips);
  trips = 0;
  while (w > 0 && out[w % 64] >= 0) {
    ++trips;
    if (w % 5 == 2) {
      w -= 2;
      continue;
    }
    --w;
  }
  printf("kernel 1 %d\n", trips);
  trips = 0;
  do
    ++trips, out[i] ^= bound[++w & 127] & 1;
  while (w < bound[127 - i]);
  printf("kernel 2 %d\n", trips);
  trips = 0;
  for (int j = 0; j < n; ++j) {
    ++trips;
    out[j] += 2;
    if (out[j] > 1000000)
      return (void)printf("kernel 3 %d\n", trips);
  }
  printf("kernel 3 %d\n", trips);
}

void run(void) {
  for (int i = 0; i < THREADS; ++i) {
    bound[i] = i * i % 67;
    if (i == 77)
      bound[i] = 5000;
    by_device[i] = by_hand[i] = i % 11;
  }
  for (int i = 0; i < THREADS; ++i) {
    one_lane_tid = (unsigned)i % 64;
    one_lane_ctaid = (unsigned)i / 64;
    _Z6kernelPiPKii(by_device, bound, 10);
    kernel(by_hand, i, 10);
  }
  if (memcmp(by_device, by_hand, sizeof by_hand) != 0)
    puts("the results differ");
}
