# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""state_machine.py CASES [--called]: prints a unit with a kernel that is a loop around a divergent
switch with so many cases, and two small kernels. With --called the loop is in a recursive
function, which stays one, and a kernel with a loop of its own calls it."""
import sys

called = sys.argv[2:] == ["--called"]
print("""\
%s void state_machine(const int *in, int *out, int n) {
  int state = threadIdx.x, sum = 0;
  for (int k = 0; k < n; ++k) {
    switch (state) {""" % ("__device__" if called else "__global__"))
for case in range(int(sys.argv[1])):
    print("    case %d: sum += in[k * %d + threadIdx.x]; state = in[%d + state]; break;"
          % (case, case + 3, case))
print("""\
    default: state = in[k];
    }
  }
  out[threadIdx.x] = sum;%s
}
__global__ void sum_rows(const int *begin, const float *values, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    sum += values[k];
  sums[row] = sum;
}
__global__ void triangle(float *out) {
  for (int k = 0; k < threadIdx.x; ++k)
    out[k * 256 + threadIdx.x] += 1;
}""" % ("""
  if (sum == 7) {
    state_machine(in, out + 1, n - 1);
    out[threadIdx.x] += 1;
  }""" if called else ""))
if called:
    print("""\
__global__ void calls(const int *in, int *out, int n) {
  for (int k = 0; k < in[threadIdx.x]; ++k)
    out[k * 256 + threadIdx.x] += 1;
  state_machine(in, out, n);
}""")
