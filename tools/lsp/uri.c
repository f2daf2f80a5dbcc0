// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L // strncasecmp

#include "lsp/uri.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// What follows scheme and host, from its slash; NULL: another scheme or host.
static const char *after_host(const char *uri) {
  if (strncasecmp(uri, "file:", 5) != 0)
    return NULL;
  uri += 5;
  if (strncmp(uri, "//", 2) == 0)
    uri += 2;
  if (strncasecmp(uri, "localhost/", 10) == 0)
    uri += 9;
  return *uri == '/' ? uri : NULL;
}

char *uri_path(const char *uri) {
  const char *from = after_host(uri);
  char *path = from ? malloc(strlen(from) + 1) : NULL, *to = path;
  while (to && *from && *from != '?' && *from != '#') {
    int high = *from == '%' ? digit_of(from[1]) : -1, low = high < 0 ? -1 : digit_of(from[2]);
    char byte = low < 0 ? *from : (char)(high * 16 + low);
    if (!byte) {
      free(path);
      return NULL;
    }
    *to++ = byte;
    from += low < 0 ? 1 : 3;
  }
  if (to)
    *to = 0;
  return path;
}

char *uri_of_path(const char *path) {
  static const char digits[] = "0123456789ABCDEF",
                    plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  char *uri = malloc(3 * strlen(path) + sizeof "file://"), *to = uri;
  if (!uri)
    return NULL;
  memcpy(to, "file://", 7);
  to += 7;
  for (; *path; ++path) {
    unsigned char byte = (unsigned char)*path;
    if (strchr(plain, byte)) {
      *to++ = (char)byte;
    } else {
      *to++ = '%';
      *to++ = digits[byte >> 4];
      *to++ = digits[byte & 15];
    }
  }
  *to = 0;
  return uri;
}
