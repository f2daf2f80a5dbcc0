#!/bin/bash
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs what bench/profile/build.sh built, on the machine with the GPU, and leaves raw results; they
# are read by bench/profile/keep.py. Takes about a minute, with ncu, which may need rights that the
# user doesn't have: then the comparison with its figures is missing.
#
#   ./measure.sh RESULTS
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=$(mkdir -p "$1" && cd "$1" && pwd)
ordinary=(spmv_poisson spmv_geometric spmv_two_kinds bfs_frontier mandelbrot julia ray_march
  all_pairs tree_descent hash_insert hash_lookup linked_list string_match rejection_sampling
  moving_average matrix_power)
long=(long_spmv_poisson long_spmv_geometric long_spmv_two_kinds long_mandelbrot long_julia
  long_linked_list long_hash_lookup long_string_match)
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader > "$results/gpu.txt"

say() { echo "$SECONDS s: $*"; }

# in_folder NAME COMMAND ...: its profile goes there
in_folder() {
  local folder=$results/$1
  shift
  mkdir -p "$folder" && (cd "$folder" && rm -f counts.divprof && timeout 40 "$@")
}

# overhead ROUND ...: in turns, so that clocks and temperature are alike
overhead() {
  local round
  for round in "$@"; do
    say "overhead, round $round"
    in_folder plain "$here/time_plain" > "$results/plain$round.tsv" || say "time_plain failed: $?"
    in_folder profiled "$here/time_profiled" > "$results/profiled$round.tsv" ||
      say "time_profiled failed: $?"
  done
}

overhead 1 2
say "counters by hand, and profiles of single workloads, side by side"
for kind in counted checked; do
  (in_folder $kind "$here/run_$kind" > "$results/$kind.txt" 2> "$results/$kind.err" ||
    say "run_$kind: $? kernels are wrong") &
done
(in_folder behind_matrix_power "$here/time_profiled" matrix_power > "$results/behind_matrix_power.tsv" ||
  say "time_profiled matrix_power failed: $?") &
for name in "${ordinary[@]}" "${long[@]}"; do
  while (($(jobs -rp | wc -l) >= 8)); do
    wait -n
  done
  (in_folder "one_$name" "$here/time_profiled" "$name" > "$results/one_$name.tsv" ||
    say "time_profiled $name failed: $?") &
done
wait

command -v ncu > /dev/null || PATH=$PATH:/usr/local/cuda/bin
say "a profiler's figures of kernels"
cd "$results" || exit 1
timeout 60 ncu --csv --log-file ncu.csv --clock-control none --metrics \
  smsp__thread_inst_executed_per_inst_executed.ratio,smsp__inst_executed.sum \
  "$here/time_plain" "${ordinary[@]}" "${long[@]}" > ncu.tsv || say "ncu failed: $?"
say "the same of instructions"
timeout 60 ncu --section SourceCounters --clock-control none --log-file source.log --force-overwrite \
  --export source "$here/time_plain" "${ordinary[@]}" "${long[@]}" > source.tsv || say "ncu failed: $?"
timeout 30 ncu --import source.ncu-rep --page source --csv > source.csv || say "ncu --import failed: $?"
rm -f source.ncu-rep
overhead 3
say "done: $(find . -type f | wc -l) files, $(du -sk . | cut -f1) KiB"
