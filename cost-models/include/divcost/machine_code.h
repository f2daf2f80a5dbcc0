// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the machine code that compilers make for an architecture: how many instructions
// an operation takes, and how loops are unrolled. Each sm_NN has an entry: what nobody measured is
// taken from the nearest architecture that was, and says so. What was measured stands in
// cost-models/data/*.machine.json, which the build makes tables of.
#ifndef DIVCOST_MACHINE_CODE_H
#define DIVCOST_MACHINE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Instructions that were executed for one operation, "div i32", or one function of the device
// library, "sinf".
typedef struct dc_operation_count {
  const char *name;
  uint32_t instructions;
  uint32_t fp64, special; // of these, in the pipes for double precision and for special functions
  uint32_t slow; // all that its code has but the shortest way, if lanes can part there; 65535: it
                 // loops; 0: they can't
} dc_operation_count;

// How ptxas unrolls a loop whose trip count it doesn't know.
typedef struct dc_unrolling {
  uint32_t copies;       // of the body
  uint32_t instructions; // of a loop that is unrolled, at most
  uint32_t with_loads; // the same where it loads from global memory that no store in it may change
  uint32_t predicated; // of a branch target, at most, that is issued under a predicate instead
} dc_unrolling;

// Instructions of a branch's target, at most, that ptxas issues under a predicate instead; the jump
// at its end is one of them, where both targets have instructions.
typedef struct dc_predicated {
  uint32_t instructions;
  uint32_t with_loads; // the same where it loads from global memory
} dc_predicated;

typedef struct dc_machine_code {
  const unsigned *sm; // whose it is, ascending
  unsigned n_sm;
  const char *label, *elsewhere; // provenance, for these sm_NN, and for others that take it
  dc_unrolling unrolling;
  dc_predicated predication;
  const dc_operation_count *counts; // by name, in the order of strcmp
  uint32_t n_counts;
} dc_machine_code;

// Of sm (90 for sm_90), or of the measured one with the nearest number. O(architectures).
const dc_machine_code *dc_machine_code_find(unsigned sm);

// Its provenance, seen from sm: "measured on sm_90 (H200, CUDA 13.0)", "assumed (from sm_90)".
const char *dc_machine_code_provenance(const dc_machine_code *code, unsigned sm);

// The sm number that what is taken from it is of, seen from sm: sm itself, or the first of those
// that were measured.
unsigned dc_machine_code_sm(const dc_machine_code *code, unsigned sm);

// What was counted of an operation, or NULL. O(log n_counts).
const dc_operation_count *dc_machine_code_operation(const dc_machine_code *code, const char *name);

// Whether that a branch's target has so many instructions, where `most` are issued under a
// predicate, is a close decision: half or twice as many would decide otherwise. O(1).
bool dc_predication_is_close(uint64_t instructions, uint32_t most);

// Instructions of an operation; `otherwise` where it wasn't counted. O(log n_counts).
uint32_t dc_machine_code_count(const dc_machine_code *code, const char *name, uint32_t otherwise);

#ifdef __cplusplus
}
#endif

#endif
