// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700 // pread

#include "report/object_file.h"

#include "command.h"
#include "report/object_reader.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool object_file_is(int file) {
  unsigned char start[8];
  ssize_t got = pread(file, start, sizeof start, 0);
  return object_is(start, got < 0 ? 0 : (size_t)got);
}

int object_file_read(const char *path, int file,
                     int (*take)(void *context, const char *where, const char *json, size_t length),
                     void *context) {
  struct stat facts;
  if (fstat(file, &facts) != 0)
    return command_fail(path, strerror(errno));
  object_reader reader = {.take = take, .context = context};
  const byte_range bytes = {.file = file, .size = (uint64_t)facts.st_size};
  dc_error error;
  if (object_read(&reader, path, &bytes, &error) == DC_OK)
    return 0;
  return reader.failed ? reader.failed : command_fail(reader.where, error.text);
}
