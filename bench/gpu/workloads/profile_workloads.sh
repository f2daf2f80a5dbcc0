#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the workloads of gpu-workloads on GPU 0, as compiled by clang and by nvcc: times without a
# profiler (seconds-BUILD.tsv), hardware counters through ncu (ncu-BUILD.csv, one line for each
# workload in the order of launches-BUILD.tsv), and the machine code with source lines
# (sass-BUILD.txt.gz). What a machine lacks is left out, with a message.
#
#   profile_workloads.sh DIR OUT     DIR: with gpu-workloads, kernels-clang and kernels-nvcc (cmake builds
#                                    them as bench/gpu/workloads, target kernel-cubins)
set -u
if [ $# != 2 ]; then
  sed -n '5,12s/^# \{0,1\}//p' "$0" >&2
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

profile() { # BUILD METRICS
  ncu --csv --page raw --print-units base --clock-control none --metrics "$2" \
    --log-file "$out/ncu-$1.csv" \
    "$bin/gpu-workloads" --run "$out/launches-$1.tsv" --cubins "$bin/kernels-$1" 2>/dev/null
}

for build in clang nvcc; do
  echo "$build: times" >&2
  "$bin/gpu-workloads" --run "$out/seconds-$build.tsv" --cubins "$bin/kernels-$build" \
    --repeats 9 2>"$out/seconds-$build.log" || exit 1
  echo "$build: counters" >&2
  profile "$build" "$metrics,$branches,$cycles" || profile "$build" "$metrics,$cycles" ||
    profile "$build" "$metrics" || echo "$build: ncu doesn't work here, see ncu-$build.csv" >&2
  echo "$build: machine code" >&2
  for cubin in "$bin/kernels-$build"/*.cubin; do
    echo "==== $(basename "$cubin" .cubin)"
    nvdisasm -g -c "$cubin" || cuobjdump -sass "$cubin"
  done 2>"$out/sass-$build.log" | gzip >"$out/sass-$build.txt.gz"
done
rm -f "$out"/*.log
