#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What needs NVIDIA's own tools and a GPU, of the comparison with machine code: the cubins of
# bench/kernels as nvdisasm shows them (sass-BUILD.txt), and the instructions that a warp executes of
# each operation (operations.csv, by ncu), to check what is read and counted without them: by
# disassembly.py and count_instructions.py.
#
#   disassemble.sh DIR OUT     DIR: with kernels-BUILD (cmake builds them as bench/gpu/workloads,
#                              target kernel-cubins) and operations, the program that
#                              count_instructions.py --program writes
set -u
if [ $# != 2 ]; then
  sed -n '5,12s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
mkdir -p "$2"
{ nvdisasm --version && ncu --version; } >"$2/versions.txt"
for build in clang nvcc clang-rolled nvcc-rolled; do
  echo "$build: machine code" >&2
  for cubin in "$1/kernels-$build"/*.cubin; do
    echo "==== $(basename "$cubin" .cubin)"
    nvdisasm -c -g "$cubin" | sed 's,File "/[^"]*/,File ",'
  done >"$2/sass-$build.txt" 2>"$2/sass-$build.log"
done
echo "operations: instructions" >&2
metrics=smsp__inst_executed.sum,smsp__inst_executed_pipe_fp64.sum,smsp__inst_executed_pipe_xu.sum
timeout 60 ncu --csv --clock-control none --metrics "$metrics" \
  --log-file "$2/operations.csv" "$1/operations" >"$2/operations.log" 2>&1 ||
  tail -n 5 "$2/operations.log" "$2/operations.csv" >&2
