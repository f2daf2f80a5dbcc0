// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // flock

#include "check/results.h"

#include "check/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// --- the folder ----------------------------------------------------------------------------------

// Makes a folder and those above it that aren't there. 0, or the errno of what failed.
static int make_folders(char *path) {
  for (char *at = path + 1; *at; ++at)
    if (*at == '/') {
      *at = 0;
      int failed = mkdir(path, 0777);
      *at = '/';
      if (failed && errno != EEXIST)
        return errno;
    }
  return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

static dc_status make(const char *folder, results *r, dc_error *error) {
  const char *parent = getenv("TMPDIR");
  arguments path = {0};
  if (folder)
    arguments_add(&path, folder);
  else
    arguments_addf(&path, "%s/divcost-check-XXXXXX", parent && *parent ? parent : "/tmp");
  if (path.failed)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  int reason = 0;
  if (folder)
    reason = make_folders(path.words[0]);
  else if (!mkdtemp(path.words[0]))
    reason = errno;
  r->temporary = !folder && !reason;
  r->folder = reason ? NULL : realpath(path.words[0], NULL);
  if (!reason && !r->folder)
    reason = errno;
  dc_status status = DC_OK;
  if (reason)
    status = dc_fail(error, DC_ERROR_FILE, "the folder '%.180s' for results: %s", path.words[0],
                     strerror(reason));
  arguments_free(&path);
  return status;
}

static dc_status lock(results *r, dc_error *error) {
  arguments path = {0};
  arguments_addf(&path, "%s/lock", r->folder);
  r->lock = path.failed ? -1 : open(path.words[0], O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  int reason = r->lock < 0 ? errno : 0;
  if (!reason && flock(r->lock, LOCK_EX | LOCK_NB) != 0)
    reason = errno;
  arguments_free(&path);
  if (reason == EWOULDBLOCK)
    return dc_fail(error, DC_ERROR_FILE,
                   "another run of divcost check uses '%.140s'; wait for it, or name another "
                   "folder with --results",
                   r->folder);
  return reason ? dc_fail(error, DC_ERROR_FILE, "the folder '%.180s' for results: %s", r->folder,
                          strerror(reason))
                : DC_OK;
}

// The length of the key that a name begins with, 0: none. The folder may hold files of others:
// users name one of theirs with --results.
static size_t key_length(const char *name) {
  enum { DIGITS = 16 }; // make_key in unit.c
  size_t length = strcspn(name, ".");
  if (length <= DIGITS || name[length - DIGITS - 1] != '-')
    return 0;
  return strspn(name + length - DIGITS, "0123456789abcdef") == DIGITS ? length : 0;
}

static bool is_of_unit(const char *name, const void *context) {
  (void)context;
  return key_length(name) > 0;
}

// Removes what is in a folder and for which `remove_it` holds (NULL: everything).
static void clear(const char *folder, bool (*remove_it)(const char *name, const void *context),
                  const void *context) {
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  int at = dirfd(entries);
  for (struct dirent *entry; at >= 0 && (entry = readdir(entries));)
    if (entry->d_name[0] != '.' && (!remove_it || remove_it(entry->d_name, context)))
      unlinkat(at, entry->d_name, 0);
  closedir(entries);
}

// Empties running/: what is there is of a run that was killed.
static dc_status prepare_running(const results *r, dc_error *error) {
  arguments path = {0};
  arguments_addf(&path, "%s/running", r->folder);
  int reason = path.failed ? ENOMEM : 0;
  if (!reason) {
    clear(path.words[0], is_of_unit, NULL);
    reason = mkdir(path.words[0], 0777) == 0 || errno == EEXIST ? 0 : errno;
  }
  arguments_free(&path);
  return reason ? dc_fail(error, DC_ERROR_FILE, "the folder '%.180s' for results: %s", r->folder,
                          strerror(reason))
                : DC_OK;
}

dc_status results_open(const char *folder, results *r, dc_error *error) {
  *r = (results){.lock = -1};
  dc_status status = make(folder, r, error);
  if (status == DC_OK)
    status = lock(r, error);
  if (status == DC_OK)
    status = prepare_running(r, error);
  return status;
}

static void remove_all(const char *folder) {
  arguments path = {0};
  arguments_addf(&path, "%s/running", folder);
  if (!path.failed) {
    clear(path.words[0], NULL, NULL);
    rmdir(path.words[0]);
  }
  clear(folder, NULL, NULL);
  rmdir(folder);
  arguments_free(&path);
}

void results_close(results *r) {
  if (r->temporary && r->folder)
    remove_all(r->folder);
  if (r->lock >= 0)
    close(r->lock);
  free(r->folder);
  contents_free(&r->contents);
  *r = (results){.lock = -1};
}

static bool is_other(const char *name, const void *context) {
  const check_units *units = context;
  size_t length = key_length(name);
  if (!length || (strcmp(name + length, ".json") != 0 && strcmp(name + length, ".record") != 0))
    return false;
  for (size_t k = 0; k < units->count; ++k)
    if (!strncmp(units->items[k].key, name, length) && !units->items[k].key[length])
      return false;
  return true;
}

void results_remove_others(const results *r, const check_units *units) {
  clear(r->folder, is_other, units);
}

// --- a unit's files ------------------------------------------------------------------------------

static char *join(const char *a, const char *b, const char *c, const char *d) {
  arguments path = {0};
  arguments_addf(&path, "%s%s%s%s", a, b, c, d);
  char *joined = path.failed ? NULL : strdup(path.words[0]);
  arguments_free(&path);
  return joined;
}

char *results_path(const results *r, const check_unit *unit, const char *ending) {
  return join(r->folder, "/", unit->key, ending);
}

char *results_running(const results *r, const check_unit *unit, const char *ending) {
  char process[32]; // an earlier run's compiler may still be writing
  snprintf(process, sizeof process, ".%ld", (long)getpid());
  arguments path = {0};
  arguments_addf(&path, "%s%s", process, ending);
  char *joined = path.failed ? NULL : join(r->folder, "/running/", unit->key, path.words[0]);
  arguments_free(&path);
  return joined;
}

bool results_hold(results *r, check_unit *unit) {
  char *record = results_path(r, unit, ".record"), *report = results_path(r, unit, ".json");
  bool holds = record && report && record_holds(record, report, &r->contents, unit);
  free(record);
  free(report);
  if (holds)
    unit->state = CHECK_KEPT;
  return holds;
}

dc_status results_keep(results *r, const check_unit *unit, struct timespec started,
                       dc_error *error) {
  char *record = results_path(r, unit, ".record"), *report = results_path(r, unit, ".json");
  char *written = results_running(r, unit, ".json"),
       *headers = results_running(r, unit, ".headers");
  dc_status status = DC_OK;
  if (!record || !report || !written || !headers)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else if ((unlink(record) != 0 && errno != ENOENT) || rename(written, report) != 0)
    status = dc_fail(error, DC_ERROR_FILE, "cannot keep its report in '%.180s': %s", r->folder,
                     strerror(errno));
  else if (!unit->note) // with one it is tried again next time
    status = record_write(record, report, headers, &r->contents, started, unit, error);
  if (headers)
    unlink(headers);
  free(record);
  free(report);
  free(written);
  free(headers);
  return status;
}
