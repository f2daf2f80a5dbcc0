// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the CUDA runtime how many blocks of each kernel of some cubins an SM holds: prints rows of
// kernel, threads of a block, registers of a thread, bytes of shared memory (static, dynamic), and
// what cudaOccupancyMaxActiveBlocksPerMultiprocessor answers.
//
//   nvcc -cudart static bench/occupancy/occupancy.cu -o occupancy && ./occupancy FILE.cubin...
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

static bool failed(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fprintf(stderr, "occupancy: %s: %s\n", what, cudaGetErrorString(error));
  return error != cudaSuccess;
}

static bool ask(cudaKernel_t kernel, int most_shared) {
  static const int blocks[] = {32, 96, 192, 256, 512, 1024};
  static const int shared[] = {0, 10000, 49152, 100000};
  const void *function = (const void *)kernel;
  const char *name;
  cudaFuncAttributes about;
  if (failed(cudaFuncGetName(&name, function), "a kernel's name") ||
      failed(cudaFuncGetAttributes(&about, function), name))
    return false;
  for (int dynamic : shared) {
    if (dynamic + (int)about.sharedSizeBytes > most_shared ||
        failed(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic),
               name))
      continue;
    for (int block : blocks) {
      int answer;
      if (block > about.maxThreadsPerBlock)
        continue;
      if (failed(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&answer, function, block, dynamic),
                 name))
        return false;
      printf("%s\t%d\t%d\t%zu\t%d\t%d\n", name, block, about.numRegs, about.sharedSizeBytes,
             dynamic, answer);
    }
  }
  return true;
}

static bool ask_all(const char *path, int most_shared) {
  cudaLibrary_t library;
  unsigned count;
  if (failed(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0),
             path) ||
      failed(cudaLibraryGetKernelCount(&count, library), path))
    return false;
  std::vector<cudaKernel_t> kernels(count);
  if (failed(cudaLibraryEnumerateKernels(kernels.data(), count, library), path))
    return false;
  for (cudaKernel_t kernel : kernels)
    if (!ask(kernel, most_shared))
      return false;
  return true;
}

int main(int argc, char **argv) {
  cudaDeviceProp device;
  if (argc < 2) {
    fprintf(stderr, "usage: occupancy FILE.cubin...\n");
    return 2;
  }
  if (failed(cudaGetDeviceProperties(&device, 0), "the GPU"))
    return 1;
  printf(
      "# %s, sm_%d%d: %d warps, %d blocks, %d registers and %zu bytes of shared memory an SM; of a "
      "block at most %d and %zu, beside %zu that the system takes\n",
      device.name, device.major, device.minor, device.maxThreadsPerMultiProcessor / 32,
      device.maxBlocksPerMultiProcessor, device.regsPerMultiprocessor,
      device.sharedMemPerMultiprocessor, device.regsPerBlock, device.sharedMemPerBlockOptin,
      device.reservedSharedMemPerBlock);
  printf("# kernel\tthreads\tregisters\tstatic\tdynamic\tblocks\n");
  for (int k = 1; k < argc; ++k)
    if (!ask_all(argv[k], (int)device.sharedMemPerBlockOptin))
      return 1;
  return 0;
}
