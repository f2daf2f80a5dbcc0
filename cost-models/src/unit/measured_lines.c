// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of the source that a profiler named, in the source as it is now. Whoever silences a
// finding or says a trip count inserts a line or ends one with a comment, and what was measured
// still holds. So lines are compared without comments. One whose text stands at one place of the
// kernel's code is there now; another is where the nearest of these, above or below it, say that it
// moved to, or is gone (Bram Cohen's patience diff). The kernel's code alone counts: a copy of a
// line in another kernel is another line.
#include "unit/measured_lines.h"

#include "divcost/path.h"

#include <stdlib.h>
#include <string.h>

#define CHECKED 0.01 // share of the lane-slots from which a site's lines must still be there

// ---- files --------------------------------------------------------------------------------------

static size_t common_end(const char *x, const char *y) {
  size_t a = strlen(x), b = strlen(y), n = 0;
  while (n < a && n < b && x[a - n - 1] == y[b - n - 1])
    ++n;
  return n;
}

// How the kernel names a file: the folders may be others, where the program was built elsewhere, so
// that of several files of that name the one whose path ends most alike is meant. 0: none.
static dc_text file_of(const dc_kernel *kernel, const char *file) {
  dc_text found = 0;
  size_t best = 0;
  for (uint32_t k = 0; k < kernel->n_locations; ++k) {
    const char *own = dc_kernel_text(kernel, kernel->locations[k].file);
    if (kernel->locations[k].file == found || strcmp(dc_base_name(own), dc_base_name(file)) != 0)
      continue;
    size_t common = common_end(own, file);
    if (common > best) {
      best = common;
      found = kernel->locations[k].file;
    }
  }
  return found;
}

typedef struct source_file {
  char *text;
  char **lines; // lines[n], each with a zero behind it
  bool *code;   // of each line: whether the kernel has a place on it
  uint32_t n;
} source_file;

static void free_file(source_file *file) {
  free(file->text);
  free(file->lines);
  free(file->code);
}

static bool split(source_file *file) {
  size_t count = 1;
  for (const char *c = file->text; *c; ++c)
    count += *c == '\n';
  file->lines = malloc(count * sizeof *file->lines);
  if (!file->lines)
    return false;
  for (char *line = file->text; line; ++file->n) {
    file->lines[file->n] = line;
    line = strchr(line, '\n');
    if (line)
      *line++ = 0;
  }
  return true;
}

static bool find_code(source_file *file, const dc_kernel *kernel, dc_text name) {
  file->code = calloc(file->n, sizeof *file->code);
  for (uint32_t k = 0; file->code && k < kernel->n_locations; ++k) {
    const dc_location *at = &kernel->locations[k];
    if (at->file == name && at->line >= 1 && at->line <= file->n)
      file->code[at->line - 1] = true;
  }
  return file->code;
}

// ---- texts --------------------------------------------------------------------------------------

// Behind the comment that begins there, or the text itself.
static const char *skip_comment(const char *text) {
  if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
    return text;
  const char *end = text[1] == '*' ? strstr(text + 2, "*/") : NULL;
  return end ? end + 2 : text + strlen(text);
}

static char next_letter(const char **text) {
  const char *at = *text, *from;
  do {
    from = at;
    while (*at && (strchr(" \t\r\n", *at) || (unsigned char)*at >= 0x80))
      ++at;
    at = skip_comment(at);
  } while (at != from);
  *text = *at ? at + 1 : at;
  return *at;
}

// Whether two lines are the same but for comments, blanks, and what isn't ASCII, which files may
// not keep.
static bool same_text(const char *now, const char *then) {
  char x, y;
  do {
    x = next_letter(&now);
    y = next_letter(&then);
  } while (x && x == y);
  return x == y;
}

// ---- lines --------------------------------------------------------------------------------------

static bool is_at(const source_file *file, int64_t line, const char *text) {
  return line >= 1 && line <= file->n && same_text(file->lines[line - 1], text);
}

// The only line of the kernel's code that has this text; 0: there is none, or several.
static uint32_t only_line(const source_file *file, const char *text) {
  uint32_t found = 0;
  for (uint32_t line = 1; line <= file->n; ++line)
    if (file->code[line - 1] && same_text(file->lines[line - 1], text)) {
      if (found)
        return 0;
      found = line;
    }
  return found;
}

// A line that sites or accesses are at.
typedef struct site_line {
  const dc_measured_line *line;
  uint32_t now;
  bool checked; // it must still be there
  bool anchor;  // its text says where it is
} site_line;

static int by_place(const void *x, const void *y) {
  const dc_measured_line *a = ((const site_line *)x)->line, *b = ((const site_line *)y)->line;
  int files = strcmp(a->file, b->file);
  if (files)
    return files;
  return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a > b) - (a < b);
}

// Makes one of those of the same line; how many there are then.
static uint32_t without_repeats(site_line *list, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; ++k) {
    if (kept > 0 && list[kept - 1].line == list[k].line)
      list[kept - 1].checked |= list[k].checked;
    else
      list[kept++] = list[k];
  }
  return kept;
}

// Whether what a line's accesses take too much is a noteworthy share of what the kernel's take.
static bool is_costly(const dc_instruction_use *line, const dc_instruction_use *all) {
  bool costly = false;
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t)
    costly |= line->traffic[t].taken - line->traffic[t].ideal > CHECKED * all->traffic[t].taken;
  return costly;
}

// Adds the lines of accesses to list[n]; how many there are then. Their own must still be there.
static uint32_t add_lines_of_uses(const dc_measured *measured, const dc_measured_kernel *from,
                                  site_line *list, uint32_t n) {
  dc_instruction_use all = dc_measured_use(from);
  for (uint32_t u = 0; u < from->n_uses; ++u) {
    const dc_line_use *use = &from->uses[u];
    for (uint32_t l = 0; l < use->n_lines; ++l)
      list[n++] = (site_line){.line = &measured->lines[from->use_lines[use->first_line + l]],
                              .checked = l + 1 == use->n_lines && is_costly(&use->use, &all)};
  }
  return n;
}

// The *n lines of the kernel's sites and accesses in the order of files and lines. The first ones
// of a site are of its jumps, others of the calls around them. NULL: out of memory.
static site_line *lines_of_sites(const dc_measured *measured, const dc_measured_kernel *from,
                                 uint32_t *n) {
  site_line *list = calloc((size_t)from->n_site_lines + from->n_use_lines + 1, sizeof *list);
  if (!list)
    return NULL;
  for (uint32_t k = 0; k < from->n_site_lines; ++k)
    list[k].line = &measured->lines[from->site_lines[k]];
  for (uint32_t s = 0; s < from->n_sites; ++s) {
    const dc_site *site = &from->sites[s];
    bool checked = dc_measured_share(from, site->idle) >= CHECKED;
    for (uint32_t k = 0; checked && k < site->n_main_lines; ++k)
      list[site->first_line + k].checked = true;
  }
  uint32_t all = add_lines_of_uses(measured, from, list, from->n_site_lines);
  qsort(list, all, sizeof *list, by_place);
  *n = without_repeats(list, all);
  return list;
}

// Whether another line of list[n] has the text of this one.
static bool is_repeated(const site_line *list, uint32_t n, const dc_measured_line *line) {
  for (uint32_t k = 0; k < n; ++k)
    if (list[k].line->line != line->line && same_text(list[k].line->text, line->text))
      return true;
  return false;
}

// Finds those of list[n], the lines of one file, that can be at one place alone.
static void find_anchors(const source_file *file, site_line *list, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k) {
    const dc_measured_line *line = list[k].line;
    uint32_t now = *line->text && !is_repeated(list, n, line) ? only_line(file, line->text) : 0;
    list[k].anchor = now != 0;
    list[k].now = now ? now : line->line;
  }
}

// How far a line has moved if it went with the nearest anchor, downwards from list[k] or upwards;
// 0: there is none.
static int64_t moved_with(const site_line *list, uint32_t n, uint32_t k, int step) {
  for (int64_t at = k; at >= 0 && at < n; at += step)
    if (list[at].anchor)
      return (int64_t)list[at].now - list[at].line->line;
  return 0;
}

// Finds the others. The first one that is needed and gone, or NULL; one that nobody needs goes with
// the lines above it.
static const dc_measured_line *find_others(const source_file *file, site_line *list, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k) {
    const dc_measured_line *line = list[k].line;
    int64_t above = line->line + moved_with(list, n, k, -1);
    int64_t below = line->line + moved_with(list, n, k, 1);
    if (list[k].anchor)
      continue;
    bool is_below = !is_at(file, above, line->text) && is_at(file, below, line->text);
    int64_t now = is_below ? below : above;
    if (now > 0)
      list[k].now = (uint32_t)now;
    if (list[k].checked && *line->text && !is_at(file, now, line->text))
      return line;
  }
  return NULL;
}

// Finds the lines of one file, which stay where they were if it can't be read.
static dc_status find_in_file(site_line *list, uint32_t n, const dc_kernel *kernel, dc_text name,
                              const dc_text_source *source, const dc_measured_line **changed,
                              dc_error *error) {
  source_file file = {0};
  size_t length;
  for (uint32_t k = 0; k < n; ++k)
    list[k].now = list[k].line->line;
  file.text = name ? source->read(source->context, dc_kernel_text(kernel, name), &length) : NULL;
  if (!file.text)
    return DC_OK;
  bool good = split(&file) && find_code(&file, kernel, name);
  if (good) {
    find_anchors(&file, list, n);
    *changed = find_others(&file, list, n);
  }
  free_file(&file);
  return good ? DC_OK
              : dc_fail(error, DC_ERROR_MEMORY, "out of memory for the lines of '%s'",
                        list[0].line->file);
}

dc_status dc__find_lines(const dc_measured *measured, const dc_measured_kernel *from,
                         const dc_kernel *kernel, const dc_text_source *source, dc__line_now *now,
                         const dc_measured_line **changed, dc_error *error) {
  uint32_t n = 0;
  site_line *list = lines_of_sites(measured, from, &n);
  dc_status status =
      list ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for what was measured");
  *changed = NULL;
  for (uint32_t first = 0, end; status == DC_OK && !*changed && first < n; first = end) {
    const char *path = list[first].line->file;
    for (end = first + 1; end < n && strcmp(list[end].line->file, path) == 0;)
      ++end;
    dc_text name = file_of(kernel, path);
    status = find_in_file(&list[first], end - first, kernel, name, source, changed, error);
    for (uint32_t k = first; k < end; ++k)
      now[list[k].line - measured->lines] = (dc__line_now){name, list[k].now};
  }
  free(list);
  return status;
}
