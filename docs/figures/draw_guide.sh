#!/bin/bash
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the pictures of terminals in docs/guide.md anew: what the commands print now, without a CUDA
# Toolkit.
#
#   docs/figures/draw_guide.sh [BUILD]     BUILD is where divcost is built (default: build)
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}")
figures=$PWD/docs/figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
for kernel in spmv_csr_scalar spmv_csr_vector reduce_interleaved mandelbrot saxpy; do
  sed 's|  *// expect:.*||; /^#include "divcost_cuda.h"/d' bench/kernels/$kernel.cu >"$work/src/$kernel.cu"
done
flags=(-x cuda --cuda-gpu-arch=sm_90 -O2 -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78
  -I"$PWD/bench/include" -include divcost_cuda.h)
device=("${flags[@]}" --cuda-device-only -S -o /dev/null)
divcost=$build/tools/divcost
plugin=$build/pass/divcost.so
picture() { # NAME, then what terminal.py takes
  local name=$1
  shift
  echo "$name.svg"
  "$figures/terminal.py" "$@" >"$work/$name.svg"
  mv "$work/$name.svg" "$figures/$name.svg"
}
cd "$work"
picture guide-warning --columns 104 \
  --shown 'clang++-22 -fplugin=divcost.so -x cuda --cuda-gpu-arch=sm_90 -O2 -c src/spmv_csr_scalar.cu' -- \
  clang++-22 -fplugin="$plugin" "${device[@]}" src/spmv_csr_scalar.cu
clang++-22 -fplugin="$plugin" -fplugin-arg-divcost-report=spmv.json -w "${device[@]}" src/spmv_csr_scalar.cu
picture guide-report --columns 90 --first 30 --shown 'divcost report spmv.json' -- "$divcost" report spmv.json
picture guide-what-if --columns 100 --shown "divcost what-if --trips 'spmv_csr_scalar.cu:15=poisson(30)' spmv.json" -- \
  "$divcost" what-if --trips 'spmv_csr_scalar.cu:15=poisson(30)' spmv.json
picture guide-check --columns 104 --shown 'divcost check --fail-on lost=20% src/*.cu -- FLAGS' -- \
  "$divcost" check --fail-on lost=20% src/*.cu -- "${flags[@]}" -w -Wbackend-plugin
"$divcost" check --write-baseline known.json --report before.json src/*.cu -- "${flags[@]}" >/dev/null 2>&1 || true
sed -i 's|j < begin\[row + 1\]|j < begin[row + 1] \&\& values[j] != 0.0f|' src/spmv_csr_scalar.cu
sed -i 's|#include|// a new line\n#include|' src/mandelbrot.cu
cat >src/search.cu <<'CUDA'
__global__ void search(const int *sorted, const int *wanted, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = 0;
  while (sorted[at] < wanted[i])
    ++at;
  found[i] = at;
}
CUDA
picture guide-baseline --columns 104 --last 20 --shown 'divcost check --baseline known.json --fail-on data-dependent src/*.cu -- FLAGS' -- \
  "$divcost" check --baseline known.json --fail-on data-dependent --report after.json src/*.cu -- "${flags[@]}" -w -Wbackend-plugin
picture guide-diff --columns 100 --shown 'divcost diff before.json after.json' -- "$divcost" diff before.json after.json
