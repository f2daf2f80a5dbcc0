// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DC_HEAPSORT(name, type) defines a function that sorts numbers in place, O(count log count).
// (qsort may allocate.)
#ifndef DIVCOST_HEAPSORT_H
#define DIVCOST_HEAPSORT_H

#include <stdint.h>

// NOLINTBEGIN(bugprone-macro-parentheses): a type can have none.
#define DC_HEAPSORT(name, type)                                                                    \
  static void name##_sift(type *x, uint64_t root, uint64_t count) {                                \
    type moving = x[root];                                                                         \
    for (uint64_t child; (child = 2 * root + 1) < count; root = child) {                           \
      if (child + 1 < count && x[child] < x[child + 1])                                            \
        ++child;                                                                                   \
      if (x[child] <= moving)                                                                      \
        break;                                                                                     \
      x[root] = x[child];                                                                          \
    }                                                                                              \
    x[root] = moving;                                                                              \
  }                                                                                                \
  static void name(type *x, uint64_t count) {                                                      \
    for (uint64_t i = count / 2; i > 0; --i)                                                       \
      name##_sift(x, i - 1, count);                                                                \
    for (uint64_t i = count; i > 1; --i) {                                                         \
      type last = x[i - 1];                                                                        \
      x[i - 1] = x[0];                                                                             \
      x[0] = last;                                                                                 \
      name##_sift(x, 0, i - 1);                                                                    \
    }                                                                                              \
  }
// NOLINTEND(bugprone-macro-parentheses)

#endif
