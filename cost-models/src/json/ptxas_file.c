// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/files.h"
#include "divcost/input.h"

#include <stdlib.h>

dc_status dc_ptxas_load(const char *path, dc_ptxas *ptxas, dc_error *error) {
  char *text;
  size_t length;
  *ptxas = (dc_ptxas){0};
  dc_status status = dc_input_read(path, DC_INPUT_DATA_MOST, &text, &length, error);
  if (status != DC_OK)
    return status;
  status = dc_input_check_text(text, length, error);
  if (status == DC_OK)
    status = dc_ptxas_read(text, ptxas, error);
  free(text);
  if (status == DC_OK && ptxas->count == 0)
    status = dc_fail(error, DC_ERROR_SYNTAX,
                     "it says nothing of registers; ptxas prints them with nvcc -Xptxas -v or "
                     "clang -Xcuda-ptxas -v");
  return status;
}
