// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost profile import-ncu`: what Nsight Compute counted becomes a file of measurements. What
// was not in its pages is said on standard error.
#include "profile/ncu_csv.h"
#include "profile/ncu_process.h"
#include "profile/profile.h"

#include "command.h"
#include "divcost/files.h"
#include "divcost/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAMED_MAX = 5 };

#define SAME_COUNT 0.01 // relative: two runs of a program may differ by so much

// ---- reading ------------------------------------------------------------------------------------

// Whether a file is a report of Nsight Compute itself; its pages have to be asked for.
static bool is_report(const char *path) {
  static const char ending[] = ".ncu-rep";
  size_t length = strlen(path), end = sizeof ending - 1;
  return length >= end && strcmp(path + length - end, ending) == 0;
}

static dc_status read_page(const char *path, bool raw, dc_counts *counts, ncu_export *found,
                           dc_error *error) {
  ncu_process ncu;
  dc_error ended;
  dc_status status = ncu_process_begin(&ncu, path, raw, error);
  if (status != DC_OK)
    return status;
  status = ncu_csv_read(ncu.stream, counts, found, error);
  dc_status end = ncu_process_end(&ncu, &ended);
  if (end == DC_OK || (status != DC_OK && strstr(error->text, "Nsight Compute failed")))
    return status;
  *error = ended;
  return end;
}

static dc_status read_pages(const char *path, dc_counts *counts, ncu_export *found,
                            dc_error *error) {
  dc_status status = read_page(path, false, counts, found, error);
  return status == DC_OK ? read_page(path, true, counts, found, error) : status;
}

static int read_file(const char *path, dc_counts *counts, ncu_export *found) {
  dc_error error;
  FILE *stream = dc_input_open_stream(path, &error);
  if (!stream)
    return command_fail(path, error.text);
  dc_status status = is_report(path) ? read_pages(path, counts, found, &error)
                                     : ncu_csv_read(stream, counts, found, &error);
  fclose(stream);
  return status == DC_OK ? 0 : command_fail(path, error.text);
}

// ---- what is missing ----------------------------------------------------------------------------

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void say_without_lines(const dc_string_set *names) {
  if (names->count == 0)
    return;
  fprintf(stderr, "divcost: %" PRIu32 " kernel%s without source lines left out:", names->count,
          plural(names->count));
  for (uint32_t k = 0; k < names->count && k < NAMED_MAX; ++k)
    fprintf(stderr, "%s %s", k ? "," : "", names->texts[k]);
  fprintf(stderr, "%s; compile them with -lineinfo\n", names->count > NAMED_MAX ? ", ..." : "");
}

static void say_differences(const ncu_export *found) {
  uint32_t untimed = 0;
  for (uint32_t k = 0; k < found->symbols.count; ++k) {
    const struct ncu_kernel *kernel = &found->kernels[k];
    const char *name = found->symbols.texts[k];
    untimed += kernel->timed == 0;
    if (kernel->untimed)
      fprintf(stderr, "divcost: %s: %" PRIu64 " launch%s without a time: interrupted?\n", name,
              kernel->untimed, kernel->untimed == 1 ? "" : "es");
    if (kernel->timed && kernel->listed && kernel->timed != kernel->listed)
      fprintf(stderr,
              "divcost: %s: %" PRIu64 " launches in source pages, %" PRIu64
              " in raw pages; are they of the same runs?\n",
              name, kernel->listed, kernel->timed);
    else if (kernel->listed && kernel->counted_warps > 0 &&
             kernel->listed_warps < (1 - SAME_COUNT) * kernel->counted_warps)
      fprintf(stderr,
              "divcost: %s: the source page has %.3g%% of its instructions: it is cut off, or "
              "functions that are called by a pointer aren't in it\n",
              name, 100 * kernel->listed_warps / kernel->counted_warps);
  }
  if (untimed == found->symbols.count && untimed)
    fputs("divcost: no times, since there is no raw page (ncu --import FILE --page raw --csv "
          "--print-kernel-base mangled): kernels can't be compared\n",
          stderr);
}

// ---- the command --------------------------------------------------------------------------------

static int save(const char *path, const dc_counts *counts) {
  dc_measured measured;
  dc_error error;
  if (dc_counts_charge(counts, &measured, &error) != DC_OK)
    return command_fail(NULL, error.text);
  uint64_t launches = 0;
  for (uint32_t k = 0; k < measured.n_kernels; ++k)
    launches += measured.kernels[k].launches;
  int result = 0;
  if (measured.n_kernels == 0)
    result = command_fail(path, "not written: no kernel with source lines in these files");
  else if (dc_measured_save(path, &measured, &error) != DC_OK)
    result = command_fail(path, error.text);
  else
    fprintf(stderr, "divcost: %" PRIu32 " kernel%s, %" PRIu64 " launch%s in %s\n",
            measured.n_kernels, plural(measured.n_kernels), launches, launches == 1 ? "" : "es",
            path);
  dc_measured_free(&measured);
  return result;
}

int profile_import_ncu(int count, char **arguments) {
  const char *out = NULL;
  int result =
      profile_read_output(count, arguments, "profile import-ncu needs -o OUT and a file", &out);
  if (result != 0)
    return result;
  dc_counts *counts = dc_counts_new();
  ncu_export found = {0};
  if (!counts)
    result = command_fail(NULL, "out of memory");
  for (int k = 0; k < count && result == 0; ++k) {
    if (!strcmp(arguments[k], "-o"))
      ++k;
    else
      result = read_file(arguments[k], counts, &found);
  }
  if (result == 0) {
    say_without_lines(&found.without_lines);
    say_differences(&found);
    result = save(out, counts);
  }
  ncu_export_free(&found);
  dc_counts_free(counts);
  return result;
}
