// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// URIs of files (RFC 8089), as editors name documents.
#ifndef DIVCOST_TOOLS_LSP_URI_H
#define DIVCOST_TOOLS_LSP_URI_H

// The path that "file:///path" names, with its escapes undone; owned by the caller. NULL: it is no
// file of this machine (another scheme or host, an escaped NUL), or memory is out.
char *uri_path(const char *uri);

// The URI of an absolute path: what isn't a letter, a digit or one of -._~/ is escaped; owned by
// the caller, NULL: memory is out.
char *uri_of_path(const char *path);

#endif
