// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slow paths of divisions and functions: which operands take them, and how many instructions they
// have; and what malloc and free execute.
//
// Built by `clang++ -O3 --cuda-gpu-arch=sm_90 slow_paths.cu -lcudart_static -ldl -lrt -lpthread`,
// or `nvcc -O3 -std=c++17 -arch=sm_90 slow_paths.cu`.
// With the word `exponents` it prints which pairs of exponents take one. Without,
// `ncu --csv --print-units base --metrics smsp__inst_executed.sum ./slow_paths > OUTPUT` counts a
// launch for each line that it prints, and slow_paths.py makes a table of OUTPUT.
//
// Of each operation it launches one warp whose lanes all have ordinary operands, one in which one
// lane has others, and one in which all have. Of malloc and free, where no lane calls it, one in
// each warp, or all.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define OPERATION(NAME, RESULT)                                                                    \
  template <typename T> struct NAME {                                                              \
    static __device__ T apply(T a, [[maybe_unused]] T b) { return RESULT; }                        \
  };
OPERATION(Divide, a / b)
OPERATION(Rest, a % b)
OPERATION(Root, sqrt(a))
OPERATION(Angle, atan2(a, b))
OPERATION(Length, hypot(a, b))
OPERATION(Sine, sin(a))
OPERATION(Cosine, cos(a))
OPERATION(Tangent, tan(a))
OPERATION(Power, pow(a, b))
OPERATION(Logarithm, log(a))
OPERATION(Exponential, exp(a))
#undef OPERATION

template <typename T> struct SineAndCosine {
  static __device__ T apply(T a, T) {
    T sine, cosine;
    sincos(a, &sine, &cosine);
    return sine * cosine;
  }
};

template <typename T, template <typename> class Operation>
__global__ void apply(const T *a, const T *b, T *out) {
  out[threadIdx.x] = Operation<T>::apply(a[threadIdx.x], b[threadIdx.x]);
}

static void check(cudaError_t status) {
  if (status != cudaSuccess) {
    fprintf(stderr, "slow_paths: %s\n", cudaGetErrorString(status));
    exit(1);
  }
}

template <typename T, template <typename> class Operation>
static void launch(const char *name, T first, T second) {
  T host[2][32], *device;
  check(cudaMalloc(&device, 3 * sizeof host[0]));
  for (int others = 0; others <= 32; others += others ? 31 : 1) {
    for (int lane = 0; lane < 32; ++lane) {
      host[0][lane] = lane < others ? first : T(3);
      host[1][lane] = lane < others ? second : T(7);
    }
    check(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    apply<T, Operation><<<1, 32>>>(device, device + 32, device + 64);
    check(cudaDeviceSynchronize());
    printf("%s\t%g, %g\t%d\n", name, double(first), double(second), others);
  }
  check(cudaFree(device));
}

// Memory of the device's heap, for some lanes of each warp; and what they give back.
static __global__ void take(void **taken, int bytes, unsigned lanes) {
  if (threadIdx.x < lanes)
    taken[blockIdx.x * blockDim.x + threadIdx.x] = malloc(bytes);
}
static __global__ void give_back(void **taken, unsigned lanes) {
  if (threadIdx.x < lanes)
    free(taken[blockIdx.x * blockDim.x + threadIdx.x]);
}

static void launch_heap(int bytes, unsigned warps) {
  void **taken;
  check(cudaMalloc(&taken, warps * 32 * sizeof *taken));
  for (unsigned lanes = 0; lanes <= 32; lanes += lanes ? 31 : 1) {
    take<<<warps, 32>>>(taken, bytes, lanes);
    printf("malloc\t%d bytes, %u warps\t%u\n", bytes, warps, lanes);
    give_back<<<warps, 32>>>(taken, lanes);
    printf("free\t%d bytes, %u warps\t%u\n", bytes, warps, lanes);
    check(cudaDeviceSynchronize());
  }
  check(cudaFree(taken));
}

template <typename T, typename Bits> static __device__ unsigned cycles(Bits a, Bits b) {
  __shared__ volatile Bits operands[2];
  T x, y;
  unsigned passed = 0;
  for (int round = 0; round < 2; ++round) { // the second, when the code is in the cache
    operands[0] = a, operands[1] = b;
    Bits now[2] = {operands[0], operands[1]};
    memcpy(&x, &now[0], sizeof x);
    memcpy(&y, &now[1], sizeof y);
    unsigned begin = clock();
    T quotient = x / y;
    Bits bits;
    memcpy(&bits, &quotient, sizeof bits);
    operands[0] = bits;
    passed = clock() - begin;
  }
  return passed;
}

// A block for each pair, every `step`-th exponent.
static __global__ void floats(unsigned *passed, unsigned step) {
  uint32_t a = uint32_t(blockIdx.x * step) << 23, b = uint32_t(blockIdx.y * step) << 23;
  passed[blockIdx.y * gridDim.x + blockIdx.x] = cycles<float>(a, b);
}
static __global__ void doubles(unsigned *passed, unsigned step) {
  uint64_t a = uint64_t(blockIdx.x * step) << 52, b = uint64_t(blockIdx.y * step) << 52;
  passed[blockIdx.y * gridDim.x + blockIdx.x] = cycles<double>(a, b);
}

struct Range {
  int least = 1 << 20, most = -(1 << 20);
  void add(int value) {
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  bool has(int value) const { return least <= value && value <= most; }
};

static void exponents(const char *name, void (*kernel)(unsigned *, unsigned), int n, int step) {
  int across = n / step;
  unsigned *passed, usual;
  check(cudaMallocManaged(&passed, sizeof *passed * across * across));
  kernel<<<dim3(across, across), 1>>>(passed, step);
  check(cudaDeviceSynchronize());
  usual = passed[across / 2 * across + across / 2] * 3 / 2; // of 1 / 1
  Range numerator, divisor, difference;
  auto ForAll = [&](auto Do) {
    for (int b = 0; b < across; ++b)
      for (int a = 0; a < across; ++a)
        Do(a * step, b * step, passed[b * across + a] <= usual);
  };
  ForAll([&](int a, int b, bool fast) {
    if (fast)
      numerator.add(a), divisor.add(b), difference.add(b - a);
  });
  int otherwise = 0;
  ForAll([&](int a, int b, bool fast) {
    otherwise += !fast && numerator.has(a) && divisor.has(b) && difference.has(b - a);
  });
  printf("%s, every %d. exponent: fast where the numerator's is %d to %d, the divisor's %d to %d, "
         "and their "
         "difference %d to %d; but for %d of %d pairs\n",
         name, step, numerator.least, numerator.most, divisor.least, divisor.most, difference.least,
         difference.most, otherwise, across * across);
  check(cudaFree(passed));
}

int main(int count, char **words) {
  if (count > 1 && !strcmp(words[1], "exponents")) {
    exponents("float", floats, 256, 1);
    exponents("double", doubles, 2048, 2);
    return 0;
  }
  launch<float, Divide>("div f32", 0, 7);
  launch<float, Divide>("div f32", 1e-30f, 7);
  launch<float, Divide>("div f32", 1e-40f, 7);
  launch<float, Divide>("div f32", 1e30f, 1e-30f);
  launch<double, Divide>("div f64", 0, 7);
  launch<double, Divide>("div f64", 1e-290, 7);
  launch<double, Divide>("div f64", 1e-310, 7);
  launch<double, Divide>("div f64", 1e300, 1e-300);
  launch<uint64_t, Divide>("div u64", 1ull << 40, 7);
  launch<uint64_t, Rest>("rem u64", 1ull << 40, 7);
  launch<int64_t, Divide>("div i64", 1ll << 40, 7);
  launch<int64_t, Divide>("div i64", -3, 7);
  launch<int64_t, Rest>("rem i64", 1ll << 40, 7);
  launch<float, Root>("sqrtf", 0, 7);
  launch<float, Root>("sqrtf", 1e-30f, 7);
  launch<float, Root>("sqrtf", 1e-40f, 7);
  launch<double, Root>("sqrt", 0, 7);
  launch<double, Root>("sqrt", 1e-310, 7);
  launch<float, Angle>("atan2f", 0, 7);
  launch<float, Angle>("atan2f", 7, 0);
  launch<float, Angle>("atan2f", 0, 0);
  launch<double, Angle>("atan2", 0, 7);
  launch<double, Angle>("atan2", 0, 0);
  launch<float, Length>("hypotf", 0, 7);
  launch<float, Length>("hypotf", 0, 0);
  launch<double, Length>("hypot", 0, 7);
  launch<double, Length>("hypot", 0, 0);
  launch<float, Sine>("sinf", 0, 7);
  launch<float, Sine>("sinf", 105614, 7);
  launch<float, Sine>("sinf", 105616, 7);
  launch<float, Cosine>("cosf", 105616, 7);
  launch<float, Tangent>("tanf", 105616, 7);
  launch<float, SineAndCosine>("sincosf", 105614, 7);
  launch<float, SineAndCosine>("sincosf", 105616, 7);
  launch<double, Sine>("sin", 0, 7);
  launch<double, Sine>("sin", 1e6, 7);
  launch<double, Sine>("sin", 1e10, 7);
  launch<double, Cosine>("cos", 1e10, 7);
  launch<float, Power>("powf", 0, 7);
  launch<float, Power>("powf", -3, 7);
  launch<double, Power>("pow", 0, 7);
  launch<double, Power>("pow", -3, 7);
  launch<double, Logarithm>("log", 0, 7);
  launch<double, Logarithm>("log", 1e-310, 7);
  launch<double, Exponential>("exp", -700, 7);
  launch<double, Exponential>("exp", -745, 7);
  for (unsigned warps : {1u, 256u})
    for (int bytes : {12, 260, 1000, 5000})
      launch_heap(bytes, warps);
  return 0;
}
