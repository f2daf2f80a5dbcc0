// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the client's user has set.
#define _XOPEN_SOURCE 700 // strdup

#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

enum { TIME_LIMIT = 300 }; // seconds, unless it is set

void lsp_settings_free(lsp_settings *settings) {
  free(settings->build_folder);
  free(settings->clang);
  free(settings->plugin);
  arguments_free(&settings->flags);
  *settings = (lsp_settings){0};
}

// A text that isn't empty, or NULL: editors send "" for what nobody set.
static char *text_setting(lsp_server *server, const char *name, const json_t *value) {
  if (json_is_string(value))
    return *json_string_value(value) ? strdup(json_string_value(value)) : NULL;
  if (!json_is_null(value))
    lsp_log(server, LSP_WARNING, "divcost: the setting '%s' is no text and is ignored", name);
  return NULL;
}

static void flags_setting(lsp_server *server, const json_t *value) {
  size_t index;
  json_t *flag;
  bool good = json_is_array(value);
  json_array_foreach(value, index, flag) good = good && json_is_string(flag);
  if (!good && !json_is_null(value))
    lsp_log(server, LSP_WARNING,
            "divcost: the setting 'flags' is no list of texts, [\"-DN=1\", \"-Iinclude\"], and is "
            "ignored");
  if (good)
    json_array_foreach(value, index, flag)
        arguments_add(&server->settings.flags, json_string_value(flag));
}

static void time_setting(lsp_server *server, const json_t *value) {
  double seconds = json_is_number(value) ? json_number_value(value) : -1;
  if (seconds > 0 && seconds < 1e6)
    server->settings.time_limit = (int64_t)(1000 * seconds);
  else
    lsp_log(server, LSP_WARNING,
            "divcost: the setting 'timeLimit' is no number of seconds and is ignored");
}

static bool switch_setting(lsp_server *server, const char *name, const json_t *value) {
  if (!json_is_boolean(value) && !json_is_null(value))
    lsp_log(server, LSP_WARNING,
            "divcost: the setting '%s' is neither true nor false and is ignored", name);
  return json_is_true(value);
}

static void read_one(lsp_server *server, const char *name, const json_t *value) {
  lsp_settings *settings = &server->settings;
  if (strcmp(name, "buildFolder") == 0)
    settings->build_folder = text_setting(server, name, value);
  else if (strcmp(name, "clang") == 0)
    settings->clang = text_setting(server, name, value);
  else if (strcmp(name, "plugin") == 0)
    settings->plugin = text_setting(server, name, value);
  else if (strcmp(name, "flags") == 0)
    flags_setting(server, value);
  else if (strcmp(name, "timeLimit") == 0)
    time_setting(server, value);
  else if (strcmp(name, "uniformHints") == 0)
    settings->uniform_hints = switch_setting(server, name, value);
}

void lsp_settings_read(lsp_server *server, const json_t *object) {
  const json_t *inner = json_object_get(object, "divcost");
  const char *name;
  json_t *value;
  lsp_settings_free(&server->settings);
  server->settings.time_limit = 1000 * (int64_t)TIME_LIMIT;
  object = inner ? inner : object;
  json_object_foreach((json_t *)object, name, value) read_one(server, name, value);
  toolchain_free(&server->tools);
  server->told_tools = server->told_toolkit = false;
}
