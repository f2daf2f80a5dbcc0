#!/bin/bash
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs what bench/profile/build.sh built, on the machine with the GPU, and leaves raw results; they
# are read by bench/profile/evaluate.py. Takes about two minutes, more with ncu, which may need
# rights that the user doesn't have: then the comparison with its figures is missing.
#
#   ./measure.sh RESULTS
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=$(mkdir -p "$1" && cd "$1" && pwd)
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader > "$results/gpu.txt"

# in_folder NAME COMMAND ...: its profile goes there
in_folder() {
  local folder=$results/$1
  shift
  mkdir -p "$folder" && cd "$folder" && rm -f counts.divprof && "$@"
  local status=$?
  cd "$here"
  return $status
}

echo "overhead"
for round in 1 2 3; do # in turns, so that clocks and temperature are alike
  in_folder plain "$here/time_plain" > "$results/plain$round.tsv" || echo "time_plain failed: $?"
  in_folder profiled "$here/time_profiled" > "$results/profiled$round.tsv" ||
    echo "time_profiled failed: $?"
done

echo "counters by hand"
in_folder counted "$here/run_counted" > "$results/counted.txt" 2> "$results/counted.err" ||
  echo "run_counted: $? kernels are wrong"
in_folder checked "$here/run_checked" > "$results/checked.txt" 2> "$results/checked.err" ||
  echo "run_checked: $? kernels are wrong"

echo "profiles of single workloads"
for name in spmv_poisson spmv_geometric spmv_two_kinds bfs_frontier mandelbrot julia hash_insert \
  hash_lookup linked_list tree_descent rejection_sampling matrix_power; do
  in_folder "one_$name" "$here/time_profiled" "$name" > "$results/one_$name.tsv" ||
    echo "time_profiled $name failed: $?"
  command -v ncu > /dev/null && ncu --csv --metrics \
    smsp__thread_inst_executed_per_inst_executed.ratio,smsp__inst_executed.sum \
    "$here/time_plain" "$name" > "$results/ncu_$name.csv" 2>&1
done
ls "$results" | wc -l
