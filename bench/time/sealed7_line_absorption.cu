// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of the light air absorbs at a frequency: goes over the lines of its gases that count
// there, each as strong as many molecules are in its lower state at that temperature. Far off a
// line has the shape that collisions give it; near it that of the molecules' motion is mixed in. A
// line is where it is, its strength, its width, and the energy of its lower state.

__global__ void line_absorption(const int *__restrict__ order, const int *__restrict__ lines,
                                const int *__restrict__ first, const float2 *__restrict__ places,
                                const float4 *__restrict__ table, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + lines[item];
  float2 place = places[item]; // frequency, and one over the temperature
  float sum = 0.0f;
  for (int k = from; k < end; ++k) { // loop: lines
    float4 line = table[k];
    float off = place.x - line.x, square = off * off, width = line.z;
    float strength = line.y * __expf(-line.w * place.y);
    float shape = __fdividef(width, square + width * width);
    if (square < 16.0f * width * width) { // branch: near
      float narrow = __fdividef(1.0f, width * width);
      shape = 0.3f * shape + 0.7f * (shape + sqrtf(narrow) * __expf(-square * narrow));
    }
    sum += strength * shape;
  }
  out[item] = sum;
}
