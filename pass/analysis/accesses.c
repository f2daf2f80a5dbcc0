// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses machine code is expected to have. Neighbours become one where they are aligned as
// the whole and no other access stands between them: the four parts of a float4. LLVM's load-store
// vectorizer does that, and NVVM's.
#include "analysis/analysis.h"
#include "analysis/polynomial.h"

enum { WIDEST = 16 }; // bytes of an access

static uint32_t address_of(const ssa_function *f, const ssa_access *access) {
  return f->operands[f->values[access->value].first_operand];
}

// How many bytes behind the first access another begins, if no index wraps; negative: nobody knows.
static int64_t distance(const dcp_analysis *analysis, const ssa_access *first,
                        const ssa_access *other) {
  const ssa_function *f = analysis->function;
  dcp_polynomial from, to;
  dc_expr a = analysis->exprs[address_of(f, first)], b = analysis->exprs[address_of(f, other)];
  if (a == DC_NO_EXPR || b == DC_NO_EXPR || first->root != other->root)
    return -1;
  dcp_polynomial_of(&analysis->pool, a, true, &from);
  dcp_polynomial_of(&analysis->pool, b, true, &to);
  bool known = dcp_polynomial_add(&to, &from, -1) && to.n_terms == 1 && to.terms[0].n_factors == 0;
  return known ? to.terms[0].coefficient : -1;
}

static bool joins(const dcp_analysis *analysis, const ssa_access *first, const ssa_access *next,
                  unsigned bytes) {
  const ssa_value *values = analysis->function->values;
  const ssa_value *a = &values[first->value], *b = &values[next->value];
  return a->block == b->block && a->op == b->op && a->op != SSA_ATOMIC && !a->changing &&
         !b->changing && first->bytes == next->bytes && first->space == next->space &&
         b->machine > 0 && distance(analysis, first, next) == bytes;
}

bool dcp_expected_access(const dcp_analysis *analysis, uint32_t *index, ssa_access *out) {
  const ssa_function *f = analysis->function;
  const ssa_access *first = &f->accesses[*index];
  unsigned bytes = first->bytes;
  *out = *first;
  if (f->values[first->value].machine == 0 ||
      (first->space == DC_SPACE_CONSTANT &&
       analysis->value_level[address_of(f, first)] < DC_DIVERGENT))
    return false;
  for (uint32_t next = *index + 1;
       next < f->n_accesses && bytes < first->aligned && bytes < WIDEST &&
       joins(analysis, first, &f->accesses[next], bytes);
       ++next) {
    bytes += first->bytes;
    if ((bytes & (bytes - 1)) == 0) {
      out->bytes = (uint8_t)bytes;
      *index = next;
    }
  }
  return true;
}
