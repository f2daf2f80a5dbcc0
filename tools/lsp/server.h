// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: what it knows, and who does what.
//
//     lsp.c          the command: one loop around poll(); help
//     server.c       the server without its descriptors
//     messages.c     bytes <-> messages
//     protocol.c     messages -> the functions below; life and death of the server
//     send.c         answers, notifications
//     progress.c     that a file is being analysed
//     settings.c     what the client's user has set
//     documents.c    what is open, what changed, and who must be analysed when
//     job.c          one compilation, from the buffer to a unit
//     precompiled.c  the headers of a document, compiled before: preamble.h has which
//     folders.c      files of the server's
//     flags.c        with which command
//     analysis.c     a unit, by places in files
//     rule_page.c    where the documentation says what a rule means
//     instances.c    which instance of a template stands for all, as in reports
//     view.c         what all analyses say of one open document
//     diagnostics.c hover.c lens.c chain.c page.c   what is shown of that
//     actions.c edits.c   what can be done about it
#ifndef DIVCOST_TOOLS_LSP_SERVER_H
#define DIVCOST_TOOLS_LSP_SERVER_H

#include "compile/child.h"
#include "compile/compile_command.h"
#include "compile/toolchain.h"
#include "divcost/unit.h"
#include "lsp/messages.h"
#include "lsp/text.h"

#include <jansson.h>
#include <stdio.h>
#include <time.h>

// ---- what was analysed --------------------------------------------------------------------------

// A loop or a kernel at its place in the source. A statement has one for each of its instances
// (kernels, template arguments, call paths).
typedef struct lsp_place {
  uint32_t file;         // of the analysis
  uint32_t line, column; // as compiled; from 1, in bytes
  uint32_t kernel, loop; // of the unit; loop DC_NONE: the kernel itself
  dc_interval share;     // of the kernel's issue cycles that is lost
  uint32_t rank;         // of the kernel, the worst first
} lsp_place;

typedef struct lsp_file {
  char *name;       // as the unit has it; owned
  char *path;       // absolute, without links; owned
  text_lines lines; // where its lines are now, if it is open
} lsp_file;

// All zeroes is an analysis of nothing.
typedef struct lsp_analysis {
  dc_unit unit;
  lsp_file *files;
  uint32_t n_files;
  lsp_place *places; // by file, line and column; kernels before loops; worst first
  uint32_t n_places;
  uint32_t *order; // of the unit's kernels, worst first
} lsp_analysis;

// How the unit's files are to be understood.
typedef struct lsp_names {
  const char *directory; // that relative ones start from
  const char *copy, *of; // a file that stood in for another one; NULL: none did
} lsp_names;

// Takes the unit, which is empty afterwards; false: memory is out, the analysis is empty.
bool lsp_analysis_make(lsp_analysis *analysis, dc_unit *unit, const lsp_names *names);
void lsp_analysis_free(lsp_analysis *analysis);

// instances.c: folds instances of templates as reports do: the kernel that stands for others gets
// their names, and so do its findings; analysis->order is made. False: memory is out.
bool lsp_fold(lsp_analysis *analysis);
// Writes what else a statement is, whose `count` places begin at the worst one, in the words of
// reports: a kernel's instances are in its report.
void lsp_write_instances(const lsp_analysis *analysis, const lsp_place *place, uint32_t count,
                         FILE *stream);

// The file that the unit calls `name`, or that is at `path`; DC_NONE: none.
uint32_t lsp_file_named(const lsp_analysis *analysis, const char *name);
uint32_t lsp_file_at(const lsp_analysis *analysis, const char *path);

// The location, or the nearest call around it, that is in code that people edit: not in the
// toolkit's headers or the compiler's. DC_NONE: none is known.
uint32_t lsp_own_location(const dc_kernel *kernel, uint32_t location);

// The absolute path without links; of what isn't there, the path itself. Owned by the caller.
char *lsp_real_path(const char *path);

// ---- what is open -------------------------------------------------------------------------------

// Why a document could not be analysed. All zeroes: it could, or nobody tried.
typedef struct lsp_failure {
  char *text;          // a sentence; owned
  char *file;          // where, as the compiler says it; owned, NULL: nowhere
  size_t line, column; // from 1
} lsp_failure;

typedef struct lsp_job {
  bool running;
  child compiler;
  char *folder;     // of files of its own
  char *report;     // in it
  char *first;      // in it: of a few instances of each template; NULL: it has been read
  char *copy;       // in it: the document's text
  char *directory;  // that the compiler runs in
  arguments words;  // the command, in which all is compiled
  bool shortcut;    // what runs takes precompiled headers instead
  bool doubted;     // it did so before, and failed
  bool as_saved;    // headers are as they are on disk
  int64_t deadline; // in ms
  char token[32];   // of its progress; empty: the client isn't told of it
  bool shown;       // the client has agreed, and shows it
} lsp_job;

typedef enum lsp_precompiled_state {
  LSP_NOT_PRECOMPILED,
  LSP_TO_PRECOMPILE,
  LSP_PRECOMPILING,
  LSP_PRECOMPILED,
  LSP_NOT_TO_PRECOMPILE // it failed
} lsp_precompiled_state;

// Headers of a document, precompiled. All zeroes: of none.
typedef struct lsp_precompiled {
  lsp_precompiled_state state;
  char *preamble; // the text they are of
  size_t size;
  char *home;      // where it looks for neighbours
  char *directory; // that compilers run in
  arguments words; // how the document is compiled, without its name
  char *folder;    // of the files; NULL: there are none
  child compiler;
  int64_t deadline;  // of it, in ms
  unsigned failures; // of compilations with them, one after the other
  uint64_t used;     // when: a number that grows
} lsp_precompiled;

typedef struct lsp_document {
  char *uri;  // as the client writes it
  char *path; // that it names
  char *real; // without links
  int64_t version;
  text text;
  bool header; // is compiled with what includes it, not by itself
  int64_t due; // when to begin an analysis, in ms; LSP_NEVER: nothing is to be done
  lsp_job job;
  lsp_precompiled precompiled;
  lsp_analysis analysis; // the last one that came to an end
  lsp_failure failure;   // of the last attempt
  char *command_told;    // with which flags it is compiled, as the log was told
  struct lsp_document *next;
} lsp_document;
#define LSP_NEVER INT64_MAX

// ---- the server ---------------------------------------------------------------------------------

// Strings are owned; NULL: not set.
typedef struct lsp_settings {
  char *build_folder; // with a compile_commands.json, or that file
  arguments flags;    // to compile with, behind all others
  char *clang, *plugin;
  int64_t time_limit; // of a compilation, in ms
  bool uniform_hints; // uniform loops have inlay hints, too
} lsp_settings;

typedef struct lsp_client {
  text_encoding encoding;
  bool related_information, code_description, markdown, lens_refresh, hint_refresh, progress,
      show_document;
  bool shows_chain; // shows what divcost.showChain answers by itself
} lsp_client;

// In the last two it ends: as it was told to, or without.
typedef enum lsp_state { LSP_NEW, LSP_READY, LSP_SHUT_DOWN, LSP_ENDED, LSP_ABANDONED } lsp_state;

typedef struct lsp_server {
  message_reader input;
  byte_queue output;
  lsp_state state;
  bool said; // why it ends: a standard stream broke
  bool cut;  // the input ended within a message
  bool deaf; // the client takes no bytes any more
  lsp_client client;
  lsp_settings settings;
  lsp_document *documents;
  char *folder; // for files of its own; NULL: not made yet
  char *rules;  // the page that tells what rules mean; NULL: it isn't there
  unsigned folders_made;
  uint64_t precompiled_used;
  toolchain tools;     // empty: not looked for yet
  char *database_path; // of the compile_commands.json that was read last; NULL: none
  struct timespec database_time;
  compile_database database;
  arguments pages;               // paths of reports that were written
  arguments published;           // paths of files for which the client has diagnostics
  bool told_tools, told_toolkit; // what is shown once, until the settings change
  int64_t next_request;
  uint64_t progresses_begun;
} lsp_server;

// server.c: milliseconds of a clock that only goes on.
int64_t lsp_now(void);
// Takes bytes of the client: each message that is whole is done; what isn't one is answered.
void lsp_receive(lsp_server *server, const char *bytes, size_t size);
// The client's bytes have come to their end. What isn't whole by then is answered too.
void lsp_hang_up(lsp_server *server);
bool lsp_is_over(const lsp_server *server); // by `exit`, or since the client is gone
void lsp_free(lsp_server *server);

// protocol.c: does what a message asks.
void lsp_message(lsp_server *server, const char *body, size_t size);
// Answers what was no message with an error.
void lsp_refuse(lsp_server *server, const char *why);

// send.c. All take what they send, which may be NULL when memory is out.
void lsp_answer(lsp_server *server, const json_t *id, json_t *result);
void lsp_answer_error(lsp_server *server, const json_t *id, int code, const char *text);
void lsp_notify(lsp_server *server, const char *method, json_t *parameters);
void lsp_request(lsp_server *server, json_t *id, const char *method, json_t *parameters);
void lsp_refresh(lsp_server *server, const char *method); // a request without parameters
typedef enum lsp_severity { LSP_ERROR = 1, LSP_WARNING, LSP_INFORMATION, LSP_LOG } lsp_severity;
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void lsp_log(lsp_server *server, lsp_severity severity, const char *format, ...);
void lsp_show(lsp_server *server, lsp_severity severity, const char *text);
json_t *lsp_string(const char *text); // what isn't UTF-8 as '?'
json_t *lsp_range(const lsp_server *server, const text *t, size_t begin, size_t end);

// settings.c: takes what an object says, {"buildFolder": ...}, also under "divcost"; all else is as
// at the start. What isn't understood is said in the log.
void lsp_settings_read(lsp_server *server, const json_t *object);
void lsp_settings_free(lsp_settings *settings);

// documents.c
lsp_document *lsp_document_find(lsp_server *server, const char *uri);
void lsp_document_open(lsp_server *server, const json_t *parameters);
void lsp_document_change(lsp_server *server, const json_t *parameters);
void lsp_document_save(lsp_server *server, const json_t *parameters);
void lsp_document_close(lsp_server *server, const json_t *parameters);
void lsp_documents_free(lsp_server *server);
// Whether a document's analysis may be about another one: a header, or a file in what is known.
bool lsp_document_includes(const lsp_document *document, const lsp_document *other);
void lsp_analyse_all(lsp_server *server);
// What is due now is begun, as far as there is room; when the next one is due.
int64_t lsp_documents_begin(lsp_server *server);

// job.c: begins an analysis of the document as it is now; a failure is in document->failure.
bool lsp_job_begin(lsp_server *server, lsp_document *document);
// Kills it, if there is one.
void lsp_job_cancel(lsp_server *server, lsp_document *document);
// When to look at it though the compiler says nothing, in ms; LSP_NEVER: none runs.
int64_t lsp_job_next(const lsp_document *document);
// Goes on when the compiler said something, or its time is up; when it has results of a few
// instances of templates, the document has these for the time being; when it ended, the document
// has a new analysis or a failure, and the client gets them.
void lsp_job_continue(lsp_server *server, lsp_document *document);
void lsp_failure_free(lsp_failure *failure);
void lsp_fail(lsp_document *document, const char *text);

// progress.c: asks the client whether it wants to be told, and from then on tells what is done, and
// how it ended. What comes from the client may be anything.
void lsp_progress_begin(lsp_server *server, lsp_job *job);
void lsp_progress_say(lsp_server *server, const lsp_job *job, const char *message);
void lsp_progress_end(lsp_server *server, lsp_job *job, const char *message);
void lsp_progress_answered(lsp_server *server, const char *token, bool agreed);
void lsp_progress_cancel(lsp_server *server, const json_t *parameters);

// precompiled.c: adds what makes a job's command take the document's precompiled headers; false:
// there are none of what it now begins with. `plain` is the command without files of the job, and
// may be taken.
bool lsp_precompiled_use(lsp_server *server, lsp_document *document, arguments *plain,
                         arguments *words);
// They were used, and the compiler came to an end, or did only without.
void lsp_precompiled_served(lsp_server *server, lsp_document *document, bool well);
// Has them made, unless they are there or that has failed: by lsp_precompiled_begin, when there is
// room for a compiler. When to look at what runs though the compiler says nothing, in ms.
void lsp_precompiled_wish(lsp_document *document);
int64_t lsp_precompiled_begin(lsp_server *server, bool room);
void lsp_precompiled_continue(lsp_server *server, lsp_document *document);
// Something that they hold has changed.
void lsp_precompiled_drop(lsp_precompiled *p);
void lsp_precompiled_free(lsp_precompiled *p);

// folders.c: a new folder in the server's; owned by the caller, NULL: it can't be made (errno).
char *lsp_folder_make(lsp_server *server);
void lsp_folder_remove(char *path); // with its files; frees the path, which may be NULL
bool lsp_write_file(const char *path, const char *bytes, size_t size);
// Whether a file is there and has these bytes.
bool lsp_is_in_file(const char *path, const char *bytes, size_t size);

// flags.c: the words that analyse a document, where to run them, and `unknown`; `plain` are those
// without files of the job, but for a source that isn't there. Errors as for compile/analysis.h.
dc_status lsp_command(lsp_server *server, lsp_document *document, arguments *words,
                      arguments *plain, dc_error *error);
void lsp_database_free(lsp_server *server);

// ---- what is shown ------------------------------------------------------------------------------

// A statement with all its instances in one analysis, in an open document as it is now.
typedef struct lsp_item {
  const lsp_analysis *analysis;
  const lsp_place *place; // the worst instance; of kernels the one that stands for the others
  uint32_t count;         // of instances, one after the other
  size_t begin, end;      // bytes: of a loop, from its keyword to the end of its head; of a kernel
                          // its name's line
} lsp_item;

typedef struct lsp_view {
  lsp_item *items; // by begin
  uint32_t count;
} lsp_view;

// All that is known of a document; false: memory is out.
bool lsp_view_make(const lsp_server *server, const lsp_document *document, lsp_view *view);
void lsp_view_free(lsp_view *view);
// The item at an offset: the innermost loop in whose head it is, else the nearest one of the line,
// else the kernel of the line. NULL: none.
const lsp_item *lsp_view_at(const lsp_view *view, const lsp_document *document, size_t offset);
// Behind the word that begins at an offset; the offset itself: none does.
size_t lsp_word_end(const text *t, size_t at);
// Behind the comment, string or character literal at an offset; the offset itself: there is none.
size_t lsp_skip_quoted(const text *t, size_t at);
// Behind the head of a statement whose first word begins at `begin`.
size_t lsp_head_end(const text *t, size_t begin);

const dc_kernel *lsp_item_kernel(const lsp_item *item);
const dc_loop *lsp_item_loop(const lsp_item *item);             // NULL: it is a kernel
const dc_loop_estimate *lsp_item_figures(const lsp_item *item); // NULL: none

// Writes what is said of the accesses to memory in a line of a document, a line each; false: there
// are none. O(accesses of all open documents).
bool lsp_write_accesses(const lsp_server *server, const lsp_document *document, size_t line,
                        FILE *stream);

// Each answers a request with its result, NULL for "null".
json_t *lsp_hover(lsp_server *server, const json_t *parameters);
json_t *lsp_lenses(lsp_server *server, const json_t *parameters);
json_t *lsp_hints(lsp_server *server, const json_t *parameters);
json_t *lsp_actions(lsp_server *server, const json_t *parameters);

// Each answers a command with its result, from its arguments.
json_t *lsp_show_chain(lsp_server *server, const json_t *arguments); // [uri, line, character]
json_t *lsp_open_page(lsp_server *server, const json_t *arguments);  // [uri]: a report as a page

// edits.c: edits of a document, as code actions have them. NULL: memory is out, or there is none.
// Before the statement at an offset, an annotation on a line of its own, with its header.
json_t *lsp_annotate(const lsp_server *server, const lsp_document *document, size_t begin,
                     const char *annotation);
// At the end of a line, a comment; none where the line goes on in the next one.
json_t *lsp_append(const lsp_server *server, const lsp_document *document, size_t line,
                   const char *comment);
// Where the declaration begins that has a name at an offset. O(offset).
size_t lsp_declaration_begin(const text *t, size_t name);

// page.c
void lsp_remove_pages(lsp_server *server);

// rule_page.c: the URI of what the documentation says of a rule; NULL: it isn't there.
json_t *lsp_rule_page(const lsp_server *server, dc_rule rule);

// The document that is open for a file without links; NULL: none.
const lsp_document *lsp_document_at(const lsp_server *server, const char *path);

// A location as the protocol has it, {"uri": ..., "range": ...}, where it is now; NULL: its line
// has changed since, or it has no place.
json_t *lsp_location(const lsp_server *server, const lsp_analysis *analysis,
                     const dc_kernel *kernel, uint32_t location);

// Steps of the chain behind a finding: [{"location": ..., "message": ...}].
json_t *lsp_chain(const lsp_server *server, const lsp_analysis *analysis, uint32_t kernel,
                  const dc_finding *finding);

// Tells the client what there is to say of a file: the findings of all analyses. path is without
// links.
void lsp_publish(lsp_server *server, const char *path);
// The same for the files of an analysis other than the document.
void lsp_publish_others(lsp_server *server, const lsp_document *document,
                        const lsp_analysis *analysis);

#endif
