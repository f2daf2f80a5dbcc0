// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a report beside its place and renames it, so that readers see the old one or the new one.
// Each process of a session leaves its part in the session's directory and writes the report of all
// parts so far: the last one's is complete, in whatever order they end. What isn't a plain file
// (a terminal, a pipe) is written directly.
#include "findings/report.h"

#include "divcost/files.h"
#include "divcost/input.h"
#include "divcost/path.h"
#include "divcost/replace.h"
#include "divcost/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dc_status fail(const char *path, int reason, dc_error *error) {
  return dc_fail(error, DC_ERROR_FILE, "cannot write the report '%s': %s", path, strerror(reason));
}

dc_status dcp_report_check(const char *path, dc_error *error) {
  struct stat status;
  if (!stat(path, &status)) {
    if (S_ISDIR(status.st_mode))
      return fail(path, EISDIR, error);
    if (!S_ISREG(status.st_mode))
      return access(path, W_OK) ? fail(path, errno, error) : DC_OK;
  } else if (errno != ENOENT) {
    return fail(path, errno, error);
  }
  char *target = realpath(path, NULL); // a link stays, its target is replaced
  char *directory = target ? target : strdup(path);
  if (!directory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  char *slash = strrchr(directory, '/');
  if (slash)
    slash[slash == directory] = 0;
  int bad = access(slash ? directory : ".", W_OK | X_OK) ? errno : 0;
  free(directory);
  return bad ? fail(path, bad, error) : DC_OK;
}

static dc_status write_unit(const dc_unit *unit, bool json, FILE *file, const char *path,
                            dc_error *error) {
  dc_report_options options = {.read_line = dc_input_line};
  errno = 0;
  dc_status result = json ? dc_unit_write(unit, &dc_format_json, NULL, file, error)
                          : dc_unit_write(unit, &dc_format_text, &options, file, error);
  int reason = errno;
  if (result == DC_ERROR_FILE || (result == DC_OK && ferror(file)))
    result = fail(path, reason ? reason : EIO, error);
  return result;
}

static dc_status write_to(const char *path, const dc_unit *unit, dc_error *error) {
  dc_replacement to;
  int reason = dc_replace_begin(path, &to);
  if (reason)
    return fail(path, reason, error);
  dc_status result = write_unit(unit, dc_path_has_ending(path, ".json"), to.file, path, error);
  reason = dc_replace_end(&to, result == DC_OK);
  return result == DC_OK && reason ? fail(path, reason, error) : result;
}

#define PART "part-"

static FILE *open_part(dcp_session *session, const char *name, int flags, const char *mode) {
  int descriptor = openat(session->directory, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, mode);
  if (!file && descriptor >= 0)
    close(descriptor);
  return file;
}

// Leaves this process's part for the others.
static dc_status leave_part(dcp_session *session, const char *name, const dc_unit *unit,
                            dc_error *error) {
  FILE *file = open_part(session, name, O_WRONLY | O_CREAT | O_TRUNC, "w");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot keep a part of the report: %s", strerror(errno));
  dc_status result = write_unit(unit, true, file, name, error);
  return fclose(file) && result == DC_OK ? fail(name, errno, error) : result;
}

static int is_part(const struct dirent *entry) {
  return strncmp(entry->d_name, PART, sizeof PART - 1) == 0;
}

// Reads a part and merges it; one that has gone is none.
static dc_status merge_part(dcp_session *session, const char *name, dc_unit *merged,
                            dc_error *error) {
  FILE *file = open_part(session, name, O_RDONLY, "r");
  if (!file)
    return DC_OK;
  dc_unit part = {0};
  dc_status result = dc_unit_read_json(file, &part, error);
  fclose(file);
  if (result == DC_OK)
    result = dc_unit_merge(merged, &part, error);
  dc_unit_free(&part);
  return result;
}

// The own part is read back too: whether two skeletons are equal is then a comparison of like with
// like. In the order of their names, so that the same compilation gives the same report.
dc_status dcp_report_merge(dcp_session *session, dc_unit *merged, dc_error *error) {
  if (session->directory < 0)
    return DC_OK;
  struct dirent **entries;
  int count = scandirat(session->directory, ".", &entries, is_part, alphasort);
  if (count < 0)
    return dc_fail(error, DC_ERROR_FILE, "cannot read the parts of the report: %s",
                   strerror(errno));
  dc_status result = DC_OK;
  for (int k = 0; k < count; ++k) {
    if (result == DC_OK)
      result = merge_part(session, entries[k]->d_name, merged, error);
    free(entries[k]);
  }
  free(entries);
  return result;
}

dc_status dcp_report_write(const char *path, dcp_session *session, const dc_unit *unit,
                           dc_error *error) {
  if (session->directory < 0)
    return path ? write_to(path, unit, error) : DC_OK;
  char own[64];
  snprintf(own, sizeof own, PART "%06u-%ld", unit->n_archs ? unit->archs[0] : 0, (long)getpid());
  dc_unit merged = {0};
  dcp_session_begin(session);
  dc_status result = leave_part(session, own, unit, error);
  if (result == DC_OK && path)
    result = dcp_report_merge(session, &merged, error);
  if (result == DC_OK && path)
    result = write_to(path, &merged, error);
  dcp_session_end(session);
  dc_unit_free(&merged);
  return result;
}
