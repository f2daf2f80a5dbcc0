#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_project.py KERNELS INCLUDE FOLDER [COUNT]: a project to try `divcost check` on.

COUNT translation units (default: 100), each the copy of a kernel from the folder KERNELS
(bench/kernels) with a call of a template that all of them have from one header, and
build/compile_commands.json. INCLUDE (bench/include) has the header that stands in for CUDA's.
"""
import glob
import json
import os
import sys

HEADER = """#pragma once
// Every unit instantiates this loop: it is one finding, in one place.
template <typename T> __global__ void add_rows(const int *begin, const T *values, T *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k)
    sum += values[k];
  sums[row] = sum;
}
"""


def flags(include):
    return ["-x", "cuda", "--cuda-gpu-arch=sm_90", "-O2", "-nocudainc", "-nocudalib",
            "--cuda-path=/nonexistent", "--cuda-feature=+ptx78", "-I" + include, "-include",
            "divcost_cuda.h"]


def make(kernels, include, folder, count=100, compiler="clang++"):
    sources = sorted(glob.glob(os.path.join(kernels, "*.cu")))
    os.makedirs(os.path.join(folder, "include"))
    os.makedirs(os.path.join(folder, "build"))
    with open(os.path.join(folder, "include", "rows.h"), "w") as file:
        file.write(HEADER)
    entries = []
    for number in range(count):
        name = "unit_%03d.cu" % number
        with open(sources[number % len(sources)]) as file:
            text = file.read()
        with open(os.path.join(folder, name), "w") as file:
            file.write('#include "rows.h"\n%s\ntemplate __global__ void add_rows<float>'
                       '(const int *, const float *, float *);\n'
                       "__global__ void touch_%d(int *p) { p[threadIdx.x] = %d; }\n"
                       % (text, number, number))
        entries.append({"directory": os.path.join(folder, "build"), "file": "../" + name,
                        "arguments": [compiler, *flags(include), "-I../include", "-c",
                                      "../" + name, "-o", name + ".o"]})
    with open(os.path.join(folder, "build", "compile_commands.json"), "w") as file:
        json.dump(entries, file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    make(*map(os.path.abspath, sys.argv[1:4]), int(sys.argv[4]) if len(sys.argv) == 5 else 100)
