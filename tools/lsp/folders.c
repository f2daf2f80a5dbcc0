// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's folder for files of its own, and in it one for each compilation.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "lsp/server.h"

#include "divcost/path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

static bool make_server_folder(lsp_server *server) {
  const char *temporary = getenv("TMPDIR");
  if (server->folder)
    return true;
  server->folder =
      dc_path_join(temporary && *temporary == '/' ? temporary : "/tmp", "divcost-lsp-XXXXXX");
  if (server->folder && mkdtemp(server->folder))
    return true;
  free(server->folder);
  server->folder = NULL;
  return false;
}

char *lsp_folder_make(lsp_server *server) {
  char name[16];
  if (!make_server_folder(server))
    return NULL;
  snprintf(name, sizeof name, "%u", server->folders_made++);
  char *folder = dc_path_join(server->folder, name);
  if (folder && mkdir(folder, 0700) == 0)
    return folder;
  free(folder);
  return NULL;
}

void lsp_folder_remove(char *path) {
  DIR *folder = path ? opendir(path) : NULL;
  const struct dirent *entry;
  char inside[PATH_MOST];
  while (folder && (entry = readdir(folder)))
    if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < PATH_MOST)
      unlink(inside); // "." and ".." stay
  if (folder)
    closedir(folder);
  if (path)
    rmdir(path);
  free(path);
}

bool lsp_write_file(const char *path, const char *bytes, size_t size) {
  FILE *stream = fopen(path, "w");
  if (!stream)
    return false;
  bool good = fwrite(bytes, 1, size, stream) == size;
  return fclose(stream) == 0 && good;
}

bool lsp_is_in_file(const char *path, const char *bytes, size_t size) {
  FILE *stream = fopen(path, "r");
  char *there = stream ? malloc(size + 1) : NULL; // one byte more would be another text
  bool same = there && fread(there, 1, size + 1, stream) == size &&
              (size == 0 || memcmp(there, bytes, size) == 0);
  free(there);
  if (stream)
    fclose(stream);
  return same;
}
