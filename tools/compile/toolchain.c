// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "compile/toolchain.h"

#include "compile/arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void toolchain_free(toolchain *tools) {
  free(tools->clang);
  free(tools->plugin);
  *tools = (toolchain){0};
}

static bool is_program(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

char *toolchain_program(const char *name) {
  arguments tried = {0};
  char here[PATH_MAX];
  if (name[0] == '/')
    arguments_add(&tried, name);
  else if (strchr(name, '/') && getcwd(here, sizeof here))
    arguments_addf(&tried, "%s/%s", here, name);
  const char *folders = strchr(name, '/') ? NULL : getenv("PATH");
  while (folders && *folders) {
    int length = (int)strcspn(folders, ":");
    if (*folders == '/')
      arguments_addf(&tried, "%.*s/%s", length, folders, name);
    folders += length;
    folders += *folders == ':';
  }
  char *found = NULL;
  for (size_t k = 0; !found && k < tried.count; ++k)
    if (is_program(tried.words[k]))
      found = strdup(tried.words[k]);
  arguments_free(&tried);
  return found;
}

// DIVCOST_CLANG_BUILT is clang++ of the LLVM that divcost was built for, DIVCOST_LLVM its version.
static dc_status find_clang(const char *named, char **clang, dc_error *error) {
  const char *environment = getenv("DIVCOST_CLANG");
  if (!named && environment && *environment)
    named = environment;
  if (named) {
    *clang = toolchain_program(named);
    return *clang ? DC_OK : dc_fail(error, DC_ERROR_FILE, "there is no program '%.180s'", named);
  }
  *clang = toolchain_program(DIVCOST_CLANG_BUILT);
  if (!*clang)
    *clang = toolchain_program("clang++-" DIVCOST_LLVM);
  return *clang ? DC_OK
                : dc_fail(error, DC_ERROR_FILE,
                          "clang++-" DIVCOST_LLVM " isn't installed (Debian: clang-" DIVCOST_LLVM
                          "); another one is named with --clang or DIVCOST_CLANG");
}

// The folder of this command; false: nobody knows.
static bool own_folder(char folder[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  folder[length > 0 ? length : 0] = 0;
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  return slash != NULL;
}

// What is at the first of two places, from the folder of this command: in a build, and when
// installed.
static char *find_beside(const char *folder, const char *built, const char *installed) {
  const char *places[] = {built, installed};
  char *found = NULL;
  for (size_t k = 0; !found && k < 2; ++k) {
    arguments path = {0};
    arguments_addf(&path, "%s/%s", folder, places[k]);
    if (!path.failed)
      found = realpath(path.words[0], NULL);
    arguments_free(&path);
  }
  return found;
}

char *toolchain_page(const char *name) {
  char own[PATH_MAX], built[128], installed[PATH_MAX];
  snprintf(built, sizeof built, "../docs/%s", name);
  snprintf(installed, sizeof installed, "%s/%s", DIVCOST_DOCS_PLACE, name);
  return own_folder(own) ? find_beside(own, built, installed) : NULL;
}

static dc_status find_plugin(const char *named, char **plugin, dc_error *error) {
  if (named) {
    *plugin = realpath(named, NULL);
    return *plugin
               ? DC_OK
               : dc_fail(error, DC_ERROR_FILE, "the plugin '%.180s': %s", named, strerror(errno));
  }
  char own[PATH_MAX];
  if (own_folder(own))
    *plugin = find_beside(own, "../pass/divcost.so", DIVCOST_PLUGIN_PLACE);
  return *plugin ? DC_OK
                 : dc_fail(error, DC_ERROR_FILE,
                           "the plugin divcost.so is not beside this command (in %.100s/%s); name "
                           "it with --plugin",
                           own, DIVCOST_PLUGIN_PLACE);
}

dc_status toolchain_find(const char *clang, const char *plugin, toolchain *tools, dc_error *error) {
  *tools = (toolchain){0};
  dc_status status = find_clang(clang, &tools->clang, error);
  if (status == DC_OK)
    status = find_plugin(plugin, &tools->plugin, error);
  if (status != DC_OK)
    toolchain_free(tools);
  return status;
}
