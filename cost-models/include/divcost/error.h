// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors are values: a code to branch on and a sentence to show. The sentence is written where the
// cause is known and names the argument and its range; the caller adds the file, line or option it
// came from. Nothing in libdivcost prints, exits or keeps state.
#ifndef DIVCOST_ERROR_H
#define DIVCOST_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dc_status {
  DC_OK = 0,
  DC_ERROR_ARGUMENT, // an argument is outside its documented range
  DC_ERROR_SYNTAX,   // a text does not follow its grammar
  DC_ERROR_LIMIT,    // the answer would need more than a documented bound
  DC_ERROR_MEMORY,   // an allocation failed
  DC_ERROR_FILE,     // a file cannot be read or written
} dc_status;

typedef struct dc_error {
  dc_status status;
  unsigned offset; // for DC_ERROR_SYNTAX: byte offset into the text, else 0
  char text[256];  // one sentence, lower case, no full stop, always terminated
} dc_error;

// Fills *error (may be NULL) with a formatted text, cut to fit, and returns status, so that
// "return dc_fail(error, DC_ERROR_ARGUMENT, ...)" is how every function fails. O(length).
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
dc_status dc_fail(dc_error *error, dc_status status, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
