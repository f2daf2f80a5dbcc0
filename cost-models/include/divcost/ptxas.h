// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says of kernels with -v (nvcc -Xptxas -v, clang -Xcuda-ptxas -v), among whatever else
// a build prints: how many registers it gave a thread.
//
//     ptxas info    : Compiling entry function '_Z5saxpyfPKfPfi' for 'sm_90'
//     ptxas info    : Used 12 registers, used 0 barriers, 380 bytes cmem[0]
#ifndef DIVCOST_PTXAS_H
#define DIVCOST_PTXAS_H

#include "divcost/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_ptxas_kernel {
  char *symbol;       // mangled, as nvcc and clang both have it: of what is static or in an unnamed
                      // namespace without what tells files apart
  unsigned sm;        // 90 for sm_90
  unsigned registers; // of a thread; 0: ptxas says different numbers, of kernels of one name, or
                      // its line is cut
} dc_ptxas_kernel;

// All zeroes is the empty one.
typedef struct dc_ptxas {
  dc_ptxas_kernel *kernels; // by symbol and sm
  size_t count;
} dc_ptxas;

// Reads a text. Lines that are none of ptxas's are passed over; none at all is no error: *out is
// empty then. DC_ERROR_MEMORY. O(length * log(kernels)).
dc_status dc_ptxas_read(const char *text, dc_ptxas *out, dc_error *error);

void dc_ptxas_free(dc_ptxas *ptxas);

// The registers of a kernel, by its mangled name of either compiler, on sm; 0: it isn't there, or
// memory is out. O(length * log(kernels)).
unsigned dc_ptxas_registers(const dc_ptxas *ptxas, const char *symbol, unsigned sm);

#ifdef __cplusplus
}
#endif

#endif
