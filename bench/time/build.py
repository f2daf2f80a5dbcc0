#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds run_pairs, with all pairs in it.

  build.py --out DIR                    with nvcc
  build.py --out DIR --compiler clang   with clang 22
  build.py --out DIR --compiler host    without CUDA: run_pairs emulates some blocks of each launch

A static binary for sm_90 comes out: DIR/run_pairs. What it is made of beside the sources here,
the table of pairs and the list of kernels, is written to DIR first.
"""
import argparse
import os
import shutil
import subprocess
import sys

import tables

FLAGS = ["-O3", "-std=c++17"]
NO_PAIRS = ("run_pairs.cu", "bounds.cu", "run_bounds.cu")  # sources that are no kernels of pairs
QUIET = ["-Wno-deprecated-declarations", "-Wno-unknown-cuda-version"]


def write_table(rows, path):
    lines = ["\t".join(tables.COLUMNS)] + ["\t".join(row[name] for name in tables.COLUMNS) for row in rows]
    with open(path, "w", encoding="utf-8") as file:
        file.write("static const char *const pairs_table[] = {\n")
        for line in lines:
            file.write("    \"%s\",\n" % line.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t"))
        file.write("};\n")


def write_kernels(path):
    names = sorted(name[:-len(".cu")] for name in os.listdir(tables.HERE)
                   if name.endswith(".cu") and name not in NO_PAIRS)
    with open(path, "w", encoding="utf-8") as file:
        for name in names:
            file.write("#include \"%s.cu\"\n#include \"inputs/%s.h\"\n" % (name, name))


def command(compiler, out):
    source, binary = os.path.join(tables.HERE, "run_pairs.cu"), os.path.join(out, "run_pairs")
    include = ["-I" + tables.HERE, "-I" + out]
    if compiler == "nvcc":
        return ["nvcc", *FLAGS, "-arch=sm_90", "-lineinfo", "-cudart=static", *include, source, "-o", binary]
    if compiler == "host":
        return ["clang++-22", *FLAGS, *QUIET, "-O1", "-g", "-Wall", "-x", "c++", "-DDIVCOST_EMULATE", *include, source,
                "-o", binary]
    root = tables.cuda_root()
    return ["clang++-22", *FLAGS, *QUIET, "-x", "cuda", "--cuda-gpu-arch=sm_90", "--cuda-path=" + root,
            "-gline-tables-only", *include, source, "-o", binary, "-L" + root + "/lib64", "-lcudart_static",
            "-ldl", "-lrt", "-lpthread"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--compiler", choices=("nvcc", "clang", "host"), default="nvcc")
    arguments = parser.parse_args()
    out = os.path.abspath(arguments.out)
    os.makedirs(out, exist_ok=True)
    write_table(tables.read_all(), os.path.join(out, "pairs_table.h"))
    write_kernels(os.path.join(out, "all_kernels.h"))
    if not shutil.which("nvcc" if arguments.compiler == "nvcc" else "clang++-22"):
        sys.exit("build.py: there is no such compiler")
    return subprocess.run(command(arguments.compiler, out)).returncode


if __name__ == "__main__":
    sys.exit(main())
