// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/report.h"

dc_status dc_unit_write(const dc_unit *unit, const dc_report_format *format,
                        const dc_report_options *options, FILE *stream, dc_error *error) {
  dc_kernels kernels = dc_unit_kernels(unit);
  return format->write(&kernels, options, stream, error);
}
