// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA 13 dropped and the foreign programs use. build.py includes it before everything else.
#pragma once
#include <cuda_runtime.h>
#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#endif

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig

// Members of cudaDeviceProp. The programs print them and use them for nothing else, so what they
// print there is wrong.
#define clockRate multiProcessorCount
#define memoryClockRate multiProcessorCount
#define deviceOverlap asyncEngineCount
#define kernelExecTimeoutEnabled integrated
#define computeMode integrated

#ifdef __cplusplus
// The forms that take a device's number.
static inline cudaMemLocation divcost_location(int device) {
  cudaMemLocation location;
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(memory, size, divcost_location(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice,
                                        int device) {
  return cudaMemAdvise(memory, size, advice, divcost_location(device));
}
#endif
