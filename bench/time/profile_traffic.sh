#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What pairs ask of L1, L2 and DRAM, in sectors: runs each under ncu on GPU 0, items mixed, caches
# left alone (ncu runs a launch several times), and writes OUT, a line each.
#
#   profile_traffic.sh RUN_PAIRS OUT TABLE...     RUN_PAIRS: by build.py; TABLE: pairs-open.tsv ...
set -u
if [ $# -lt 3 ]; then
  sed -n '5,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
program=$1
out=$2
shift 2
PATH=$PATH:/usr/local/cuda/bin
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
metrics='l1tex__t_sectors_pipe_lsu_mem_global_op_ld
l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit
l1tex__t_sectors_pipe_lsu_mem_global_op_st
lts__t_sectors_op_read
lts__t_sectors_op_write
lts__t_sectors_op_atom
lts__t_sectors_op_red
dram__sectors_read
dram__sectors_write'
echo "pair loads l1_hits stores l2_reads l2_writes l2_atomics l2_reductions dram_reads dram_writes" |
  tr ' ' '\t' >"$out"
names=$(echo "$metrics" | sed 's/$/.sum/' | paste -s -d ,)
awk -F '\t' '!/^#/ && $1 != "name" { print $1, $3 }' "$@" | while read -r pair kernel; do
  timeout 60 ncu --csv --page raw --print-units base --cache-control none --clock-control none \
    -k "$kernel" --metrics "$names" --log-file "$raw" "$program" "$pair" --order mixed --once \
    >/dev/null 2>&1 </dev/null
  # ncu sorts the columns by name.
  sectors=$(grep '^"' "$raw" | awk -F '","' -v metrics="$metrics" '
    NR == 1 { for (k = 1; k <= NF; ++k) { gsub(/"|\.sum/, "", $k); at[$k] = k } }
    { last = $0 }
    END {
      n = split(last, value, "\",\"")
      count = split(metrics, metric, "\n")
      for (k = 1; k <= count; ++k) { gsub(/[",]/, "", value[at[metric[k]]]); printf "\t%s", value[at[metric[k]]] }
    }')
  if [ -n "$sectors" ]; then
    printf '%s%s\n' "$pair" "$sectors" >>"$out"
  else
    echo "$pair: nothing came out" >&2
  fi
done
