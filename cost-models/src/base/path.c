// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dc_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *dc_path_below(const char *folder, const char *path) {
  size_t size = folder ? strlen(folder) : 0;
  bool below = size > 1 && strncmp(path, folder, size) == 0 && path[size] == '/';
  return below ? path + size + 1 : path;
}

char *dc_path_join(const char *folder, const char *name) {
  size_t length = folder && *name != '/' ? strlen(folder) : 0, size = length + strlen(name) + 2;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%.*s%s%s", (int)length, length ? folder : "",
             length && folder[length - 1] != '/' ? "/" : "", name);
  return path;
}

bool dc_path_has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), size = strlen(ending);
  return length >= size && strcmp(path + length - size, ending) == 0;
}
