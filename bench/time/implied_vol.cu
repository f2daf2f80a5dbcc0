// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volatilities that prices of options imply: an item is an expiry with so many strikes, each of
// which takes four steps of Newton's method.

__device__ float normal_share(float d, float density) {
  float t = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float poly = t * (0.31938153f +
                    t * (-0.35656378f + t * (1.7814779f + t * (-1.8212559f + t * 1.3302744f))));
  return d < 0.0f ? density * poly : 1.0f - density * poly;
}

__global__ void implied_vol(const int *__restrict__ order, const int *__restrict__ begin,
                            const float2 *__restrict__ quotes, const float *__restrict__ expiry,
                            float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float root = sqrtf(expiry[item]), sum = 0.0f;
  for (int j = begin[item]; j < end; ++j) { // loop: strikes
    float2 quote = quotes[j];               // strike and price, where the share's is 1
    float moneyness = -__logf(quote.x), sigma = 0.3f;
    for (int k = 0; k < 4; ++k) {
      float spread = sigma * root;
      float d1 = moneyness / spread + 0.5f * spread, d2 = d1 - spread;
      float density1 = 0.3989423f * __expf(-0.5f * d1 * d1);
      float density2 = 0.3989423f * __expf(-0.5f * d2 * d2);
      float price = normal_share(d1, density1) - quote.x * normal_share(d2, density2);
      sigma -= (price - quote.y) / (root * density1);
    }
    sum += sigma;
  }
  out[item] = sum;
}
