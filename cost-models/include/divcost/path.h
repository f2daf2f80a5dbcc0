// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of files, as texts: nothing is looked up.
#ifndef DIVCOST_PATH_H
#define DIVCOST_PATH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// The last component of a path: what is behind its last slash. Points into the path. O(length).
const char *dc_base_name(const char *path);

// The path as seen from a folder: where it is below that, what is behind the folder's name; else
// the path. folder may be NULL; without a slash at its end. Points into the path. O(length).
const char *dc_path_below(const char *folder, const char *path);

// The path of a name in a folder, "folder/name"; the name itself where it is absolute, or where
// folder is NULL or empty. The caller frees it. NULL: no memory. O(length).
char *dc_path_join(const char *folder, const char *name);

// Whether a path ends with, for instance, ".json". O(length).
bool dc_path_has_ending(const char *path, const char *ending);

#ifdef __cplusplus
}
#endif

#endif
