// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of launches, by the machine code that they ran. Code is the same where it has the same
// jumps, wherever it was loaded.
#define _XOPEN_SOURCE 700 // strdup

#include "measured/charge.h"
#include "measured/sass.h"
#include "measured/uses.h"

#include "divcost/measured.h"
#include "divcost/string_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define LANES 32
#define COUNT_MAX ((uint64_t)1 << 53) // what a double holds
#define LAUNCHES_MAX 1000000000       // of a kernel: their counts add up to 64 bits

// A kernel's machine code, and what was counted of it.
typedef struct code {
  uint32_t symbol; // in dc_counts.symbols
  uint32_t next;   // another code of the same symbol, or NONE
  uint32_t n;
  uint64_t launches;
  dc_code_instruction *instructions;
  dc_instruction_use *uses; // of each instruction
  uint32_t *first_line;     // of each instruction, in `lines`; n + 1 of them
  uint32_t *lines;
} code;

typedef struct kernel_totals {
  uint64_t launches; // 0: nothing is known
  double seconds, longest;
  uint32_t block[3];
  double warps, lanes;
  dc_instruction_use use;
} kernel_totals;

typedef struct symbol_facts {
  uint32_t first_code; // or NONE
  kernel_totals totals;
} symbol_facts;

struct dc_counts {
  dc_string_set line_keys; // "file:line"
  dc_measured_line *lines;
  uint32_t lines_capacity;
  dc_string_set symbols;
  symbol_facts *facts; // of each symbol
  uint32_t facts_capacity;
  code *codes;
  uint32_t n_codes, codes_capacity;
};

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel's machine code");
}

dc_counts *dc_counts_new(void) { return calloc(1, sizeof(dc_counts)); }

static void free_lines(dc_measured_line *lines, uint32_t n) {
  for (uint32_t k = 0; lines && k < n; ++k) {
    free(lines[k].file);
    free(lines[k].text);
  }
  free(lines);
}

static void free_code(code *c) {
  free(c->instructions);
  free(c->uses);
  free(c->first_line);
  free(c->lines);
}

void dc_counts_free(dc_counts *counts) {
  if (!counts)
    return;
  free_lines(counts->lines, counts->line_keys.count);
  dc_string_set_free(&counts->line_keys);
  dc_string_set_free(&counts->symbols);
  for (uint32_t k = 0; k < counts->n_codes; ++k)
    free_code(&counts->codes[k]);
  free(counts->codes);
  free(counts->facts);
  free(counts);
}

// Room for one element more. False: out of memory.
static bool grow(void **array, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  uint32_t wanted = *capacity ? 2 * *capacity : 64;
  void *more = wanted > *capacity ? realloc(*array, wanted * size) : NULL;
  if (!more)
    return false;
  *array = more;
  *capacity = wanted;
  return true;
}

// ---- lines --------------------------------------------------------------------------------------

static char *trimmed(const char *text) {
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1]))
    --length;
  return strndup(text, length);
}

uint32_t dc_counts_line(dc_counts *counts, const char *file, uint32_t line, const char *text) {
  size_t size = strlen(file) + 12;
  char *key = malloc(size);
  bool added = false;
  if (!key || !grow((void **)&counts->lines, counts->line_keys.count, &counts->lines_capacity,
                    sizeof *counts->lines)) {
    free(key);
    return NONE;
  }
  int length = snprintf(key, size, "%s:%" PRIu32, file, line);
  uint32_t number = dc_string_set_add(&counts->line_keys, key, (size_t)length, &added);
  free(key);
  if (number == NONE || !added)
    return number;
  dc_measured_line *out = &counts->lines[number];
  *out = (dc_measured_line){strdup(file), line, trimmed(text)};
  return out->file && out->text ? number : NONE;
}

// ---- launches -----------------------------------------------------------------------------------

// The facts of a symbol; NULL: out of memory.
static symbol_facts *facts_of(dc_counts *counts, const char *symbol, uint32_t *number) {
  bool added = false;
  if (!grow((void **)&counts->facts, counts->symbols.count, &counts->facts_capacity,
            sizeof *counts->facts))
    return NULL;
  *number = dc_string_set_add(&counts->symbols, symbol, strlen(symbol), &added);
  if (*number == NONE)
    return NULL;
  if (added)
    counts->facts[*number] = (symbol_facts){.first_code = NONE};
  return &counts->facts[*number];
}

static dc_status check_code(const dc_counted_instruction *list, uint32_t n, dc_error *error) {
  if (n == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "has no instructions");
  for (uint32_t k = 0; k < n; ++k) {
    const dc_counted_instruction *i = &list[k];
    if (k && i->address == i[-1].address)
      return dc_fail(error, DC_ERROR_ARGUMENT, "has the instruction at %#" PRIx64 " twice",
                     i->address);
    if (i->warps > COUNT_MAX)
      return dc_fail(error, DC_ERROR_ARGUMENT, "has %" PRIu64 " warps at %#" PRIx64 ", beyond 2^53",
                     i->warps, i->address);
    if (i->lanes > LANES * i->warps)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "has %" PRIu64 " lanes in %" PRIu64 " warps at %#" PRIx64
                     ", where a warp has 32",
                     i->lanes, i->warps, i->address);
  }
  return DC_OK;
}

static uint32_t index_of(const dc_counted_instruction *list, uint32_t n, uint64_t address) {
  uint32_t low = 0, high = n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (list[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && list[low].address == address ? low : NONE;
}

// Where the kernel begins: functions that it calls by a pointer may stand before it, and other
// kernels of theirs, too. A kernel loads its stack pointer first; what doesn't is none.
static uint32_t find_entry(const dc_counted_instruction *list, uint32_t n) {
  uint32_t entry = 0;
  bool found = false;
  for (uint32_t k = 0; k < n; ++k)
    if (dc_sass_begins_kernel(list[k].text) && (!found || list[k].warps > list[entry].warps)) {
      entry = k;
      found = true;
    }
  return entry;
}

// The code from `entry` on, then what stands before it.
static bool make_code(const dc_counted_instruction *list, uint32_t n, const uint32_t *lines,
                      code *out) {
  size_t n_lines = 0;
  for (uint32_t k = 0; k < n; ++k)
    n_lines += list[k].n_lines;
  *out = (code){.n = n, .launches = 1, .next = NONE};
  out->instructions = calloc(n, sizeof *out->instructions);
  out->uses = calloc(n, sizeof *out->uses);
  out->first_line = calloc((size_t)n + 1, sizeof *out->first_line);
  out->lines = calloc(n_lines + 1, sizeof *out->lines);
  if (!out->instructions || !out->uses || !out->first_line || !out->lines)
    return false;
  uint64_t width = UINT64_MAX; // of an instruction
  for (uint32_t k = 1; k < n; ++k)
    if (list[k].address - list[k - 1].address < width)
      width = list[k].address - list[k - 1].address;
  uint32_t entry = find_entry(list, n);
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t from = (entry + k) % n;
    dc_sass sass = dc__sass_read(list[from].text);
    uint32_t target = sass.target ? index_of(list, n, sass.target) : NONE;
    out->instructions[k] = (dc_code_instruction){
        .warps = list[from].warps,
        .lanes = list[from].lanes,
        .stands_for = 1,
        .target = target == NONE ? NONE : (target + n - entry) % n,
        .flow = sass.flow,
        .ends = from + 1 == n || list[from + 1].address - list[from].address != width,
        .predicated = sass.predicated,
        .joins = sass.joins};
    out->uses[k] = list[from].use;
    uint32_t first = out->first_line[k];
    if (list[from].n_lines)
      memcpy(&out->lines[first], &lines[list[from].first_line], list[from].n_lines * sizeof *lines);
    out->first_line[k + 1] = first + list[from].n_lines;
  }
  return true;
}

static bool same_code(const code *a, const code *b) {
  bool same = a->n == b->n;
  for (uint32_t k = 0; same && k < a->n; ++k) {
    const dc_code_instruction *x = &a->instructions[k], *y = &b->instructions[k];
    same = x->target == y->target && x->ends == y->ends && x->flow == y->flow &&
           x->predicated == y->predicated && x->joins == y->joins;
  }
  return same;
}

// Adds the counts, as far as they stay what a double holds.
static dc_status add_counts(code *to, const code *from, dc_error *error) {
  for (uint32_t k = 0; k < to->n; ++k)
    if (to->instructions[k].warps + from->instructions[k].warps > COUNT_MAX)
      return dc_fail(error, DC_ERROR_LIMIT, "has counts that add up to more than 2^53");
  for (uint32_t k = 0; k < to->n; ++k) {
    to->instructions[k].warps += from->instructions[k].warps;
    to->instructions[k].lanes += from->instructions[k].lanes;
    dc_instruction_use_add(&to->uses[k], &from->uses[k]);
  }
  to->launches += from->launches;
  return DC_OK;
}

dc_status dc_counts_add_launch(dc_counts *counts, const char *symbol,
                               const dc_counted_instruction *list, uint32_t n,
                               const uint32_t *lines, dc_error *error) {
  dc_status status = check_code(list, n, error);
  if (status != DC_OK)
    return status;
  code made = {0};
  symbol_facts *facts = facts_of(counts, symbol, &made.symbol);
  uint32_t number = made.symbol;
  if (!facts || !make_code(list, n, lines, &made) ||
      !grow((void **)&counts->codes, counts->n_codes, &counts->codes_capacity,
            sizeof *counts->codes)) {
    free_code(&made);
    return no_memory(error);
  }
  uint32_t *at = &facts->first_code;
  while (*at != NONE && !same_code(&counts->codes[*at], &made))
    at = &counts->codes[*at].next;
  if (*at != NONE) {
    status = add_counts(&counts->codes[*at], &made, error);
    free_code(&made);
    return status;
  }
  *at = counts->n_codes;
  made.symbol = number;
  counts->codes[counts->n_codes++] = made;
  return DC_OK;
}

dc_status dc_counts_add_totals(dc_counts *counts, const char *symbol,
                               const dc_launch_totals *totals, dc_error *error) {
  uint32_t number;
  symbol_facts *facts = facts_of(counts, symbol, &number);
  if (!facts)
    return no_memory(error);
  kernel_totals *sum = &facts->totals;
  if (sum->launches++ == 0 || totals->seconds > sum->longest) {
    sum->longest = totals->seconds;
    memcpy(sum->block, totals->block, sizeof sum->block);
  }
  sum->seconds += totals->seconds;
  sum->warps += totals->warps;
  sum->lanes += totals->lanes;
  dc_instruction_use_add(&sum->use, &totals->use);
  return DC_OK;
}

// ---- charging -----------------------------------------------------------------------------------

// How deep in inlined calls a line is: an instruction has its own line and those of all calls that
// it came through, so that the fewest lines that it shares an instruction with are the calls.
static void find_depths(const code *c, uint32_t *depths) {
  for (uint32_t k = 0; k < c->n; ++k) {
    uint32_t n = c->first_line[k + 1] - c->first_line[k];
    for (uint32_t l = c->first_line[k]; l < c->first_line[k + 1]; ++l)
      if (depths[c->lines[l]] == 0 || depths[c->lines[l]] > n)
        depths[c->lines[l]] = n;
  }
}

static bool has(const uint32_t *list, uint32_t n, uint32_t value) {
  for (uint32_t k = 0; k < n; ++k)
    if (list[k] == value)
      return true;
  return false;
}

// Appends the lines of a site's jumps, those of each sorted by depth, and each line once.
static bool add_site_lines(const code *c, const dc_charges *charges, const dc_charged_site *from,
                           const uint32_t *depths, dc_measured_kernel *kernel, uint32_t *capacity) {
  dc_site *site = &kernel->sites[kernel->n_sites - 1];
  site->first_line = kernel->n_site_lines;
  for (uint32_t j = 0; j < from->n_jumps; ++j) {
    uint32_t jump = charges->jumps[from->first_jump + j], begin = kernel->n_site_lines;
    for (uint32_t l = c->first_line[jump]; l < c->first_line[jump + 1]; ++l) {
      uint32_t line = c->lines[l];
      if (has(&kernel->site_lines[site->first_line], kernel->n_site_lines - site->first_line, line))
        continue;
      if (!grow((void **)&kernel->site_lines, kernel->n_site_lines, capacity,
                sizeof *kernel->site_lines))
        return false;
      uint32_t at = kernel->n_site_lines++;
      for (; at > begin && depths[kernel->site_lines[at - 1]] > depths[line]; --at)
        kernel->site_lines[at] = kernel->site_lines[at - 1];
      kernel->site_lines[at] = line;
    }
    if (j == 0)
      site->n_main_lines = kernel->n_site_lines - begin;
  }
  site->n_lines = kernel->n_site_lines - site->first_line;
  return true;
}

// Adds the sites of a code; the starts of all codes are one.
static bool add_sites(const dc_charges *charges, const code *c, const uint32_t *depths,
                      dc_measured_kernel *kernel, uint32_t *capacity) {
  uint32_t base = kernel->n_sites ? kernel->n_sites - 1 : 0;
  dc_site *sites = realloc(kernel->sites, (base + charges->n_sites) * sizeof *sites);
  if (!sites)
    return false;
  kernel->sites = sites;
  for (uint32_t k = 0; k < charges->n_sites; ++k) {
    dc_site site = charges->sites[k].site;
    if (k == 0 && kernel->n_sites) {
      sites[0].idle += site.idle;
      sites[0].warps += site.warps;
      sites[0].lanes += site.lanes;
      continue;
    }
    site.parent = k == 0 ? DC_SITE_NONE : site.parent == 0 ? 0 : base + site.parent;
    sites[kernel->n_sites++] = site;
    if (!add_site_lines(c, charges, &charges->sites[k], depths, kernel, capacity))
      return false;
  }
  return true;
}

// The lines of an instruction in `chain`, the calls first: by depth, and of equal ones that which
// more instructions have.
static uint32_t order_lines(const code *c, uint32_t instruction, const uint32_t *depths,
                            const uint32_t *covered, uint32_t *chain) {
  uint32_t n = 0;
  for (uint32_t l = c->first_line[instruction]; l < c->first_line[instruction + 1]; ++l) {
    uint32_t line = c->lines[l], at = n++;
    for (; at > 0 &&
           (depths[chain[at - 1]] > depths[line] ||
            (depths[chain[at - 1]] == depths[line] && covered[chain[at - 1]] < covered[line]));
         --at)
      chain[at] = chain[at - 1];
    chain[at] = line;
  }
  return n;
}

// Adds what is known of the instructions besides their counts, by their lines.
static bool add_uses(const code *c, uint32_t n_lines, const uint32_t *depths, dc_use_sums *sums) {
  uint32_t *covered = calloc((size_t)n_lines + 1, sizeof *covered);
  uint32_t *chain = calloc((size_t)c->first_line[c->n] + 1, sizeof *chain);
  bool good = covered && chain;
  for (uint32_t l = 0; good && l < c->first_line[c->n]; ++l)
    ++covered[c->lines[l]];
  for (uint32_t k = 0; good && k < c->n; ++k) {
    uint32_t n = order_lines(c, k, depths, covered, chain);
    good = dc__uses_add(sums, chain, n, &c->uses[k]);
  }
  free(covered);
  free(chain);
  return good;
}

static bool charge_code(const code *c, uint32_t n_lines, dc_measured_kernel *kernel,
                        dc_use_sums *uses, uint32_t *capacity) {
  dc_charges charges = {0};
  uint32_t *depths = calloc((size_t)n_lines + 1, sizeof *depths);
  dc_code_graph graph = {0};
  bool good =
      depths && dc__graph_build(&graph, c->instructions, c->n) && dc__charge(&graph, &charges);
  if (good) {
    find_depths(c, depths);
    good = add_sites(&charges, c, depths, kernel, capacity) && add_uses(c, n_lines, depths, uses);
    kernel->untold += charges.untold;
  }
  for (uint32_t k = 0; k < c->n; ++k) {
    kernel->warps += (double)c->instructions[k].warps;
    kernel->lanes += (double)c->instructions[k].lanes;
  }
  kernel->launches += c->launches;
  dc__charges_free(&charges);
  dc__graph_free(&graph);
  free(depths);
  return good;
}

// What a launch executed besides the code that is known.
static void add_untold(const kernel_totals *totals, dc_measured_kernel *kernel) {
  double warps = totals->warps - kernel->warps, lanes = totals->lanes - kernel->lanes;
  if (totals->launches != kernel->launches || warps <= 0 || lanes < 0 || lanes > LANES * warps)
    return;
  kernel->untold += LANES * warps - lanes;
  kernel->warps += warps;
  kernel->lanes += lanes;
}

static bool charge_kernel(const dc_counts *counts, uint32_t symbol, dc_measured *measured) {
  const symbol_facts *facts = &counts->facts[symbol];
  dc_measured_kernel *kernel = &measured->kernels[measured->n_kernels++];
  *kernel = (dc_measured_kernel){.symbol = strdup(counts->symbols.texts[symbol]),
                                 .seconds = facts->totals.launches ? facts->totals.seconds : -1};
  memcpy(kernel->block, facts->totals.block, sizeof kernel->block);
  uint32_t capacity = 0, n_lines = counts->line_keys.count;
  dc_use_sums uses = {0};
  bool good = kernel->symbol != NULL;
  for (uint32_t c = facts->first_code; good && c != NONE; c = counts->codes[c].next)
    good = charge_code(&counts->codes[c], n_lines, kernel, &uses, &capacity);
  if (good && facts->totals.launches == kernel->launches)
    good = dc__uses_add_rest(&uses, &facts->totals.use);
  good = good && dc__uses_finish(&uses, kernel);
  dc__uses_free(&uses);
  add_untold(&facts->totals, kernel);
  return good;
}

static bool copy_lines(const dc_counts *counts, dc_measured *measured) {
  measured->lines = calloc((size_t)counts->line_keys.count + 1, sizeof *measured->lines);
  if (!measured->lines)
    return false;
  bool good = true;
  for (uint32_t k = 0; good && k < counts->line_keys.count; ++k) {
    const dc_measured_line *from = &counts->lines[k];
    dc_measured_line *to = &measured->lines[measured->n_lines++];
    *to = (dc_measured_line){strdup(from->file), from->line, strdup(from->text)};
    good = to->file && to->text;
  }
  return good;
}

static void mark_lines(const uint32_t *lines, uint32_t n, uint32_t *number) {
  for (uint32_t l = 0; l < n; ++l)
    number[lines[l]] = 1;
}

static void renumber_lines(uint32_t *lines, uint32_t n, const uint32_t *number) {
  for (uint32_t l = 0; l < n; ++l)
    lines[l] = number[lines[l]] - 1;
}

// Removes the lines that nothing is at.
static void keep_used_lines(dc_measured *measured) {
  uint32_t kept = 0, n = measured->n_lines;
  uint32_t *number = calloc((size_t)n + 1, sizeof *number); // 1 + the new one
  if (!number)
    return; // all of them can stay
  for (uint32_t k = 0; k < measured->n_kernels; ++k) {
    const dc_measured_kernel *kernel = &measured->kernels[k];
    mark_lines(kernel->site_lines, kernel->n_site_lines, number);
    mark_lines(kernel->use_lines, kernel->n_use_lines, number);
  }
  for (uint32_t k = 0; k < n; ++k) {
    dc_measured_line line = measured->lines[k];
    if (number[k]) {
      measured->lines[kept] = line;
      number[k] = ++kept;
    } else {
      free(line.file);
      free(line.text);
    }
  }
  measured->n_lines = kept;
  for (uint32_t k = 0; k < measured->n_kernels; ++k) {
    const dc_measured_kernel *kernel = &measured->kernels[k];
    renumber_lines(kernel->site_lines, kernel->n_site_lines, number);
    renumber_lines(kernel->use_lines, kernel->n_use_lines, number);
  }
  free(number);
}

static int by_symbol(const void *x, const void *y) {
  const dc_measured_kernel *a = x, *b = y;
  return strcmp(a->symbol, b->symbol);
}

dc_status dc_counts_charge(const dc_counts *counts, dc_measured *measured, dc_error *error) {
  *measured = (dc_measured){0};
  measured->kernels = calloc((size_t)counts->symbols.count + 1, sizeof *measured->kernels);
  bool good = measured->kernels && copy_lines(counts, measured);
  for (uint32_t s = 0; good && s < counts->symbols.count; ++s) {
    measured->seconds += counts->facts[s].totals.seconds;
    if (counts->facts[s].first_code != NONE)
      good = charge_kernel(counts, s, measured);
  }
  if (!good) {
    dc_measured_free(measured);
    return no_memory(error);
  }
  keep_used_lines(measured);
  qsort(measured->kernels, measured->n_kernels, sizeof *measured->kernels, by_symbol);
  return DC_OK;
}
