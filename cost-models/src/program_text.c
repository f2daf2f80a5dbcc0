// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembler: docs/emulator.md has the grammar. Two passes over the lines: the first collects
// labels, the second makes the instructions; then what takes the whole program to know: the BSYNC
// that a BSSY belongs to, branches that leave loops. A loop is what a branch backwards spans.
#include "divcost/program.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX (1u << 20) // of all arrays

typedef struct label {
  const char *name;
  size_t length;
  uint32_t pc;
} label;

typedef struct assembler {
  dc_program *program;
  dc_error *error;
  dc_status status;
  label *labels;
  uint32_t n_labels, capacity, words_capacity;
  const char *at; // the rest of the line
  uint32_t line;
  bool second; // pass
} assembler;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void complain(assembler *a, const char *format, ...) {
  char detail[200];
  va_list arguments;
  if (a->status != DC_OK)
    return;
  va_start(arguments, format);
  vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  a->status = dc_fail(a->error, DC_ERROR_SYNTAX, "line %u: %s", (unsigned)a->line, detail);
  if (a->error)
    a->error->offset = (unsigned)(a->at - a->program->text);
}

static void out_of_memory(assembler *a) {
  if (a->status == DC_OK)
    a->status = dc_fail(a->error, DC_ERROR_MEMORY, "out of memory at line %u", (unsigned)a->line);
}

// Makes room for one more element: capacities are powers of two.
static void *grown(assembler *a, void *array, uint32_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *larger = realloc(array, (count ? 2 * (size_t)count : 1) * size);
  if (!larger)
    out_of_memory(a);
  return larger;
}

// ---- words --------------------------------------------------------------------------------------

static void skip_blanks(assembler *a) {
  while (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')
    ++a->at;
}

static bool at_end(assembler *a) {
  skip_blanks(a);
  return !*a->at || *a->at == '\n' || *a->at == ';' || (a->at[0] == '/' && a->at[1] == '/');
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static size_t peek_name(assembler *a) {
  skip_blanks(a);
  size_t length = 0;
  while (is_name(a->at[length]))
    ++length;
  return length;
}

static bool take(assembler *a, char c) {
  skip_blanks(a);
  if (*a->at != c)
    return false;
  ++a->at;
  return true;
}

static void expect(assembler *a, char c) {
  if (!take(a, c))
    complain(a, "expected '%c' before '%.12s'", c, a->at);
}

static bool same(const char *name, size_t length, const char *word) {
  return strlen(word) == length && strncmp(name, word, length) == 0;
}

// A number after its letter: R5, P0, B15. -1: something else.
static int numbered(const char *name, size_t length, char letter, int count) {
  if (length < 2 || length > 3 || name[0] != letter)
    return -1;
  int value = 0;
  for (size_t k = 1; k < length; ++k) {
    if (!isdigit((unsigned char)name[k]))
      return -1;
    value = 10 * value + name[k] - '0';
  }
  return value < count ? value : -1;
}

static int take_numbered(assembler *a, char letter, int count, const char *what) {
  size_t length = peek_name(a);
  int value = numbered(a->at, length, letter, count);
  if (value < 0)
    complain(a, "expected %s %c0 to %c%d before '%.12s'", what, letter, letter, count - 1, a->at);
  a->at += length;
  return value < 0 ? 0 : value;
}

static bool take_integer(assembler *a, int32_t *value) {
  skip_blanks(a);
  char *end;
  long long number = strtoll(a->at, &end, 0);
  if (end == a->at || is_name(*end))
    return false;
  if (number < INT32_MIN || number > UINT32_MAX)
    complain(a, "%.20s does not fit 32 bits", a->at);
  *value = (int32_t)(uint32_t)number;
  a->at = end;
  return true;
}

static void copy_name(assembler *a, char *to, size_t size) {
  size_t length = peek_name(a);
  if (length == 0 || isdigit((unsigned char)*a->at))
    complain(a, "expected a name before '%.12s'", a->at);
  else if (length >= size)
    complain(a, "the name %.*s is longer than %zu characters", (int)length, a->at, size - 1);
  snprintf(to, size, "%.*s", (int)length, a->at);
  a->at += length;
}

// ---- operands -----------------------------------------------------------------------------------

static dc_operand take_operand(assembler *a) {
  dc_operand operand = {DC_OPERAND_VALUE, 0};
  size_t length = peek_name(a);
  int reg = numbered(a->at, length, 'R', DC_REGISTERS);
  if (same(a->at, length, "RZ")) {
    a->at += length;
  } else if (reg >= 0) {
    operand = (dc_operand){DC_OPERAND_REGISTER, reg};
    a->at += length;
  } else if (!take_integer(a, &operand.value)) {
    char name[24];
    copy_name(a, name, sizeof name);
    int param = dc_program_find_param(a->program, name);
    if (param < 0)
      complain(a, "'%s' is neither register, number nor .param above", name);
    operand = (dc_operand){DC_OPERAND_PARAM, param};
  }
  return operand;
}

static uint32_t take_label(assembler *a) {
  size_t length = peek_name(a);
  uint32_t pc = 0, k = 0;
  while (k < a->n_labels &&
         !(a->labels[k].length == length && strncmp(a->labels[k].name, a->at, length) == 0))
    ++k;
  if (k < a->n_labels)
    pc = a->labels[k].pc;
  else if (a->second)
    complain(a, "no label '%.*s'", (int)length, a->at);
  a->at += length;
  return pc;
}

static uint32_t take_array(assembler *a) {
  char name[24];
  copy_name(a, name, sizeof name);
  uint32_t k = 0;
  while (k < a->program->n_arrays && strcmp(a->program->arrays[k].name, name) != 0)
    ++k;
  if (k == a->program->n_arrays)
    complain(a, "no .array '%s' above", name);
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

static void take_special(assembler *a, const dc_instruction *in) {
  size_t length = peek_name(a);
  bool clock = in->opcode == DC_OPCODE_CLOCK;
  bool known = clock ? same(a->at, length, "SR_CLOCKLO")
                     : same(a->at, length, "SR_LANEID") || same(a->at, length, "SR_TID.X");
  if (!known)
    complain(a, "expected %s before '%.12s'", clock ? "SR_CLOCKLO" : "SR_LANEID or SR_TID.X",
             a->at);
  a->at += length;
}

static void take_operands(assembler *a, const char *operands, dc_instruction *in) {
  for (const char *kind = operands; *kind && a->status == DC_OK; ++kind) {
    if (kind > operands)
      expect(a, ',');
    switch (*kind) {
    case 'd':
      in->d = (uint8_t)take_numbered(a, 'R', DC_REGISTERS, "a register");
      break;
    case 'p':
      in->d = (uint8_t)take_numbered(a, 'P', DC_PREDICATES, "a predicate");
      break;
    case 'B':
      in->region = (uint32_t)take_numbered(a, 'B', 16, "a barrier");
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
      expect(a, '[');
      in->a = take_operand(a);
      expect(a, ']');
      break;
    default:
      while (!at_end(a))
        ++a->at;
    }
  }
}

static void take_guard(assembler *a, dc_instruction *in) {
  if (!take(a, '@'))
    return;
  in->guard_not = take(a, '!');
  in->guard = (uint8_t)take_numbered(a, 'P', DC_PREDICATES, "a predicate");
}

static const mnemonic *find_mnemonic(const char *name, size_t length) {
  for (size_t k = 0; k < sizeof mnemonics / sizeof *mnemonics; ++k)
    if (same(name, length, mnemonics[k].name))
      return &mnemonics[k];
  return NULL;
}

static void take_instruction(assembler *a) {
  dc_program *program = a->program;
  dc_instruction in = {.guard = DC_GUARD_NONE, .line = a->line};
  const char *begin = a->at;
  take_guard(a, &in);
  size_t length = peek_name(a);
  const char *name = a->at;
  in.pop = length > 2 && strncmp(name + length - 2, ".S", 2) == 0;
  const mnemonic *found = find_mnemonic(name, length - (in.pop ? 2 : 0));
  if (!found) {
    complain(a, "unknown instruction '%.*s'", (int)length, name);
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
    complain(a, "%.*s can't be predicated", (int)length, name);
  if (in.pop && (manages || (in.opcode >= DC_OPCODE_BRA && in.opcode <= DC_OPCODE_WARPSYNC)))
    complain(a, "%.*s can't have a pop bit", (int)length - 2, name);
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

static void take_param(assembler *a) {
  dc_program *program = a->program;
  dc_program_param param = {0};
  copy_name(a, param.name, sizeof param.name);
  if (!take_integer(a, &param.value))
    complain(a, "expected the value of '%s' before '%.12s'", param.name, a->at);
  if (dc_program_find_param(program, param.name) >= 0)
    complain(a, "'%s' is there twice", param.name);
  void *params = grown(a, program->params, program->n_params, sizeof param);
  if (!params)
    return;
  program->params = params;
  program->params[program->n_params++] = param;
}

static void take_words(assembler *a) {
  dc_program *program = a->program;
  dc_program_array array = {.first = program->n_words};
  copy_name(a, array.name, sizeof array.name);
  while (!at_end(a) && a->status == DC_OK) {
    int32_t value = 0, times = 1;
    if (!take_integer(a, &value))
      complain(a, "expected a number before '%.12s'", a->at);
    if (take(a, '*') && (!take_integer(a, &times) || times < 1))
      complain(a, "expected how often %d comes before '%.12s'", (int)value, a->at);
    if (program->n_words + (uint64_t)times > WORDS_MAX)
      complain(a, "the arrays have more than %u words", WORDS_MAX);
    for (int32_t k = 0; k < times && a->status == DC_OK; ++k) {
      void *words = grown(a, program->words, program->n_words, sizeof value);
      if (!words)
        return;
      program->words = words;
      program->words[program->n_words++] = value;
    }
  }
  array.count = program->n_words - array.first;
  void *arrays = grown(a, program->arrays, program->n_arrays, sizeof array);
  if (!arrays)
    return;
  program->arrays = arrays;
  program->arrays[program->n_arrays++] = array;
}

// ---- lines --------------------------------------------------------------------------------------

static void take_own_label(assembler *a, size_t length) {
  for (uint32_t k = 0; k < a->n_labels && !a->second; ++k)
    if (a->labels[k].length == length && strncmp(a->labels[k].name, a->at, length) == 0)
      complain(a, "label '%.*s' is there twice", (int)length, a->at);
  if (!a->second && a->status == DC_OK) {
    void *labels = grown(a, a->labels, a->n_labels, sizeof *a->labels);
    if (!labels)
      return;
    a->labels = labels;
    a->labels[a->n_labels++] = (label){a->at, length, a->program->length};
  }
  a->at += length + 1;
}

static void take_line(assembler *a) {
  if (at_end(a))
    return;
  size_t length = peek_name(a);
  if (*a->at == '.') {
    bool param = same(a->at, length, ".param"), array = same(a->at, length, ".array");
    if (!param && !array)
      complain(a, "unknown directive '%.*s'", (int)length, a->at);
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
    if (!at_end(a) && a->status == DC_OK)
      take_instruction(a);
  }
  if (a->status == DC_OK && !at_end(a))
    complain(a, "unexpected '%.12s'", a->at);
}

static void take_text(assembler *a) {
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
static void link_barriers(assembler *a) {
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
      complain(a, "the label of this BSSY must stand before a BSYNC B%u", (unsigned)in->region);
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

dc_status dc_program_assemble(const char *text, dc_program *program, dc_error *error) {
  assembler a = {.program = program, .error = error};
  *program = (dc_program){.text = text};
  if (strlen(text) > UINT32_MAX / 2)
    return dc_fail(error, DC_ERROR_LIMIT, "a program of more than %u bytes", UINT32_MAX / 2);
  take_text(&a);
  uint32_t length = program->length;
  if (a.status == DC_OK && length == 0)
    complain(&a, "there are no instructions");
  program->code = calloc(length + 1u, sizeof *program->code);
  program->skip = calloc(length + 1u, sizeof *program->skip);
  if (!program->code || !program->skip)
    out_of_memory(&a);
  a.second = true;
  if (a.status == DC_OK)
    take_text(&a);
  for (uint32_t pc = 0; pc < length && a.status == DC_OK; ++pc)
    if (program->code[pc].target >= length && program->code[pc].opcode <= DC_OPCODE_CAL) {
      a.line = program->code[pc].line;
      a.at = text + program->code[pc].first_byte;
      complain(&a, "its label stands after the last instruction");
    }
  if (a.status == DC_OK)
    link_barriers(&a);
  if (a.status == DC_OK)
    find_loops(program);
  free(a.labels);
  if (a.status != DC_OK)
    dc_program_free(program);
  return a.status;
}
