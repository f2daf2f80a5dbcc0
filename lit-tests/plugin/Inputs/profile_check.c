/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What profile_check.cu runs. With -DWRONG threads get different arguments, which no launch can do:
 * what is called uniform then isn't. */
extern unsigned one_lane_tid, one_lane_ctaid;
void _Z6kernelPiPKii(int *out, const int *bound, int n);

void run(void) {
  static int out[128], bound[128];
  for (int i = 0; i < 128; ++i)
    bound[i] = i % 7;
  for (int i = 0; i < 128; ++i) {
    one_lane_tid = (unsigned)i % 64;
    one_lane_ctaid = (unsigned)i / 64;
#ifdef WRONG
    _Z6kernelPiPKii(out, bound, i < 100 ? 10 : 9);
#else
    _Z6kernelPiPKii(out, bound, 10);
#endif
  }
}
