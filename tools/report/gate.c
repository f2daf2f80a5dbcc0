// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate: collecting what was found, and comparing it with the baseline.
#define _POSIX_C_SOURCE 200809L // strdup

#include "report/gate.h"

#include "divcost/path.h"

#include "command.h"
#include "divcost/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- options -----------------------------------------------------------------------------------

// Some in a line, which completions read.
static void print_rules(void) {
  enum { IN_A_LINE = 5 };
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    printf("%s%s%s",
           rule % IN_A_LINE ? ", " : "           or a rule: ", dc_rule_name((dc_rule)rule),
           rule % IN_A_LINE == IN_A_LINE - 1 || rule + 1 == DC_RULE_COUNT ? ";\n" : "");
}

void gate_print_help(void) {
  printf("  --fail-on CONDITION[,CONDITION ...]\n"
         "           exit with status 1 if there is such a finding, ignored ones aside:\n"
         "           any;\n");
  print_rules();
  printf(
      "           imbalance=R: one of that rule, the loop's aggregate imbalance R (1 to 32) or "
      "more;\n"
      "           lost=P: a kernel that loses a share P (0 to 1, or 10%%) of its issue cycles or "
      "more.\n"
      "           Figures under assumptions count with their low ends\n"
      "  --baseline FILE\n"
      "           what FILE lists is known and doesn't fail; says what is new, and what is gone\n"
      "  --write-baseline FILE\n"
      "           lists all that was found in FILE: from then on it is known\n");
}

// The value of option `name` at arguments[*at]; NULL: it is another one. *missing: it has none.
static const char *value_of(const char *name, int count, char **arguments, int *at, bool *missing) {
  size_t size = strlen(name);
  const char *argument = arguments[*at];
  if (strncmp(argument, name, size) != 0 || (argument[size] && argument[size] != '='))
    return NULL;
  const char *value = NULL;
  if (argument[size] == '=')
    value = argument + size + 1;
  else if (*at + 1 < count)
    value = arguments[++*at];
  *missing = !value || !*value;
  return value ? value : "";
}

gate_taken gate_option(gate_options *options, int count, char **arguments, int *at) {
  static const char *const names[] = {"--fail-on", "--baseline", "--write-baseline"};
  for (unsigned k = 0; k < 3; ++k) {
    bool missing = false;
    const char *value = value_of(names[k], count, arguments, at, &missing);
    if (!value)
      continue;
    if (missing) {
      command_misuse(k == 0 ? "conditions are missing after" : "a file is missing after", names[k]);
      return GATE_MISUSE;
    }
    if (k == 0)
      return gate_read_conditions(options, value) == 0 ? GATE_TAKEN : GATE_MISUSE;
    *(k == 1 ? &options->baseline : &options->write_baseline) = value;
    return GATE_TAKEN;
  }
  return GATE_OTHER;
}

bool gate_is_asked(const gate_options *options) {
  return options->n_conditions || options->baseline || options->write_baseline;
}

// ---- collecting --------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, const char *text) { // with its 0
  return dc_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_of(const gate_item *item) {
  return mix(mix(mix(item->fingerprint ^ item->line, item->rule), item->kernel), item->file) ^
         item->column;
}

static bool same_item(const gate_item *x, const gate_item *y) {
  return x->fingerprint == y->fingerprint && x->line == y->line && x->column == y->column &&
         strcmp(x->rule, y->rule) == 0 && strcmp(x->kernel, y->kernel) == 0 &&
         strcmp(x->file, y->file) == 0;
}

// Where an item is in the table, or belongs.
static uint32_t place_of(const gate *gate, const gate_item *item) {
  uint32_t at = (uint32_t)hash_of(item) & (gate->table_size - 1);
  while (gate->table[at] != UINT32_MAX && !same_item(&gate->items[gate->table[at]], item))
    at = (at + 1) & (gate->table_size - 1);
  return at;
}

// Room for one item more.
static bool reserve(gate *gate) {
  if (gate->n_items < gate->capacity)
    return true;
  uint32_t capacity = gate->capacity ? 2 * gate->capacity : 64;
  gate_item *items = realloc(gate->items, capacity * sizeof *items);
  if (!items)
    return false;
  gate->items = items;
  uint32_t *table = malloc(2 * (size_t)capacity * sizeof *table);
  if (!table)
    return false;
  free(gate->table);
  gate->table = table;
  gate->table_size = 2 * capacity;
  gate->capacity = capacity;
  memset(table, 0xff, gate->table_size * sizeof *table);
  for (uint32_t k = 0; k < gate->n_items; ++k)
    table[place_of(gate, &items[k])] = k;
  return true;
}

static void free_item(gate_item *item) {
  free(item->kernel);
  free(item->file);
  free(item->message);
}

// Adds a copy, or, where it is there already, what it fails by.
static int add_item(gate *gate, const gate_item *item) {
  if (!reserve(gate))
    return command_fail(NULL, "out of memory for the findings");
  uint32_t at = place_of(gate, item);
  if (gate->table[at] != UINT32_MAX) {
    gate_item *old = &gate->items[gate->table[at]];
    old->fails = old->fails ? old->fails : item->fails;
    return 0;
  }
  gate_item *copy = &gate->items[gate->n_items];
  *copy = *item;
  copy->kernel = strdup(item->kernel);
  copy->file = strdup(item->file);
  copy->message = strdup(item->message);
  if (!copy->kernel || !copy->file || !copy->message) {
    free_item(copy);
    return command_fail(NULL, "out of memory for the findings");
  }
  gate->table[at] = gate->n_items++;
  return 0;
}

static const char *file_at(const gate *gate, const dc_kernel *kernel, uint32_t location) {
  return location == DC_NONE
             ? ""
             : dc_path_below(gate->folder,
                             dc_kernel_text(kernel, kernel->locations[location].file));
}

// An item that borrows its texts.
static gate_item item_at(const gate *gate, const dc_kernel *kernel, uint32_t location) {
  const dc_location *at = location == DC_NONE ? NULL : &kernel->locations[location];
  return (gate_item){.kernel = (char *)dc_kernel_text(kernel, kernel->name),
                     .file = (char *)file_at(gate, kernel, location),
                     .line = at ? at->line : 0,
                     .column = at ? at->column : 0};
}

static gate_item item_of(const gate *gate, const dc_unit_kernel *kernel,
                         const dc_finding *finding) {
  gate_item item = item_at(gate, &kernel->kernel, finding->location);
  item.rule = dc_rule_name(finding->rule);
  item.fingerprint = finding->fingerprint;
  item.message = finding->message ? finding->message : (char *)"";
  if (finding->rule == DC_RULE_BARRIER) {
    const char *symbol = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol);
    item.former = dc_hash_text(DC_HASH_BEGIN + DC_RULE_BARRIER, symbol);
  }
  return item;
}

static int add_lost(gate *gate, const dc_unit_kernel *kernel) {
  dc_interval lost = {-1, -1};
  const gate_condition *fails = gate_kernel_fails(gate->options, kernel, &lost);
  if (!fails)
    return 0;
  char message[120];
  int used = snprintf(message, sizeof message, "kernel loses %s%.3g%%",
                      lost.low < lost.high ? "at least " : "", 100 * lost.low);
  if (lost.low < lost.high)
    used +=
        snprintf(message + used, sizeof message - (size_t)used, " (up to %.3g%%)", 100 * lost.high);
  snprintf(message + used, sizeof message - (size_t)used, " of its issue cycles");
  gate_item item = item_at(gate, &kernel->kernel, kernel->kernel.location);
  item.rule = GATE_LOST_RULE;
  item.fingerprint = mix(mix(DC_HASH_BEGIN, GATE_LOST_RULE),
                         dc_kernel_text(&kernel->kernel, kernel->kernel.symbol));
  item.message = message;
  item.fails = fails;
  return add_item(gate, &item);
}

static void mark_seen(gate *gate, const dc_unit_kernel *kernel) {
  const char *file = file_at(gate, &kernel->kernel, kernel->kernel.location);
  const char *name = dc_kernel_text(&kernel->kernel, kernel->kernel.name);
  for (uint32_t k = 0; k < gate->known.count; ++k) {
    baseline_entry *entry = &gate->known.entries[k];
    if (!entry->seen)
      entry->seen = (*file && strcmp(entry->file, file) == 0) || strcmp(entry->kernel, name) == 0;
  }
}

// What the baseline knows of such a kernel isn't gone because nothing was found.
static void add_not_analysed(gate *gate, const dc_kernel *kernel) {
  const char *name = dc_kernel_text(kernel, kernel->name);
  ++gate->n_not_analysed;
  for (uint32_t k = 0; k < gate->known.count; ++k)
    gate->known.entries[k].unknown |= strcmp(gate->known.entries[k].kernel, name) == 0;
}

// A rule that doesn't warn is the gate's matter where a condition names it.
static bool is_asked_for(const gate_options *options, const dc_finding *finding) {
  bool asked = dc_finding_warns(finding);
  for (unsigned k = 0; k < options->n_conditions; ++k)
    asked |=
        options->conditions[k].measure == GATE_RULE && options->conditions[k].rule == finding->rule;
  return asked;
}

int gate_add(gate *gate, const dc_unit_kernel *kernel) {
  if (gate->options->partial)
    mark_seen(gate, kernel);
  if (kernel->kernel.not_analysed)
    add_not_analysed(gate, &kernel->kernel);
  int status = 0;
  for (uint32_t k = 0; status == 0 && k < kernel->n_findings; ++k) {
    const dc_finding *finding = &kernel->findings[k];
    if (finding->suppressed || !is_asked_for(gate->options, finding))
      continue;
    gate_item item = item_of(gate, kernel, finding);
    item.fails = gate_finding_fails(gate->options, kernel, finding);
    status = add_item(gate, &item);
  }
  return status == 0 && !kernel->library ? add_lost(gate, kernel) : status;
}

const gate_item *gate_find(const gate *gate, const dc_unit_kernel *kernel,
                           const dc_finding *finding) {
  if (finding->suppressed || !gate->n_items)
    return NULL;
  gate_item item = item_of(gate, kernel, finding);
  uint32_t at = gate->table[place_of(gate, &item)];
  return at == UINT32_MAX ? NULL : &gate->items[at];
}

// ---- the run -----------------------------------------------------------------------------------

static void mark_failed(gate *gate) {
  for (size_t f = 0; f < gate->options->n_failed; ++f) {
    const char *file = dc_path_below(gate->folder, gate->options->failed[f]);
    for (uint32_t k = 0; k < gate->known.count; ++k)
      gate->known.entries[k].failed |= strcmp(gate->known.entries[k].file, file) == 0;
  }
}

int gate_begin(gate *gate, const gate_options *options) {
  *gate = (struct gate){.options = options};
  const char *of = options->baseline ? options->baseline : options->write_baseline;
  if (of)
    gate->folder = baseline_folder(of);
  int status = options->baseline ? baseline_read(options->baseline, &gate->known) : 0;
  mark_failed(gate);
  return status;
}

void gate_free(gate *gate) {
  for (uint32_t k = 0; k < gate->n_items; ++k)
    free_item(&gate->items[k]);
  free(gate->items);
  free(gate->table);
  free(gate->folder);
  baseline_free(&gate->known);
  *gate = (struct gate){0};
}
