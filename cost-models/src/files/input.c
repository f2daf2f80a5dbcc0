// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include "divcost/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static dc_status fail_file(dc_error *error, int reason) {
  return dc_fail(error, DC_ERROR_FILE, "%s", strerror(reason));
}

// What is open is asked what it is: a name may become another file's meanwhile. -1: it can't be.
static int open_at_once(const char *path, struct stat *status, dc_error *error) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file >= 0 && fstat(file, status) == 0)
    return file;
  fail_file(error, errno);
  if (file >= 0)
    close(file);
  return -1;
}

static FILE *stream_of(int file, dc_error *error) {
  FILE *stream = fdopen(file, "r");
  if (!stream) {
    fail_file(error, errno);
    close(file);
  }
  return stream;
}

FILE *dc_input_open(const char *path, dc_error *error) {
  struct stat status;
  int file = open_at_once(path, &status, error);
  if (file < 0)
    return NULL;
  if (S_ISREG(status.st_mode))
    return stream_of(file, error);
  dc_fail(error, DC_ERROR_FILE, "it is no plain file");
  close(file);
  return NULL;
}

// Waits until somebody has opened a pipe, which no one asks for bytes yet: poll tells of bytes, and
// of a writer that has come and gone; reading, that one is there. *first: a byte that was read.
static bool has_writer(int file, int *first) {
  const struct timespec moment = {0, 10000000};
  *first = EOF;
  for (unsigned waited = 0; waited < DC_INPUT_SECONDS * 100; ++waited) {
    struct pollfd pipe = {.fd = file, .events = POLLIN};
    unsigned char byte;
    bool gone = poll(&pipe, 1, 0) > 0 && pipe.revents & POLLHUP;
    ssize_t got = read(file, &byte, 1);
    if (got > 0)
      *first = byte;
    if (got > 0 || gone || (got < 0 && errno == EAGAIN))
      return true;
    nanosleep(&moment, NULL);
  }
  return false;
}

FILE *dc_input_open_stream(const char *path, dc_error *error) {
  struct stat status;
  int first = EOF, file = open_at_once(path, &status, error);
  if (file < 0)
    return NULL;
  if (S_ISFIFO(status.st_mode) && !has_writer(file, &first)) {
    dc_fail(error, DC_ERROR_FILE, "nobody writes to this pipe");
    close(file);
    return NULL;
  }
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK); // what comes now is waited for
  FILE *stream = stream_of(file, error);
  if (stream && first != EOF)
    ungetc(first, stream);
  return stream;
}

// Room for more, up to `most` and a byte that tells whether there is more than that.
static char *grow(char *bytes, size_t *capacity, size_t most) {
  size_t wanted = *capacity ? 2 * *capacity : 1 << 16;
  *capacity = wanted > most + 2 ? most + 2 : wanted;
  char *larger = realloc(bytes, *capacity);
  if (!larger)
    free(bytes);
  return larger;
}

dc_status dc_input_read_stream(FILE *stream, size_t most, char **bytes, size_t *length,
                               dc_error *error) {
  size_t capacity = 0, size = 0;
  char *all = grow(NULL, &capacity, most);
  errno = 0;
  while (all) {
    size += fread(all + size, 1, capacity - 1 - size, stream);
    if (feof(stream) || ferror(stream) || size > most)
      break;
    all = grow(all, &capacity, most);
  }
  if (!all)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %zu bytes", capacity);
  all[size] = 0;
  *bytes = all;
  *length = size;
  dc_status status = DC_OK;
  if (ferror(stream))
    status = fail_file(error, errno);
  else if (size > most)
    status = dc_fail(error, DC_ERROR_LIMIT, "it has more than %zu MiB, the most that is read",
                     most >> 20);
  if (status != DC_OK) {
    free(all);
    *bytes = NULL;
  }
  return status;
}

dc_status dc_input_read(const char *path, size_t most, char **bytes, size_t *length,
                        dc_error *error) {
  *bytes = NULL;
  FILE *stream = dc_input_open(path, error);
  if (!stream)
    return DC_ERROR_FILE;
  dc_status status = dc_input_read_stream(stream, most, bytes, length, error);
  fclose(stream);
  return status;
}

bool dc_input_line(void *context, const char *path, uint32_t line, char *text, size_t size) {
  (void)context;
  FILE *stream = dc_input_open(path, NULL);
  if (!stream)
    return false;
  uint32_t at = 1;
  bool found = false;
  while (!found && fgets(text, (int)size, stream)) {
    found = at == line;
    at += strchr(text, '\n') != NULL; // a part of a long line isn't the next line
  }
  fclose(stream);
  if (found)
    text[strcspn(text, "\r\n")] = 0;
  return found;
}

char *dc_input_text(void *context, const char *path, size_t *length) {
  (void)context;
  char *bytes = NULL;
  return dc_input_read(path, DC_INPUT_TEXT_MOST, &bytes, length, NULL) == DC_OK ? bytes : NULL;
}

dc_status dc_input_check_text(const char *text, size_t length, dc_error *error) {
  const char *zero = memchr(text, 0, length), *line = text;
  if (!zero)
    return DC_OK;
  size_t number = 1;
  for (const char *at = text; at < zero; ++at)
    if (*at == '\n') {
      ++number;
      line = at + 1;
    }
  dc_fail(error, DC_ERROR_SYNTAX,
          "line %zu, column %zu: a zero byte; this must be a text, to its end", number,
          (size_t)(zero - line) + 1);
  if (error)
    error->offset = (unsigned)(zero - text);
  return DC_ERROR_SYNTAX;
}
