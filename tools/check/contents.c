// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "check/contents.h"

#include "compile/arguments.h"
#include "divcost/hash.h"
#include "divcost/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void contents_free(contents *table) {
  dc_string_set_free(&table->paths);
  free(table->hashes);
  *table = (contents){0};
}

// Adds `path`, as it is from the root, to a list.
static bool add_absolute(arguments *list, const char *directory, const char *path) {
  if (path[0] == '/')
    arguments_add(list, path);
  else
    arguments_addf(list, "%s/%s", directory, path);
  return !list->failed;
}

static uint64_t hash_file(const char *path) {
  FILE *file = dc_input_open(path, NULL);
  if (!file)
    return 0;
  unsigned char bytes[1 << 14];
  uint64_t hash = DC_HASH_BEGIN;
  size_t count;
  do {
    count = fread(bytes, 1, sizeof bytes, file);
    hash = dc_hash_bytes(hash, bytes, count);
  } while (count == sizeof bytes);
  bool bad = ferror(file);
  fclose(file);
  return bad ? 0 : hash ? hash : 1;
}

// Makes room for the hash of the file of this number.
static bool reserve(contents *table, uint32_t number) {
  if (number < table->capacity)
    return true;
  uint32_t capacity = number < 512 ? 1024 : 2 * number;
  uint64_t *hashes = realloc(table->hashes, capacity * sizeof *hashes);
  if (!hashes)
    return false;
  memset(hashes + table->capacity, 0, (capacity - table->capacity) * sizeof *hashes);
  table->hashes = hashes;
  table->capacity = capacity;
  return true;
}

uint64_t contents_of_file(contents *table, const char *directory, const char *path) {
  arguments absolute = {0};
  uint64_t hash = 0;
  if (add_absolute(&absolute, directory, path)) {
    bool added;
    const char *name = absolute.words[0];
    uint32_t number = dc_string_set_add(&table->paths, name, strlen(name), &added);
    if (number == UINT32_MAX || !reserve(table, number))
      hash = 0;
    else if (added)
      hash = table->hashes[number] = hash_file(name);
    else
      hash = table->hashes[number];
  }
  arguments_free(&absolute);
  return hash;
}

bool contents_changed_since(const char *directory, const char *path, struct timespec moment) {
  arguments absolute = {0};
  struct stat facts;
  bool changed = true;
  if (add_absolute(&absolute, directory, path) && stat(absolute.words[0], &facts) == 0) {
    // The kernel's stamps lag behind its clock by a tick of at most 10 ms.
    long long since = (facts.st_ctim.tv_sec - moment.tv_sec) * 1000000000LL +
                      (facts.st_ctim.tv_nsec - moment.tv_nsec);
    changed = since >= -10000000LL;
  }
  arguments_free(&absolute);
  return changed;
}
