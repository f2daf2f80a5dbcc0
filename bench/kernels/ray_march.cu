// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sphere tracing: a ray steps forward by the distance to the scene until it hits or leaves. To be
// found: the number of steps depends on a position carried round the loop, so neighbouring rays
// part at silhouettes; the loop over the spheres, in a function of its own, has a uniform bound but
// runs with the lanes that are still on their way.

__device__ float distance_to_scene(const float4 *__restrict__ spheres, int count, float x, float y,
                                   float z) {
  float nearest = y + 1.0f;
  for (int s = 0; s < count; ++s) { // expect: class=uniform
    float dx = x - spheres[s].x;
    float dy = y - spheres[s].y;
    float dz = z - spheres[s].z;
    nearest = fminf(nearest, sqrtf(dx * dx + dy * dy + dz * dz) - spheres[s].w);
  }
  return nearest;
}

__global__ void ray_march(const float4 *__restrict__ spheres, int count, float *__restrict__ depths,
                          int width, int height, int max_steps) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  float dx = (float)(2 * column - width) / height;
  float dy = (float)(height - 2 * row) / height;
  float scale = rsqrtf(dx * dx + dy * dy + 1.0f);
  dx *= scale;
  dy *= scale;
  float depth = 0.0f;
  for (int step = 0; step < max_steps; ++step) { // expect: class=data-dependent warn=data-dependent
    float distance =
        distance_to_scene(spheres, count, depth * dx, depth * dy, depth * scale - 4.0f);
    if (distance < 1e-3f)
      break;
    depth += distance;
    if (depth > 100.0f)
      break;
  }
  depths[row * width + column] = depth;
}

cudaError_t run_ray_march(const float4 *spheres, int count, float *depths, int width, int height) {
  dim3 block(8, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  ray_march<<<grid, block>>>(spheres, count, depths, width, height, 256);
  return cudaDeviceSynchronize();
}
