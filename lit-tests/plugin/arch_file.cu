// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs from an architecture file, as divcost calibrate writes it.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %divcost calibrate --from %repo/bench/results/h200 --out mine.json > /dev/null
// RUN: %clang %cuda-any --cuda-gpu-arch=sm_90 --cuda-device-only -fsyntax-only %s \
// RUN:   -fplugin-arg-divcost-arch=mine.json -fplugin-arg-divcost-report=mine.txt 2>&1 \
// RUN:   | FileCheck --check-prefix=WARN --implicit-check-not=warning: %s
// RUN: FileCheck --check-prefix=TEXT %s < mine.txt
// TEXT: for sm_90
// TEXT: costs {{ *}}sm_90: reconvergence measured on NVIDIA H200
// TEXT: How to read this
// TEXT: costs {{ *}}sm_90: reconvergence measured on NVIDIA H200
// TEXT: instructions{{$}}
// TEXT-NEXT: measured on NVIDIA H200
//
// Its figures are what counts, in the compiler and wherever the report goes without the file. An
// exit that costs 1000 cycles more makes a warp longer by its 30.875 exits (of eight, one has 30).
// RUN: %python -c "import json; data = json.load(open('mine.json')); \
// RUN:   data['divergent_exit']['value'] += 1000; json.dump(data, open('dear.json', 'w'))"
// RUN: %clang %cuda-any --cuda-gpu-arch=sm_90 --cuda-device-only -fsyntax-only -w %s \
// RUN:   -fplugin-arg-divcost-arch=mine.json -fplugin-arg-divcost-report=cheap-report.json
// RUN: %clang %cuda-any --cuda-gpu-arch=sm_90 --cuda-device-only -fsyntax-only -w %s \
// RUN:   -fplugin-arg-divcost-arch=dear.json -fplugin-arg-divcost-report=dear-report.json
// RUN: rm mine.json dear.json
// RUN: %python %S/Inputs/same_report.py %divcost cheap-report.json dear-report.json
// RUN: %python -c "import json; \
// RUN:   cheap, dear = (json.load(open(f))['kernels'][0]['estimates'][0] \
// RUN:                  for f in ('cheap-report.json', 'dear-report.json')); \
// RUN:   print(dear['cycles']['reconvergence'] - cheap['cycles']['reconvergence'], \
// RUN:         dear['costs']['divergent_exit'])" | FileCheck --check-prefix=DEAR %s
// DEAR: {{^}}30875{{(.0)?}} 1013
//
// One for another GPU is taken, and said; so is the last of several.
// RUN: %divcost calibrate --from %repo/bench/results/h200 --out mine.json > /dev/null
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-arch=mine.json -fplugin-arg-divcost-report=other.txt 2>&1 \
// RUN:   | FileCheck --check-prefix=OTHER --implicit-check-not=warning: %s
// OTHER: warning: divcost: architecture file 'mine.json' is of sm_90, and the code is compiled for sm_80: all figures are for sm_90
// RUN: FileCheck --check-prefix=TEXT %s < other.txt
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-arch=mine.json -Werror=backend-plugin 2>&1 \
// RUN:   | FileCheck --check-prefix=STRICT %s
// STRICT: error: divcost: architecture file 'mine.json' is of sm_90
// RUN: %clang %cuda -fsyntax-only %s -Werror -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-arch=mine.json -fplugin-arg-divcost-arch=sm_80
//
// What is wrong with a file is an error that names file and field.
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-arch=none.json 2>&1 \
// RUN:   | FileCheck --check-prefix=NONE %s
// NONE: error: divcost: option 'arch': cannot read 'none.json': No such file
// RUN: sed 's/"rules": "barriers"/"rules": "magic"/' mine.json > rules.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-arch=rules.json 2>&1 \
// RUN:   | FileCheck --check-prefix=FIELD %s
// FIELD: error: divcost: option 'arch': 'rules.json': rules: {{.*}}magic
// RUN: echo '{' > half.json
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-arch=half.json 2>&1 \
// RUN:   | FileCheck --check-prefix=HALF %s
// HALF: error: divcost: option 'arch': 'half.json': line 2, column 0:

__global__ void kernel(int *out) {
  // WARN: arch_file.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-imbalance]
  for (int i = 0; i < threadIdx.x; ++i)
    out[i] += i;
}
