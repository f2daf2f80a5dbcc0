// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the report for people: one kernel, one loop.
#include "report/text_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What a loop costs says little without the time of its kernel.
static void loop_with_time(dc_report *r, uint32_t loop) {
  char words[DC_WORDS];
  dc__report_loop(r, loop);
  if (r->estimate && r->estimate->time.known && dc_time_words(r->estimate, words, sizeof words))
    dc__report_labelled(r, 2, "kernel time", words);
}

static dc_status write_part(const dc_unit *unit, uint32_t kernel, const uint32_t *loop,
                            FILE *stream, dc_error *error) {
  static const dc_report_options plain = {.colour = false};
  dc_report r = {.options = &plain, .of = &unit->kernels[kernel]};
  r.page = (dc_page){stream, r.options->colour, 0};
  r.estimate = dc_worst_estimate(r.of);
  errno = 0;
  if (!dc__report_set_root(&r, dc__report_file(&r, r.of->kernel.location), unit->path))
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the report");
  if (loop)
    loop_with_time(&r, *loop);
  else
    dc__report_kernel_alone(&r);
  free(r.root);
  if (fflush(stream) != 0 || ferror(stream))
    return dc_fail(error, DC_ERROR_FILE, "cannot write the report: %s",
                   errno ? strerror(errno) : "the stream has failed");
  return DC_OK;
}

dc_status dc_text_write_kernel(const dc_unit *unit, uint32_t kernel, FILE *stream,
                               dc_error *error) {
  return write_part(unit, kernel, NULL, stream, error);
}

dc_status dc_text_write_loop(const dc_unit *unit, uint32_t kernel, uint32_t loop, FILE *stream,
                             dc_error *error) {
  return write_part(unit, kernel, &loop, stream, error);
}
