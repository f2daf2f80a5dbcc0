// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frames that JSON-RPC messages travel in: "Content-Length: N", an empty line, N bytes. Bytes
// come in as they may, and go out when there is room: nothing here reads, writes or waits.
#ifndef DIVCOST_TOOLS_LSP_MESSAGES_H
#define DIVCOST_TOOLS_LSP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
  MESSAGE_MOST = 64 << 20,     // bytes of the longest message that is taken
  MESSAGE_SKIP_MOST = 1 << 30, // of the longest that is passed over; beyond, it is a wrong number
  MESSAGE_HEAD_MOST = 8192     // of the lines in front of it
};

// Bytes in a row that grows; all zeroes is none.
typedef struct byte_queue {
  char *bytes;       // owned
  size_t begin, end; // those that wait
  size_t capacity;
  bool failed; // memory was out once: bytes are missing
} byte_queue;

void queue_free(byte_queue *queue);
void queue_add(byte_queue *queue, const char *bytes, size_t size);
void queue_drop(byte_queue *queue, size_t size); // from its beginning

typedef struct message_reader {
  byte_queue input;
  size_t skip; // bytes of a message that is too long, still to come
  bool lost;   // what came was no frame; what comes is dropped until one may begin
} message_reader;

typedef enum message_found {
  MESSAGE_NONE,     // more bytes are needed
  MESSAGE_COMPLETE, // *body and *size; valid until bytes are added. It needn't be JSON
  MESSAGE_NO_FRAME, // what came isn't a frame: it is dropped up to where one may begin
  MESSAGE_TOO_LONG, // it is passed over as it comes, or up to where a frame may begin
} message_found;

// The next message of what was added to reader->input. What can't become a frame is told as soon as
// that is seen, and once. O(bytes that were added + MESSAGE_HEAD_MOST).
message_found message_next(message_reader *reader, const char **body, size_t *size);

// Adds a message with its frame.
void message_write(byte_queue *output, const char *body, size_t size);

#endif
