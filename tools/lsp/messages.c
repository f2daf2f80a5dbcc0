// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See messages.h. After bytes that are no frame, reading goes on at the next "Content-Length".
#define _GNU_SOURCE // memmem

#include "lsp/messages.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void queue_free(byte_queue *queue) {
  free(queue->bytes);
  *queue = (byte_queue){0};
}

void queue_add(byte_queue *queue, const char *bytes, size_t size) {
  if (queue->begin > 0 && queue->end + size > queue->capacity) {
    memmove(queue->bytes, queue->bytes + queue->begin, queue->end - queue->begin);
    queue->end -= queue->begin;
    queue->begin = 0;
  }
  if (queue->end + size > queue->capacity) {
    size_t capacity = 2 * (queue->end + size);
    char *more = realloc(queue->bytes, capacity);
    if (!more) {
      queue->failed = true;
      return;
    }
    queue->bytes = more;
    queue->capacity = capacity;
  }
  if (size)
    memcpy(queue->bytes + queue->end, bytes, size);
  queue->end += size;
}

// A queue that became large for one message doesn't stay so.
void queue_drop(byte_queue *queue, size_t size) {
  enum { KEPT = 1 << 20 };
  queue->begin += size;
  if (queue->begin < queue->end)
    return;
  queue->begin = queue->end = 0;
  if (queue->capacity > KEPT) {
    free(queue->bytes);
    queue->bytes = NULL;
    queue->capacity = 0;
  }
}

// ---- reading ------------------------------------------------------------------------------------

static const char length_name[] = "Content-Length";

// The number in a line "Content-Length: N"; -1: another line with a name, -2: no such line.
static int64_t length_in(const char *line, size_t size) {
  const char *colon = memchr(line, ':', size);
  if (!colon)
    return -2;
  if ((size_t)(colon - line) != strlen(length_name) ||
      strncasecmp(line, length_name, strlen(length_name)) != 0)
    return -1;
  const char *at = colon + 1, *end = line + size;
  while (at < end && (*at == ' ' || *at == '\t'))
    ++at;
  int64_t number = 0;
  const char *first = at;
  for (; at < end && *at >= '0' && *at <= '9' && number < INT64_MAX / 20; ++at)
    number = 10 * number + (*at - '0');
  while (at < end && (*at == ' ' || *at == '\t'))
    ++at;
  return at == end && at > first && *first != ' ' ? number : -2;
}

// The length that the lines of a head give, or -1: they are no head.
static int64_t length_of_head(const char *head, size_t size) {
  int64_t length = -1;
  for (size_t at = 0; at < size;) {
    const char *end = memmem(head + at, size - at, "\r\n", 2);
    size_t line = end ? (size_t)(end - head) - at : size - at;
    int64_t number = length_in(head + at, line);
    if (number == -2 || (number >= 0 && length >= 0)) // two lengths are none
      return -1;
    if (number >= 0)
      length = number;
    at += line + 2;
  }
  return length;
}

// Whether a head may begin so: with lines "name: ..." that end with CR and LF. Who sends bare JSON,
// or ends lines otherwise, would wait for an answer that never comes.
static bool may_be_head(const char *bytes, size_t size) {
  bool in_name = true;
  for (size_t k = 0, line = 0; k < size; ++k) {
    if (bytes[k] == '\n') {
      if (in_name || bytes[k - 1] != '\r')
        return false;
      in_name = true;
      line = k + 1;
    } else if (bytes[k] == ':' && k > line) {
      in_name = false;
    } else if (in_name && !isalnum((unsigned char)bytes[k]) && bytes[k] != '-' && bytes[k] != '_' &&
               !(bytes[k] == '\r' && k == line && k > 0)) {
      return false;
    }
  }
  return true;
}

// Drops bytes up to where a frame may begin; what is left of them may be the beginning of its name.
static void drop_garbage(message_reader *reader) {
  size_t name = strlen(length_name), here = reader->input.end - reader->input.begin, k = 0;
  const char *bytes = here ? reader->input.bytes + reader->input.begin : "";
  while (k + name <= here && strncasecmp(bytes + k, length_name, name) != 0)
    ++k;
  reader->lost = k + name > here;
  queue_drop(&reader->input, k);
}

static void skip_more(message_reader *reader) {
  size_t here = reader->input.end - reader->input.begin,
         part = here < reader->skip ? here : reader->skip;
  reader->skip -= part;
  queue_drop(&reader->input, part);
}

// What is no frame, from its first byte on.
static message_found lose(message_reader *reader, message_found why) {
  queue_drop(&reader->input, 1);
  drop_garbage(reader);
  return why;
}

message_found message_next(message_reader *reader, const char **body, size_t *size) {
  byte_queue *input = &reader->input;
  skip_more(reader);
  if (reader->lost)
    drop_garbage(reader);
  size_t here = input->end - input->begin,
         first = here < MESSAGE_HEAD_MOST ? here : MESSAGE_HEAD_MOST;
  if (reader->lost || here == 0)
    return MESSAGE_NONE;
  const char *bytes = input->bytes + input->begin, *blank = memmem(bytes, first, "\r\n\r\n", 4);
  if (!blank && here < MESSAGE_HEAD_MOST && may_be_head(bytes, here))
    return MESSAGE_NONE;
  size_t head = blank ? (size_t)(blank - bytes) + 4 : 0;
  int64_t length = blank ? length_of_head(bytes, head - 4) : -1;
  if (length < 0)
    return lose(reader, MESSAGE_NO_FRAME);
  if (length > MESSAGE_SKIP_MOST) // nobody sends that much
    return lose(reader, MESSAGE_TOO_LONG);
  if (length > MESSAGE_MOST) {
    queue_drop(input, head);
    reader->skip = (size_t)length;
    skip_more(reader);
    return MESSAGE_TOO_LONG;
  }
  if (here - head < (size_t)length)
    return MESSAGE_NONE;
  *body = bytes + head;
  *size = (size_t)length;
  input->begin += head + *size; // the bytes stay where they are
  return MESSAGE_COMPLETE;
}

void message_write(byte_queue *output, const char *body, size_t size) {
  char head[64];
  int length = snprintf(head, sizeof head, "%s: %zu\r\n\r\n", length_name, size);
  queue_add(output, head, (size_t)length);
  queue_add(output, body, size);
}
