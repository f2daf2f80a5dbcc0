#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the workloads of gpu-workloads on GPU 0, as compiled by clang and by nvcc: times without a
# profiler (seconds-BUILD.tsv), hardware counters through ncu (ncu-BUILD.csv, one line for each
# workload in the order of launches-BUILD.tsv; instructions-BUILD.csv.gz, one line for each
# instruction of each launch), and the machine code with source lines (sass-BUILD.txt.gz). What a
# machine lacks is left out, with a message.
#
#   profile_workloads.sh DIR OUT     DIR: with gpu-workloads, kernels-clang and kernels-nvcc (cmake
#                                    builds them as bench/gpu/workloads, target kernel-cubins)
set -u
if [ $# != 2 ]; then
  sed -n '5,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
bin=$1
out=$2
metrics=smsp__thread_inst_executed_per_inst_executed.ratio,\
smsp__thread_inst_executed_pred_on_per_inst_executed.ratio,\
smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_pred_on.sum
branches=smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,\
smsp__sass_branch_targets_threads_uniform.sum
cycles=smsp__issue_active.sum,smsp__cycles_active.sum,smsp__warps_active.sum,\
smsp__warps_launched.sum,gpu__time_duration.sum

profile() { # BUILD FILE OPTION ...
  build=$1
  table=$2
  shift 2
  ncu --csv --print-units base --clock-control none --log-file "$table" "$@" \
    "$bin/gpu-workloads" --run "$out/launches-$build.tsv" --cubins "$bin/kernels-$build" \
    >"$out/ncu.log" 2>&1
}

counters() { # BUILD METRICS
  profile "$1" "$out/ncu-$1.csv" --page raw --metrics "$2"
}

for build in clang nvcc; do
  echo "$build: times" >&2
  "$bin/gpu-workloads" --run "$out/seconds-$build.tsv" --cubins "$bin/kernels-$build" \
    --repeats 9 2>"$out/run.log" || {
    tail -n 5 "$out/run.log" >&2
    exit 1
  }
  echo "$build: counters" >&2
  counters "$build" "$metrics,$branches,$cycles" || counters "$build" "$metrics,$cycles" ||
    counters "$build" "$metrics" || {
    echo "$build: no counters:" >&2
    tail -n 5 "$out/ncu.log" "$out/ncu-$build.csv" >&2
  }
  echo "$build: instructions" >&2
  profile "$build" "$out/instructions-$build.csv" --page source --section SourceCounters || {
    echo "$build: no counters of instructions:" >&2
    tail -n 5 "$out/ncu.log" "$out/instructions-$build.csv" >&2
  }
  gzip -f "$out/instructions-$build.csv"
  echo "$build: machine code" >&2
  for cubin in "$bin/kernels-$build"/*.cubin; do
    echo "==== $(basename "$cubin" .cubin)"
    nvdisasm -g -c "$cubin" || cuobjdump -sass "$cubin"
  done 2>"$out/sass.log" | gzip >"$out/sass-$build.txt.gz"
done
rm -f "$out/run.log" "$out/ncu.log" "$out/sass.log"
