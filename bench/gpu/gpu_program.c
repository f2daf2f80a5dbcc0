// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu_program.h"

#include <stdio.h>
#include <string.h>

int gpu_program_main(const gpu_program *what, int count, char **arguments) {
  const char *folder = ".";
  if (count == 3 && strcmp(arguments[1], "--out") == 0)
    folder = arguments[2];
  else if (count != 1) {
    bool asked = count == 2 && strcmp(arguments[1], "--help") == 0;
    fputs(what->help, asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  dc_error error;
  gpu *device;
  dc_status status = gpu_open(&device, &error);
  if (status == DC_OK) {
    status = what->measure(device, folder, &error);
    gpu_close(device);
  }
  if (status != DC_OK)
    fprintf(stderr, "%s: %s\n", what->name, error.text);
  return status == DC_OK ? 0 : 1;
}
