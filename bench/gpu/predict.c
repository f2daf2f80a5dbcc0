// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predict.h"

#include <stdlib.h>
#include <string.h>

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
    [SHAPE_IF_ELSE] = LANES_VALUES "SSY meet\n"
                                   "ISETP.EQ P0, R1, RZ\n"
                                   "@P0 BRA other\n"
                                   "IADD R2, R2, 1\n"
                                   "BRA end\n"
                                   "other: IADD R2, R2, 2\n"
                                   "end: NOP.S\n"
                                   "meet: EXIT\n",
};

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

static dc_status emulate(const dc_program *program, const dc_arch *arch, double *cycles,
                         dc_error *error) {
  dc_emulator_options options = {.lanes = LANES};
  size_t bytes = dc_emulator_bytes(program, &options);
  void *memory = malloc(bytes);
  dc_emulator *emulator;
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = dc_emulator_begin(program, arch, &options, memory, bytes, &emulator, error);
  if (status == DC_OK)
    status = dc_emulator_run(emulator, error);
  if (status == DC_OK)
    *cycles = dc_emulator_result(emulator).reconvergence;
  free(memory);
  return status;
}

dc_status predict_managing(shape which, const dc_arch *arch, const int lanes[LANES], double *cycles,
                           dc_error *error) {
  dc_program program;
  dc_status status = dc_program_assemble(texts[which], &program, error);
  if (status != DC_OK)
    return status;
  for (int lane = 0; lane < LANES; ++lane)
    program.words[lane] = lanes[lane];
  status = emulate(&program, arch, cycles, error);
  dc_program_free(&program);
  return status;
}
