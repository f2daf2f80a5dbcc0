// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA for clang 19 to 22 on a machine without a CUDA Toolkit: enough of the language and of the
// runtime's interface to compile and analyse kernels, in the device and in the host compilation.
// Never included by the kernels themselves: a build without a toolkit adds, for any .cu file,
//
//   -nocudainc -nocudalib --cuda-path=/nonexistent -I bench/include -include divcost_cuda.h
//   --cuda-feature=+ptx63 (sm_70, sm_75) or --cuda-feature=+ptx78 (sm_80, sm_90)
//
// and a build with one adds nothing, so that clang and nvcc take CUDA's own headers. Intrinsics are
// the same NVVM builtins as in clang's CUDA headers, so the IR is what a toolkit gives.
// Differences: transcendental functions are the hardware's approximations (no libdevice), the
// runtime's functions are declared and never defined, and what isn't here (textures, surfaces, half
// precision, streams' and events' functions) is missing. Cooperative groups are in
// cooperative_groups.h beside this file. Code for the device goes as far as PTX (-S); objects need
// CUDA's ptxas.
#ifndef DIVCOST_CUDA_H
#define DIVCOST_CUDA_H

#ifndef __CUDA__
#error                                                                                             \
    "divcost_cuda.h stands in for CUDA's headers: compile as CUDA (clang++ -x cuda -nocudainc -nocudalib)"
#endif
#ifdef __CUDACC__
#error                                                                                             \
    "divcost_cuda.h doesn't go with CUDA's own headers: drop -include divcost_cuda.h, or add -nocudainc"
#endif
#define __CUDACC__ 1

// Neither clang's warnings nor divcost's belong here.
#pragma clang system_header

#include <stddef.h>

// --- qualifiers ----------------------------------------------------------------------------------

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
// __noinline__ is a keyword of clang's.

// --- vector types --------------------------------------------------------------------------------

#define DC_CUDA_VECTORS(name, type)                                                                \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                        \
  struct name##3 { type x, y, z; };                                                                \
  struct __attribute__((aligned(sizeof(type) < 8 ? 4 * sizeof(type) : 16))) name##4 {              \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) { return {x, y}; }  \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {           \
    return {x, y, z};                                                                              \
  }                                                                                                \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) {   \
    return {x, y, z, w};                                                                           \
  }

DC_CUDA_VECTORS(char, signed char)
DC_CUDA_VECTORS(uchar, unsigned char)
DC_CUDA_VECTORS(short, short)
DC_CUDA_VECTORS(ushort, unsigned short)
DC_CUDA_VECTORS(int, int)
DC_CUDA_VECTORS(uint, unsigned)
DC_CUDA_VECTORS(longlong, long long)
DC_CUDA_VECTORS(ulonglong, unsigned long long)
DC_CUDA_VECTORS(float, float)
DC_CUDA_VECTORS(double, double)
#undef DC_CUDA_VECTORS

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

// threadIdx, blockIdx, blockDim, gridDim, warpSize: clang's own definitions, with the conversions
// that they leave open.
#include <__clang_cuda_builtin_vars.h>

#define DC_CUDA_CONVERSIONS(variable)                                                              \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return {x, y, z}; }
DC_CUDA_CONVERSIONS(threadIdx)
DC_CUDA_CONVERSIONS(blockIdx)
DC_CUDA_CONVERSIONS(blockDim)
DC_CUDA_CONVERSIONS(gridDim)
#undef DC_CUDA_CONVERSIONS

// --- the runtime, host side ----------------------------------------------------------------------

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};

typedef struct CUstream_st *cudaStream_t;

extern "C" {
cudaError_t cudaMalloc(void **pointer, size_t size);
cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags = 1);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMemcpy(void *destination, const void *source, size_t size,
                       enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *destination, const void *source, size_t size,
                            enum cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void *destination, int value, size_t size);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size,
                               size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

// What clang makes of kernel<<<grid, block, shared_memory, stream>>>(...): the first for a CUDA
// older than 9.2, which it assumes where there is no toolkit, the others else.
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_memory = 0, cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_memory = 0,
                                     cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_memory, cudaStream_t stream);

// The other ways to launch a kernel, and what else is done with its address.
typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  struct cudaLaunchAttribute_st *attrs;
  unsigned numAttrs;
} cudaLaunchConfig_t;
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_memory, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t shared_memory);
}

template <typename... Expected, typename... Actual>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration,
                                             void (*kernel)(Expected...), Actual &&...arguments) {
  return [&](Expected... converted) {
    void *pointers[] = {&converted...};
    return cudaLaunchKernelExC(configuration, (const void *)kernel, pointers);
  }(static_cast<Actual &&>(arguments)...);
}

template <typename T> static inline cudaError_t cudaMalloc(T **pointer, size_t size) {
  return cudaMalloc((void **)pointer, size);
}
template <typename T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned flags = 1) {
  return cudaMallocManaged((void **)pointer, size, flags);
}
template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *source, size_t size,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, source, size, offset, kind);
}

// --- device functions ----------------------------------------------------------------------------

#define DC_CUDA_DEVICE static __device__ __forceinline__
#define DC_CUDA_BOTH static __host__ __device__ __forceinline__

extern "C" {
__device__ int printf(const char *format, ...);
__device__ int vprintf(const char *format, const char *arguments);
__device__ void *malloc(size_t size) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t size);
// What the C library's assert() calls.
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

// Barriers and fences; __syncthreads() is a builtin of clang's.
DC_CUDA_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
DC_CUDA_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
DC_CUDA_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
DC_CUDA_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
DC_CUDA_DEVICE void __threadfence() { __nvvm_membar_gl(); }
DC_CUDA_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
DC_CUDA_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
DC_CUDA_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
DC_CUDA_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
DC_CUDA_DEVICE void __trap() { __builtin_trap(); }

// Votes and matches.
DC_CUDA_DEVICE int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
DC_CUDA_DEVICE int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
DC_CUDA_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
DC_CUDA_DEVICE unsigned __activemask() { return __nvvm_activemask(); }
DC_CUDA_DEVICE unsigned __match_any_sync(unsigned mask, unsigned value) {
  return __nvvm_match_any_sync_i32(mask, value);
}
DC_CUDA_DEVICE unsigned __match_any_sync(unsigned mask, int value) {
  return __nvvm_match_any_sync_i32(mask, (unsigned)value);
}
DC_CUDA_DEVICE unsigned __match_any_sync(unsigned mask, unsigned long long value) {
  return __nvvm_match_any_sync_i64(mask, value);
}
DC_CUDA_DEVICE unsigned __match_all_sync(unsigned mask, unsigned value, int *predicate) {
  return __nvvm_match_all_sync_i32p(mask, value, predicate);
}
DC_CUDA_DEVICE unsigned __match_all_sync(unsigned mask, int value, int *predicate) {
  return __nvvm_match_all_sync_i32p(mask, (unsigned)value, predicate);
}

// Reductions over a warp, sm_80 and later.
DC_CUDA_DEVICE int __reduce_add_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_add(value, mask);
}
DC_CUDA_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_add((int)value, mask);
}
DC_CUDA_DEVICE int __reduce_min_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_min(value, mask);
}
DC_CUDA_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umin(value, mask);
}
DC_CUDA_DEVICE int __reduce_max_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_max(value, mask);
}
DC_CUDA_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umax(value, mask);
}
DC_CUDA_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_or((int)value, mask);
}
DC_CUDA_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_and((int)value, mask);
}

// Shuffles. The last argument of the builtin holds 32 - width in bits 8 to 12 and the clamp in bits
// 0 to 4.
#define DC_CUDA_SHUFFLE(name, builtin, lane_type, clamp)                                           \
  DC_CUDA_DEVICE int name(unsigned mask, int value, lane_type lane, int width = 32) {              \
    return builtin##_i32(mask, value, lane, ((32 - width) << 8) | clamp);                          \
  }                                                                                                \
  DC_CUDA_DEVICE unsigned name(unsigned mask, unsigned value, lane_type lane, int width = 32) {    \
    return (unsigned)builtin##_i32(mask, (int)value, lane, ((32 - width) << 8) | clamp);           \
  }                                                                                                \
  DC_CUDA_DEVICE float name(unsigned mask, float value, lane_type lane, int width = 32) {          \
    return builtin##_f32(mask, value, lane, ((32 - width) << 8) | clamp);                          \
  }                                                                                                \
  DC_CUDA_DEVICE long long name(unsigned mask, long long value, lane_type lane, int width = 32) {  \
    unsigned low = name(mask, (unsigned)value, lane, width);                                       \
    unsigned high = name(mask, (unsigned)((unsigned long long)value >> 32), lane, width);          \
    return (long long)((unsigned long long)high << 32 | low);                                      \
  }                                                                                                \
  DC_CUDA_DEVICE unsigned long long name(unsigned mask, unsigned long long value, lane_type lane,  \
                                         int width = 32) {                                         \
    return (unsigned long long)name(mask, (long long)value, lane, width);                          \
  }                                                                                                \
  DC_CUDA_DEVICE double name(unsigned mask, double value, lane_type lane, int width = 32) {        \
    return __builtin_bit_cast(double,                                                              \
                              name(mask, __builtin_bit_cast(long long, value), lane, width));      \
  }
DC_CUDA_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx, int, 0x1f)
DC_CUDA_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up, unsigned, 0)
DC_CUDA_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down, unsigned, 0x1f)
DC_CUDA_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly, int, 0x1f)
#undef DC_CUDA_SHUFFLE

// Atomics, relaxed and of the device's scope.
#define DC_CUDA_ATOMIC(name, type, builtin, builtin_type)                                          \
  DC_CUDA_DEVICE type name(type *address, type value) {                                            \
    return (type)builtin((builtin_type *)address, (builtin_type)value);                            \
  }
DC_CUDA_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i, int)
DC_CUDA_ATOMIC(atomicAdd, unsigned, __nvvm_atom_add_gen_i, int)
DC_CUDA_ATOMIC(atomicAdd, unsigned long long, __nvvm_atom_add_gen_ll, long long)
DC_CUDA_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f, float)
DC_CUDA_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d, double)
DC_CUDA_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i, int)
DC_CUDA_ATOMIC(atomicExch, unsigned, __nvvm_atom_xchg_gen_i, int)
DC_CUDA_ATOMIC(atomicExch, unsigned long long, __nvvm_atom_xchg_gen_ll, long long)
DC_CUDA_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i, int)
DC_CUDA_ATOMIC(atomicMin, unsigned, __nvvm_atom_min_gen_ui, unsigned)
DC_CUDA_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull, unsigned long long)
DC_CUDA_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i, int)
DC_CUDA_ATOMIC(atomicMax, unsigned, __nvvm_atom_max_gen_ui, unsigned)
DC_CUDA_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull, unsigned long long)
DC_CUDA_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i, int)
DC_CUDA_ATOMIC(atomicAnd, unsigned, __nvvm_atom_and_gen_i, int)
DC_CUDA_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i, int)
DC_CUDA_ATOMIC(atomicOr, unsigned, __nvvm_atom_or_gen_i, int)
DC_CUDA_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i, int)
DC_CUDA_ATOMIC(atomicXor, unsigned, __nvvm_atom_xor_gen_i, int)
DC_CUDA_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui, unsigned)
DC_CUDA_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui, unsigned)
#undef DC_CUDA_ATOMIC
DC_CUDA_DEVICE int atomicSub(int *address, int value) {
  return __nvvm_atom_add_gen_i(address, -value);
}
DC_CUDA_DEVICE unsigned atomicSub(unsigned *address, unsigned value) {
  return atomicAdd(address, 0u - value);
}
DC_CUDA_DEVICE int atomicCAS(int *address, int compare, int value) {
  return __nvvm_atom_cas_gen_i(address, compare, value);
}
DC_CUDA_DEVICE unsigned atomicCAS(unsigned *address, unsigned compare, unsigned value) {
  return (unsigned)__nvvm_atom_cas_gen_i((int *)address, (int)compare, (int)value);
}
DC_CUDA_DEVICE unsigned long long atomicCAS(unsigned long long *address, unsigned long long compare,
                                            unsigned long long value) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)address, (long long)compare,
                                                    (long long)value);
}
DC_CUDA_DEVICE float atomicExch(float *address, float value) {
  return __builtin_bit_cast(float,
                            __nvvm_atom_xchg_gen_i((int *)address, __builtin_bit_cast(int, value)));
}

// Loads through the read-only cache.
DC_CUDA_DEVICE signed char __ldg(const signed char *p) {
  return (signed char)__nvvm_ldg_c((const char *)p);
}
DC_CUDA_DEVICE char __ldg(const char *p) { return __nvvm_ldg_c(p); }
DC_CUDA_DEVICE unsigned char __ldg(const unsigned char *p) { return __nvvm_ldg_uc(p); }
DC_CUDA_DEVICE short __ldg(const short *p) { return __nvvm_ldg_s(p); }
DC_CUDA_DEVICE unsigned short __ldg(const unsigned short *p) { return __nvvm_ldg_us(p); }
DC_CUDA_DEVICE int __ldg(const int *p) { return __nvvm_ldg_i(p); }
DC_CUDA_DEVICE unsigned __ldg(const unsigned *p) { return __nvvm_ldg_ui(p); }
DC_CUDA_DEVICE long __ldg(const long *p) { return __nvvm_ldg_l(p); }
DC_CUDA_DEVICE unsigned long __ldg(const unsigned long *p) { return __nvvm_ldg_ul(p); }
DC_CUDA_DEVICE long long __ldg(const long long *p) { return __nvvm_ldg_ll(p); }
DC_CUDA_DEVICE unsigned long long __ldg(const unsigned long long *p) { return __nvvm_ldg_ull(p); }
DC_CUDA_DEVICE float __ldg(const float *p) { return __nvvm_ldg_f(p); }
DC_CUDA_DEVICE double __ldg(const double *p) { return __nvvm_ldg_d(p); }

// Bits.
DC_CUDA_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
DC_CUDA_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
DC_CUDA_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
DC_CUDA_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
DC_CUDA_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
DC_CUDA_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
DC_CUDA_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
DC_CUDA_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
DC_CUDA_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
DC_CUDA_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
DC_CUDA_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
DC_CUDA_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return (unsigned)((unsigned long long)x * y >> 32);
}

// min and max as in CUDA, for the host too.
#define DC_CUDA_MIN_MAX(type)                                                                      \
  DC_CUDA_BOTH type min(type x, type y) { return y < x ? y : x; }                                  \
  DC_CUDA_BOTH type max(type x, type y) { return x < y ? y : x; }
DC_CUDA_MIN_MAX(int)
DC_CUDA_MIN_MAX(unsigned)
DC_CUDA_MIN_MAX(long)
DC_CUDA_MIN_MAX(unsigned long)
DC_CUDA_MIN_MAX(long long)
DC_CUDA_MIN_MAX(unsigned long long)
#undef DC_CUDA_MIN_MAX
DC_CUDA_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
DC_CUDA_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }
DC_CUDA_BOTH double min(double x, double y) { return __builtin_fmin(x, y); }
DC_CUDA_BOTH double max(double x, double y) { return __builtin_fmax(x, y); }

// Mathematics: exact where one instruction is, the hardware's approximation where CUDA would call
// libdevice.
DC_CUDA_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
DC_CUDA_DEVICE float fminf(float x, float y) { return __builtin_fminf(x, y); }
DC_CUDA_DEVICE float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
DC_CUDA_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
DC_CUDA_DEVICE float floorf(float x) { return __builtin_floorf(x); }
DC_CUDA_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
DC_CUDA_DEVICE float truncf(float x) { return __builtin_truncf(x); }
DC_CUDA_DEVICE float rintf(float x) { return __builtin_rintf(x); }
DC_CUDA_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
DC_CUDA_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
DC_CUDA_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
DC_CUDA_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
DC_CUDA_DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
DC_CUDA_DEVICE float expf(float x) { return exp2f(x * 1.4426950408889634f); }
DC_CUDA_DEVICE float logf(float x) { return log2f(x) * 0.6931471805599453f; }
DC_CUDA_DEVICE float powf(float x, float y) { return exp2f(y * log2f(x)); }
DC_CUDA_DEVICE float sinf(float x) { return __nvvm_sin_approx_f(x); }
DC_CUDA_DEVICE float cosf(float x) { return __nvvm_cos_approx_f(x); }
DC_CUDA_DEVICE float fmodf(float x, float y) { return x - truncf(x / y) * y; }
DC_CUDA_DEVICE double fabs(double x) { return __builtin_fabs(x); }
DC_CUDA_DEVICE double fmin(double x, double y) { return __builtin_fmin(x, y); }
DC_CUDA_DEVICE double fmax(double x, double y) { return __builtin_fmax(x, y); }
DC_CUDA_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
DC_CUDA_DEVICE double floor(double x) { return __builtin_floor(x); }
DC_CUDA_DEVICE double ceil(double x) { return __builtin_ceil(x); }
DC_CUDA_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
DC_CUDA_DEVICE int abs(int x) { return __builtin_abs(x); }
DC_CUDA_DEVICE float __expf(float x) { return expf(x); }
DC_CUDA_DEVICE float __logf(float x) { return logf(x); }
DC_CUDA_DEVICE float __powf(float x, float y) { return powf(x, y); }
DC_CUDA_DEVICE float __sinf(float x) { return sinf(x); }
DC_CUDA_DEVICE float __cosf(float x) { return cosf(x); }
DC_CUDA_DEVICE float __fdividef(float x, float y) { return x / y; }
DC_CUDA_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
DC_CUDA_DEVICE int __float2int_rd(float x) { return (int)floorf(x); }
DC_CUDA_DEVICE int __float2int_rn(float x) { return (int)rintf(x); }
DC_CUDA_DEVICE int __float2int_rz(float x) { return (int)x; }

#undef DC_CUDA_DEVICE
#undef DC_CUDA_BOTH

#endif
