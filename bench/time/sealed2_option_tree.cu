// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// American puts by binomial trees, of different depth. Each thread has the values of a level in a
// column of shared memory.

__global__ void __launch_bounds__(128)
    option_tree(const int *__restrict__ order, const int *__restrict__ levels,
                const float *__restrict__ strike, float *__restrict__ out, int n) {
  __shared__ float value[65][128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t], lane = threadIdx.x;
  int depth = levels[item];
  const float up = 1.02f, down = 1.0f / up, up_twice = up * up, rise = 0.505f, keep = 0.9995f;
  float k = strike[item], lowest = 1.0f, price;
  value[0][lane] = 0.0f;
  for (int level = 0; level < depth; ++level) { // loop: levels
    lowest *= down;
    value[level + 1][lane] = 0.0f;
  }
  price = lowest;
  for (int node = 0; node <= depth; ++node) { // loop: leaves
    value[node][lane] = fmaxf(k - price, 0.0f);
    price *= up_twice;
  }
  for (int level = depth; level > 0; --level) { // loop: back
    lowest *= up;
    price = lowest;
    float below = value[0][lane];
    for (int node = 0; node < level; ++node) { // loop: nodes
      float above = value[node + 1][lane];
      float held = keep * (rise * above + (1.0f - rise) * below);
      value[node][lane] = fmaxf(held, k - price);
      price *= up_twice;
      below = above;
    }
  }
  out[item] = value[0][lane];
}
