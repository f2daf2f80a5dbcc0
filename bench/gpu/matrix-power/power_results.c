// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "power_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "power_cells.h"

enum { FIELDS_MAX = 16, LINE_MAX_BYTES = 640 };

static const char cell_columns[] =
    "block\tlanes\tlaw\tsync\tmultiprocessors\tresident\tgroups\texpected\terror\taggregate"
    "\tdrawn_expected\tdrawn_aggregate\tseconds\tbalanced\tcycles\n";
static const char term_columns[] =
    "kernel\twarps\tbackground\tlanes\tothers\tscattered\titerations\tterm\tcycles\tleast\tgreatest"
    "\tmeasured\n";
static const char profile_columns[] = "block\tlanes\tlaw\tby\tkey\tcycles\tcount\n";
static const char *const term_names[TERM_COUNT] = {"setup", "entry", "first", "iteration", "total"};

const char *power_term_name(power_term_kind kind) { return term_names[kind]; }

// --- writing -------------------------------------------------------------------------------------

void power_cell_begin(FILE *file, const char *origin) {
  fprintf(file, "# %s\n%s", origin, cell_columns);
}

void power_cell_write(FILE *file, const power_cell *cell) {
  fprintf(file, "%u\t%u\t%s\t%d\t%u\t%u\t%u\t%.9f\t%.3g\t%.9f\t%.9f\t%.9f\t%.6g\t%.6g\t%.9g\n",
          cell->block, cell->lanes, power_laws[cell->law].paper, cell->sync, cell->multiprocessors,
          cell->resident, cell->groups, cell->expected, cell->error, cell->aggregate,
          cell->drawn_expected, cell->drawn_aggregate, cell->seconds, cell->balanced, cell->cycles);
}

void power_term_begin(FILE *file, const char *origin) {
  fprintf(file, "# %s\n%s", origin, term_columns);
}

void power_term_write(FILE *file, const power_term *term) {
  fprintf(file, "%s\t%u\t%u\t%u\t%u\t%d\t%u\t%s\t%.9g\t%.9g\t%.9g\t%u\n", term->kernel, term->warps,
          term->background, term->lanes, term->others, term->scattered, term->iterations,
          term_names[term->kind], term->cycles.median, term->cycles.least, term->cycles.greatest,
          term->cycles.launches);
}

void power_profile_begin(FILE *file, const char *origin) {
  fprintf(file, "# %s\n%s", origin, profile_columns);
}

void power_profile_write(FILE *file, const power_profile *profile) {
  fprintf(file, "%u\t%u\t%s\t%s\t%u\t%.9g\t%llu\n", profile->block, profile->lanes,
          power_laws[profile->law].paper, profile->by_active ? "active" : "iteration", profile->key,
          profile->cycles, profile->count);
}

// --- reading -------------------------------------------------------------------------------------

typedef struct fields { // of a line; reading one that isn't there or isn't what it must be fails
  char *items[FIELDS_MAX];
  unsigned count, next;
  bool good;
} fields;

static fields split(char *line) {
  fields of = {.good = true};
  line[strcspn(line, "\n")] = '\0';
  while (line && of.count < FIELDS_MAX) {
    of.items[of.count++] = line;
    line = strchr(line, '\t');
    if (line)
      *line++ = '\0';
  }
  return of;
}

static const char *take_text(fields *of) {
  of->good = of->good && of->next < of->count;
  return of->good ? of->items[of->next++] : "";
}

static double take_real(fields *of) {
  const char *text = take_text(of);
  char *end;
  double value = strtod(text, &end);
  of->good = of->good && end != text && *end == '\0';
  return value;
}

static unsigned take_number(fields *of) {
  double value = take_real(of);
  of->good = of->good && value >= 0 && value <= 4294967295.0 && value == (double)(unsigned)value;
  return of->good ? (unsigned)value : 0;
}

static unsigned take_choice(fields *of, const char *const names[], unsigned count) {
  const char *text = take_text(of);
  unsigned which = 0;
  while (which < count && strcmp(names[which], text) != 0)
    ++which;
  of->good = of->good && which < count;
  return which;
}

static unsigned take_law(fields *of) {
  const char *names[POWER_LAWS];
  for (unsigned law = 0; law < POWER_LAWS; ++law)
    names[law] = power_laws[law].paper;
  return take_choice(of, names, POWER_LAWS);
}

static bool parse_cell(fields *of, void *item) {
  power_cell *cell = item;
  cell->block = take_number(of);
  cell->lanes = take_number(of);
  cell->law = take_law(of);
  cell->sync = take_number(of) != 0;
  cell->multiprocessors = take_number(of);
  cell->resident = take_number(of);
  cell->groups = take_number(of);
  double *const reals[] = {&cell->expected,       &cell->error,           &cell->aggregate,
                           &cell->drawn_expected, &cell->drawn_aggregate, &cell->seconds,
                           &cell->balanced,       &cell->cycles};
  for (unsigned r = 0; r < sizeof reals / sizeof *reals; ++r)
    *reals[r] = take_real(of);
  return of->good && of->next == of->count && cell->block > 0 && cell->lanes > 0 &&
         cell->lanes <= LANES && cell->groups > 0 && cell->resident > 0 &&
         cell->multiprocessors > 0 && cell->groups % (cell->block / cell->lanes) == 0;
}

static bool parse_term(fields *of, void *item) {
  power_term *term = item;
  snprintf(term->kernel, sizeof term->kernel, "%s", take_text(of));
  term->warps = take_number(of);
  term->background = take_number(of);
  term->lanes = take_number(of);
  term->others = take_number(of);
  term->scattered = take_number(of) != 0;
  term->iterations = take_number(of);
  term->kind = (power_term_kind)take_choice(of, term_names, TERM_COUNT);
  term->cycles.median = take_real(of);
  term->cycles.least = take_real(of);
  term->cycles.greatest = take_real(of);
  term->cycles.launches = take_number(of);
  return of->good && of->next == of->count;
}

static bool parse_profile(fields *of, void *item) {
  static const char *const by[] = {"iteration", "active"};
  power_profile *profile = item;
  profile->block = take_number(of);
  profile->lanes = take_number(of);
  profile->law = take_law(of);
  profile->by_active = take_choice(of, by, 2) == 1;
  profile->key = take_number(of);
  profile->cycles = take_real(of);
  profile->count = (unsigned long long)take_real(of);
  return of->good && of->next == of->count;
}

typedef struct table { // of one file
  const char *suffix, *columns;
  bool (*parse)(fields *of, void *item);
  size_t size; // of an item
  void **items;
  unsigned *count;
} table;

static dc_status append(const table *to, const void *item, dc_error *error) {
  unsigned count = *to->count;
  if (!*to->items || (count & (count - 1)) == 0) {
    void *items = realloc(*to->items, (count ? 2 * count : 1) * to->size);
    if (!items)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
    *to->items = items;
  }
  memcpy((char *)*to->items + count * to->size, item, to->size);
  ++*to->count;
  return DC_OK;
}

static dc_status read_lines(FILE *file, const char *path, const table *to, char *origin,
                            size_t bytes, dc_error *error) {
  char line[LINE_MAX_BYTES], shown[64];
  union {
    power_cell cell;
    power_term term;
    power_profile profile;
  } item;
  unsigned number = 0;
  dc_status status = DC_OK;
  while (status == DC_OK && fgets(line, sizeof line, file)) {
    if (++number == 1 && strncmp(line, "# ", 2) == 0)
      snprintf(origin, bytes, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
    if (line[0] == '#' || strcmp(line, to->columns) == 0)
      continue;
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(line, "\n"), line);
    memset(&item, 0, sizeof item);
    fields of = split(line);
    status = to->parse(&of, &item)
                 ? append(to, &item, error)
                 : dc_fail(error, DC_ERROR_SYNTAX, "%.100s, line %u: not a measurement: %s", path,
                           number, shown);
  }
  if (status == DC_OK && ferror(file))
    status = dc_fail(error, DC_ERROR_FILE, "cannot read '%.200s'", path);
  return status;
}

static dc_status read_table(const char *prefix, const table *to, char *origin, size_t bytes,
                            dc_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s-%s.tsv", prefix, to->suffix);
  FILE *file = fopen(path, "r");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%.150s': %s", path, strerror(errno));
  dc_status status = read_lines(file, path, to, origin, bytes, error);
  fclose(file);
  return status;
}

dc_status power_results_read(const char *prefix, power_results *all, dc_error *error) {
  memset(all, 0, sizeof *all);
  void *items[3] = {NULL, NULL, NULL};
  const table tables[3] = {
      {"cells", cell_columns, parse_cell, sizeof *all->cells, &items[0], &all->cell_count},
      {"terms", term_columns, parse_term, sizeof *all->terms, &items[1], &all->term_count},
      {"profiles", profile_columns, parse_profile, sizeof *all->profiles, &items[2],
       &all->profile_count}};
  char other[sizeof all->origin];
  dc_status status = DC_OK;
  for (int t = 0; status == DC_OK && t < 3; ++t)
    status = read_table(prefix, &tables[t], t == 0 ? all->origin : other, sizeof other, error);
  all->cells = items[0];
  all->terms = items[1];
  all->profiles = items[2];
  if (status != DC_OK)
    power_results_free(all);
  return status;
}

void power_results_free(power_results *all) {
  free(all->cells);
  free(all->terms);
  free(all->profiles);
  memset(all, 0, sizeof *all);
}

// --- finding -------------------------------------------------------------------------------------

const power_cell *power_cell_find(const power_results *all, unsigned law, unsigned lanes,
                                  bool one_warp, bool sync) {
  for (unsigned c = 0; c < all->cell_count; ++c) {
    const power_cell *cell = &all->cells[c];
    if (cell->law == law && cell->lanes == lanes && (cell->block <= LANES) == one_warp &&
        cell->sync == sync)
      return cell;
  }
  return NULL;
}

const power_term *power_term_find(const power_results *all, const char *kernel,
                                  power_term_kind kind, unsigned warps, unsigned background,
                                  unsigned lanes, unsigned others, bool scattered) {
  for (unsigned t = 0; t < all->term_count; ++t) {
    const power_term *term = &all->terms[t];
    if (term->kind == kind && term->warps == warps && term->background == background &&
        term->lanes == lanes && term->others == others && term->scattered == scattered &&
        strcmp(term->kernel, kernel) == 0)
      return term;
  }
  return NULL;
}
