// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report: written when asked for, complete or not at all, and never by a failing compilation.
//
// RUN: rm -rf %t && mkdir -p %t/out && cd %t
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=out/unit.txt
// RUN: FileCheck --check-prefix=TEXT %s < out/unit.txt
// TEXT: divcost {{.*}}report.cu, for sm_80
// TEXT: kernel(int*, int const*)
// TEXT: for (int i = 0; i < bound[threadIdx.x]; ++i)
//
// JSON by the name's ending, through a link too, which stays one.
// RUN: echo old > out/target
// RUN: ln -s out/target link.json
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=link.json
// RUN: %python -c "import json, os; assert json.load(open('out/target'))['divcost'] == 1; assert os.path.islink('link.json')"
//
// What isn't a file is written to, not replaced.
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=/dev/stdout \
// RUN:   | FileCheck --check-prefix=TEXT %s
//
// Nor is the link to a file that has no name any more, as /dev/stdout may be.
// RUN: ln -s /proc/self/fd/1 nameless
// RUN: %python %S/Inputs/deleted_stdout.py %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=nameless \
// RUN:   | FileCheck --check-prefix=TEXT %s
// RUN: %python -c "import os; assert os.path.islink('nameless')"
//
// RUN: not %clang %cuda -S -o unit.s %s -fplugin-arg-divcost-report=missing/unit.json 2>&1 \
// RUN:   | FileCheck --check-prefix=MISSING --implicit-check-not=warning: %s
// MISSING: error: divcost: cannot write the report 'missing/unit.json': No such file or directory
// RUN: not %clang %cuda -S -o unit.s %s -fplugin-arg-divcost-report=out 2>&1 \
// RUN:   | FileCheck --check-prefix=DIRECTORY --implicit-check-not=warning: %s
// DIRECTORY: error: divcost: cannot write the report 'out': Is a directory
//
// An old report survives erroneous code.
// RUN: echo old > out/old.json
// RUN: not %clang %cuda -S -o unit.s -DERROR %s -fplugin-arg-divcost-report=out/old.json
// RUN: FileCheck --check-prefix=OLD %s < out/old.json
// OLD: old
//
// A device without room: an error, and no part of a report.
// RUN: not %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=/dev/full 2>&1 \
// RUN:   | FileCheck --check-prefix=FULL %s
// FULL: error: divcost: cannot write the report '/dev/full': No space left on device
//
// RUN: ls out | FileCheck --check-prefix=LEFT %s
// LEFT: old.json
// LEFT-NEXT: target
// LEFT-NEXT: unit.txt
// LEFT-NOT: {{.}}

__global__ void kernel(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
#ifdef ERROR
  undeclared = 1;
#endif
}
