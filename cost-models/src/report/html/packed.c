// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes as text that a page can hold: compressed by zlib, in base64.
#include "report/html/html.h"

#include <stdlib.h>
#include <zlib.h>

void dc__html_write_base64(FILE *to, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k;
    uint32_t bits = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) |
                    (left > 2 ? bytes[k + 2] : 0);
    putc(digits[bits >> 18], to);
    putc(digits[bits >> 12 & 63], to);
    putc(left > 1 ? digits[bits >> 6 & 63] : '=', to);
    putc(left > 2 ? digits[bits & 63] : '=', to);
  }
}

dc_status dc__html_write_block(FILE *to, const char *id, const void *bytes, size_t size,
                               dc_error *error) {
  uLongf packed_size = compressBound((uLong)size);
  Bytef *packed = malloc(packed_size);
  int done = packed ? compress2(packed, &packed_size, bytes, (uLong)size, Z_BEST_COMPRESSION)
                    : Z_MEM_ERROR;
  if (done == Z_OK) {
    fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    dc__html_write_base64(to, packed, packed_size);
    fputs("</script>\n", to);
  }
  free(packed);
  return done == Z_OK ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page");
}
