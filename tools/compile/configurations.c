// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/configurations.h"

#include <stdlib.h>
#include <string.h>

static dc_status add(configurations *known, const char *path, dc_error *error) {
  dc_error reason;
  dc_config **more = realloc(known->items, (known->count + 1) * sizeof *more);
  known->items = more ? more : known->items;
  dc_config *config = more ? malloc(sizeof *config) : NULL;
  if (!config)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for '%.180s'", path);
  dc_status status = dc_config_load(path, config, &reason);
  if (status != DC_OK) {
    free(config);
    return dc_fail(error, status, "%s: %s", path, reason.text);
  }
  known->items[known->count++] = config;
  return DC_OK;
}

dc_status configurations_find(configurations *known, const char *file, const dc_config **config,
                              dc_error *error) {
  char *path = dc_config_nearest(file);
  dc_status status = DC_OK;
  size_t k = 0;
  *config = NULL;
  while (path && k < known->count && strcmp(known->items[k]->path, path) != 0)
    ++k;
  if (path && k == known->count)
    status = add(known, path, error);
  if (path && status == DC_OK)
    *config = known->items[k];
  free(path);
  return status;
}

void configurations_free(configurations *known) {
  for (size_t k = 0; k < known->count; ++k) {
    dc_config_free(known->items[k]);
    free(known->items[k]);
  }
  free(known->items);
  *known = (configurations){0};
}
