// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a run fail (--fail-on), and what a project has accepted (--baseline): a gate takes all
// kernels of a run, one after the other, says what is new, known and gone, and gives the exit
// status. docs/report.md is the manual of the options.
//
// A finding is what the report has as one. Suppressed ones are no findings here. Figures that are
// intervals count with their low ends, as for warnings, and of several launches and architectures
// the greatest of these.
//
//     gate_options options = {0};
//     for (int k = 0; k < count; ++k)
//       switch (gate_option(&options, count, arguments, &k)) { ... }
//     gate gate;
//     int status = gate_begin(&gate, &options);
//     for each kernel, while (status == 0): status = gate_add(&gate, kernel);
//     if (status == 0) status = gate_end(&gate, stderr);
//     gate_free(&gate);
#ifndef DIVCOST_TOOLS_REPORT_GATE_H
#define DIVCOST_TOOLS_REPORT_GATE_H

#include "divcost/report.h"
#include "report/baseline_file.h"

typedef enum gate_measure {
  GATE_ANY,       // every finding
  GATE_RULE,      // the findings of a rule
  GATE_IMBALANCE, // findings of the rule imbalance whose loop has at least this aggregate imbalance
  GATE_LOST,      // kernels that lose at least this share of their cycles, but for loops that are
                  // ignored
} gate_measure;

typedef struct gate_condition {
  gate_measure measure;
  dc_rule rule;        // of GATE_RULE
  double least;        // of GATE_IMBALANCE (1 .. 32) and GATE_LOST (0 .. 1)
  const char *written; // in the arguments, `length` bytes
  int length;
} gate_condition;

enum { GATE_CONDITIONS = 16 };

// All zeroes: nothing fails, nothing is compared.
typedef struct gate_options {
  gate_condition conditions[GATE_CONDITIONS]; // any of these fails
  unsigned n_conditions;
  const char *baseline;       // file that says what is known, or NULL
  const char *write_baseline; // file to be written, or NULL
  bool partial; // the caller doesn't look at the whole project: entries of the baseline are gone
                // only where their kernel, or another one of their file, was looked at
  const char *const *failed; // full paths of files that could not be looked at: entries of these
  size_t n_failed;           // are not gone, though other files have kernels of the same name
} gate_options;

typedef enum gate_taken { GATE_OTHER, GATE_TAKEN, GATE_MISUSE } gate_taken;

// Takes arguments[*at] if it is --fail-on CONDITIONS, --baseline FILE or --write-baseline FILE (or
// --fail-on=CONDITIONS ...), and then leaves *at at its last word. GATE_OTHER: it is none of these;
// GATE_MISUSE: it is wrong, which was said on standard error.
gate_taken gate_option(gate_options *options, int count, char **arguments, int *at);

// Whether any of the options was given.
bool gate_is_asked(const gate_options *options);

// Prints the lines on these options for a command's --help.
void gate_print_help(void);

// What is known of a finding by its baseline. Fingerprints decide; of several findings with one
// fingerprint as many are known as the baseline has.
typedef enum gate_state {
  GATE_NEW,
  GATE_UNCHANGED, // the message too
  GATE_UPDATED,   // the message has changed: other figures, most of the time
} gate_state;

// The rule of an item that is a kernel's loss as a whole.
#define GATE_LOST_RULE "lost"

// A finding of the run.
typedef struct gate_item {
  const char *rule; // its name, or GATE_LOST_RULE
  uint64_t fingerprint;
  char *kernel, *file, *message; // the kernel's name; as in the baseline; one sentence
  uint32_t line, column;         // 0: not known
  const gate_condition *fails;   // the first condition that it meets, or NULL
  uint64_t former;   // of a barrier: rule and symbol as they were hashed before the message when
                     // that was part of fingerprints; 0: of another rule
  gate_state state;  // from gate_judge on
  bool in_new_place; // it is new, or another instance's is with its rule in its place
} gate_item;

typedef struct gate {
  const gate_options *options;
  baseline known;
  char *folder; // paths in the baseline are from here
  gate_item *items;
  uint32_t n_items, capacity;
  uint32_t *table; // of items, by their identity: open addressing
  uint32_t table_size;
  uint32_t n_not_analysed; // kernels of which nothing is known, or not all
  bool judged;
} gate;

// Reads the baseline, if there is one. 0, or the exit status after a message on standard error.
// options must outlive the gate. In any case gate_free is the end.
int gate_begin(gate *gate, const gate_options *options);

// Takes the findings of a kernel, which is not kept. Where the same kernel is met again (its
// header belongs to several units), its findings count once. 0, or the exit status after a message.
// O(findings + loops * estimates).
int gate_add(gate *gate, const dc_unit_kernel *kernel);

// Compares with the baseline, once all kernels were added; items then have a state. Called again,
// it does nothing.
void gate_judge(gate *gate);

// The item of a finding of a kernel that was added, or NULL where it is suppressed. After
// gate_judge.
const gate_item *gate_find(const gate *gate, const dc_unit_kernel *kernel,
                           const dc_finding *finding);

// Whether an entry of the baseline isn't there any more. After gate_judge.
bool gate_is_gone(const gate *gate, const baseline_entry *entry);

// Judges, says what fails, what is known and what is gone, and which kernels no condition could
// judge because the analysis has stopped at them, and writes the baseline that was asked
// for. The exit status: 0, or FAILURE: some finding that no baseline knows meets a condition, or
// the baseline can't be written. With --write-baseline nothing that was found fails: it is known
// from then on.
int gate_end(gate *gate, FILE *to);

void gate_free(gate *gate);

// ---- gate_conditions.c -------------------------------------------------------------------------

// Reads "imbalance=2.0,barrier" into options. 0, or the exit status of wrong usage after a message.
int gate_read_conditions(gate_options *options, const char *text);

// The first condition that a finding meets, or that a kernel's loss does; NULL: none.
const gate_condition *gate_finding_fails(const gate_options *options, const dc_unit_kernel *kernel,
                                         const dc_finding *finding);
const gate_condition *gate_kernel_fails(const gate_options *options, const dc_unit_kernel *kernel,
                                        dc_interval *lost);

// In baseline_states.c: what the baseline says of the findings that were added, as long as the gate
// lives. Losses of kernels are no findings here.
dc_baseline gate_baseline(gate *gate);

#endif
