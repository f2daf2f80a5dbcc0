// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles as files. A file is only ever replaced by rename; whoever adds to one holds a lock on
// its folder from reading to renaming, so no process's counts are lost to another's.
#define _DEFAULT_SOURCE // flock

#include "divcost/files.h"
#include "divcost/input.h"
#include "divcost/profile.h"
#include "divcost/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static dc_status fail_file(dc_error *error, const char *what, int reason) {
  return dc_fail(error, DC_ERROR_FILE, "cannot %s: %s", what, strerror(reason));
}

dc_status dc_profile_load(const char *path, dc_profile *profile, dc_error *error) {
  memset(profile, 0, sizeof *profile);
  char *bytes;
  size_t size;
  dc_error reason;
  dc_status result = dc_input_read(path, DC_INPUT_DATA_MOST, &bytes, &size, &reason);
  if (result != DC_OK)
    return dc_fail(error, result, "cannot read: %s", reason.text);
  result = dc_profile_parse(bytes, size, profile, error);
  free(bytes);
  return result;
}

// To the disk: a profile is what is left of a run.
static int write_bytes(dc_replacement *to, const unsigned char *bytes, size_t size) {
  bool written = fwrite(bytes, 1, size, to->file) == size && fflush(to->file) == 0 &&
                 (!to->target || fsync(to->descriptor) == 0);
  int reason = written ? 0 : errno;
  int ended = dc_replace_end(to, written);
  return ended ? ended : reason;
}

dc_status dc_profile_save(const char *path, const dc_profile *profile, dc_error *error) {
  size_t size = dc_profile_print(profile, NULL, 0);
  unsigned char *bytes = malloc(size);
  if (!bytes)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %zu bytes", size);
  dc_profile_print(profile, bytes, size);
  dc_replacement to;
  int reason = dc_replace_begin(path, &to);
  if (!reason)
    reason = write_bytes(&to, bytes, size);
  free(bytes);
  return reason ? fail_file(error, "write", reason) : DC_OK;
}

// The folder of a file, opened and locked; -1 with errno.
static int lock_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  char *folder = malloc(length + 2);
  if (!folder)
    return -1;
  memcpy(folder, slash ? path : "./", slash ? length : 2);
  folder[slash ? length : 1] = 0;
  int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  while (lock >= 0 && flock(lock, LOCK_EX)) {
    if (errno == EINTR)
      continue;
    int reason = errno;
    close(lock);
    errno = reason;
    return -1;
  }
  return lock;
}

dc_status dc_profile_add_to_file(const char *path, const dc_profile *profile, dc_error *error) {
  int lock = lock_folder(path);
  if (lock < 0)
    return fail_file(error, "lock its folder", errno);
  dc_profile all = {0};
  struct stat there;
  dc_status result = DC_OK;
  if (stat(path, &there) == 0 || errno != ENOENT)
    result = dc_profile_load(path, &all, error);
  if (result == DC_OK)
    result = dc_profile_merge(&all, profile, error);
  if (result == DC_OK)
    result = dc_profile_save(path, &all, error);
  dc_profile_free(&all);
  close(lock); // and with it the lock is gone
  return result;
}
