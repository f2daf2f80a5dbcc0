// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

#define LANES_VALUES                                                                               \
  ".array values 0 * 32\n"                                                                         \
  "S2R R0, SR_LANEID\n"                                                                            \
  "LD R1, values[R0]\n"

// As compilers make them: a guard before a loop, and its test at the end.
static const char *const texts[SHAPE_COUNT] = {
    [SHAPE_SINGLE_LOOP] = LANES_VALUES "SSY meet\n"
                                       "ISETP.LE P0, R1, RZ\n"
                                       "@P0 BRA end\n"
                                       "loop: IADD R2, R2, 1\n"
                                       "ISETP.LT P0, R2, R1\n"
                                       "@P0 BRA loop\n"
                                       "end: NOP.S\n"
                                       "meet: EXIT\n",
    [SHAPE_DOUBLE_LOOP] = LANES_VALUES "SSY meet\n"
                                       "ISETP.LE P0, R1, RZ\n"
                                       "@P0 BRA end\n"
                                       "outer: MOV R3, 0\n"
                                       "SSY joined\n"
                                       "inner: IADD R3, R3, 1\n"
                                       "ISETP.LT P0, R3, R1\n"
                                       "@P0 BRA inner\n"
                                       "NOP.S\n"
                                       "joined: IADD R2, R2, 1\n"
                                       "ISETP.LT P0, R2, R1\n"
                                       "@P0 BRA outer\n"
                                       "end: NOP.S\n"
                                       "meet: EXIT\n",
    [SHAPE_IF] = LANES_VALUES "SSY meet\n"
                              "ISETP.EQ P0, R1, RZ\n"
                              "@P0 BRA end\n"
                              "IADD R2, R2, 1\n"
                              "end: NOP.S\n"
                              "meet: EXIT\n",
    // Its sides come in between, see with_sides.
    [SHAPE_IF_ELSE] = LANES_VALUES "SSY meet\n"
                                   "ISETP.EQ P0, R1, RZ\n"
                                   "@P0 BRA other\n",
};
enum { SIDE_MAX = 256, TEXT = 512 + 2 * SIDE_MAX * sizeof "IADD R2, R2, 1\n" };

static void with_sides(char text[TEXT], unsigned instructions) {
  int length = snprintf(text, TEXT, "%s", texts[SHAPE_IF_ELSE]);
  for (unsigned k = 0; k < 2 * instructions; ++k)
    length += snprintf(text + length, TEXT - (size_t)length, "%sIADD R2, R2, 1\n",
                       k == instructions ? "BRA end\nother: " : "");
  snprintf(text + length, TEXT - (size_t)length, "end: NOP.S\nmeet: EXIT\n");
}

shape predict_shape(const char *kernel) {
  static const struct {
    const char *begin;
    shape which;
  } names[] = {{"single_loop_precise", SHAPE_COUNT},  {"single_loop_unrolled", SHAPE_COUNT},
               {"double_loop_unrolled", SHAPE_COUNT}, {"single_loop", SHAPE_SINGLE_LOOP},
               {"again_", SHAPE_SINGLE_LOOP},         {"twice_", SHAPE_SINGLE_LOOP},
               {"once_", SHAPE_SINGLE_LOOP},          {"double_loop", SHAPE_DOUBLE_LOOP},
               {"if_else_", SHAPE_IF_ELSE},           {"if_", SHAPE_IF}};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (strncmp(kernel, names[k].begin, strlen(names[k].begin)) == 0)
      return names[k].which;
  return SHAPE_COUNT;
}

static dc_status emulate(const dc_program *program, const dc_arch *arch, dc_emulation *result,
                         dc_error *error) {
  dc_emulator_options options = {.lanes = LANES};
  dc_emulator *emulator;
  dc_status status = dc_emulator_create(program, arch, &options, &emulator, error);
  if (status == DC_OK)
    status = dc_emulator_run(emulator, error);
  if (status == DC_OK)
    *result = dc_emulator_result(emulator);
  dc_emulator_free(emulator);
  return status;
}

static dc_status run(shape which, unsigned side, const dc_arch *arch, const int lanes[LANES],
                     dc_emulation *result, dc_error *error) {
  char text[TEXT];
  dc_program program;
  if (which == SHAPE_IF_ELSE)
    with_sides(text, side);
  dc_status status =
      dc_program_assemble(which == SHAPE_IF_ELSE ? text : texts[which], &program, error);
  if (status != DC_OK)
    return status;
  for (int lane = 0; lane < LANES; ++lane)
    program.words[lane] = lanes[lane];
  status = emulate(&program, arch, result, error);
  dc_program_free(&program);
  return status;
}

dc_status predict_managing(shape which, const dc_arch *arch, const int lanes[LANES], double *cycles,
                           dc_error *error) {
  dc_emulation result;
  dc_status status = run(which, 1, arch, lanes, &result, error);
  if (status == DC_OK)
    *cycles = result.reconvergence;
  return status;
}

dc_status predict_counts(const char *kernel, const dc_arch *arch, const int lanes[LANES],
                         dc_emulation *result, dc_error *error) {
  shape which = predict_shape(kernel);
  unsigned side = 1;
  if (which == SHAPE_COUNT)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the kernel %s has no known shape", kernel);
  if (which == SHAPE_IF_ELSE &&
      (!field_unsigned(kernel + strlen("if_else_"), &side) || side < 1 || side > SIDE_MAX))
    return dc_fail(error, DC_ERROR_ARGUMENT, "the kernel %s: sides have 1 to %d instructions",
                   kernel, SIDE_MAX);
  return run(which, side, arch, lanes, result, error);
}
