// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data instructions of assembly: what they do to the registers, predicates and arrays of the lanes
// that execute them. Integers have 32 bits and wrap.
#include "emulator/emulator_internal.h"

int32_t dc__lanes_operand(const dc_emulator *e, const dc_operand *operand, unsigned lane) {
  switch ((dc_operand_kind)operand->kind) {
  case DC_OPERAND_VALUE:
    return operand->value;
  case DC_OPERAND_REGISTER:
    return e->registers[operand->value][lane];
  case DC_OPERAND_PARAM:
    return e->values[operand->value];
  }
  return 0;
}

static int32_t wrap(uint32_t value) { return (int32_t)value; }

static int32_t compute(const dc_emulator *e, dc_opcode opcode, unsigned lane, int32_t a,
                       int32_t b) {
  uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
  switch (opcode) {
  case DC_OPCODE_LANE:
    return (int32_t)lane;
  case DC_OPCODE_CLOCK:
    return wrap((uint32_t)(uint64_t)e->clock);
  case DC_OPCODE_IADD:
    return wrap(ua + ub);
  case DC_OPCODE_ISUB:
    return wrap(ua - ub);
  case DC_OPCODE_IMUL:
    return wrap(ua * ub);
  case DC_OPCODE_IMIN:
    return a < b ? a : b;
  case DC_OPCODE_IMAX:
    return a > b ? a : b;
  case DC_OPCODE_AND:
    return a & b;
  case DC_OPCODE_OR:
    return a | b;
  case DC_OPCODE_XOR:
    return a ^ b;
  case DC_OPCODE_SHL: // as the hardware's, which shifts everything out
    return ub > 31 ? 0 : wrap(ua << ub);
  case DC_OPCODE_SHR:
    return ub > 31 ? 0 : wrap(ua >> ub);
  case DC_OPCODE_LT:
    return a < b;
  case DC_OPCODE_LE:
    return a <= b;
  case DC_OPCODE_GT:
    return a > b;
  case DC_OPCODE_GE:
    return a >= b;
  case DC_OPCODE_EQ:
    return a == b;
  case DC_OPCODE_NE:
    return a != b;
  default: // MOV; what has no value
    return a;
  }
}

// The word of an array that a lane means; NULL, and a failure, beyond its end.
static int32_t *word_at(dc_emulator *e, const dc_instruction *in, unsigned lane) {
  const dc_program_array *array = &e->program->arrays[in->region];
  uint32_t index = (uint32_t)dc__lanes_operand(e, &in->a, lane);
  if (index < array->count)
    return &e->words[array->first + index];
  dc__emulator_fail(e, DC_ERROR_ARGUMENT, "lane %u wants %s[%d], but it has %u words", lane,
                    array->name, (int)(int32_t)index, (unsigned)array->count);
  return NULL;
}

static void execute_in_lane(dc_emulator *e, const dc_instruction *in, unsigned lane) {
  uint64_t bit = UINT64_C(1) << lane;
  int32_t *word;
  switch ((dc_opcode)in->opcode) {
  case DC_OPCODE_LD:
    word = word_at(e, in, lane);
    if (word)
      e->registers[in->d][lane] = *word;
    return;
  case DC_OPCODE_ST:
    word = word_at(e, in, lane);
    if (word)
      *word = dc__lanes_operand(e, &in->b, lane);
    return;
  default:
    break;
  }
  int32_t value = compute(e, (dc_opcode)in->opcode, lane, dc__lanes_operand(e, &in->a, lane),
                          dc__lanes_operand(e, &in->b, lane));
  if (in->opcode < DC_OPCODE_LT || in->opcode > DC_OPCODE_NE)
    e->registers[in->d][lane] = value;
  else if (value)
    e->predicates[in->d] |= bit;
  else
    e->predicates[in->d] &= ~bit;
}

void dc__lanes_execute(dc_emulator *e, const dc_instruction *in, uint64_t lanes) {
  if (in->opcode == DC_OPCODE_FLOAT || in->opcode == DC_OPCODE_NOP)
    return;
  for (; lanes; lanes &= lanes - 1)
    execute_in_lane(e, in, dc__first_lane(lanes));
}
