// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json/read_arch.h"

#include "divcost/files.h"
#include "divcost/input.h"
#include "divcost/path.h"

dc_status dc_arch_load(const char *name, dc_arch *arch, dc_error *error) {
  if (!dc_path_has_ending(name, ".json"))
    return dc_arch_find(name, arch, error);
  dc_arch_data data;
  dc_error inner = {0};
  FILE *stream = dc_input_open(name, &inner);
  if (!stream)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%.100s': %s", name, inner.text);
  dc_status status = dc__arch_read_json(stream, &data, error);
  fclose(stream);
  if (status != DC_OK)
    return status;
  status = dc_arch_find_sm(data.sm[0], arch, error);
  if (status == DC_OK) {
    dc__arch_apply(arch, &data, true);
    arch->of_file = true;
  }
  return status;
}
