#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels that read at made-up places, to try what is said of accesses: of divcost's report and
Nsight Compute's counts of them, compare.py says where they differ.

  random_cases.py [--seed N] [--kernels N] > random.cu

Indices are sums, products, divisions, shifts, masks, bounds and choices of the thread's and the block's
index, of parameters that the host reads from its arguments and of iterations; in one kernel of four what
some data hold decides which lanes read. All lie in an array of 64 MiB. The program takes the values of
the parameters: 3 numbers from 0 to 40.
"""
import argparse
import random

ROOM = 1 << 24  # elements
BLOCKS, TRIPS = 4, 5
TYPES = ["float", "double", "char", "short", "float4"]
SIZES = {"float": 4, "double": 8, "char": 1, "short": 2, "float4": 16}
HEAD = """// Made by bench/memory/random_cases.py.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ float seen(float v) { return v; }
__device__ float seen(double v) { return (float)v; }
__device__ float seen(char v) { return v; }
__device__ float seen(short v) { return v; }
__device__ float seen(float4 v) { return v.x + v.y + v.z + v.w; }
"""


class Maker:
    def __init__(self, generator):
        self.random = generator

    def leaf(self):
        pick = self.random.random()
        if pick < 0.45:
            return self.random.choice(["tx", "tx", "ty"])
        if pick < 0.75:
            return self.random.choice(["bx", "k", "p0", "p1", "p2"])
        return str(self.random.choice([0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 100]))

    def index(self, depth):
        if depth == 0 or self.random.random() < 0.15:
            return self.leaf()
        a, b = self.index(depth - 1), self.index(depth - 1)
        power = self.random.choice([1, 2, 3, 4, 5])
        forms = [f"({a} + {b})"] * 4 + [f"({a} * {b})"] * 2 + [
            f"({a} * {self.random.choice([2, 3, 4, 8, 12, 32])})", f"({a} / {self.random.choice([2, 3, 4, 8, 32])})",
            f"({a} % {self.random.choice([2, 3, 4, 8, 32])})", f"({a} << {power})", f"({a} >> {power})",
            f"({a} & {self.random.choice([1, 3, 7, 15, 31])})", f"({a} ^ {self.random.choice([1, 2, 3, 16])})",
            f"min({a}, {b})", f"max({a}, {b})", f"({a} < {b} ? {self.leaf()} : {self.leaf()})"]
        return self.random.choice(forms)

    def kernel(self, number):
        shape = self.random.choice([(256, 1), (32, 8), (16, 16), (64, 2), (8, 8)])
        kind = self.random.choice(TYPES)
        shared = self.random.random() < 0.3
        while True:
            index = self.index(self.random.choice([2, 3, 4]))
            if fits(index, shape, 48 * 1024 // SIZES[kind] if shared else ROOM):
                break
        guard = self.random.choice(["", "", f"if ({self.index(1)} % 3 != 1) ", "if (data[tx] & 1) "])
        # What stays the same in a loop is read in front of it, and the line table says so.
        loop = f"#pragma unroll 1\n  for (int k = 0; k < {TRIPS}; ++k)\n" if "k" in index else ""
        guard = guard if loop else guard.replace("k", "1")
        array, space = f"const {kind} *a", ""
        if shared:
            array, space = "const float *unused", f"  extern __shared__ {kind} s{number}[];\n"
        name = f"s{number}" if shared else "a"
        text = (f"__global__ void random_{number}({array}, const int *data, float *out, int p0, int p1, int p2) {{\n"
                f"  int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x;\n{space}"
                f"  float sum = 0;\n{loop}    {guard}sum += seen({name}[{index}]);\n"
                f"  out[(bx * {shape[1]} + ty) * {shape[0]} + tx] = sum;\n}}\n")
        memory = ", 48 * 1024" if shared else ""
        pointer = "(const float *)a" if shared else f"(const {kind} *)a"
        launch = (f"  random_{number}<<<{BLOCKS}, dim3({shape[0]}, {shape[1]}){memory}>>>({pointer}, data, out, "
                  f"p0, p1, p2);\n")
        return text, launch


def fits(index, shape, room):
    """Whether it stays in the array for all threads and iterations, and the largest parameters."""
    code = index
    while "?" in code:  # the innermost choices first
        end = code.index(":", code.rindex("?"))
        question = code.rindex("?")
        begin, depth = question, 0
        while depth >= 0:
            begin -= 1
            depth += {")": 1, "(": -1}.get(code[begin], 0)
        close = code.index(")", end)
        code = (code[:begin + 1] + f"({code[question + 1:end]}) if ({code[begin + 1:question]}) else "
                f"({code[end + 1:close]})" + code[close:])
    compiled = compile(code.replace("/", "//"), "index", "eval")
    for values in ((0, 0, 0), (40, 40, 40), (40, 0, 40), (7, 40, 1)):
        for tx in {0, 1, shape[0] // 2, shape[0] - 1}:
            for ty in {0, shape[1] - 1}:
                for bx in (0, BLOCKS - 1):
                    for k in (0, 1, TRIPS - 1):
                        names = dict(zip(("p0", "p1", "p2"), values), tx=tx, ty=ty, bx=bx, k=k, min=min, max=max)
                        if not 0 <= 8 * eval(compiled, names) < room:
                            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=100)
    options = parser.parse_args()
    maker = Maker(random.Random(options.seed))
    texts, launches = zip(*(maker.kernel(number) for number in range(options.kernels)))
    print(HEAD)
    print("\n".join(texts))
    print("int main(int argc, char **argv) {\n"
          "  int p0 = argc > 1 ? atoi(argv[1]) : 5, p1 = argc > 2 ? atoi(argv[2]) : 8, "
          "p2 = argc > 3 ? atoi(argv[3]) : 33;\n"
          "  char *a;\n  int *data;\n  float *out;\n"
          f"  if (cudaMalloc(&a, {16 * ROOM}) || cudaMalloc(&data, 4096) || cudaMalloc(&out, 1 << 20))\n"
          "    return fprintf(stderr, \"no GPU, or no memory on it\\n\"), 1;\n"
          "  int bits[1024];\n  for (int k = 0; k < 1024; ++k)\n    bits[k] = k * 2654435761u >> 13;\n"
          "  cudaMemcpy(data, bits, 4096, cudaMemcpyHostToDevice);\n" + "".join(launches) +
          "  return cudaDeviceSynchronize() != cudaSuccess;\n}")


if __name__ == "__main__":
    main()
