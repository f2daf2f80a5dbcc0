// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the file system can, the new file has no name until it is complete, so that nothing stays
// behind however the process ends. Elsewhere (NFS, no /proc) it has one from the start, which
// dc_replace_abandon removes.
#define _GNU_SOURCE // O_TMPFILE

#include "divcost/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMED = 16, ATTEMPTS = 100 };

// Names of files that aren't complete.
static _Atomic(const char *) named[NAMED];

void dc_replace_abandon(void) {
  for (unsigned k = 0; k < NAMED; ++k) {
    const char *name = atomic_load(&named[k]);
    if (name)
      unlink(name);
  }
}

static void swap_name(const char *from, const char *to) {
  for (unsigned k = 0; k < NAMED; ++k) {
    const char *expected = from;
    if (atomic_compare_exchange_strong(&named[k], &expected, to))
      return;
  }
}

// Blocks signals, so that a name and what says that it is there change together.
static void block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, before);
}

static void name_temporary(dc_replacement *to, unsigned attempt) {
  snprintf(to->temporary, to->size, "%s.%ld.%u.tmp", to->target, (long)getpid(), attempt);
}

// ---- begin -------------------------------------------------------------------------------------

static void name_descriptor(int descriptor, char name[32]) {
  snprintf(name, 32, "/proc/self/fd/%d", descriptor);
}

// A file in the target's folder that has no name and can be given one; -1: not here.
static int open_unnamed(dc_replacement *to) {
  char name[32];
  const char *slash = strrchr(to->target, '/');
  snprintf(to->temporary, to->size, "%.*s", slash ? (int)(slash - to->target) + 1 : 1,
           slash ? to->target : ".");
  int descriptor = open(to->temporary, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return -1;
  name_descriptor(descriptor, name);
  if (access(name, F_OK) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

static int open_named(dc_replacement *to) {
  int descriptor = -1;
  sigset_t before;
  block_signals(&before);
  for (unsigned attempt = 0; descriptor < 0 && attempt < ATTEMPTS; ++attempt) {
    name_temporary(to, attempt);
    descriptor = open(to->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      break;
  }
  int reason = errno;
  if (descriptor >= 0)
    swap_name(NULL, to->temporary);
  sigprocmask(SIG_SETMASK, &before, NULL);
  to->named = descriptor >= 0;
  errno = reason;
  return descriptor;
}

static void remove_named(dc_replacement *to) {
  if (to->named) {
    unlink(to->temporary);
    swap_name(to->temporary, NULL);
  }
}

// A file beside the target, of this process alone.
static int open_beside(dc_replacement *to) {
  to->size = strlen(to->target) + 40;
  to->temporary = malloc(to->size);
  if (!to->temporary)
    return ENOMEM;
  to->descriptor = open_unnamed(to);
  if (to->descriptor < 0)
    to->descriptor = open_named(to);
  return to->descriptor < 0 ? errno : 0;
}

static void release(dc_replacement *to) {
  free(to->target);
  free(to->temporary);
  *to = (dc_replacement){.descriptor = -1};
}

int dc_replace_begin(const char *path, dc_replacement *to) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  *to = (dc_replacement){.target = realpath(path, NULL), .descriptor = -1};
  int reason = 0;
  if (there && (!S_ISREG(status.st_mode) || !to->target)) {
    free(to->target);
    to->target = NULL;
    to->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    reason = to->descriptor < 0 ? errno : 0;
  } else {
    if (!to->target)
      to->target = strdup(path);
    reason = to->target ? open_beside(to) : ENOMEM;
  }
  if (!reason) {
    to->file = dc_writer_open(to->descriptor, &to->reason);
    if (!to->file) {
      reason = ENOMEM;
      remove_named(to);
      close(to->descriptor);
    }
  }
  if (reason)
    release(to);
  return reason;
}

// ---- end ---------------------------------------------------------------------------------------

// Gives the file behind a descriptor a name beside the target, and then the target's.
static int put_unnamed(dc_replacement *to, int descriptor) {
  char name[32];
  int reason = EEXIST;
  name_descriptor(descriptor, name);
  for (unsigned attempt = 0; reason == EEXIST && attempt < ATTEMPTS; ++attempt) {
    name_temporary(to, attempt);
    reason = linkat(AT_FDCWD, name, AT_FDCWD, to->temporary, AT_SYMLINK_FOLLOW) ? errno : 0;
  }
  if (!reason && rename(to->temporary, to->target)) {
    reason = errno;
    unlink(to->temporary);
  }
  return reason;
}

static int put_named(dc_replacement *to) {
  int reason = rename(to->temporary, to->target) ? errno : 0;
  if (reason)
    unlink(to->temporary);
  swap_name(to->temporary, NULL);
  return reason;
}

int dc_replace_end(dc_replacement *to, bool keep) {
  int again = to->target && !to->named && keep ? fcntl(to->descriptor, F_DUPFD_CLOEXEC, 3) : -1;
  int unkept = to->target && !to->named && keep && again < 0 ? errno : 0;
  bool failed = ferror(to->file); // closing a stream says nothing of earlier writes
  failed = fclose(to->file) != 0 || failed;
  int reason = to->reason ? to->reason : failed ? EIO : unkept;
  sigset_t before;
  block_signals(&before);
  if (!keep || reason)
    remove_named(to);
  else if (to->named)
    reason = put_named(to);
  else if (to->target)
    reason = put_unnamed(to, again);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (again >= 0)
    close(again);
  release(to);
  return reason;
}
