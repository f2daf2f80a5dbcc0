// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of learning for the rows of an embedding that a batch used (Adam): the gradients of each
// row, which lie where the batch has them, are added up, and its moments and weights change. Rows
// that weren't used for some steps have their moments decay for these first. Rows of eight numbers.

__device__ inline float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ inline void learn(float gradient, float &weight, float &mean, float &square) {
  mean = 0.9f * mean + 0.1f * gradient;
  square = 0.99f * square + 0.01f * gradient * gradient;
  weight -= 0.01f * mean / (sqrtf(square) + 0.001f);
}

__global__ void lazy_adam(const int *__restrict__ order, const int *__restrict__ begin,
                          const int *__restrict__ uses, const float4 *__restrict__ gradients,
                          const int *__restrict__ ages, const float4 *__restrict__ weights,
                          const float4 *__restrict__ means, const float4 *__restrict__ squares,
                          float4 *__restrict__ new_weights, float4 *__restrict__ new_means,
                          float4 *__restrict__ new_squares, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], age = ages[item];
  float4 sums[2];
  sums[0] = sums[1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = begin[item]; k < end; ++k) { // loop: uses
    int at = 2 * uses[k];
    sums[0] = plus(sums[0], gradients[at]);
    sums[1] = plus(sums[1], gradients[at + 1]);
  }
  float slow = 1.0f, fast = 1.0f;
  if (age > 0) { // branch: stale
    slow = exp2f(-0.15200309f * (float)age);
    fast = exp2f(-0.01449957f * (float)age);
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int at = 2 * item + half;
    float4 weight = weights[at], mean = means[at], square = squares[at], sum = sums[half];
    mean = make_float4(slow * mean.x, slow * mean.y, slow * mean.z, slow * mean.w);
    square = make_float4(fast * square.x, fast * square.y, fast * square.z, fast * square.w);
    learn(sum.x, weight.x, mean.x, square.x);
    learn(sum.y, weight.y, mean.y, square.y);
    learn(sum.z, weight.z, mean.z, square.z);
    learn(sum.w, weight.w, mean.w, square.w);
    new_weights[at] = weight;
    new_means[at] = mean;
    new_squares[at] = square;
  }
}
