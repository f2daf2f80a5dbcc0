// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "divcost/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file beside the target, of this process alone.
static int open_beside(dc_replacement *to) {
  size_t size = strlen(to->target) + 32;
  to->temporary = malloc(size);
  if (!to->temporary)
    return ENOMEM;
  int descriptor = -1;
  for (unsigned attempt = 0; descriptor < 0 && attempt < 100; ++attempt) {
    snprintf(to->temporary, size, "%s.%ld.%u.tmp", to->target, (long)getpid(), attempt);
    descriptor = open(to->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      break;
  }
  if (descriptor < 0)
    return errno;
  to->file = fdopen(descriptor, "w");
  if (to->file)
    return 0;
  int reason = errno;
  close(descriptor);
  unlink(to->temporary);
  return reason;
}

static void release(dc_replacement *to) {
  free(to->target);
  free(to->temporary);
  *to = (dc_replacement){NULL, NULL, NULL};
}

int dc_replace_begin(const char *path, dc_replacement *to) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  *to = (dc_replacement){NULL, realpath(path, NULL), NULL};
  int reason = 0;
  if (there && (!S_ISREG(status.st_mode) || !to->target)) {
    release(to);
    to->file = fopen(path, "a");
    reason = to->file ? 0 : errno;
  } else {
    if (!to->target)
      to->target = strdup(path);
    reason = to->target ? open_beside(to) : ENOMEM;
  }
  if (reason)
    release(to);
  return reason;
}

int dc_replace_end(dc_replacement *to, bool keep) {
  int reason = fclose(to->file) ? errno : 0;
  if (to->target && (!keep || reason))
    unlink(to->temporary);
  else if (to->target && rename(to->temporary, to->target)) {
    reason = errno;
    unlink(to->temporary);
  }
  release(to);
  return reason;
}
