// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/error.h"

#include <stdarg.h>
#include <stdio.h>

dc_status dc_fail(dc_error *error, dc_status status, const char *format, ...) {
  if (error) {
    error->status = status;
    error->offset = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}
