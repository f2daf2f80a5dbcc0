// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flat form of a kernel skeleton: one run of bytes without pointers, the same on every machine,
// with the costs of the architectures that it is estimated for. It is how a kernel gets to where
// there is no JSON: into the page of `divcost report --html`, where libdivcost runs as WebAssembly.
//
// The format, version 10. Numbers are little-endian; double: IEEE 754, 8 bytes; bool: a byte, 0 or
// 1; enumerators: their numbers, a byte; everything else has the width that its C type has here,
// without padding.
//
//     "dcflat\r\n"   8 bytes
//     version        4, a number
//     length         4, of the whole in bytes
//     checksum       4, FNV-1a of what follows
//     name, symbol, location, not_analysed of the kernel
//     for each array of dc_kernel, in the order of its declaration, with pool.nodes first and
//     `text` last, and for the architectures after that: the number of elements (4), then the
//     elements one after the other, field by field in the order of declaration
//
// A dc_arch's texts have their arrays' full sizes; of a machine that isn't known there is `known`
// alone.
#ifndef DIVCOST_FLAT_H
#define DIVCOST_FLAT_H

#include "divcost/arch.h"
#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_flat {
  dc_kernel kernel;
  dc_arch *archs;
  uint32_t n_archs;
} dc_flat;

// All zeroes is empty.
void dc_flat_free(dc_flat *flat);

// Writes at most capacity bytes and returns how many there are, like snprintf; 0: more than
// UINT32_MAX. Equal kernels and costs give equal bytes. O(size).
size_t dc_flat_write(const dc_flat *flat, void *bytes, size_t capacity);

// Reads what dc_flat_write wrote, and trusts none of it: sizes, the checksum, dc_kernel_validate,
// and the ranges of costs. The kernel may be added to. Errors, *flat then being empty:
// DC_ERROR_SYNTAX for what is no flat kernel, is cut off or changed (offset: the byte);
// DC_ERROR_LIMIT for a version that this library doesn't read; DC_ERROR_ARGUMENT naming what isn't
// valid; DC_ERROR_MEMORY. O(size).
dc_status dc_flat_read(const void *bytes, size_t length, dc_flat *flat, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
