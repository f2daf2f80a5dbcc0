# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutations of the analysis: each makes it claim what isn't so. A name, a file, a text in it that occurs
once, and what stands there instead. What only makes claims weaker is no mutation for the oracle."""
from collections import namedtuple

Mutation = namedtuple("Mutation", "name path search replace")

UNIFORMITY = "pass/analysis/uniformity.c"
LEVELS = "pass/analysis/expression_uniformity.c"
EXITS = "pass/analysis/exits.c"
CLASSES = "pass/analysis/classes.c"
STRIDED = "pass/analysis/strided.c"
EXPRESSIONS = "pass/analysis/expressions.c"
POLYNOMIAL = "pass/analysis/polynomial.c"
SKELETON = "pass/analysis/skeleton.c"
BARRIERS = "pass/analysis/barriers.c"
INTRINSICS = "pass/analysis/intrinsics.c"
SIMPLIFY = "cost-models/src/expr/simplify.c"
EVALUATE = "cost-models/src/expr/evaluate.c"
BOUND = "cost-models/src/kernel/bound.c"

MUTATIONS = [Mutation(*m) for m in [
    # ---- uniformity: data, control, time ---------------------------------------------------------
    ("loads are as uniform as their address", UNIFORMITY, "  return address <= DC_WARP_UNIFORM && runs_together(analysis, v->block) ? DC_WARP_UNIFORM\n"
     "                                                                         : DC_DIVERGENT;",
     "  return address;"),
    ("loads are uniform", UNIFORMITY, "  uint8_t address = dcp_use_level(analysis, f->operands[v->first_operand], v->block);",
     "  uint8_t address = DC_UNIFORM;"),
    ("private memory is uniform", UNIFORMITY, "  case SSA_PRIVATE:\n    return DC_DIVERGENT;",
     "  case SSA_PRIVATE:\n    return address;"),
    ("shared memory needs no barrier", UNIFORMITY, "    if (analysis->stable[value])\n", "    if (true)\n"),
    ("writes to shared memory don't matter", UNIFORMITY,
     "    return v->space == SSA_SHARED ? written | touched : written;", "    return written;"),
    ("a barrier isn't needed after entry", UNIFORMITY, "uint64_t written = k > 0 ? 0 : UINT64_MAX;",
     "uint64_t written = 0;"),
    ("phis vary as their operands alone", UNIFORMITY,
     "  for (uint8_t apart = analysis->join[v->block]; apart > level; --apart) {",
     "  for (uint8_t apart = DC_UNIFORM; apart > level; --apart) {"),
    ("edges of a join are all alike", UNIFORMITY, "      if (level_of_edge(analysis, incoming[k], v->block) < apart)\n",
     "      if (level_of_edge(analysis, incoming[k], v->block) < DC_DIVERGENT + 1)\n"),
    ("two ways don't meet", UNIFORMITY, "    mark_join(w, block);\n    w->labels[have].alive",
     "    w->labels[have].alive"),
    ("a header isn't a place to meet", UNIFORMITY,
     "    if (w->header_label != DC_NONE && w->header_label != with)\n      mark_join(w, to);\n", ""),
    ("a walk sees one successor", UNIFORMITY,
     "    for (uint32_t s = 0; s < block->n_successors; ++s)\n      arrive(w, b, f->edges[block->first_successor + s], with);",
     "    for (uint32_t s = 0; s < 1 && s < block->n_successors; ++s)\n"
     "      arrive(w, b, f->edges[block->first_successor + s], with);"),
    ("exits behind a divergent branch aren't divergent", UNIFORMITY,
     "  for (uint32_t k = 0; k < n_exits; ++k)\n    changed |= raise_exit(analysis, w, exits[k].exit, level);", ""),
    ("a divergent branch doesn't make its exits so", UNIFORMITY,
     "       k < analysis->n_exits && analysis->exits[k].block == block; ++k)\n    raise_exit(analysis, w, k, level);",
     "       k < analysis->n_exits && analysis->exits[k].block == block; ++k)\n    continue;"),
    ("an exit doesn't decide about its loop", UNIFORMITY, "  changed |= raise(&analysis->loop_level[loop], level);\n"
     "  const ssa_block *target", "  const ssa_block *target"),
    ("what a loop leaves behind is as in it", UNIFORMITY,
     "    level = analysis->loop_rejoin[loop] > level ? analysis->loop_rejoin[loop] : level;", "    break;"),
    ("blocks of a loop run together", UNIFORMITY, "  raise_blocks(analysis, loop, level, origin);\n  start_walk", "  start_walk"),
    ("blocks between branch and join run together", UNIFORMITY,
     "    if (alive > 1 && w->labels[w->visits[k].label].alive &&\n        raise(&analysis->control[b], w->level)) {",
     "    if (alive > 100 && w->labels[w->visits[k].label].alive &&\n        raise(&analysis->control[b], w->level)) {"),
    ("an exit is as its trip count, loose ones too", UNIFORMITY, "    if (exit && !exit->loose && analysis->node_level",
     "    if (exit && analysis->node_level"),
    ("any exit is as its trip count", UNIFORMITY, "    if (analysis->exits[k].exact)\n", "    if (analysis->exits[k].trips != DC_NO_EXPR)\n"),
    ("shuffles from any lane", UNIFORMITY,
     "                   dcp_use_level(analysis, operands[2], v->block) <= DC_WARP_UNIFORM\n",
     "                   true\n"),
    ("shuffles of any width", UNIFORMITY, "    return v->i == 1 && dcp_use_level(analysis, operands[0]",
     "    return dcp_use_level(analysis, operands[0]"),
    ("an active mask is the same for all", UNIFORMITY,
     "  case SSA_ACTIVEMASK:\n    return together ? DC_WARP_UNIFORM : DC_DIVERGENT;",
     "  case SSA_ACTIVEMASK:\n    return DC_WARP_UNIFORM;"),
    ("barriers that reduce are uniform", UNIFORMITY, "  case SSA_BARRIER:\n    return DC_BLOCK_UNIFORM;",
     "  case SSA_BARRIER:\n    return DC_UNIFORM;"),
    ("votes are uniform", UNIFORMITY,
     "    return dcp_use_level(analysis, operands[0], v->block) <= DC_WARP_UNIFORM ? DC_WARP_UNIFORM\n",
     "    return dcp_use_level(analysis, operands[0], v->block) <= DC_WARP_UNIFORM ? DC_UNIFORM\n"),
    ("operands: the mildest decides", UNIFORMITY, "    level = operand > level ? operand : level;\n  }\n  return level;\n}\n\nstatic uint8_t level_of_edge",
     "    level = k == 0 || operand < level ? operand : level;\n  }\n  return level;\n}\n\nstatic uint8_t level_of_edge"),
    ("match_any is the same in a warp", INTRINSICS, 'SOURCE("llvm.nvvm.match.any.*", DC_DIVERGENT,',
     'SOURCE("llvm.nvvm.match.any.*", DC_WARP_UNIFORM,'),
    # ---- levels of expressions -------------------------------------------------------------------
    ("blockIdx is uniform", LEVELS, "    level = DC_BLOCK_UNIFORM;\n    break;\n  case DC_OP_LOAD:",
     "    level = DC_UNIFORM;\n    break;\n  case DC_OP_LOAD:"),
    ("the lane is the same in a warp", LEVELS, "  case DC_OP_LANE:\n    level = DC_DIVERGENT;", "  case DC_OP_LANE:\n    level = DC_WARP_UNIFORM;"),
    ("rows are warps", LEVELS, "    return dims->whole_rows && dimension > 0 ? DC_WARP_UNIFORM : DC_DIVERGENT;",
     "    return dimension > 0 ? DC_WARP_UNIFORM : DC_DIVERGENT;"),
    ("rows of known blocks are warps", LEVELS, "    if (row % 32 != 0)\n", "    if (row % 8 != 0)\n"),
    ("threadIdx.x is the same in a warp", LEVELS, "    uint32_t row = dimension == 0 ? 1 : dimension == 1",
     "    uint32_t row = dimension == 0 ? 32 : dimension == 1"),
    ("a quotient by 16 is the same in a warp", LEVELS, "  return k >= 5 && others == 0 &&", "  return k >= 4 && others == 0 &&"),
    ("other terms don't matter", LEVELS, "  return k >= 5 && others == 0 &&", "  return k >= 5 &&"),
    ("the base of a quotient may be anything", LEVELS, "    else if (zeros < k)\n      return false;\n", ""),
    ("one warp stands for all", LEVELS, "      if (value != of_warp)\n        return false;", "      if (thread < 32 && value != of_warp && thread % 32 < 8)\n        return false;"),
    ("x alone is a linear index", LEVELS, "(parts == 7 || (analysis->dims.whole_rows && parts == 1))", "(parts & 1)"),
    ("any constant may be compared with", LEVELS, "((uint64_t)constant->i & last) == last &&", "((uint64_t)constant->i & 7) == 7 &&"),
    ("limits need no zeros", LEVELS, "  if (zeros_below(analysis, limit, 8) >= WARP_BITS)", "  if (zeros_below(analysis, limit, 8) >= 2)"),
    ("trip counts of some threads", LEVELS, "      if (value != of_warp)\n        level = DC_DIVERGENT;",
     "      if (value != of_warp && thread % 2)\n        level = DC_WARP_UNIFORM;"),
    ("loads with an address are as it", LEVELS, "    if (node->a == DC_NO_EXPR || node->op == DC_OP_LOAD)\n", "    if (node->a == DC_NO_EXPR)\n"),
    # ---- exits and trip counts -------------------------------------------------------------------
    ("exits that aren't always tested", EXITS, "        !dcp_dominates(f, exit->block, from))\n", "        false)\n"),
    ("iterations that end at once count", EXITS, "    if (exit.trips != DC_NO_EXPR && !tests_first(analysis->function, &exit))", "    if (false)"),
    ("iterations that end at once never count", EXITS, "    if (exit.trips != DC_NO_EXPR && !tests_first(analysis->function, &exit))",
     "    if (exit.trips != DC_NO_EXPR)"),
    ("<= is <", EXITS, "  if (includes)\n", "  if (false)\n"),
    ("not a < b is b < a", EXITS, "    static const dc_expr_op opposite[] = {[DC_OP_ULT] = DC_OP_ULE,",
     "    static const dc_expr_op opposite[] = {[DC_OP_ULT] = DC_OP_ULT,"),
    ("signed: not a < b is b < a", EXITS, "[DC_OP_SLT] = DC_OP_SLE,", "[DC_OP_SLT] = DC_OP_SLT,"),
    ("a step of any sign", EXITS, "  if (sign <= 0)\n    return;", "  if (sign < 0)\n    return;"),
    ("!= with any step", EXITS, "  if (differs && !is_one(&step))\n    return;", ""),
    ("the sign of a step is taken for granted", EXITS, "  return positive == negative ? 0 : positive ? 1 : -1;", "  return positive ? 1 : -1;"),
    ("bounds never wrap", EXITS, "  exit->rests_on_bound |= loose || (cancelled && !differs && !exact);", ""),
    ("starts never wrap", EXITS, "  exit->start_may_wrap |= !exact && start_may_wrap(analysis, exit, stay, loose);", ""),
    ("a step may change in the loop", EXITS, "      } else if (!dcp_is_invariant(analysis, term.factors[n], loop)) {\n        return false;\n      }",
     "      }"),
    ("one of two conditions", EXITS, "    exit->trips = dc_expr_binary(&analysis->pool, DC_OP_UMIN, first.trips, second.trips);",
     "    exit->trips = first.trips;"),
    ("a bound is a count", EXITS, "  exit->exact = false;\n", "  exit->exact = true;\n"),
    ("|| is &&", EXITS, "node->op == (stays_if_true ? DC_OP_AND : DC_OP_OR)", "node->op == (stays_if_true ? DC_OP_OR : DC_OP_AND)"),
    ("conditions on what changes can be followed", EXITS,
     "    return node->bits > 1 &&\n           dcp_is_invariant(analysis, e, loop);", "    return node->bits > 1;"),
    # ---- expressions -----------------------------------------------------------------------------
    ("everything is the same in all iterations", EXPRESSIONS, "    if (!is_invariant_value(analysis, operand(analysis, v, k), loop, depth - 1))\n      return false;", ""),
    ("wrapping sums are widened", EXPRESSIONS, "  bool splits = inner->op == SSA_EXPR && (inner->no_wrap & flag) &&", "  bool splits = inner->op == SSA_EXPR &&"),
    ("counters that are subtracted from are added to", EXPRESSIONS, "      return (recurrence){op, step};", "      return (recurrence){sum ? DC_OP_ADD : op, step};"),
    ("division by any number is by two", EXPRESSIONS, "pool->nodes[step].op != DC_OP_CONST || pool->nodes[step].i != 2", "pool->nodes[step].op != DC_OP_CONST"),
    ("what a loop leaves behind is what it began with", EXPRESSIONS, "      if (e != DC_NO_EXPR && !dcp_is_invariant(analysis, e, from))\n        return opaque(analysis, value);", ""),
    ("loads don't change in a loop", EXPRESSIONS, "  bool fixed = node->op == DC_OP_LOAD && node->a != DC_NO_EXPR &&\n               f->values[node->i].space == SSA_READONLY && !f->values[node->i].changing;",
     "  bool fixed = node->op == DC_OP_LOAD && node->a != DC_NO_EXPR;"),
    ("the first iteration is as the others", EXPRESSIONS, "      dc_expr_apply(pool, DC_OP_SELECT, value_of(analysis, phi)->bits, DC_UNIFORM, first, a, b, 0);",
     "      dc_expr_apply(pool, DC_OP_SELECT, value_of(analysis, phi)->bits, DC_UNIFORM, first, b, b, 0);"),
    # ---- strided ---------------------------------------------------------------------------------
    ("threads of a block lie one apart", STRIDED, "  *spread = number(0);\n  dcp_polynomial_factor(extent, spread);\n  return dcp_polynomial_add(spread, &one, -1);",
     "  *spread = one;\n  return extent != DC_NO_EXPR;"),
    ("lanes lie 15 apart", STRIDED, "      dcp_polynomial lanes = number(31);", "      dcp_polynomial lanes = number(15);"),
    ("rows aren't a condition", STRIDED, "      *assumes |= by_row ? DCP_ASSUMES_ROWS : 0;\n      return true;", "      return true;"),
    ("a need is none", STRIDED, "    need->least = is_number(&spread, &most)", "    need->product = DC_NO_EXPR;\n    return true;\n    need->least = is_number(&spread, &most)"),
    ("at most is twice as much", STRIDED, "  need->most = least / most;", "  need->most = 2 * least / most;"),
    ("at least is half of it", STRIDED, "                      ? (most + least - 1) / least\n", "                      ? (most / 4 + least - 1) / least\n"),
    ("negative terms need no cover", STRIDED, "    if (less->coefficient < 0)\n      return false;\n  }\n  return true;", "  }\n  return true;"),
    ("counts that differ by two", STRIDED, "    if (!known_spread(&p, trips, &spread) || spread > 1)", "    if (!known_spread(&p, trips, &spread) || spread > 2)"),
    ("anywhere: counts that differ by two", STRIDED, "  return low >= 0 && high - low <= 1;", "  return low >= 0 && high - low <= 2;"),
    ("one of two counts", STRIDED, "           (analysis->node_level[node.b] < DC_DIVERGENT ||\n            dcp_is_strided(analysis, node.b, stride));", "           true;"),
    ("remainders lie 0 apart", STRIDED, "    *spread = number(value - 1);", "    *spread = number(0);"),
    ("masks lie 1 apart", STRIDED, "    *spread = number(value);\n    return true;\n  case DC_OP_UREM:", "    *spread = number(1);\n    return true;\n  case DC_OP_UREM:"),
    ("quotients lie 0 apart", STRIDED, "? 31 / by : whole / by + 1);", "? 0 : whole / by);"),
    ("factors of a term don't count", STRIDED, "  dcp_polynomial_constant(llabs(term->coefficient), &rest);", "  dcp_polynomial_constant(1, &rest);"),
    # ---- classes, conditions, barriers -----------------------------------------------------------
    ("the mildest exit decides", CLASSES, "    if (verdict.exit == DC_NONE || rank[one] > rank[verdict.loop_class]) {", "    if (verdict.exit == DC_NONE || rank[one] < rank[verdict.loop_class]) {"),
    ("lane-affine is strided", CLASSES, "      return DC_CLASS_LANE_AFFINE;\n", "      return DC_CLASS_STRIDED;\n"),
    ("a warp-uniform loop is block-uniform", CLASSES, "                                     DC_CLASS_WARP_UNIFORM};", "                                     DC_CLASS_BLOCK_UNIFORM};"),
    ("exits without a form don't count", CLASSES, "  if (n_formless == 0 || least == DC_NO_EXPR || formless == DC_NONE)\n    return n_formless == 0 ? least : DC_NO_EXPR;", "  if (n_formless < 100)\n    return least;"),
    ("the greatest of the exits' counts", CLASSES, "dc_expr_binary(pool, DC_OP_UMIN, least, exit->trips);", "dc_expr_binary(pool, DC_OP_UMAX, least, exit->trips);"),
    ("block dimensions aren't a condition", SKELETON, "  if (verdict->assumes & DCP_ASSUMES_BLOCK_DIMS) {", "  if (false) {"),
    ("wrapping isn't a condition", SKELETON, "  if (verdict->assumes & DCP_ASSUMES_BOUND)\n", "  if (false)\n"),
    ("needs aren't a condition", SKELETON, "  if (verdict->loop_class == DC_CLASS_STRIDED && verdict->need.product != DC_NO_EXPR) {", "  if (false) {"),
    ("__syncthreads() needs the warp only", BARRIERS, "return warp ? DC_WARP_UNIFORM : DC_BLOCK_UNIFORM;", "return warp ? DC_WARP_UNIFORM : DC_WARP_UNIFORM;"),
    ("barriers are where all come", BARRIERS, "  uint8_t control = analysis->control[block];\n", "  uint8_t control = DC_UNIFORM;\n"),
    # ---- the model's expressions -----------------------------------------------------------------
    ("signed and unsigned minimum", SIMPLIFY, "    return dc_expr_binary(pool, is_signed ? DC_OP_SMIN : DC_OP_UMIN, b, c);", "    return dc_expr_binary(pool, is_signed ? DC_OP_UMIN : DC_OP_SMIN, b, c);"),
    ("signed and unsigned maximum", SIMPLIFY, "    return dc_expr_binary(pool, is_signed ? DC_OP_SMAX : DC_OP_UMAX, b, c);", "    return dc_expr_binary(pool, is_signed ? DC_OP_UMAX : DC_OP_SMAX, b, c);"),
    ("!(x < y) is y < x", SIMPLIFY, "    return insert_joined(pool, DC_OP_SLE, node.b, node.a);", "    return insert_joined(pool, DC_OP_SLT, node.b, node.a);"),
    ("casts of casts", SIMPLIFY, "  if (op == DC_OP_SEXT && node.op == DC_OP_ZEXT)", "  if (op == DC_OP_ZEXT && node.op == DC_OP_SEXT)"),
    ("cutting forgets the sign", SIMPLIFY, "node_of(pool, node.a)->bits > bits ? DC_OP_TRUNC : (dc_expr_op)node.op,", "node_of(pool, node.a)->bits > bits ? DC_OP_TRUNC : DC_OP_ZEXT,"),
    ("a - b as a + b", SIMPLIFY, "    sum_collect(pool, &whole, b, op == DC_OP_ADD ? 1 : UINT64_MAX, products, 0);", "    sum_collect(pool, &whole, b, 1, products, 0);"),
    ("steps round down", EVALUATE, "  *value = a <= 0 ? 0 : (a - 1) / b + 1;", "  *value = a <= 0 ? 0 : a / b;"),
    ("a minimum bounds one less", BOUND, "  return (interval){smaller(a.low, b.low), smaller(a.high, b.high)};\n}\n\nstatic interval steps", "  return (interval){smaller(a.low, b.low), smaller(a.high, b.high) - 1};\n}\n\nstatic interval steps"),
    ("a mask bounds by half", BOUND, "  return (interval){0, smaller(a.high, b.high)};\n}\n\n// Of or", "  return (interval){0, smaller(a.high, b.high) / 2};\n}\n\n// Of or"),
    ("remainders are less", BOUND, "  interval rest = {0, b.high - 1};", "  interval rest = {0, b.high - 2};"),
    ("sums don't wrap", BOUND, "  return within((interval){a.low + b.low, a.high + b.high}, bits);", "  return (interval){a.low + b.low, a.high + b.high};"),
]]
