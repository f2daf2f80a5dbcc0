// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs from skeletons and from assembly share.
#include "divcost/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dc_program_free(dc_program *program) {
  free(program->code);
  free(program->skip);
  free(program->edges);
  free(program->block_pc);
  free(program->words);
  free(program->arrays);
  free(program->params);
  *program = (dc_program){0};
}

int dc_program_find_param(const dc_program *program, const char *name) {
  for (uint32_t k = 0; k < program->n_params; ++k)
    if (strcmp(program->params[k].name, name) == 0)
      return (int)k;
  return -1;
}

static size_t written(int length) { return length < 0 ? 0 : (size_t)length; }

size_t dc_program_print(const dc_program *program, uint32_t pc, char *text, size_t size) {
  const dc_instruction *in = &program->code[pc];
  if (program->text)
    return written(snprintf(text, size, "%.*s", (int)in->n_bytes, program->text + in->first_byte));
  switch ((dc_opcode)in->opcode) {
  case DC_OPCODE_OPEN:
    return written(snprintf(text, size, "open %u", (unsigned)in->region));
  case DC_OPCODE_CLOSE:
    return written(snprintf(text, size, "close %u", (unsigned)in->region));
  default:
    return written(snprintf(text, size, "block %u", (unsigned)in->region));
  }
}

size_t dc_program_where(const dc_program *program, uint32_t pc, char *text, size_t size) {
  const dc_instruction *in = &program->code[pc];
  return program->text ? written(snprintf(text, size, "line %u", (unsigned)in->line))
                       : written(snprintf(text, size, "block %u", (unsigned)in->region));
}
