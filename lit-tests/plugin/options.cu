// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options: what is wrong, and what would be right, as an error of clang's.
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-colour=red 2>&1 \
// RUN:   | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: divcost: unknown option 'colour'; possible: annotations, arch, block, compiler, config, embed, first-report, header-filter, help, measured, no-warn, profile-check, profile-generate, profile-use, ptxas, report, threshold, verbosity, warn
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-arch=sm_81 2>&1 \
// RUN:   | FileCheck --check-prefix=ARCH %s
// ARCH: error: divcost: option 'arch': 'sm_81' is none of {{.*}}sm_80{{.*}}sm_90
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-block=16,128 2>&1 \
// RUN:   | FileCheck --check-prefix=BLOCK %s
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-block=16,0 2>&1 \
// RUN:   | FileCheck --check-prefix=BLOCK %s
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-block=1,2,3,4 2>&1 \
// RUN:   | FileCheck --check-prefix=BLOCK %s
// BLOCK: error: divcost: option 'block': '{{.*}}' are no block dimensions; possible: X, X,Y or X,Y,Z
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-threshold=10%% 2>&1 \
// RUN:   | FileCheck --check-prefix=THRESHOLD %s
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-threshold=nan 2>&1 \
// RUN:   | FileCheck --check-prefix=THRESHOLD %s
// THRESHOLD: error: divcost: option 'threshold': '{{.*}}' is no share; possible: a number from 0 to 1
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-verbosity=3 2>&1 \
// RUN:   | FileCheck --check-prefix=VERBOSITY %s
// VERBOSITY: error: divcost: option 'verbosity': '3' is none of 0, 1, 2
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-no-warn=imbalance,all,x 2>&1 \
// RUN:   | FileCheck --check-prefix=WARN %s
// WARN: error: divcost: option 'no-warn': 'x' is none of all, imbalance, {{.*}}gave-up
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report 2>&1 \
// RUN:   | FileCheck --check-prefix=VALUE %s
// VALUE: error: divcost: option 'report' needs a value: report=FILE
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-help=me 2>&1 \
// RUN:   | FileCheck --check-prefix=NOVALUE %s
// NOVALUE: error: divcost: option 'help' takes no value
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-embed=yes 2>&1 \
// RUN:   | FileCheck --check-prefix=EMBED %s
// EMBED: error: divcost: option 'embed' takes no value
//
// Every option of the help text is one of docs/options.md, and the other way round.
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-help > %t.help
// RUN: FileCheck --check-prefix=HELP %s < %t.help
// HELP: annotations=FILE
// HELP: threshold=SHARE
// RUN: grep -o '^  [a-z][-a-z]*' %t.help | sort > %t.names
// RUN: grep -o '^## [-a-z]*' %repo/docs/options.md | sed 's/^##/ /' | sort > %t.documented
// RUN: diff %t.names %t.documented
//
// All of them right, and the last one of a name wins.
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-arch=sm_70 \
// RUN:   -fplugin-arg-divcost-block=32 -fplugin-arg-divcost-block=16,4 \
// RUN:   -fplugin-arg-divcost-threshold=0.5 -fplugin-arg-divcost-verbosity=2 \
// RUN:   -fplugin-arg-divcost-warn=divcost-imbalance -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck --check-prefix=REPORT %s < %t.txt
// REPORT: for sm_70
// REPORT: 16x4 threads, from the option

__global__ void kernel(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
