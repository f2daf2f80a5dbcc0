// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms from files: in a pragma relative to the source file, in an annotation file relative to
// that; the report holds the points, so it needs the file no more; what is wrong with a file is an
// error at the pragma.
//
// RUN: rm -rf %t && mkdir -p %t/source/data && cd %t
// RUN: cp %s source/histogram.cu && cp %S/Inputs/trips.txt source/data/trips.txt
// RUN: %clang %cuda -fsyntax-only source/histogram.cu -fplugin-arg-divcost-report=unit.json
// RUN: rm -r source/data
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | FileCheck %s
// CHECK: histogram("data/trips.txt", 2:300, 9:100), annotated at histogram.cu:44; mean 3.75
// RUN: FileCheck --check-prefix=JSON %s < unit.json
// JSON: "histogram(\"data/trips.txt\", 2:300, 9:100)"
//
// The annotation's file lies beside it, wherever the compiler runs.
// RUN: mkdir notes && cp %S/Inputs/trips.txt notes/counts.txt
// RUN: echo '{"divcost-annotations": 1, "loops": [{"file": "plain.cu", "line": 45,' > notes/a.json
// RUN: echo ' "trips": "max(histogram(\"counts.txt\"), 2)"}]}' >> notes/a.json
// RUN: sed -e 's/^#pragma.*//' %s > plain.cu
// RUN: %clang %cuda -fsyntax-only plain.cu -fplugin-arg-divcost-annotations=notes/a.json \
// RUN:   -fplugin-arg-divcost-report=unit.txt
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck --check-prefix=FILE %s
// FILE: max(histogram("counts.txt", 2:300, 9:100), 2), annotated at a.json
//
// RUN: not %clang %cuda -fsyntax-only source/histogram.cu 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: histogram.cu:44:23: error: '#pragma divcost': cannot read the histogram '{{.*}}source/data/trips.txt': No such file
// RUN: mkdir source/data && echo "3 x" > source/data/trips.txt
// RUN: not %clang %cuda -fsyntax-only source/histogram.cu 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: histogram.cu:44:23: error: '#pragma divcost': histogram '{{.*}}trips.txt': line 1: expected a count
// RUN: rm notes/counts.txt
// RUN: not %clang %cuda -fsyntax-only plain.cu -fplugin-arg-divcost-annotations=notes/a.json 2>&1 \
// RUN:   | FileCheck --check-prefix=LOST %s
// LOST: error: divcost: 'notes/a.json', line 2, column 16: loops[0].trips: cannot read the histogram 'notes/counts.txt'
//
// A long one is shown from its beginning.
// RUN: %python -c "for k in range(1000): print(k, 1)" > source/data/trips.txt
// RUN: %clang %cuda -fsyntax-only source/histogram.cu -fplugin-arg-divcost-report=long.txt
// RUN: tr -s ' \n' ' ' < long.txt | FileCheck --check-prefix=LONG %s
// LONG: histogram("data/trips.txt", 0:1, 1:1, {{[0-9:, ]+}}..., annotated at histogram.cu:44

__global__ void kernel(int *out, const int *bound) {
#pragma divcost trips(histogram("data/trips.txt"))
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
