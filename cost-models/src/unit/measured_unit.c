// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured of a kernel's machine code, on the loops and branches of its skeleton. Both
// know lines: a site those of its jumps and of the calls around them, a loop or branch its own,
// those of its exits, and those of the calls that it was inlined at. One loop of the source is
// several of the machine's where it was unrolled, and its first test a branch. So a site goes to
// the loop or branch with a line of its own among the site's; of several, as functions that are
// inlined twice have them, to that with most of its calls there.
#include "unit/measured_lines.h"
#include "unit/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mapping {
  const dc_measured *measured;
  const dc_measured_kernel *from;
  dc_unit_kernel *to;
  double *loops, *branches; // lane-slots
  double *lines;            // of each line of `measured`
  double untold;
  dc__line_now *now; // of each line of `measured`
  bool failed;       // out of memory
} mapping;

// ---- lines --------------------------------------------------------------------------------------

// Whether a location is on one of a site's lines.
static bool is_on(const mapping *m, const dc_site *site, uint32_t location, bool main_lines) {
  const dc_kernel *kernel = &m->to->kernel;
  if (location == DC_NONE || !kernel->locations[location].line)
    return false;
  const dc_location *at = &kernel->locations[location];
  const char *file = dc_kernel_text(kernel, at->file);
  uint32_t n = main_lines ? site->n_main_lines : site->n_lines;
  for (uint32_t k = 0; k < n; ++k) {
    const dc__line_now *line = &m->now[m->from->site_lines[site->first_line + k]];
    if (line->line == at->line && line->file &&
        strcmp(dc_kernel_text(kernel, line->file), file) == 0)
      return true;
  }
  return false;
}

// How well a place fits, 0 for not at all: its own line counts before its calls.
static unsigned fit_place(const mapping *m, const dc_site *site, uint32_t location) {
  enum { OWN = 1000, MAIN = 1000, CALLS_MAX = 256 };
  if (!is_on(m, site, location, false))
    return 0;
  unsigned fit = OWN + (is_on(m, site, location, true) ? MAIN : 0);
  const dc_kernel *kernel = &m->to->kernel;
  unsigned calls = 0;
  for (uint32_t at = kernel->locations[location].inlined_at; at != DC_NONE && calls < CALLS_MAX;
       at = kernel->locations[at].inlined_at, ++calls)
    fit += is_on(m, site, at, false);
  return fit;
}

static unsigned fit_loop(const mapping *m, const dc_site *site, const dc_loop *loop) {
  unsigned fit = fit_place(m, site, loop->location);
  for (uint32_t k = 0; k < loop->n_exits; ++k) {
    unsigned here = fit_place(m, site, m->to->kernel.exits[loop->first_exit + k].location);
    fit = here > fit ? here : fit;
  }
  return fit;
}

// ---- sites --------------------------------------------------------------------------------------

static uint32_t find_loop(const mapping *m, const dc_site *site) {
  const dc_kernel *kernel = &m->to->kernel;
  uint32_t found = DC_NONE;
  unsigned best = 0;
  for (uint32_t l = 0; l < kernel->n_loops; ++l) {
    unsigned fit = fit_loop(m, site, &kernel->loops[l]);
    if (fit > best) {
      best = fit;
      found = l;
    }
  }
  return found;
}

// Branches that leave loops are those.
static uint32_t find_branch(const mapping *m, const dc_site *site) {
  const dc_kernel *kernel = &m->to->kernel;
  uint32_t found = DC_NONE;
  unsigned best = 0;
  for (uint32_t b = 0; b < kernel->n_branches; ++b) {
    const dc_branch *branch = &kernel->branches[b];
    unsigned fit = branch->exits == DC_NONE ? fit_place(m, site, branch->location) : 0;
    if (fit > best) {
      best = fit;
      found = b;
    }
  }
  return found;
}

// Whether a file is the user's, as far as the kernel has locations in it.
static bool is_users(const dc_kernel *kernel, dc_text file) {
  for (uint32_t k = 0; file && k < kernel->n_locations; ++k)
    if (!kernel->locations[k].library && kernel->locations[k].file == file)
      return true;
  return false;
}

// The line that a site without loop or branch stands at: the innermost one that is the user's.
static uint32_t line_of(const mapping *m, const dc_site *site) {
  const uint32_t *lines = &m->from->site_lines[site->first_line];
  for (uint32_t k = site->n_main_lines; k-- > 0;)
    if (is_users(&m->to->kernel, m->now[lines[k]].file))
      return lines[k];
  return lines[site->n_main_lines - 1];
}

static void map_site(mapping *m, const dc_site *site) {
  bool is_loop = site->kind == DC_SITE_LOOP;
  uint32_t loop = is_loop ? find_loop(m, site) : DC_NONE;
  uint32_t branch = loop == DC_NONE ? find_branch(m, site) : DC_NONE;
  if (loop == DC_NONE && branch == DC_NONE && !is_loop)
    loop = find_loop(m, site);
  if (loop != DC_NONE)
    m->loops[loop] += site->idle;
  else if (branch != DC_NONE)
    m->branches[branch] += site->idle;
  else if (site->n_main_lines)
    m->lines[line_of(m, site)] += site->idle;
  else
    m->untold += site->idle;
}

// ---- the kernel ---------------------------------------------------------------------------------

static uint32_t add_location(mapping *m, const dc_measured_line *line) {
  dc_kernel *kernel = &m->to->kernel;
  uint32_t location = dc_kernel_add_location(kernel);
  if (location == DC_NONE)
    return DC_NONE;
  const dc__line_now *now = &m->now[line - m->measured->lines];
  dc_text file = now->file ? now->file : dc_kernel_add_text(kernel, line->file);
  kernel->locations[location] = (dc_location){.file = file,
                                              .line = now->line,
                                              .column = 1,
                                              .function = kernel->name,
                                              .inlined_at = DC_NONE};
  return location;
}

static void add_part(mapping *m, double lane_slots, uint32_t loop, uint32_t branch,
                     uint32_t location) {
  dc_unit_measured *out = &m->to->measured;
  if (lane_slots > 0)
    out->parts[out->n_parts++] =
        (dc_measured_part){dc_measured_share(m->from, lane_slots), loop, branch, location};
}

static void make_parts(mapping *m) {
  const dc_kernel *kernel = &m->to->kernel;
  dc_unit_measured *out = &m->to->measured;
  size_t n = (size_t)kernel->n_loops + kernel->n_branches + m->measured->n_lines + 1;
  out->parts = calloc(n, sizeof *out->parts);
  if (!out->parts) {
    m->failed = true;
    return;
  }
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    add_part(m, m->loops[l], l, DC_NONE, kernel->loops[l].location);
  for (uint32_t b = 0; b < kernel->n_branches; ++b)
    add_part(m, m->branches[b], DC_NONE, b, kernel->branches[b].location);
  for (uint32_t k = 0; k < m->measured->n_lines; ++k)
    if (m->lines[k] > 0) {
      uint32_t location = add_location(m, &m->measured->lines[k]);
      m->failed |= location == DC_NONE;
      add_part(m, m->lines[k], DC_NONE, DC_NONE, location);
    }
  add_part(m, m->from->sites[0].idle, DC_NONE, DC_NONE, DC_NONE);
  dc__sort_parts(out);
}

// ---- what accesses take ----

// Whether a location, or a call by which it was inlined, is on a line.
static bool stands_on(const dc_kernel *kernel, uint32_t location, const dc__line_now *line) {
  for (; location != DC_NONE; location = kernel->locations[location].inlined_at) {
    const dc_location *at = &kernel->locations[location];
    if (at->line == line->line &&
        strcmp(dc_kernel_text(kernel, at->file), dc_kernel_text(kernel, line->file)) == 0)
      return true;
  }
  return false;
}

// The access of a kind of memory that stands on a line, or DC_NONE; *n: how many do.
static uint32_t find_access(const mapping *m, dc_traffic_kind kind, const dc__line_now *line,
                            uint32_t *n) {
  const dc_kernel *kernel = &m->to->kernel;
  uint32_t found = DC_NONE;
  *n = 0;
  for (uint32_t a = 0; line->file && a < kernel->n_accesses; ++a) {
    const dc_access *access = &kernel->accesses[a];
    bool shared = access->space == DC_SPACE_SHARED;
    if (shared != (kind == DC_TRAFFIC_SHARED) || access->space == DC_SPACE_CONSTANT ||
        !stands_on(kernel, access->location, line))
      continue;
    found = found == DC_NONE ? a : found;
    ++*n;
  }
  return found;
}

// The line of a use that is the user's, innermost of the calls; DC_SITE_NONE: none is.
static uint32_t users_line(const mapping *m, const dc_line_use *of) {
  for (uint32_t k = of->n_lines; k-- > 0;) {
    uint32_t line = m->from->use_lines[of->first_line + k];
    if (is_users(&m->to->kernel, m->now[line].file))
      return line;
  }
  return DC_SITE_NONE;
}

static uint32_t location_of_access(mapping *m, uint32_t access, uint32_t line) {
  if (access != DC_NONE)
    return m->to->kernel.accesses[access].location;
  uint32_t location = line == DC_SITE_NONE ? DC_NONE : add_location(m, &m->measured->lines[line]);
  m->failed |= line != DC_SITE_NONE && location == DC_NONE;
  return location;
}

// What is lost at a line of the user's by one kind of memory.
typedef struct line_traffic {
  uint32_t line; // DC_SITE_NONE: at none
  uint8_t kind;
  dc_traffic sum;
} line_traffic;

static void add_traffic(const mapping *m, const dc_line_use *of, dc_traffic_kind kind,
                        line_traffic *list, uint32_t *n) {
  const dc_traffic *traffic = &of->use.traffic[kind];
  uint32_t line = users_line(m, of), k = 0;
  while (k < *n && (list[k].line != line || list[k].kind != kind))
    ++k;
  if (k == *n)
    list[(*n)++] = (line_traffic){.line = line, .kind = (uint8_t)kind};
  list[k].sum.warps += traffic->warps;
  list[k].sum.taken += traffic->taken;
  list[k].sum.ideal += traffic->ideal;
}

static void add_access(mapping *m, const line_traffic *of, double all) {
  dc_unit_measured *out = &m->to->measured;
  const dc_traffic *sum = &of->sum;
  uint32_t n = 0, access = DC_NONE;
  if (!(sum->taken > sum->ideal))
    return;
  if (of->line != DC_SITE_NONE)
    access = find_access(m, (dc_traffic_kind)of->kind, &m->now[of->line], &n);
  out->accesses[out->n_accesses++] =
      (dc_measured_access){.kind = of->kind,
                           .share = fmin((sum->taken - sum->ideal) / all, 1),
                           .taken = sum->warps > 0 ? sum->taken / sum->warps : 0,
                           .ideal = sum->warps > 0 ? sum->ideal / sum->warps : 0,
                           .access = n == 1 ? access : DC_NONE,
                           .location = location_of_access(m, access, of->line)};
}

static void map_traffic(mapping *m, const dc_instruction_use *all) {
  dc_unit_measured *out = &m->to->measured;
  size_t most = (size_t)DC_TRAFFIC_COUNT * m->from->n_uses + 1;
  line_traffic *list = malloc(most * sizeof *list);
  uint32_t n = 0;
  out->accesses = calloc(most, sizeof *out->accesses);
  m->failed |= !out->accesses || !list;
  for (uint32_t u = 0; !m->failed && u < m->from->n_uses; ++u)
    for (unsigned kind = 0; kind < DC_TRAFFIC_COUNT; ++kind)
      if (m->from->uses[u].use.traffic[kind].taken > 0)
        add_traffic(m, &m->from->uses[u], (dc_traffic_kind)kind, list, &n);
  for (uint32_t k = 0; !m->failed && k < n; ++k)
    add_access(m, &list[k], all->traffic[list[k].kind].taken);
  if (!m->failed)
    dc__sort_accesses(out);
  free(list);
}

static void map_uses(mapping *m) {
  dc_unit_measured *out = &m->to->measured;
  dc_instruction_use all = dc_measured_use(m->from);
  out->samples = dc_instruction_samples(&all);
  for (unsigned w = 0; out->samples > 0 && w < DC_WAIT_COUNT; ++w)
    out->waits[w] = all.samples[w] / out->samples;
  if (out->samples > 0 && m->from->uses[0].n_lines == 0)
    out->unlisted = dc_instruction_samples(&m->from->uses[0].use) / out->samples;
  memcpy(out->traffic_known, m->from->traffic_known, sizeof out->traffic_known);
  map_traffic(m, &all);
}

// ---- the whole ----------------------------------------------------------------------------------

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for what was measured");
}

static void map_kernel(mapping *m) {
  const dc_kernel *skeleton = &m->to->kernel;
  m->loops = calloc((size_t)skeleton->n_loops + 1, sizeof *m->loops);
  m->branches = calloc((size_t)skeleton->n_branches + 1, sizeof *m->branches);
  m->lines = calloc((size_t)m->measured->n_lines + 1, sizeof *m->lines);
  m->untold = m->from->untold;
  m->failed = !m->loops || !m->branches || !m->lines;
  for (uint32_t s = 1; !m->failed && s < m->from->n_sites; ++s)
    if (m->from->sites[s].idle > 0)
      map_site(m, &m->from->sites[s]);
  double all = m->measured->seconds;
  m->to->measured = (dc_unit_measured){
      .by = DC_MEASURED_PROFILER,
      .launches = m->from->launches,
      .seconds = m->from->seconds,
      .time_share = all > 0 && m->from->seconds >= 0 ? fmin(m->from->seconds / all, 1) : -1,
      .efficiency = dc_measured_efficiency(m->from),
      .of_blocks = -1,
      .untold = dc_measured_share(m->from, m->untold)};
  if (!m->failed)
    make_parts(m);
  if (!m->failed)
    map_uses(m);
  free(m->loops);
  free(m->branches);
  free(m->lines);
}

dc_status dc_unit_measure(dc_unit_kernel *kernel, const dc_measured *measured,
                          const dc_text_source *source, const dc_measured_line **changed,
                          dc_error *error) {
  mapping m = {.measured = measured, .to = kernel};
  dc_kernel *skeleton = &kernel->kernel;
  *changed = NULL;
  m.from = dc_measured_find(measured, dc_kernel_text(skeleton, skeleton->symbol));
  if (!m.from || m.from->warps <= 0)
    return DC_OK;
  m.now = calloc((size_t)measured->n_lines + 1, sizeof *m.now);
  if (!m.now)
    return no_memory(error);
  dc_status status = dc__find_lines(measured, m.from, skeleton, source, m.now, changed, error);
  if (status == DC_OK && !*changed)
    map_kernel(&m);
  free(m.now);
  return m.failed ? no_memory(error) : status;
}
