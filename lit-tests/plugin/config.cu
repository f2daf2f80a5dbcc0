// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option config: what a project's .divcost says counts as if it stood in this place.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %S/Inputs/config.h .
// RUN: %clang %cuda -fsyntax-only -I. %s 2>&1 | FileCheck --check-prefix=WITHOUT %s
// WITHOUT-DAG: config.h:6:3: warning: loop runs a different number {{.*}}[divcost-imbalance]
// WITHOUT-DAG: config.cu:[[@LINE+38]]:3: warning: loop may run a different number {{.*}}[divcost-data-dependent]
//
// A header that the filter leaves out has no findings; in the report they are suppressed. The filter
// is for the absolute path, and never for the file that is compiled:
// RUN: echo '{"divcost-config": 1, "header-filter": "/nowhere/"}' > .divcost
// RUN: %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-config=.divcost -fplugin-arg-divcost-report=unit.json 2>&1 \
// RUN:   | FileCheck --check-prefix=FILTER --implicit-check-not=config.h: %s
// FILTER: config.cu:[[@LINE+31]]:3: warning: loop may run
// RUN: %divcost report --sarif unit.json | FileCheck --check-prefix=EXTERNAL %s
// EXTERNAL-COUNT-1: {"kind": "external", "justification": "switched off by an option or a .divcost file"}
// EXTERNAL-NOT: suppressions
// RUN: %divcost report --fail-on imbalance unit.json > /dev/null
// RUN: not %divcost report --fail-on data-dependent unit.json > /dev/null
// RUN: %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-header-filter='^/.*/config[.]h$' 2>&1 | FileCheck --check-prefix=WITHOUT %s
//
// So are those of a rule that is off; a later option comes before the file:
// RUN: echo '{"divcost-config": 1, "rules": {"imbalance": false, "data-dependent": false}}' > .divcost
// RUN: %clang %cuda -fsyntax-only -I. -Werror %s -fplugin-arg-divcost-config=.divcost -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report --fail-on any unit.json > /dev/null
// RUN: %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-config=.divcost -fplugin-arg-divcost-warn=all 2>&1 | FileCheck --check-prefix=WITHOUT %s
//
// Entries of kernels say how they are launched; that some are of other files is no warning:
// RUN: echo '{"divcost-config": 1, "threshold": 1, "rules": {"data-dependent": false}, "kernels": [{"function": "rows", "launch": "block=96"}, {"function": "columns", "launch": "block=64"}]}' > .divcost
// RUN: %clang %cuda -fsyntax-only -I. -Werror %s -fplugin-arg-divcost-config=.divcost -fplugin-arg-divcost-report=unit.txt
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck --check-prefix=LAUNCH %s
// LAUNCH: rows(int*, int const*) at {{.*}} block 96 threads, from the annotation file at {{[^ ]*}}.divcost:1:
//
// What is wrong with it is an error, and nothing is analysed:
// RUN: echo '{"divcost-config": 1, "treshold": 1}' > .divcost
// RUN: not %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-config=.divcost 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: divcost: option 'config': '.divcost': treshold: is not known; did you mean 'threshold'?
// RUN: not %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-config=none 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: divcost: option 'config': 'none': No such file or directory
// RUN: not %clang %cuda -fsyntax-only -I. %s -fplugin-arg-divcost-header-filter='a[' 2>&1 | FileCheck --check-prefix=FILTERS %s
// FILTERS: error: divcost: option 'header-filter': 'a[' is no regular expression: 
#include "config.h"

__global__ void rows(int *x, const int *begin) {
  for (int i = 0; i < begin[threadIdx.x]; ++i)
    x[i] += 1;
}
