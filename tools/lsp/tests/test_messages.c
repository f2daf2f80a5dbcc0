// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames: what is written is read again, in whatever pieces it comes; whatever else comes is passed
// over, always with some progress, and the next frame is found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lsp/messages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *random) {
  *random = *random * 1664525 + 1013904223;
  return *random >> 8;
}

static void add(message_reader *reader, const char *bytes) {
  queue_add(&reader->input, bytes, strlen(bytes));
}

// The next thing must be a message of these bytes.
static void expect(message_reader *reader, const char *body) {
  const char *found = NULL;
  size_t size = 0;
  assert_int_equal(message_next(reader, &found, &size), MESSAGE_COMPLETE);
  assert_int_equal(size, strlen(body));
  assert_memory_equal(found, body, size);
}

static message_found next(message_reader *reader) {
  const char *body = NULL;
  size_t size = 0;
  return message_next(reader, &body, &size);
}

static void what_is_written_is_read_in_any_pieces(void **state) {
  (void)state;
  byte_queue written = {0};
  static const char *const bodies[] = {"{}", "", "{\"a\": \"Content-Length: 5\\r\\n\\r\\n\"}",
                                       "\r\n\r\n"};
  for (size_t k = 0; k < 4; ++k)
    message_write(&written, bodies[k], strlen(bodies[k]));
  for (size_t piece = 1; piece <= written.end; ++piece) {
    message_reader reader = {0};
    size_t read = 0;
    for (size_t at = 0; at < written.end; at += piece) {
      queue_add(&reader.input, written.bytes + at,
                piece < written.end - at ? piece : written.end - at);
      const char *body = NULL;
      size_t size = 0;
      while (message_next(&reader, &body, &size) == MESSAGE_COMPLETE) {
        assert_int_equal(size, strlen(bodies[read]));
        assert_memory_equal(body, bodies[read], size);
        ++read;
      }
    }
    assert_int_equal(read, 4);
    queue_free(&reader.input);
  }
  queue_free(&written);
}

static void other_headers_and_any_case_are_understood(void **state) {
  (void)state;
  message_reader reader = {0};
  add(&reader, "Content-Type: a; charset=utf-8\r\ncontent-length:2 \r\nX: y\r\n\r\n{}");
  expect(&reader, "{}");
  assert_int_equal(next(&reader), MESSAGE_NONE);
  queue_free(&reader.input);
}

static void a_frame_is_found_behind_garbage(void **state) {
  (void)state;
  static const char *const garbage[] = {"x",
                                        "garbage\r\n",
                                        "\"}",
                                        "Content-Length: 2",
                                        "a: b",
                                        "Content-Length: 7 7\r\n",
                                        "Content-Length: ContentContent-"};
  for (size_t k = 0; k < sizeof garbage / sizeof *garbage; ++k) {
    message_reader reader = {0};
    add(&reader, garbage[k]);
    add(&reader, "Content-Length: 4\r\n\r\nbody");
    message_found found;
    while ((found = next(&reader)) == MESSAGE_NO_FRAME)
      ;
    assert_int_equal(found, MESSAGE_COMPLETE);
    queue_free(&reader.input);
  }
}

// What can't become a frame is told before there is more of it, once, and the next frame is found.
static void what_is_no_frame_is_told_at_once(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\"}\n",
      "Content-Length: 2\n",
      "\n",
      "\r\n",
      ": 2\r\n",
      "Content Length: 2\r\n",
      "GET / HTTP/1.1\r\n",
      "Content-Length: -1\r\n\r\n",
      "Content-Length: 0x2\r\n\r\n",
      "Content-Length:\r\n\r\n",
      "Content-Length: 18446744073709551616\r\n\r\n",
      "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
      "X: 2\r\n\r\n"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    message_reader reader = {0};
    for (size_t at = 0; at + 1 < strlen(wrong[k]); ++at)
      queue_add(&reader.input, wrong[k] + at, 1);
    queue_add(&reader.input, wrong[k] + strlen(wrong[k]) - 1, 1);
    assert_int_equal(next(&reader), MESSAGE_NO_FRAME);
    add(&reader, "{}\r\n");
    message_found found = next(&reader);
    assert_true(found == MESSAGE_NONE || k == 11); // its second line begins a frame
    while (found != MESSAGE_NONE)
      found = next(&reader);
    add(&reader, "Content-Length: 2\r\n\r\n[]");
    expect(&reader, "[]");
    queue_free(&reader.input);
  }
}

static void a_length_that_nobody_sends_swallows_nothing(void **state) {
  (void)state;
  message_reader reader = {0};
  char head[64];
  snprintf(head, sizeof head, "Content-Length: %lld\r\n\r\n{}", (long long)MESSAGE_SKIP_MOST + 1);
  add(&reader, head);
  assert_int_equal(next(&reader), MESSAGE_TOO_LONG);
  assert_int_equal(next(&reader), MESSAGE_NONE);
  add(&reader, "Content-Length: 2\r\n\r\n[]");
  expect(&reader, "[]");
  queue_free(&reader.input);
}

static void a_message_beyond_the_bound_is_skipped(void **state) {
  (void)state;
  message_reader reader = {0};
  char head[64], *zeroes = calloc(1, 1 << 20);
  snprintf(head, sizeof head, "Content-Length: %d\r\n\r\n", MESSAGE_MOST + 1);
  add(&reader, head);
  assert_int_equal(next(&reader), MESSAGE_TOO_LONG);
  for (size_t left = (size_t)MESSAGE_MOST + 1; left;) {
    size_t part = left < 1 << 20 ? left : 1 << 20;
    queue_add(&reader.input, zeroes, part);
    assert_int_equal(next(&reader), MESSAGE_NONE);
    assert_true(reader.input.capacity <= 8 << 20); // it isn't kept
    left -= part;
  }
  add(&reader, "Content-Length: 2\r\n\r\n[]");
  expect(&reader, "[]");
  free(zeroes);
  queue_free(&reader.input);
}

// Random bytes with the words of frames among them: reading ends for each piece, and a frame behind
// enough of what can't be one is found.
static void reading_ends_whatever_comes(void **state) {
  (void)state;
  static const char *const words[] = {"Content-Length",
                                      ": ",
                                      "\r\n",
                                      "\r\n\r\n",
                                      "3",
                                      "12",
                                      "\n",
                                      "-",
                                      "{}",
                                      "Content-Length: 3\r\n\r\nabc",
                                      "\xff",
                                      " "};
  uint32_t random = 5;
  const char *rounds = getenv("DIVCOST_FUZZ_ROUNDS");
  for (long round = rounds ? strtol(rounds, NULL, 10) : 3000; round > 0; --round) {
    message_reader reader = {0};
    for (unsigned k = 0; k < 60; ++k) {
      if (next_random(&random) % 8) {
        add(&reader, words[next_random(&random) % (sizeof words / sizeof *words)]);
      } else {
        char byte = (char)next_random(&random);
        queue_add(&reader.input, &byte, 1);
      }
      for (unsigned tries = 0; next(&reader) != MESSAGE_NONE; ++tries)
        assert_true(tries < 1000);
    }
    char *end = calloc(1, 2 * MESSAGE_HEAD_MOST);
    memset(end, 'x', 2 * MESSAGE_HEAD_MOST - 1);
    add(&reader, end);
    while (next(&reader) != MESSAGE_NONE)
      ;
    if (reader.input.end - reader.input.begin < 64 && reader.skip == 0) {
      add(&reader, "\r\n\r\nContent-Length: 2\r\n\r\n{}");
      message_found found;
      while ((found = next(&reader)) == MESSAGE_NO_FRAME)
        ;
      assert_int_equal(found, MESSAGE_COMPLETE);
    }
    free(end);
    queue_free(&reader.input);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_in_any_pieces),
      cmocka_unit_test(other_headers_and_any_case_are_understood),
      cmocka_unit_test(a_frame_is_found_behind_garbage),
      cmocka_unit_test(what_is_no_frame_is_told_at_once),
      cmocka_unit_test(a_length_that_nobody_sends_swallows_nothing),
      cmocka_unit_test(a_message_beyond_the_bound_is_skipped),
      cmocka_unit_test(reading_ends_whatever_comes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
