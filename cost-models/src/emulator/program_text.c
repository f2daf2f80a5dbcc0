// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembler: docs/emulator.md has the grammar. Two passes over the lines: the first collects
// labels, the second makes the instructions; then what takes the whole program to know: the BSYNC
// that a BSSY belongs to, branches that leave loops. A loop is what a branch backwards spans.
#include "emulator/program_scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX (1u << 20) // of all arrays

// ---- operands -----------------------------------------------------------------------------------

static dc_operand take_operand(dc_assembler *a) {
  dc_operand operand = {DC_OPERAND_VALUE, 0};
  size_t length = dc__scan_peek_name(a);
  int reg = dc__scan_numbered(a->at, length, 'R', DC_REGISTERS);
  if (dc__scan_same(a->at, length, "RZ")) {
    a->at += length;
  } else if (reg >= 0) {
    operand = (dc_operand){DC_OPERAND_REGISTER, reg};
    a->at += length;
  } else if (!dc__scan_take_integer(a, &operand.value)) {
    char name[24];
    dc__scan_copy_name(a, name, sizeof name);
    int param = dc_program_find_param(a->program, name);
    if (param < 0)
      dc__scan_complain(a, "'%s' is neither register, number nor .param above", name);
    operand = (dc_operand){DC_OPERAND_PARAM, param};
  }
  return operand;
}

static uint32_t take_label(dc_assembler *a) {
  size_t length = dc__scan_peek_name(a);
  uint32_t pc = 0, k = 0;
  while (k < a->n_labels &&
         !(a->labels[k].length == length && strncmp(a->labels[k].name, a->at, length) == 0))
    ++k;
  if (k < a->n_labels)
    pc = a->labels[k].pc;
  else if (a->second)
    dc__scan_complain(a, "no label '%.*s'", (int)length, a->at);
  a->at += length;
  return pc;
}

static uint32_t take_array(dc_assembler *a) {
  char name[24];
  dc__scan_copy_name(a, name, sizeof name);
  uint32_t k = 0;
  while (k < a->program->n_arrays && strcmp(a->program->arrays[k].name, name) != 0)
    ++k;
  if (k == a->program->n_arrays)
    dc__scan_complain(a, "no .array '%s' above", name);
  return k;
}

// ---- instructions -------------------------------------------------------------------------------

// Operands, a character each: d register, p predicate, a b operands, L label, B barrier, [ an array
// and its index, s a special register, * anything.
typedef struct mnemonic {
  const char *name, *operands;
  uint8_t opcode, mix;
} mnemonic;

static const mnemonic mnemonics[] = {
    {"SSY", "L", DC_OPCODE_OPEN, DC_MIX_CONTROL},
    {"BSSY", "BL", DC_OPCODE_OPEN, DC_MIX_CONTROL},
    {"BSYNC", "B", DC_OPCODE_CLOSE, DC_MIX_CONTROL},
    {"BREAK", "B", DC_OPCODE_BREAK, DC_MIX_CONTROL},
    {"NOP", "", DC_OPCODE_NOP, DC_MIX_CONTROL},
    {"BRA", "L", DC_OPCODE_BRA, DC_MIX_CONTROL},
    {"CAL", "L", DC_OPCODE_CAL, DC_MIX_CONTROL},
    {"RET", "", DC_OPCODE_RET, DC_MIX_CONTROL},
    {"EXIT", "", DC_OPCODE_EXIT, DC_MIX_CONTROL},
    {"WARPSYNC", "a", DC_OPCODE_WARPSYNC, DC_MIX_WARP},
    {"S2R", "ds", DC_OPCODE_LANE, DC_MIX_INTEGER},
    {"CS2R", "ds", DC_OPCODE_CLOCK, DC_MIX_INTEGER},
    {"MOV", "da", DC_OPCODE_MOV, DC_MIX_INTEGER},
    {"IADD", "dab", DC_OPCODE_IADD, DC_MIX_INTEGER},
    {"ISUB", "dab", DC_OPCODE_ISUB, DC_MIX_INTEGER},
    {"IMUL", "dab", DC_OPCODE_IMUL, DC_MIX_INTEGER},
    {"IMIN", "dab", DC_OPCODE_IMIN, DC_MIX_INTEGER},
    {"IMAX", "dab", DC_OPCODE_IMAX, DC_MIX_INTEGER},
    {"AND", "dab", DC_OPCODE_AND, DC_MIX_INTEGER},
    {"OR", "dab", DC_OPCODE_OR, DC_MIX_INTEGER},
    {"XOR", "dab", DC_OPCODE_XOR, DC_MIX_INTEGER},
    {"SHL", "dab", DC_OPCODE_SHL, DC_MIX_INTEGER},
    {"SHR", "dab", DC_OPCODE_SHR, DC_MIX_INTEGER},
    {"ISETP.LT", "pab", DC_OPCODE_LT, DC_MIX_INTEGER},
    {"ISETP.LE", "pab", DC_OPCODE_LE, DC_MIX_INTEGER},
    {"ISETP.GT", "pab", DC_OPCODE_GT, DC_MIX_INTEGER},
    {"ISETP.GE", "pab", DC_OPCODE_GE, DC_MIX_INTEGER},
    {"ISETP.EQ", "pab", DC_OPCODE_EQ, DC_MIX_INTEGER},
    {"ISETP.NE", "pab", DC_OPCODE_NE, DC_MIX_INTEGER},
    {"LD", "d[", DC_OPCODE_LD, DC_MIX_GLOBAL},
    {"ST", "[b", DC_OPCODE_ST, DC_MIX_GLOBAL},
    {"FADD", "*", DC_OPCODE_FLOAT, DC_MIX_FP32},
    {"FMUL", "*", DC_OPCODE_FLOAT, DC_MIX_FP32},
    {"FFMA", "*", DC_OPCODE_FLOAT, DC_MIX_FP32},
};

static void take_special(dc_assembler *a, const dc_instruction *in) {
  size_t length = dc__scan_peek_name(a);
  bool clock = in->opcode == DC_OPCODE_CLOCK;
  bool known =
      clock ? dc__scan_same(a->at, length, "SR_CLOCKLO")
            : dc__scan_same(a->at, length, "SR_LANEID") || dc__scan_same(a->at, length, "SR_TID.X");
  if (!known)
    dc__scan_complain(a, "expected %s before %s", clock ? "SR_CLOCKLO" : "SR_LANEID or SR_TID.X",
                      dc__scan_next(a).text);
  a->at += length;
}

static void take_operands(dc_assembler *a, const char *operands, dc_instruction *in) {
  for (const char *kind = operands; *kind && a->status == DC_OK; ++kind) {
    if (kind > operands)
      dc__scan_expect(a, ',');
    switch (*kind) {
    case 'd':
      in->d = (uint8_t)dc__scan_take_numbered(a, 'R', DC_REGISTERS, "a register");
      break;
    case 'p':
      in->d = (uint8_t)dc__scan_take_numbered(a, 'P', DC_PREDICATES, "a predicate");
      break;
    case 'B':
      in->region = (uint32_t)dc__scan_take_numbered(a, 'B', 16, "a barrier");
      break;
    case 'L':
      in->target = take_label(a);
      break;
    case 'a':
      in->a = take_operand(a);
      break;
    case 'b':
      in->b = take_operand(a);
      break;
    case 's':
      take_special(a, in);
      break;
    case '[':
      in->region = take_array(a);
      dc__scan_expect(a, '[');
      in->a = take_operand(a);
      dc__scan_expect(a, ']');
      break;
    default:
      while (!dc__scan_at_end(a))
        ++a->at;
    }
  }
}

static void take_guard(dc_assembler *a, dc_instruction *in) {
  if (!dc__scan_take(a, '@'))
    return;
  in->guard_not = dc__scan_take(a, '!');
  in->guard = (uint8_t)dc__scan_take_numbered(a, 'P', DC_PREDICATES, "a predicate");
}

static const mnemonic *find_mnemonic(const char *name, size_t length) {
  for (size_t k = 0; k < sizeof mnemonics / sizeof *mnemonics; ++k)
    if (dc__scan_same(name, length, mnemonics[k].name))
      return &mnemonics[k];
  return NULL;
}

static void take_instruction(dc_assembler *a) {
  dc_program *program = a->program;
  dc_instruction in = {.guard = DC_GUARD_NONE, .line = a->line};
  const char *begin = a->at;
  take_guard(a, &in);
  size_t length = dc__scan_peek_name(a);
  const char *name = a->at;
  in.pop = length > 2 && strncmp(name + length - 2, ".S", 2) == 0;
  const mnemonic *found = find_mnemonic(name, length - (in.pop ? 2 : 0));
  if (!found) {
    dc__scan_complain(a, "unknown instruction %s", dc__scan_next(a).text);
    return;
  }
  a->at += length;
  in.opcode = found->opcode;
  in.mix = found->mix;
  take_operands(a, found->operands, &in);
  bool manages =
      in.opcode == DC_OPCODE_OPEN || in.opcode == DC_OPCODE_CLOSE || in.opcode == DC_OPCODE_BREAK;
  if (in.guard != DC_GUARD_NONE && (in.pop || (manages && in.opcode != DC_OPCODE_BREAK) ||
                                    in.opcode == DC_OPCODE_CAL || in.opcode == DC_OPCODE_WARPSYNC))
    dc__scan_complain(a, "%.*s can't be predicated", (int)length, name);
  if (in.pop && (manages || (in.opcode >= DC_OPCODE_BRA && in.opcode <= DC_OPCODE_WARPSYNC)))
    dc__scan_complain(a, "%.*s can't have a pop bit", (int)length - 2, name);
  if (in.opcode == DC_OPCODE_CAL)
    program->has_calls = true;
  // An SSY's region is told by where it ends; a BSSY's by its register.
  if (in.opcode == DC_OPCODE_OPEN && found->operands[0] == 'L')
    in.region = DC_NONE;
  in.first_byte = (uint32_t)(begin - program->text);
  const char *end = a->at;
  while (end > begin && isspace((unsigned char)end[-1]))
    --end;
  in.n_bytes = (uint32_t)(end - begin);
  if (a->second)
    program->code[program->length] = in;
  ++program->length;
}

// ---- directives ---------------------------------------------------------------------------------

static void take_param(dc_assembler *a) {
  dc_program *program = a->program;
  dc_program_param param = {0};
  dc__scan_copy_name(a, param.name, sizeof param.name);
  if (!dc__scan_take_integer(a, &param.value))
    dc__scan_complain(a, "expected the value of '%s' before %s", param.name, dc__scan_next(a).text);
  if (dc_program_find_param(program, param.name) >= 0)
    dc__scan_complain(a, "'%s' is there twice", param.name);
  void *params = dc__scan_grown(a, program->params, program->n_params, sizeof param);
  if (!params)
    return;
  program->params = params;
  program->params[program->n_params++] = param;
}

static void take_words(dc_assembler *a) {
  dc_program *program = a->program;
  dc_program_array array = {.first = program->n_words};
  dc__scan_copy_name(a, array.name, sizeof array.name);
  while (!dc__scan_at_end(a) && a->status == DC_OK) {
    int32_t value = 0, times = 1;
    if (!dc__scan_take_integer(a, &value))
      dc__scan_complain(a, "expected a number before %s", dc__scan_next(a).text);
    if (dc__scan_take(a, '*') && (!dc__scan_take_integer(a, &times) || times < 1))
      dc__scan_complain(a, "expected how often %d comes before %s", (int)value,
                        dc__scan_next(a).text);
    if (program->n_words + (uint64_t)times > WORDS_MAX)
      dc__scan_complain(a, "the arrays have more than %u words", WORDS_MAX);
    for (int32_t k = 0; k < times && a->status == DC_OK; ++k) {
      void *words = dc__scan_grown(a, program->words, program->n_words, sizeof value);
      if (!words)
        return;
      program->words = words;
      program->words[program->n_words++] = value;
    }
  }
  array.count = program->n_words - array.first;
  void *arrays = dc__scan_grown(a, program->arrays, program->n_arrays, sizeof array);
  if (!arrays)
    return;
  program->arrays = arrays;
  program->arrays[program->n_arrays++] = array;
}

// ---- lines --------------------------------------------------------------------------------------

static void take_own_label(dc_assembler *a, size_t length) {
  for (uint32_t k = 0; k < a->n_labels && !a->second; ++k)
    if (a->labels[k].length == length && strncmp(a->labels[k].name, a->at, length) == 0)
      dc__scan_complain(a, "label '%.*s' is there twice", (int)length, a->at);
  if (!a->second && a->status == DC_OK) {
    void *labels = dc__scan_grown(a, a->labels, a->n_labels, sizeof *a->labels);
    if (!labels)
      return;
    a->labels = labels;
    a->labels[a->n_labels++] = (dc_label){a->at, length, a->program->length};
  }
  a->at += length + 1;
}

static void take_line(dc_assembler *a) {
  if (dc__scan_at_end(a))
    return;
  size_t length = dc__scan_peek_name(a);
  if (*a->at == '.') {
    bool param = dc__scan_same(a->at, length, ".param"),
         array = dc__scan_same(a->at, length, ".array");
    if (!param && !array)
      dc__scan_complain(a, "unknown directive %s", dc__scan_next(a).text);
    a->at += length;
    if (a->second) // read by the first pass
      return;
    if (param)
      take_param(a);
    else
      take_words(a);
  } else {
    if (length > 0 && a->at[length] == ':')
      take_own_label(a, length);
    if (!dc__scan_at_end(a) && a->status == DC_OK)
      take_instruction(a);
  }
  if (a->status == DC_OK && !dc__scan_at_end(a))
    dc__scan_complain(a, "unexpected %s", dc__scan_next(a).text);
}

static void take_text(dc_assembler *a) {
  const char *line = a->program->text;
  a->program->length = 0;
  for (a->line = 1; *line && a->status == DC_OK; ++a->line) {
    a->at = line;
    take_line(a);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
}

// ---- the whole program --------------------------------------------------------------------------

// BSSY names the BSYNC of its barrier; its lanes go on after that.
static void link_barriers(dc_assembler *a) {
  dc_program *program = a->program;
  for (uint32_t pc = 0; pc < program->length && a->status == DC_OK; ++pc) {
    dc_instruction *in = &program->code[pc];
    if (in->opcode != DC_OPCODE_OPEN || in->region == DC_NONE)
      continue;
    const dc_instruction *end = &program->code[in->target];
    a->line = in->line;
    a->at = program->text + in->first_byte;
    if (in->target >= program->length || end->opcode != DC_OPCODE_CLOSE ||
        end->region != in->region)
      dc__scan_complain(a, "the label of this BSSY must stand before a BSYNC B%u",
                        (unsigned)in->region);
    ++in->target;
  }
}

static bool within(const dc_instruction *code, uint32_t end, uint32_t pc) {
  return pc >= code[end].target && pc <= end;
}

// A branch leaves a loop if one of its ways is in what a backward branch spans, and the other not.
static void find_loops(dc_program *program) {
  dc_instruction *code = program->code;
  for (uint32_t end = 0; end < program->length; ++end) {
    if (code[end].opcode != DC_OPCODE_BRA || code[end].target > end)
      continue;
    uint32_t head = code[end].target;
    program->skip[head] = end + 1 > program->skip[head] ? end + 1 : program->skip[head];
    for (uint32_t pc = head; pc <= end; ++pc)
      if (code[pc].opcode == DC_OPCODE_BRA && code[pc].guard != DC_GUARD_NONE)
        code[pc].exits |= within(code, end, code[pc].target) != within(code, end, pc + 1);
  }
}

// The second pass, and what needs all instructions.
static void make_code(dc_assembler *a) {
  dc_program *program = a->program;
  uint32_t length = program->length;
  a->second = true;
  take_text(a);
  for (uint32_t pc = 0; pc < length && a->status == DC_OK; ++pc)
    if (program->code[pc].target >= length && program->code[pc].opcode <= DC_OPCODE_CAL) {
      a->line = program->code[pc].line;
      a->at = program->text + program->code[pc].first_byte;
      dc__scan_complain(a, "its label stands after the last instruction");
    }
  if (a->status == DC_OK)
    link_barriers(a);
  if (a->status == DC_OK)
    find_loops(program);
}

dc_status dc_program_assemble(const char *text, dc_program *program, dc_error *error) {
  dc_assembler a = {.program = program, .error = error, .at = text};
  *program = (dc_program){.text = text};
  if (strlen(text) > UINT32_MAX / 2)
    return dc_fail(error, DC_ERROR_LIMIT, "a program of more than %u bytes", UINT32_MAX / 2);
  take_text(&a);
  if (a.status == DC_OK && program->length == 0)
    dc__scan_complain(&a, "there are no instructions");
  program->code = calloc(program->length + 1u, sizeof *program->code);
  program->skip = calloc(program->length + 1u, sizeof *program->skip);
  if (!program->code || !program->skip)
    dc__scan_out_of_memory(&a);
  else if (a.status == DC_OK)
    make_code(&a);
  free(a.labels);
  if (a.status != DC_OK)
    dc_program_free(program);
  return a.status;
}
