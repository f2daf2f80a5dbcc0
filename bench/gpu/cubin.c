// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cubin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

dc_status cubin_read(const char *folder, const char *name, char **image, dc_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.cubin", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%.200s'", path);
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  *image = size > 0 && fseek(file, 0, SEEK_SET) == 0 ? calloc(1, (size_t)size + 1) : NULL;
  bool whole = *image && fread(*image, 1, (size_t)size, file) == (size_t)size;
  whole &= fclose(file) == 0;
  if (whole)
    return DC_OK;
  free(*image);
  *image = NULL;
  return dc_fail(error, DC_ERROR_FILE, "cannot read '%.200s'", path);
}
