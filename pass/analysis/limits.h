// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of the analysis: how far it goes before it stops, or settles for less.
// docs/internals/analysis-limits.md says for each what comes of it. They are values and no
// constants so that tests can lower them (tests/lowered_limits.c) and need no kernel that takes
// minutes to compile.
#ifndef DIVCOST_PASS_ANALYSIS_LIMITS_H
#define DIVCOST_PASS_ANALYSIS_LIMITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What arrays have room for: a limit can be lower.
enum { DCP_MAX_BLOCK_DIMS = 8, DCP_MAX_FACTORS = 8, DCP_MAX_TERMS = 24, DCP_MAX_ENDS = 2 };

// X(name, value): the table of docs/internals/analysis-limits.md has the same.
#define DCP_LIMITS(X)                                                                              \
  X(steps, 40000000)                /* of the divergence analysis, in one function */              \
  X(block_dims, DCP_MAX_BLOCK_DIMS) /* that a verdict can depend on */                             \
  X(dims_operations, 200000)   /* of a trip count, over the threads of known block dimensions */   \
  X(term_operations, 1000)     /* of a factor of a sum, in one thread */                           \
  X(stride_operations, 500000) /* of a trip count, over the threads that are tried out */          \
  X(search_operations, 10000)  /* of the first iteration in which a condition holds */             \
  X(sum_depth, 40)             /* of operators that are multiplied out */                          \
  X(sum_steps, 500)            /* likewise, in all */                                              \
  X(sum_terms, DCP_MAX_TERMS)  /* of a sum */                                                      \
  X(sum_factors, DCP_MAX_FACTORS) /* of a term */                                                  \
  X(bisection_depth, 8)           /* of what an iteration does to an end of an interval */         \
  X(bisection_ends, DCP_MAX_ENDS) /* of an interval */                                             \
  X(shared_variables, 63)         /* that are told apart: a set of them is a word of 64 bits */    \
  X(reasons, 8)                   /* of a loop's class, from its condition to the source */        \
  X(pointer_targets, 32)          /* of a kernel, that are looked at */                            \
  X(launch_depth, 32)             /* of expressions that say a launch's dimensions */              \
  X(launch_steps, 1000)           /* likewise, of one launch */                                    \
  X(live_words, 4000000)          /* of 64 values each, of the sets that are alive in blocks */

typedef struct dcp_limits {
#define DCP_FIELD(name, value) uint64_t name;
  DCP_LIMITS(DCP_FIELD)
#undef DCP_FIELD
} dcp_limits;

extern const dcp_limits *const dcp_limit;

#ifdef __cplusplus
}
#endif

#endif
