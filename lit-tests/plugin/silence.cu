// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings obey what people know: the group's switches, pragmas, NOLINT, and system headers.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Werror -Wno-backend-plugin %s
// RUN: %clang %cuda -fsyntax-only -Werror -w %s
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=data-dependent
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-threshold=1
// RUN: not %clang %cuda -S -o /dev/null -O2 -Werror=backend-plugin %s 2>&1 \
// RUN:   | FileCheck --check-prefix=ERROR --implicit-check-not=warning: %s
// ERROR: error: {{.*}} [divcost-data-dependent] [-Werror,-Wbackend-plugin]
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-verbosity=0 2>&1 \
// RUN:   | FileCheck --check-prefix=BRIEF --implicit-check-not=note: %s
// BRIEF: warning: {{.*}} [divcost-data-dependent]
//
// In the report what the source silences is there, and marked.
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json; print(sorted((k['name'][:4], f['suppressed']) \
// RUN:   for k in json.load(open('%t.json'))['kernels'] for f in k['findings'] if f['rule'] == 'data-dependent'))" \
// RUN:   | FileCheck --check-prefix=JSON %s
// JSON: [('area', True), ('bare', False), ('grou', False), ('head', True), ('line', True), ('next', True), ('othe', False), ('past', False), ('rule', False), ('star', True), ('typo', False)]

__global__ void bare(int *out, const int *bound) {
  // CHECK: silence.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
__global__ void line(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i) // NOLINT
    out[i] += i;
}
__global__ void next(int *out, const int *bound) {
  // NOLINTNEXTLINE(divcost-data-dependent)
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
__global__ void other(int *out, const int *bound) {
  // CHECK: silence.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int i = 0; i < bound[threadIdx.x]; ++i) // NOLINT(modernize-loop-convert)
    out[i] += i;
}
// A list is about the rules that it names, with stars; another rule's name doesn't do.
__global__ void star(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i) // NOLINT(bugprone-*, divcost-data*)
    out[i] += i;
}
__global__ void rule(int *out, const int *bound) {
  // CHECK: silence.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int i = 0; i < bound[threadIdx.x]; ++i) // NOLINT(divcost-barrier)
    out[i] += i;
}
__global__ void typo(int *out, const int *bound) {
  // CHECK: silence.cu:[[# @LINE + 2]]:3: warning: {{.*}} [divcost-data-dependent]
  // CHECK: note: the comment here names 'divcost-data', which is no rule; rules are, behind 'divcost-': imbalance, data-dependent,
  for (int i = 0; i < bound[threadIdx.x]; ++i) // NOLINT(divcost-data)
    out[i] += i;
}
// NOLINTBEGIN(divcost-barrier)
// NOLINTBEGIN(divcost-data-dependent)
__global__ void area(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
// NOLINTEND(divcost-data-dependent)
__global__ void past(int *out, const int *bound) {
  // CHECK: silence.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
// NOLINTEND(divcost-barrier)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbackend-plugin"
__global__ void group(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
#pragma clang diagnostic pop
# 1 "header.h" 1 3
__global__ void header(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
