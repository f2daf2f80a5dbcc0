// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What whoever makes a kernel's arrays must know, so that they can be added to.
#ifndef DIVCOST_KERNEL_INTERNAL_H
#define DIVCOST_KERNEL_INTERNAL_H

#include <stdint.h>

// Elements that an array of so many has room for: the next power of two, 8 at least.
static inline uint64_t dc__kernel_capacity(uint64_t count) {
  uint64_t capacity = 8;
  while (capacity < count)
    capacity *= 2;
  return capacity;
}

#endif
