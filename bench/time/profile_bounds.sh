#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the launches of bound-kernels.tsv under ncu on GPU 0, each behind one like it, and writes
# the metrics that bound.py asks for to OUT/NAME.csv. What is there already, and what a machine
# lacks, is skipped; after SECONDS nothing more is begun, and a second run goes on.
#
#   profile_bounds.sh BUILD OUT [SECONDS]     BUILD: what bound.py build made; SECONDS: 420
set -u
if [ $# -lt 2 ]; then
  sed -n '5,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
begun=$(date +%s)
mkdir -p "$2"
build=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
limit=${3:-420}
PATH=$PATH:/usr/local/cuda/bin
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
metrics=$(paste -s -d , "$build/metrics.txt")

passed() { echo $(($(date +%s) - begun)); }

say() { echo "$(passed) s: $*"; }

# RAW OPTION... PROGRAM ARGUMENT...: ncu's raw page; what the program prints is in printed.txt.
profile() {
  raw=$1
  shift
  rm -f "$raw"
  timeout 90 ncu --csv --page raw --print-units base --clock-control none --cache-control none \
    --metrics "$metrics" --log-file "$raw" "$@" >printed.txt 2>&1 </dev/null
  echo "rc $?" >>printed.txt
}

# Its launches.
launches_in() { grep -c '^"[0-9]' "$1" 2>/dev/null; }

complain() { # NAME RAW
  say "$1: nothing came out"
  { cat "$2"; tail -n 5 printed.txt; } 2>/dev/null | grep -v '^"' | tail -n 6
}

# Metrics that this ncu doesn't know are left out.
try_metrics() {
  for _ in 1 2 3 4 5 6 7 8; do
    profile probe.raw --profile-from-start off "$build/run_bounds" nothing_132
    [ "$(launches_in probe.raw)" = 1 ] && return
    cat probe.raw printed.txt 2>/dev/null | grep -i 'error\|warning\|metric' >wrong.txt
    unknown=$(echo "$metrics" | tr , '\n' | while read -r name; do
      base=${name%%.*}
      grep -qw -e "$base" wrong.txt && echo "$name"
    done)
    if [ -z "$unknown" ]; then
      complain "ncu" probe.raw
      exit 1
    fi
    say "left out: $(echo "$unknown" | paste -s -d ' ')"
    metrics=$(echo "$metrics" | tr , '\n' | grep -vxF -e "$unknown" | paste -s -d ,)
  done
}

# Launches of run_bounds, all in one run; one by one, if that isn't what comes out.
bounds() { # GROUP NAMES
  left=""
  for name in $2; do
    [ -s "$out/$name.csv" ] || left="$left $name"
  done
  [ -n "$left" ] || return
  # shellcheck disable=SC2086
  profile group.raw --profile-from-start off "$build/run_bounds" $left
  # shellcheck disable=SC2086
  set -- "$1" $left
  if [ "$(launches_in group.raw)" = $(($# - 1)) ]; then
    group=$1
    shift
    row=0
    for name in "$@"; do
      row=$((row + 1))
      grep '^"' group.raw | awk -v row=$row 'NR <= 2 || NR == row + 2' >"$out/$name.csv"
    done
    say "$group: $*"
    return
  fi
  complain "$1" group.raw
  shift
  for name in "$@"; do
    profile one.raw --profile-from-start off "$build/run_bounds" "$name"
    keep "$name" one.raw
  done
}

keep() { # NAME RAW
  if [ "$(launches_in "$2")" = 1 ]; then
    grep '^"' "$2" >"$out/$1.csv"
    say "$1"
  else
    complain "$1" "$2"
  fi
}

try_metrics
tab=$(printf '\t')
while IFS=$tab read -r kind name program kernel skip arguments; do
  if [ "$(passed)" -gt "$limit" ]; then
    say "$name: no time"
    continue
  fi
  if [ ! -x "$build/$program" ]; then
    say "$name: there is no $program"
  elif [ "$kind" = bounds ]; then
    bounds "$name" "$arguments"
  elif [ ! -s "$out/$name.csv" ]; then
    [ "$arguments" = - ] && arguments=""
    # shellcheck disable=SC2086
    profile one.raw -k "$kernel" -s "$skip" -c 1 --kill yes "$build/$program" $arguments
    keep "$name" one.raw
  fi
done <"$build/jobs.tsv"
say "$(find "$out" -name '*.csv' | wc -l) launches"
