// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters from NVIDIA's ncu: where it is, how it is called, why it may fail.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "counters_table.h"
#include "process.h"

// In the PATH, or in the CUDA Toolkit: where the environment says it is, else where it usually is.
static bool find_ncu(char *path, size_t bytes) {
  const char *home = getenv("CUDA_HOME"), *other = getenv("CUDA_PATH");
  const char *toolkit = home ? home : other ? other : "/usr/local/cuda";
  if (process_find("ncu", path, bytes))
    return true;
  int length = snprintf(path, bytes, "%s/bin/ncu", toolkit);
  return length > 0 && (size_t)length < bytes && access(path, X_OK) == 0;
}

// What ncu says itself, on a line with ==ERROR==; else how it ended.
static void explain(const process_result *done, counters *result) {
  static const char mark[] = "==ERROR== ";
  const char *said = strstr(done->output, mark);
  if (strstr(done->output, "ERR_NVGPUCTRPERM"))
    snprintf(result->why_not, sizeof result->why_not,
             "the driver doesn't let this user read counters (ERR_NVGPUCTRPERM): run as root, or "
             "have an administrator load the driver with NVreg_RestrictProfilingToAdminUsers=0");
  else if (said)
    snprintf(result->why_not, sizeof result->why_not, "ncu: %.*s",
             (int)strcspn(said + strlen(mark), "\r\n"), said + strlen(mark));
  else
    snprintf(result->why_not, sizeof result->why_not, "ncu ended with status %d", done->status);
}

void counters_measure(const char *program, const dc_arch *arch, double limit, counters *result) {
  char ncu[1024], self[1024];
  char metrics[] = COUNTERS_INSTRUCTIONS "," COUNTERS_ACTIVE "," COUNTERS_DIVERGENT;
  char csv[] = "--csv", page[] = "--page", raw[] = "raw", units[] = "--print-units",
       base[] = "base", clocks[] = "--clock-control", none[] = "none", list[] = "--metrics",
       calibrate[] = "calibrate", launches[] = "--for-ncu", only[] = "--kernel-name",
       kernel[] = "regex:^(single_loop|double_loop|if_128|if_else_128)$";
  char *const arguments[] = {ncu,  csv,     page, raw,    units, base,      clocks,   none,
                             list, metrics, only, kernel, self,  calibrate, launches, NULL};
  process_result done;
  dc_error error;
  *result = (counters){.count = 0};
  snprintf(self, sizeof self, "%s", program);
  if (!find_ncu(ncu, sizeof ncu)) {
    snprintf(result->why_not, sizeof result->why_not,
             "NVIDIA's profiler ncu is neither in the PATH nor in a CUDA Toolkit");
    return;
  }
  if (process_run(arguments, limit, &done, &error) != DC_OK) {
    snprintf(result->why_not, sizeof result->why_not, "ncu: %.280s", error.text);
    return;
  }
  if (done.status != 0)
    explain(&done, result);
  else
    counters_compare(done.output, arch, result);
  free(done.output);
}
