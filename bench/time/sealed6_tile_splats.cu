// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scene of Gaussians, seen from somewhere (splatting): the block reads one layer of them after
// the other to shared memory, and each pixel blends the first so many of a layer, from the front to
// the back, leaving out those that can't be seen there. A Gaussian is its place, how narrow it is,
// and how opaque.

__global__ void tile_splats(const int *__restrict__ order, const int *__restrict__ splats,
                            const float2 *__restrict__ pixels, const float4 *__restrict__ gaussians,
                            const float *__restrict__ colours, float *__restrict__ out, int layers,
                            int n) {
  __shared__ float4 tile[128];
  __shared__ float colour[128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int count = splats[item];
  float2 pixel = pixels[item];
  float light = 0.0f, through = 1.0f;
  for (int layer = 0; layer < layers; ++layer) {
    __syncthreads();
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
      tile[k] = gaussians[layer * 128 + k];
      colour[k] = colours[layer * 128 + k];
    }
    __syncthreads();
    for (int k = 0; k < count; ++k) { // loop: splats
      float4 one = tile[k];
      float x = pixel.x - one.x, y = pixel.y - one.y;
      float alpha = one.w * __expf(-one.z * (x * x + y * y));
      if (alpha > 0.00392157f) { // branch: seen
        light += through * alpha * colour[k];
        through *= 1.0f - alpha;
      }
    }
  }
  if (t < n)
    out[item] = light;
}
