// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a run its baseline knows; what is said of it, and the baseline that is written.
#include "report/gate.h"

#include "compile/arguments.h"

#include "command.h"
#include "divcost/hash.h"

#include <stdlib.h>
#include <string.h>

// ---- pairing -----------------------------------------------------------------------------------
//
// Items and entries with one rule and fingerprint are paired: first those that agree in file,
// kernel and message, then the others in their order. What is left of the items is new, of the
// entries gone.
//
// Fingerprints of barriers were made of the message once. An entry that has such a one, which its
// message tells, is paired with a barrier of that name in that kernel.

// Findings of instances of a template that are one in reports.
static int compare_places(const gate_item *a, const gate_item *b) {
  int order = strcmp(a->file, b->file);
  if (order == 0)
    order = (a->line > b->line) - (a->line < b->line);
  if (order == 0)
    order = (a->column > b->column) - (a->column < b->column);
  return order ? order : strcmp(a->rule, b->rule);
}

static bool in_one_place(const gate_item *a, const gate_item *b) {
  return a->line > 0 && *a->file && compare_places(a, b) == 0;
}

static int compare_items(const void *x, const void *y) {
  const gate_item *a = x, *b = y;
  int order = compare_places(a, b);
  if (order == 0)
    order = (a->fingerprint > b->fingerprint) - (a->fingerprint < b->fingerprint);
  return order ? order : strcmp(a->kernel, b->kernel);
}

static int compare_identities(const void *x, const void *y) {
  const baseline_entry *a = *(const baseline_entry *const *)x,
                       *b = *(const baseline_entry *const *)y;
  if (a->fingerprint != b->fingerprint)
    return a->fingerprint < b->fingerprint ? -1 : 1;
  int order = strcmp(a->rule, b->rule);
  return order ? order : baseline_compare(a, b);
}

// The entries by identity: the first one with a fingerprint.
static uint32_t first_entry(baseline_entry *const *entries, uint32_t count, uint64_t fingerprint) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (entries[middle]->fingerprint < fingerprint)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void pair_item(gate_item *item, baseline_entry *const *entries, uint32_t count, bool exact) {
  uint32_t k = first_entry(entries, count, item->fingerprint);
  for (; k < count && entries[k]->fingerprint == item->fingerprint; ++k) {
    baseline_entry *entry = entries[k];
    bool same = strcmp(entry->message, item->message) == 0;
    if (entry->met || strcmp(entry->rule, item->rule) != 0 ||
        (exact && (!same || strcmp(entry->file, item->file) != 0 ||
                   strcmp(entry->kernel, item->kernel) != 0)))
      continue;
    entry->met = true;
    item->state = same ? GATE_UNCHANGED : GATE_UPDATED;
    return;
  }
}

static bool is_former(const baseline_entry *entry, const gate_item *item) {
  size_t name = strcspn(item->message, " "); // "__syncthreads()"
  return strcmp(entry->rule, item->rule) == 0 &&
         strncmp(entry->message, item->message, name + 1) == 0 &&
         dc_hash_text(item->former, entry->message) == entry->fingerprint;
}

// O(entries), for barriers that are new otherwise.
static void pair_former(gate_item *item, baseline *known, bool exact) {
  for (uint32_t k = 0; k < known->count && item->state == GATE_NEW; ++k) {
    baseline_entry *entry = &known->entries[k];
    if (entry->met || (exact && strcmp(entry->file, item->file) != 0) || !is_former(entry, item))
      continue;
    entry->met = true;
    item->state = strcmp(entry->message, item->message) == 0 ? GATE_UNCHANGED : GATE_UPDATED;
  }
}

static int compare_indirectly(const void *x, const void *y) {
  return compare_places(*(gate_item *const *)x, *(gate_item *const *)y);
}

// Without memory each item stands for itself.
static void mark_new_places(gate *gate) {
  gate_item **items = malloc(((size_t)gate->n_items + 1) * sizeof *items);
  for (uint32_t k = 0; k < gate->n_items; ++k) {
    gate->items[k].in_new_place = gate->items[k].state == GATE_NEW;
    if (items)
      items[k] = &gate->items[k];
  }
  if (items)
    qsort(items, gate->n_items, sizeof *items, compare_indirectly);
  for (uint32_t first = 0, end; items && first < gate->n_items; first = end) {
    bool new = items[first]->in_new_place;
    for (end = first + 1; end < gate->n_items && in_one_place(items[first], items[end]); ++end)
      new |= items[end]->in_new_place;
    for (uint32_t k = first; k < end; ++k)
      items[k]->in_new_place = new;
  }
  free(items);
}

void gate_judge(gate *gate) {
  if (gate->judged || !gate->options->baseline)
    return;
  gate->judged = true;
  baseline *known = &gate->known;
  baseline_entry **entries = malloc(((size_t)known->count + 1) * sizeof *entries);
  if (!entries) {
    mark_new_places(gate);
    return; // then all is new, which fails
  }
  for (uint32_t k = 0; k < known->count; ++k)
    entries[k] = &known->entries[k];
  qsort(entries, known->count, sizeof *entries, compare_identities);
  for (uint32_t k = 0; k < gate->n_items; ++k)
    pair_item(&gate->items[k], entries, known->count, true);
  for (uint32_t k = 0; k < gate->n_items; ++k)
    if (gate->items[k].state == GATE_NEW)
      pair_item(&gate->items[k], entries, known->count, false);
  for (uint32_t k = 0; k < 2 * gate->n_items; ++k) {
    gate_item *item = &gate->items[k % gate->n_items];
    if (item->state == GATE_NEW && item->former)
      pair_former(item, known, k < gate->n_items);
  }
  free(entries);
  mark_new_places(gate);
}

// ---- saying ------------------------------------------------------------------------------------

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

// A file, which is known as seen from the baseline's folder, as seen from the current directory.
static void say_file(const gate *gate, const char *file, FILE *to) {
  arguments path = {0};
  if (*file != '/' && gate->folder)
    arguments_addf(&path, "%s/%s", gate->folder, file);
  fputs(path_from_here(path.count && !path.failed ? path.words[0] : file), to);
  arguments_free(&path);
}

static void say_failing(const gate *gate, const gate_item *item, bool compared, FILE *to) {
  if (*item->file)
    say_file(gate, item->file, to);
  else
    fputs(item->kernel, to);
  if (*item->file && item->line)
    fprintf(to, ":%u", item->line);
  if (*item->file && item->line && item->column)
    fprintf(to, ":%u", item->column);
  fprintf(to, ": %s%s [divcost-%s]", compared ? "new: " : "", item->message, item->rule);
  if (item->fails->measure == GATE_IMBALANCE || item->fails->measure == GATE_LOST)
    fprintf(to, " (%.*s)", item->fails->length, item->fails->written);
  fputc('\n', to);
}

// One finding of those from `first` on that are in one place, the first that fails; *end is behind
// them. Whether one does.
static bool say_failing_place(const gate *gate, uint32_t first, uint32_t *end, FILE *to) {
  const gate_item *fails = NULL;
  uint32_t k = first;
  do {
    const gate_item *item = &gate->items[k];
    if (!fails && item->fails && item->state == GATE_NEW)
      fails = item;
    ++k;
  } while (k < gate->n_items && in_one_place(&gate->items[first], &gate->items[k]));
  *end = k;
  if (fails)
    say_failing(gate, fails, gate->options->baseline != NULL, to);
  return fails;
}

// Losses of kernels are looked at where a condition asks for them.
static bool is_looked_at(const gate *gate, const baseline_entry *entry) {
  bool asked = strcmp(entry->rule, GATE_LOST_RULE) != 0;
  if (entry->unknown && strcmp(entry->rule, dc_rule_name(DC_RULE_GAVE_UP)) != 0)
    return false;
  for (unsigned k = 0; k < gate->options->n_conditions; ++k)
    asked |= gate->options->conditions[k].measure == GATE_LOST;
  return asked && !entry->failed && (entry->seen || !gate->options->partial);
}

bool gate_is_gone(const gate *gate, const baseline_entry *entry) {
  return !entry->met && is_looked_at(gate, entry);
}

// Where no condition fails by it: a build must not pass for what nobody has seen.
static void say_not_analysed(const gate *gate, FILE *to) {
  bool fails = gate->options->n_conditions == 0 || gate->n_not_analysed == 0;
  for (unsigned k = 0; k < gate->options->n_conditions; ++k) {
    const gate_condition *condition = &gate->options->conditions[k];
    fails |= condition->measure == GATE_ANY ||
             (condition->measure == GATE_RULE && condition->rule == DC_RULE_GAVE_UP);
  }
  if (fails)
    return;
  bool one = gate->n_not_analysed == 1;
  fprintf(to,
          "divcost: %u kernel%s not analysed, so --fail-on says nothing of %s; the condition "
          "gave-up fails for such kernels\n",
          gate->n_not_analysed, one ? " was" : "s were", one ? "it" : "them");
}

// Counts places, of sorted items.
static void say_compared(const gate *gate, FILE *to) {
  uint32_t new = 0, gone = 0, all = 0;
  for (uint32_t k = 0; k < gate->n_items; ++k) {
    if (k > 0 && in_one_place(&gate->items[k - 1], &gate->items[k]))
      continue;
    ++all;
    new += gate->items[k].in_new_place;
  }
  for (uint32_t k = 0; k < gate->known.count; ++k)
    gone += gate_is_gone(gate, &gate->known.entries[k]);
  fprintf(to, "divcost: %s: %u finding%s known, %u new\n", gate->options->baseline, all - new,
          plural(all - new), new);
  if (gone)
    fprintf(to, "divcost: %u finding%s of %s %s no longer there%s\n", gone, plural(gone),
            gate->options->baseline, gone == 1 ? "is" : "are",
            gate->options->write_baseline ? "" : ": --write-baseline would drop them");
}

// ---- writing -----------------------------------------------------------------------------------

static baseline_entry entry_of(const gate_item *item) {
  return (baseline_entry){.rule = (char *)item->rule,
                          .file = item->file,
                          .kernel = item->kernel,
                          .message = item->message,
                          .fingerprint = item->fingerprint};
}

static int compare_entries(const void *x, const void *y) { return baseline_compare(x, y); }

// All that was found (the items are sorted), and what the old baseline has of what wasn't looked
// at.
static int write_baseline(const gate *gate, FILE *to) {
  const char *path = gate->options->write_baseline;
  baseline list = {malloc(((size_t)gate->n_items + gate->known.count + 1) * sizeof *list.entries),
                   0};
  if (!list.entries)
    return command_fail(path, "out of memory");
  uint32_t again = 0; // in a place that was counted
  for (uint32_t k = 0; k < gate->n_items; ++k) {
    list.entries[list.count++] = entry_of(&gate->items[k]);
    again += k > 0 && in_one_place(&gate->items[k - 1], &gate->items[k]);
  }
  for (uint32_t k = 0; k < gate->known.count; ++k)
    if (!gate->known.entries[k].met && !gate_is_gone(gate, &gate->known.entries[k]))
      list.entries[list.count++] = gate->known.entries[k];
  qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
  int status = baseline_write(path, &list);
  if (status == 0)
    fprintf(to, "divcost: %s: %u finding%s written%s\n", path, list.count - again,
            plural(list.count - again), again ? ", each for all instances that have it" : "");
  free(list.entries); // what is in them belongs to the gate
  return status;
}

int gate_end(gate *gate, FILE *to) {
  uint32_t failing = 0;
  bool compared = gate->options->baseline, accepted = gate->options->write_baseline;
  gate_judge(gate);
  if (gate->n_items > 1)
    qsort(gate->items, gate->n_items, sizeof *gate->items, compare_items); // the table is done with
  for (uint32_t k = 0, end; k < gate->n_items && !accepted; k = end)
    failing += say_failing_place(gate, k, &end, to);
  if (compared)
    say_compared(gate, to);
  say_not_analysed(gate, to);
  int status = accepted ? write_baseline(gate, to) : 0;
  if (failing)
    fprintf(to, "divcost: %u %sfinding%s %s by --fail-on\n", failing, compared ? "new " : "",
            plural(failing), failing == 1 ? "fails" : "fail");
  return failing ? FAILURE : status;
}
