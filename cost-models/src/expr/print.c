// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions as people write them, in C's notation and precedence. What has no C form borrows one:
// min(a, b), max(a, b), ceil(a / b) for steps, "first i0 with ..." for a search. Widths and
// signedness don't show, except where a cast cuts the value. Numbers with a point are what they
// are.
#include "expr/expr_internal.h"
#include "expr/joined.h"
#include "expr/reals.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64
#define OPERATORS_MAX 1000

// Binding strengths, from the weakest.
enum {
  STRENGTH_SELECT,
  STRENGTH_LOGIC_OR,
  STRENGTH_LOGIC_AND,
  STRENGTH_OR,
  STRENGTH_XOR,
  STRENGTH_AND,
  STRENGTH_EQUALITY,
  STRENGTH_ORDER,
  STRENGTH_SHIFT,
  STRENGTH_SUM,
  STRENGTH_PRODUCT,
  STRENGTH_UNARY,
  STRENGTH_PRIMARY
};

typedef struct writer {
  const dc_expr_pool *pool;
  const dc_expr_names *names;
  char *text;
  size_t size, length;
  unsigned operators;
  bool real; // what is printed stands for a floating-point number
} writer;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void put(writer *to, const char *format, ...) {
  bool room = to->length < to->size;
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(room ? to->text + to->length : NULL, room ? to->size - to->length : 0, format,
                    arguments);
  va_end(arguments);
  to->length += n > 0 ? (size_t)n : 0;
}

static void print(writer *to, dc_expr e, int strength, unsigned depth);

static const char *name_at(const char *const *names, uint32_t n, int64_t i) {
  return names && i >= 0 && i < (int64_t)n && names[i] && names[i][0] ? names[i] : NULL;
}

// The fewest digits that tell the number from its neighbours, with a point.
static void print_real(writer *to, const dc_expr_node *node) {
  char text[40];
  dc_real number;
  dc__real_of_bits(node->bits, node->i, &number);
  for (int digits = 1; digits <= (node->bits == 32 ? 9 : 17); ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, number.low);
    double back = strtod(text, NULL);
    if (strchr(text, 'e') && back >= 1 && back < 1e7) // 1e+02 is written as 100.0
      continue;
    if (back == number.low || (node->bits == 32 && (double)(float)back == number.low))
      break;
  }
  put(to, "%s%s", text, strcspn(text, ".eni") == strlen(text) ? ".0" : "");
}

static void print_leaf(writer *to, const dc_expr_node *node, unsigned depth) {
  static const char axes[] = "xyz";
  char axis = node->i >= 0 && node->i < 3 ? axes[node->i] : '?';
  const dc_expr_names *names = to->names;
  const char *name = NULL;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    if (to->real && node->bits >= 32)
      print_real(to, node);
    else if (node->bits == 1)
      put(to, node->i ? "true" : "false");
    else
      put(to, "%lld", (long long)node->i);
    break;
  case DC_OP_PARAM:
    name = names ? name_at(names->params, names->n_params, node->i) : NULL;
    if (name)
      put(to, "%s", name);
    else
      put(to, "param%lld", (long long)node->i);
    break;
  case DC_OP_TID:
    put(to, "threadIdx.%c", axis);
    break;
  case DC_OP_NTID:
    put(to, "blockDim.%c", axis);
    break;
  case DC_OP_CTAID:
    put(to, "blockIdx.%c", axis);
    break;
  case DC_OP_NCTAID:
    put(to, "gridDim.%c", axis);
    break;
  case DC_OP_LANE:
    put(to, "lane");
    break;
  case DC_OP_IV:
    put(to, "i%lld", (long long)node->i);
    break;
  case DC_OP_CARRIED:
  case DC_OP_ICARRIED:
    put(to, "x%lld", (long long)node->i);
    break;
  case DC_OP_LOAD:
    name = names ? name_at(names->loads, names->n_loads, node->i) : NULL;
    if (name)
      put(to, "%s", name);
    else if (node->a != DC_NO_EXPR) {
      put(to, "*(");
      print(to, node->a, STRENGTH_SELECT, depth + 1);
      put(to, ")");
    } else
      put(to, "?");
    break;
  default:
    name = names ? name_at(names->opaques, names->n_opaques, node->i) : NULL;
    put(to, "%s", name ? name : "?");
    break;
  }
}

// The sign of an infix operator and how it binds; NULL for what isn't infix.
static const char *infix(const dc_expr_node *node, int *strength) {
  bool logic = node->bits == 1;
  switch ((dc_expr_op)node->op) {
  case DC_OP_ADD:
  case DC_OP_FADD:
    *strength = STRENGTH_SUM;
    return " + ";
  case DC_OP_SUB:
  case DC_OP_FSUB:
    *strength = STRENGTH_SUM;
    return " - ";
  case DC_OP_MUL:
  case DC_OP_FMUL:
  case DC_OP_FPRODUCT:
    *strength = STRENGTH_PRODUCT;
    return " * ";
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_FDIV:
    *strength = STRENGTH_PRODUCT;
    return " / ";
  case DC_OP_UREM:
  case DC_OP_SREM:
    *strength = STRENGTH_PRODUCT;
    return " % ";
  case DC_OP_SHL:
    *strength = STRENGTH_SHIFT;
    return " << ";
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    *strength = STRENGTH_SHIFT;
    return " >> ";
  case DC_OP_AND:
    *strength = logic ? STRENGTH_LOGIC_AND : STRENGTH_AND;
    return logic ? " && " : " & ";
  case DC_OP_OR:
    *strength = logic ? STRENGTH_LOGIC_OR : STRENGTH_OR;
    return logic ? " || " : " | ";
  case DC_OP_XOR:
    *strength = STRENGTH_XOR;
    return " ^ ";
  case DC_OP_EQ:
  case DC_OP_FEQ:
    *strength = STRENGTH_EQUALITY;
    return " == ";
  case DC_OP_NE:
    *strength = STRENGTH_EQUALITY;
    return " != ";
  case DC_OP_ULT:
  case DC_OP_SLT:
  case DC_OP_FLT:
    *strength = STRENGTH_ORDER;
    return " < ";
  case DC_OP_ULE:
  case DC_OP_SLE:
  case DC_OP_FLE:
    *strength = STRENGTH_ORDER;
    return " <= ";
  default:
    return NULL;
  }
}

static void print_infix(writer *to, const dc_expr_node *node, const char *sign, int own,
                        int strength, unsigned depth) {
  bool parentheses = own < strength;
  if (parentheses)
    put(to, "(");
  const dc_expr_node *right = &to->pool->nodes[node->b];
  print(to, node->a, own, depth + 1);
  if (node->op == DC_OP_ADD && right->op == DC_OP_CONST && right->i < 0 && right->bits > 1 &&
      right->i != INT64_MIN)
    put(to, " - %lld", (long long)-right->i);
  else if (node->op == DC_OP_FADD && right->op == DC_OP_CONST && right->i < 0) {
    dc_expr_node positive = *right;
    positive.i = (int64_t)((uint64_t)right->i ^ UINT64_C(1) << (right->bits - 1));
    put(to, " - ");
    print_real(to, &positive);
  } else {
    put(to, "%s", sign);
    print(to, node->b, own + (node->op != DC_OP_ADD || right->op != DC_OP_ADD), depth + 1);
  }
  if (parentheses)
    put(to, ")");
}

static void print_call(writer *to, const char *name, const dc_expr_node *node, unsigned depth) {
  put(to, "%s(", name);
  print(to, node->a, STRENGTH_SELECT, depth + 1);
  put(to, ", ");
  print(to, node->b, STRENGTH_SELECT, depth + 1);
  put(to, ")");
}

static void print_function(writer *to, const char *name, const dc_expr_node *node, unsigned depth) {
  put(to, "%s(", name);
  print(to, node->a, STRENGTH_SELECT, depth + 1);
  put(to, ")");
}

// Whether the value is visibly not negative, so that max(value, 0) needs no writing.
static bool plainly_positive(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    return node->i >= 0;
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID:
  case DC_OP_LANE:
  case DC_OP_IV:
  case DC_OP_ZEXT:
    return true;
  case DC_OP_ADD:
  case DC_OP_MUL:
    return depth < 16 && plainly_positive(pool, node->a, depth + 1) &&
           plainly_positive(pool, node->b, depth + 1);
  default:
    return false;
  }
}

// a - b, where that isn't negative.
static void print_difference(writer *to, dc_expr minuend, const dc_expr_node *node,
                             unsigned depth) {
  print(to, minuend, STRENGTH_SUM, depth + 1);
  put(to, " - ");
  print(to, node->b, STRENGTH_SUM + 1, depth + 1);
}

static void print_steps(writer *to, const dc_expr_node *node, int strength, unsigned depth) {
  const dc_expr_node *length = &to->pool->nodes[node->b];
  if (length->op != DC_OP_CONST || length->i != 1) {
    dc_expr minuend = dc_expr_minuend(to->pool, node->a);
    put(to, "ceil(");
    if (minuend == DC_NO_EXPR) {
      print(to, node->a, STRENGTH_PRODUCT, depth + 1);
    } else {
      put(to, "(");
      print_difference(to, minuend, &to->pool->nodes[node->a], depth + 1);
      put(to, ")");
    }
    put(to, " / ");
    print(to, node->b, STRENGTH_UNARY, depth + 1);
    put(to, ")");
  } else if (plainly_positive(to->pool, node->a, 0) ||
             dc_expr_minuend(to->pool, node->a) != DC_NO_EXPR) {
    print(to, node->a, strength, depth + 1);
  } else {
    put(to, "max(");
    print(to, node->a, STRENGTH_SELECT, depth + 1);
    put(to, ", 0)");
  }
}

// A cast, to a type that C has where there is one.
static void put_cast(writer *to, unsigned bits, bool has_sign) {
  const char *type = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : NULL;
  if (bits == 1)
    put(to, "(bool)");
  else if (type)
    put(to, "(%s%s)", has_sign ? "" : "unsigned ", type);
  else
    put(to, "(%sint%u)", has_sign ? "" : "u", bits);
}

static void print_trunc(writer *to, const dc_expr_node *node, bool has_sign, unsigned depth) {
  put_cast(to, node->bits, has_sign);
  print(to, node->a, STRENGTH_UNARY, depth + 1);
}

// Widening without a sign keeps the value of what has none; a narrow result with a sign bit, which
// would be printed as a number below 0, doesn't.
static void print_zext(writer *to, const dc_expr_node *node, int strength, unsigned depth) {
  const dc_expr_node *from = &to->pool->nodes[node->a];
  bool narrow = from->bits == 8 || from->bits == 16;
  bool masked = from->op == DC_OP_AND && to->pool->nodes[from->b].op == DC_OP_CONST &&
                to->pool->nodes[from->b].i >= 0;
  if (from->op == DC_OP_TRUNC) {
    print_trunc(to, from, false, depth + 1);
  } else if (narrow && from->op > DC_OP_OPAQUE && from->op != DC_OP_ZEXT && !masked) {
    put_cast(to, from->bits, false);
    print(to, node->a, STRENGTH_UNARY, depth + 1);
  } else {
    print(to, node->a, strength, depth + 1);
  }
}

// The x of "first k with x >> k == 0", which is C++'s std::bit_width(x); or DC_NO_EXPR.
static dc_expr bits_of(const dc_expr_pool *pool, const dc_expr_node *first) {
  const dc_expr_node *is_zero = &pool->nodes[first->a];
  if (first->op != DC_OP_FIRST || is_zero->op != DC_OP_EQ)
    return DC_NO_EXPR;
  const dc_expr_node *shifted = &pool->nodes[is_zero->a], *zero = &pool->nodes[is_zero->b];
  if (zero->op != DC_OP_CONST || zero->i != 0 || shifted->op != DC_OP_LSHR)
    return DC_NO_EXPR;
  const dc_expr_node *by = &pool->nodes[shifted->b];
  return by->op == DC_OP_IV && by->i == first->i ? shifted->a : DC_NO_EXPR;
}

static void print_prefixed(writer *to, const dc_expr_node *node, int strength, unsigned depth) {
  dc_expr bits = bits_of(to->pool, node);
  if (bits != DC_NO_EXPR) {
    put(to, "bit_width(");
    print(to, bits, STRENGTH_SELECT, depth + 1);
    put(to, ")");
    return;
  }
  bool parentheses = strength > STRENGTH_SELECT;
  if (parentheses)
    put(to, "(");
  if (node->op == DC_OP_SELECT) {
    bool real = to->real;
    to->real = false;
    print(to, node->a, STRENGTH_SELECT + 1, depth + 1);
    to->real = real;
    put(to, " ? ");
    print(to, node->b, STRENGTH_SELECT, depth + 1);
    put(to, " : ");
    print(to, node->c, STRENGTH_SELECT, depth + 1);
  } else {
    put(to, "first i%lld with ", (long long)node->i);
    print(to, node->a, STRENGTH_SELECT + 1, depth + 1);
  }
  if (node->op != DC_OP_SELECT && node->op != DC_OP_FIRST) {
    put(to, " where x%lld begins as ", (long long)node->i);
    to->real = node->op == DC_OP_RUN;
    print(to, node->b, STRENGTH_SELECT + 1, depth + 1);
    put(to, " and goes on as ");
    print(to, node->c, STRENGTH_SELECT + 1, depth + 1);
  }
  if (parentheses)
    put(to, ")");
}

// x ? y : false and x ? true : y, as LLVM has x && y and x || y; false for all else.
static bool print_joined(writer *to, dc_expr e, int strength, unsigned depth) {
  dc_expr_node node = to->pool->nodes[e];
  dc_expr operands[2];
  bool any = dc_expr_split_joined(to->pool, e, true, operands);
  if (node.op != DC_OP_SELECT || (!any && !dc_expr_split_joined(to->pool, e, false, operands)))
    return false;
  int own = 0;
  node.op = any ? DC_OP_OR : DC_OP_AND;
  node.a = operands[0];
  node.b = operands[1];
  to->real = false;
  const char *sign = infix(&node, &own);
  print_infix(to, &node, sign, own, strength, depth);
  return true;
}

static const char *cast_name(const dc_expr_node *node) {
  switch ((dc_expr_op)node->op) {
  case DC_OP_FCAST:
  case DC_OP_SITOFP:
  case DC_OP_UITOFP:
    return node->bits == 32 ? "(float)" : "(double)";
  case DC_OP_FPTOSI:
    return node->bits == 64 ? "(long)" : node->bits == 32 ? "(int)" : "(narrow int)";
  default:
    return node->bits == 64 ? "(unsigned long)" : "(unsigned)";
  }
}

static void print_of_reals(writer *to, const dc_expr_node *node, unsigned depth) {
  switch ((dc_expr_op)node->op) {
  case DC_OP_FMIN:
    print_call(to, "min", node, depth);
    break;
  case DC_OP_FMAX:
    print_call(to, "max", node, depth);
    break;
  case DC_OP_FFLOOR:
    print_function(to, "floor", node, depth);
    break;
  case DC_OP_FCEIL:
    print_function(to, "ceil", node, depth);
    break;
  case DC_OP_FTRUNC:
    print_function(to, "trunc", node, depth);
    break;
  case DC_OP_FRINT:
    print_function(to, "rint", node, depth);
    break;
  case DC_OP_FUNCTION:
    put(to, "?");
    break;
  case DC_OP_FNEG:
    put(to, "-");
    print(to, node->a, STRENGTH_UNARY, depth + 1);
    break;
  default:
    put(to, "%s", cast_name(node));
    print(to, node->a, STRENGTH_UNARY, depth + 1);
    break;
  }
}

static void print_operation(writer *to, dc_expr e, int strength, unsigned depth) {
  const dc_expr_node *node = &to->pool->nodes[e];
  int own = STRENGTH_PRIMARY;
  const char *sign = infix(node, &own);
  if (node->op == DC_OP_XOR && to->pool->nodes[node->b].op == DC_OP_CONST &&
      to->pool->nodes[node->b].i == -1) {
    put(to, node->bits == 1 ? "!" : "~");
    print(to, node->a, STRENGTH_UNARY, depth + 1);
    return;
  }
  if (dc_expr_minuend(to->pool, e) != DC_NO_EXPR) {
    put(to, "max(");
    print_difference(to, dc_expr_minuend(to->pool, e), node, depth + 1);
    put(to, ", 0)");
    return;
  }
  if (dc_expr_is_next(to->pool, e)) {
    print(to, node->a, strength, depth + 1);
    return;
  }
  if (sign) {
    print_infix(to, node, sign, own, strength, depth);
    return;
  }
  if (print_joined(to, e, strength, depth))
    return;
  switch ((dc_expr_op)node->op) {
  case DC_OP_SMIN:
  case DC_OP_UMIN:
    print_call(to, "min", node, depth);
    break;
  case DC_OP_SMAX:
  case DC_OP_UMAX:
    print_call(to, "max", node, depth);
    break;
  case DC_OP_STEPS:
  case DC_OP_USTEPS:
    print_steps(to, node, strength, depth);
    break;
  case DC_OP_TRUNC:
    print_trunc(to, node, true, depth);
    break;
  case DC_OP_SELECT:
  case DC_OP_FIRST:
  case DC_OP_IRUN:
  case DC_OP_RUN:
    print_prefixed(to, node, strength, depth);
    break;
  case DC_OP_ZEXT:
    print_zext(to, node, strength, depth);
    break;
  case DC_OP_SEXT: // keeps the value
    print(to, node->a, strength, depth + 1);
    break;
  default:
    print_of_reals(to, node, depth);
    break;
  }
}

// Prints e so that it stands as an operand of something that binds with the given strength.
static void print(writer *to, dc_expr e, int strength, unsigned depth) {
  if (e >= to->pool->count) {
    put(to, "?");
    return;
  }
  if (depth > DEPTH_MAX || ++to->operators > OPERATORS_MAX) {
    put(to, "...");
    return;
  }
  const dc_expr_node *node = &to->pool->nodes[e];
  bool real = to->real;
  if (dc__expr_op_is_leaf((dc_expr_op)node->op)) {
    bool negative = node->op == DC_OP_CONST && node->i < 0 && node->bits > 1;
    bool parentheses = negative && strength > STRENGTH_UNARY;
    put(to, "%s", parentheses ? "(" : "");
    print_leaf(to, node, depth);
    put(to, "%s", parentheses ? ")" : "");
    return;
  }
  to->real = dc_expr_op_takes_reals((dc_expr_op)node->op) || (real && node->op == DC_OP_SELECT);
  print_operation(to, e, strength, depth);
  to->real = real;
}

size_t dc_expr_print(const dc_expr_pool *pool, dc_expr e, const dc_expr_names *names, char *text,
                     size_t size) {
  writer to = {pool, names, text, size, 0, 0, false};
  if (size)
    text[0] = 0;
  print(&to, e, STRENGTH_SELECT, 0);
  return to.length;
}
