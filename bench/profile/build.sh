#!/bin/bash
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds what bench/profile/measure.sh runs on a machine with a GPU, into one folder that can be
# copied there. Needs clang, a CUDA Toolkit, and divcost built in build/ (or BUILD).
#
#   bench/profile/build.sh FOLDER [sm_90]
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
arch=${2:-sm_90}
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
clang=${CLANG:-clang++-22}
toolkit=${CUDA_PATH:-/usr/local/cuda}
flags=(-O3 --cuda-gpu-arch="$arch" -Wno-unknown-cuda-version --cuda-path="$toolkit" -std=c++17)
libraries=(-L"$toolkit/lib64" -lcudart_static -ldl -lrt -pthread)
plugin=(-fplugin="$build/pass/divcost.so" -fplugin-arg-divcost-no-warn=all)
library="$build/runtime/libdivcost-profile.a"

# compile NAME SOURCE OPTION ...: instrumented where an option of the plugin is given
compile() {
  local name=$1 source=$2
  shift 2
  local with=()
  [[ "$*" == *divcost-profile* ]] && with=("${plugin[@]}" "$@" "$library")
  [[ "$*" == *divcost-profile* ]] || with=("$@")
  "$clang" "${flags[@]}" "$source" "${with[@]}" "${libraries[@]}" -o "$out/$name"
  echo "built $name"
}

generate=-fplugin-arg-divcost-profile-generate=counts.divprof
check=-fplugin-arg-divcost-profile-check=counts.divprof
mkdir -p "$out/counted"
python3 bench/profile/count_by_hand.py "$out/counted" bench/kernels/*.cu
compile time_plain bench/profile/time_kernels.cu -Ibench/kernels
compile time_profiled bench/profile/time_kernels.cu -Ibench/kernels "$generate"
compile time_checked bench/profile/time_kernels.cu -Ibench/kernels "$check"
compile run_counted bench/profile/run_counted.cu -I"$out/counted" "$generate"
compile run_checked bench/profile/run_counted.cu -I"$out/counted" "$check"
cp bench/profile/measure.sh "$out"
du -sh "$out"
