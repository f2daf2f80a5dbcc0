// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "check/messages.h"

#include "command.h"

#include "compile/arguments.h"
#include "divcost/edit_distance.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct held_message {
  char *text, *identity; // the latter of findings, else NULL
  double weight;
  size_t number;
} held_message;

// An entry of an annotation file that names nothing in `units` of the units.
typedef struct unmatched_entry {
  char *entry, *text; // "'notes.json', loops[2]"; the message of the unit that has the nearest
  size_t units, last; // the latter: number of the text that said so last
} unmatched_entry;

static void free_held(held_message *held) {
  free(held->text);
  free(held->identity);
}

void messages_free(messages *m) {
  for (size_t k = 0; k < m->n_held; ++k)
    free_held(&m->held[k]);
  free(m->held);
  for (size_t k = 0; k < m->n_unmatched; ++k) {
    free(m->unmatched[k].entry);
    free(m->unmatched[k].text);
  }
  free(m->unmatched);
  dc_string_set_free(&m->shown);
  *m = (messages){0};
}

static size_t line_length(const char *line) {
  size_t length = strcspn(line, "\n");
  return length + (line[length] == '\n');
}

// Where `words` starts in the line, or NULL.
static const char *find_in_line(const char *line, size_t length, const char *words) {
  size_t wanted = strlen(words);
  for (size_t k = 0; k + wanted <= length; ++k)
    if (!memcmp(line + k, words, wanted))
      return line + k;
  return NULL;
}

// "2 warnings generated when compiling for sm_90."
static bool is_count(const char *line, size_t length) {
  size_t digits = strspn(line, "0123456789");
  return digits > 0 && find_in_line(line, length, " generated") &&
         (!strncmp(line + digits, " warning", 8) || !strncmp(line + digits, " error", 6));
}

void messages_clean(char *text) {
  char *to = text;
  for (const char *line = text; *line;) {
    size_t length = line_length(line);
    bool drop = is_count(line, length);
    if (!drop) {
      memmove(to, line, length);
      to += length;
    }
    line += length;
  }
  *to = 0;
  json_t *value = json_string(text);
  for (char *at = text; !value && *at; ++at)
    if ((unsigned char)*at >= 0x80)
      *at = '?';
  json_decref(value);
}

#define INCLUDED "In file included from "
static bool is_include(const char *line) { return !strncmp(line, INCLUDED, strlen(INCLUDED)); }

// What follows the place in the first line of a message or of a note, and how clang colours it.
typedef struct message_kind {
  const char *words, *colour;
  bool is_head; // of a message of its own, whose text is bold then
} message_kind;

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

// The kind of a line, or NULL: source lines, which are indented, have none.
static const message_kind *kind_of(const char *line, size_t length, const char **at) {
  static const message_kind kinds[] = {{": warning: ", "\033[1;35m", true},
                                       {": error: ", "\033[1;31m", true},
                                       {": fatal error: ", "\033[1;31m", true},
                                       {": remark: ", "\033[1;34m", true},
                                       {": note: ", "\033[1;36m", false}};
  for (size_t k = 0; *line != ' ' && k < sizeof kinds / sizeof *kinds; ++k)
    if ((*at = find_in_line(line, length, kinds[k].words)))
      return &kinds[k];
  return NULL;
}

// A message that is about no place in a file.
static bool is_placeless(const char *line) {
  return !strncmp(line, "warning: ", 9) || !strncmp(line, "error: ", 7);
}

static bool is_head(const char *line, size_t length) {
  const char *at;
  const message_kind *kind = kind_of(line, length, &at);
  return kind ? kind->is_head : is_placeless(line);
}

// The message that starts at `text`: its length, and its head.
static size_t message_length(const char *text, const char **head) {
  const char *at = text;
  *head = NULL;
  while (*at) {
    size_t length = line_length(at);
    if (is_head(at, length)) {
      if (*head)
        break;
      *head = at;
    } else if (*head && is_include(at)) {
      break;
    }
    at += length;
  }
  return (size_t)(at - text);
}

// Of what a compiler names from another directory, the path as seen from here; NULL: there is no
// such file. Owned by the caller.
static char *find_from_here(const char *directory, const char *name, size_t length) {
  arguments path = {0};
  arguments_addf(&path, "%s/%.*s", *name == '/' ? "" : directory, (int)length, name);
  char *real = path.failed ? NULL : realpath(path.words[0], NULL);
  char *found = real ? strdup(path_from_here(real)) : NULL;
  free(real);
  arguments_free(&path);
  return found;
}

// Prints the part of a line that follows its path.
static void print_rest(const char *rest, size_t length, bool colour, FILE *to) {
  const char *at;
  const message_kind *kind = colour ? kind_of(rest, length, &at) : NULL;
  if (!kind) {
    fwrite(rest, 1, length, to);
    return;
  }
  size_t place = (size_t)(at - rest), words = strlen(kind->words);
  size_t text = length - place - words, end = text && rest[length - 1] == '\n';
  fprintf(to, "%.*s: %s%.*s" PLAIN " %s%.*s" PLAIN "%s", (int)place, rest, kind->colour,
          (int)words - 3, kind->words + 2, kind->is_head ? BOLD : "", (int)(text - end), at + words,
          end ? "\n" : "");
}

// Prints a line. A place that it starts with, "FILE:LINE:", is made one that can be found from
// here.
static void print_line(const char *line, size_t length, const char *directory, bool colour,
                       FILE *to) {
  size_t start = is_include(line) ? strlen(INCLUDED) : 0;
  size_t name = strcspn(line + start, ":\n"),
         digits = strspn(line + start + name + 1, "0123456789");
  char *path = NULL;
  if (start + name < length && digits > 0 && line[start] != '/' && line[start] != ' ' &&
      line[start + name + 1 + digits] == ':')
    path = find_from_here(directory, line + start, name);
  size_t rest = path ? start + name : start;
  const char *at;
  bool bold = colour && kind_of(line, length, &at);
  fprintf(to, "%s%.*s%s", bold ? BOLD : "", (int)start, line, path ? path : "");
  print_rest(line + rest, length - rest, colour, to);
  free(path);
}

// Adds what tells a finding from another one: "FILE:LINE:COLUMN[rule". False: the message is none
// of the plugin's.
static bool add_identity(const char *head, const char *directory, arguments *list) {
  size_t length = line_length(head), name = strcspn(head, ":");
  const char *kind = find_in_line(head, length, ": warning: ");
  const char *rule = find_in_line(head, length, "[divcost-");
  if (!kind || !rule)
    return false;
  char *path = find_from_here(directory, head, name);
  arguments_addf(list, "%.*s%.*s%.*s", path ? (int)strlen(path) : (int)name, path ? path : head,
                 (int)(kind - head - (ptrdiff_t)name), head + name, (int)strcspn(rule, "]\n"),
                 rule);
  free(path);
  return true;
}

char *messages_identity(const char *directory, const char *file, uint32_t line, uint32_t column,
                        const char *rule) {
  arguments list = {0};
  char *path = find_from_here(directory, file, strlen(file));
  arguments_addf(&list, "%s:%u:%u[divcost-%s", path ? path : file, (unsigned)line, (unsigned)column,
                 rule);
  char *identity = list.failed ? NULL : strdup(list.words[0]);
  free(path);
  arguments_free(&list);
  return identity;
}

// Whether a text isn't in a set, in which it is from now on.
static bool is_new(dc_string_set *set, const char *text, size_t length) {
  bool added = true;
  return dc_string_set_add(set, text, length, &added) == UINT32_MAX || added;
}

// What a compiler printed that is no message isn't cut into lines that mean something.
enum { OTHER_TEXT_MAX = 2000 };

// ---- what is held -------------------------------------------------------------------------------

// The percentage that ends right before some words, or before it; -1: they aren't there.
static double percentage_before(const char *head, const char *words) {
  size_t length = line_length(head);
  const char *at = find_in_line(head, length, words), *begin = at;
  while (begin && begin > head && strchr("0123456789.e-+", begin[-1]))
    --begin;
  return begin && begin < at ? strtod(begin, NULL) : -1;
}

// What a finding says that is lost, as a share of the kernel's lane-slots or of what its accesses
// take, by the kernel's share of the program's time, as it says itself (pass/findings/messages.c);
// -1: nothing was measured.
static double weight_of(const char *head) {
  static const char *const shares[] = {"% of the kernel's lane-slots idle",
                                       "% of the lane-slots of kernel",
                                       "% of the kernel's global sectors aren't needed",
                                       "% of the kernel's passes over shared memory aren't needed"};
  double share = -1, time = percentage_before(head, "% of the program's GPU time");
  for (size_t k = 0; share < 0 && k < sizeof shares / sizeof *shares; ++k)
    share = percentage_before(head, shares[k]);
  return share < 0 ? -1 : share * (time < 0 ? 100 : time);
}

static void print_message(const messages *m, const char *text, size_t length, const char *directory,
                          FILE *to) {
  for (const char *line = text; line < text + length; line += line_length(line))
    print_line(line, line_length(line), directory, m->colour, to);
}

// The text of a message in memory, or NULL.
static char *print_to_memory(const messages *m, const char *text, size_t length,
                             const char *directory) {
  char *out = NULL;
  size_t size;
  FILE *memory = open_memstream(&out, &size);
  if (!memory)
    return NULL;
  print_message(m, text, length, directory, memory);
  if (fclose(memory) == 0)
    return out;
  free(out);
  return NULL;
}

// Keeps a message; one that there is no memory for is printed at once.
static void hold(messages *m, const char *text, size_t length, const char *head,
                 const char *identity, const char *directory, FILE *to) {
  held_message *more = realloc(m->held, (m->n_held + 1) * sizeof *more);
  m->held = more ? more : m->held;
  held_message kept = {.weight = head ? weight_of(head) : -1, .number = m->n_held};
  kept.text = more ? print_to_memory(m, text, length, directory) : NULL;
  kept.identity = identity ? strdup(identity) : NULL;
  if (kept.text) {
    m->held[m->n_held++] = kept;
    return;
  }
  free(kept.identity);
  print_message(m, text, length, directory, to);
}

// The same finding of another file, where it weighs more, stands for both.
static void hold_worse(messages *m, const char *text, size_t length, const char *head,
                       const char *identity, const char *directory) {
  for (size_t k = 0; k < m->n_held; ++k) {
    held_message *held = &m->held[k];
    if (!held->identity || strcmp(held->identity, identity) != 0 || weight_of(head) <= held->weight)
      continue;
    char *worse = print_to_memory(m, text, length, directory);
    if (!worse)
      return;
    free(held->text);
    held->text = worse;
    held->weight = weight_of(head);
  }
}

void messages_hide(messages *m, dc_string_set *identities) {
  size_t kept = 0;
  for (size_t k = 0; k < m->n_held; ++k) {
    const char *identity = m->held[k].identity;
    if (!identity || is_new(identities, identity, strlen(identity))) {
      m->held[kept++] = m->held[k];
      continue;
    }
    free_held(&m->held[k]);
    ++m->known;
    --m->findings;
  }
  m->n_held = kept;
}

static int by_weight(const void *x, const void *y) {
  const held_message *a = x, *b = y;
  if (a->weight != b->weight)
    return a->weight > b->weight ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

void messages_show_held(messages *m, FILE *to) {
  if (m->n_held)
    qsort(m->held, m->n_held, sizeof *m->held, by_weight);
  for (size_t k = 0; k < m->n_held; ++k) {
    fputs(m->held[k].text, to);
    free_held(&m->held[k]);
  }
  m->n_held = 0;
}

// ---- entries of annotation files that match nothing ---------------------------------------------

// "'notes.json', loops[2]" of "warning: divcost: 'notes.json', loops[2]: no loop begins at ..."
// (pass/findings/annotations.c), and its length; NULL: it is another message.
static const char *find_entry(const char *head, size_t *length) {
  static const char begin[] = "warning: divcost: '";
  const char *start = head + sizeof begin - 2;
  if (strncmp(head, begin, sizeof begin - 1) != 0)
    return NULL;
  const char *loop = find_in_line(head, line_length(head), "]: no loop ");
  const char *end = loop ? loop : find_in_line(head, line_length(head), "]: no kernel ");
  *length = end ? (size_t)(end - start) + 1 : 0;
  return end ? start : NULL;
}

// What stands in quotes in a part of a message, without namespaces; all of it if nothing does.
// Owned by the caller.
static char *copy_name(const char *text, size_t length) {
  const char *end = text + length, *open = memchr(text, '\'', length);
  const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
  if (!close)
    return strndup(text, length);
  const char *name = close;
  while (name[-1] != '\'' && name[-1] != ':')
    --name;
  return strndup(name, (size_t)(close - name));
}

// How far what a unit has is from what the entry names, as the message has both; UINT32_MAX: it has
// nothing.
static uint32_t distance_of(const char *head) {
  static const char begin[] = "]: no ", between[] = "; the nearest is ";
  size_t length = line_length(head);
  const char *named = find_in_line(head, length, begin);
  const char *near = named ? find_in_line(head, length, between) : NULL;
  if (!near)
    return UINT32_MAX;
  named += sizeof begin - 1;
  char *wanted = copy_name(named, (size_t)(near - named));
  near += sizeof between - 1;
  char *there = copy_name(near, (size_t)(head + length - near));
  uint32_t distance = wanted && there ? dc_edit_distance(wanted, there) : UINT32_MAX;
  free(wanted);
  free(there);
  return distance;
}

// False: the message is another one, or there is no memory to keep it.
static bool keep_unmatched(messages *m, const char *head, const char *text, size_t length) {
  size_t size, k = 0;
  const char *entry = head ? find_entry(head, &size) : NULL;
  if (!entry)
    return false;
  while (k < m->n_unmatched &&
         (strlen(m->unmatched[k].entry) != size || memcmp(m->unmatched[k].entry, entry, size) != 0))
    ++k;
  if (k == m->n_unmatched) {
    unmatched_entry *more = realloc(m->unmatched, (k + 1) * sizeof *more);
    m->unmatched = more ? more : m->unmatched;
    unmatched_entry added = {.entry = strndup(entry, size), .text = strndup(text, length)};
    if (!more || !added.entry || !added.text) {
      free(added.entry);
      free(added.text);
      return false;
    }
    m->unmatched[m->n_unmatched++] = added;
  }
  unmatched_entry *kept = &m->unmatched[k];
  kept->units += kept->last != m->texts;
  kept->last = m->texts;
  char *nearer = distance_of(head) < distance_of(kept->text) ? strndup(text, length) : NULL;
  if (nearer) {
    free(kept->text);
    kept->text = nearer;
  }
  return true;
}

void messages_show_unmatched(messages *m, messages_count *units_with, const void *context,
                             FILE *to) {
  for (size_t k = 0; k < m->n_unmatched; ++k) {
    const unmatched_entry *kept = &m->unmatched[k];
    const char *path = kept->entry + 1, *end = strrchr(path, '\''); // 'PATH', loops[2]
    if (kept->units == units_with(context, path, (size_t)(end - path)))
      print_message(m, kept->text, strlen(kept->text), "", to);
  }
}

void messages_show(messages *m, const char *text, const char *directory, FILE *to) {
  ++m->texts;
  while (*text) {
    const char *head;
    size_t length = message_length(text, &head);
    if (keep_unmatched(m, head, text, length)) {
      text += length;
      continue;
    }
    arguments identity = {0};
    bool is_finding = head && add_identity(head, directory, &identity) && !identity.failed;
    bool show = is_finding ? is_new(&m->shown, identity.words[0], strlen(identity.words[0]))
                           : is_new(&m->shown, text, length);
    size_t most = head || length < OTHER_TEXT_MAX ? length : OTHER_TEXT_MAX;
    const char *known = is_finding ? identity.words[0] : NULL;
    if (show && m->hold && to != stderr)
      hold(m, text, most, head, known, directory, to);
    else if (show)
      print_message(m, text, most, directory, to);
    else if (known && m->hold)
      hold_worse(m, text, most, head, known, directory);
    m->findings += is_finding && show;
    m->repeated += is_finding && !show;
    arguments_free(&identity);
    text += length;
  }
}
