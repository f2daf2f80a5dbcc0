// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA 12 and 13 dropped and published code still uses, so that its kernels compile: texture
// references (fetched by the instructions that CUDA's own headers use), renamed functions, fields
// of cudaDeviceProp. Host functions do nothing: nothing of this is ever linked.
#ifndef DIVCOST_CORPUS_DROPPED_H
#define DIVCOST_CORPUS_DROPPED_H

#include <cuda_runtime.h>
#include <time.h>

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define CUDA_SAFE_CALL(call) call
#define CUT_CHECK_ERROR(message)

struct dc_dropped_device_properties : cudaDeviceProp {
  int clockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled, memoryClockRate;
  int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
};
#define cudaDeviceProp dc_dropped_device_properties

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

// The handle of whatever texture: a texture object, as in today's CUDA.
__constant__ cudaTextureObject_t dc_dropped_handle;

// What a fetch gives: the element, or a float where the texture is normalised.
template <typename T, cudaTextureReadMode mode> struct dc_dropped_fetch {
  typedef T type;
};
template <> struct dc_dropped_fetch<unsigned char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <> struct dc_dropped_fetch<uchar4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
#define DC_DROPPED_FETCH(function, parameters, arguments)                                          \
  template <typename T, int dimensions, cudaTextureReadMode mode>                                  \
  static __device__ __forceinline__ typename dc_dropped_fetch<T, mode>::type function(             \
      const texture<T, dimensions, mode> &, parameters) {                                          \
    return function<typename dc_dropped_fetch<T, mode>::type>(dc_dropped_handle, arguments);       \
  }
#define DC_COMMA ,
DC_DROPPED_FETCH(tex1Dfetch, int x, x)
DC_DROPPED_FETCH(tex1D, float x, x)
DC_DROPPED_FETCH(tex2D, float x DC_COMMA float y, x DC_COMMA y)
DC_DROPPED_FETCH(tex3D, float x DC_COMMA float y DC_COMMA float z, x DC_COMMA y DC_COMMA z)
#undef DC_COMMA
#undef DC_DROPPED_FETCH

// nvcc gives these to the host too; clang to the device only.
template <typename A, typename B>
static inline __host__ auto max(A a, B b) -> decltype(a > b ? a : b) {
  return a > b ? a : b;
}
template <typename A, typename B>
static inline __host__ auto min(A a, B b) -> decltype(a < b ? a : b) {
  return a < b ? a : b;
}

template <typename... Any> static cudaError_t cudaBindTexture(Any &&...) { return cudaSuccess; }
template <typename... Any> static cudaError_t cudaBindTexture2D(Any &&...) { return cudaSuccess; }
template <typename... Any> static cudaError_t cudaBindTextureToArray(Any &&...) {
  return cudaSuccess;
}
template <typename... Any> static cudaError_t cudaUnbindTexture(Any &&...) { return cudaSuccess; }

#endif
