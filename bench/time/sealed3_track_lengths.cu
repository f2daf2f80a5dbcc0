// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks of ships: adds up great circles between their points (haversine), weighted with how far
// the course is from north. A point is packed: latitude and longitude, 16 bits each, in an area.

__global__ void track_lengths(const int *__restrict__ order, const int *__restrict__ begin,
                              const unsigned *__restrict__ points,
                              const float2 *__restrict__ corner, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  const float unit = 0.2f / 65536.0f;
  float2 south_west = corner[item];
  float sum = 0.0f, latitude = south_west.x, longitude = south_west.y;
  float sine = __sinf(latitude), cosine = __cosf(latitude);
  for (int k = begin[item]; k < end; ++k) { // loop: points
    unsigned point = points[k];
    float to_latitude = south_west.x + unit * (float)(point >> 16);
    float to_longitude = south_west.y + unit * (float)(point & 65535);
    float to_sine = __sinf(to_latitude), to_cosine = __cosf(to_latitude);
    float along = to_longitude - longitude;
    float half1 = __sinf(0.5f * (to_latitude - latitude)), half2 = __sinf(0.5f * along);
    float square = half1 * half1 + cosine * to_cosine * half2 * half2;
    float course =
        atan2f(__sinf(along) * to_cosine, cosine * to_sine - sine * to_cosine * __cosf(along));
    sum += 2.0f * asinf(sqrtf(square)) * fabsf(course);
    latitude = to_latitude;
    longitude = to_longitude;
    sine = to_sine;
    cosine = to_cosine;
  }
  out[item] = sum;
}
