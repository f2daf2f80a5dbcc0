// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people as a whole: a line for each kernel, worst first, then the kernels
// (text.c), then how to read it and what the costs depend on. Kernels are looked at one at a
// time, three times over: for their order and what they have in common, for their lines, and in
// full.
#include "report/text_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is said once, gathered from all kernels.
typedef struct overview {
  const dc_kernels *kernels;
  dc_rank *ranks;
  dc_arch *archs; // all that figures depend on: several of one sm, where reports were merged that
                  // were made with other architecture files
  uint32_t n_archs, n_shown;
  char *file; // of the last kernel: its neighbours' mostly
} overview;

// ---- order -------------------------------------------------------------------------------------

bool dc__share_is_worse(dc_interval x, dc_interval y) {
  return x.low > y.low || (x.low == y.low && x.high > y.high);
}

const dc_estimate *dc_worst_estimate(const dc_unit_kernel *kernel) {
  const dc_estimate *worst = NULL;
  for (uint32_t k = 0; k < kernel->n_estimates; ++k)
    if (!worst || dc__share_is_worse(kernel->estimates[k].share, worst->share))
      worst = &kernel->estimates[k];
  return worst;
}

#define LITTLE 0.01 // of a time: less is the model's noise

double dc_time_lost(const dc_unit_kernel *kernel) {
  double most = -1;
  for (uint32_t k = 0; k < kernel->n_estimates; ++k) {
    const dc_time_estimate *time = &kernel->estimates[k].time;
    double lost = (time->lost[DC_LOSS_DIVERGENCE].low + time->lost[DC_LOSS_DIVERGENCE].high) / 2;
    if (time->known)
      most = fmax(most, lost < LITTLE ? 0 : (time->seconds.low + time->seconds.high) / 2 * lost);
  }
  return most;
}

#define NOTHING 0.0005 // of the issue cycles: 0.0%

// Time that is lost counts before what isn't known to cost any, and that before what costs none.
static int class_of(const dc_rank *rank) {
  if (rank->time_lost > 0)
    return 0;
  return rank->time_lost < 0 && rank->share.high >= NOTHING ? 1 : 2;
}

int dc__compare_ranks(const void *a, const void *b) {
  const dc_rank *x = a, *y = b;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->measured != y->measured)
    return x->measured > y->measured ? -1 : 1;
  if (class_of(x) != class_of(y))
    return class_of(x) < class_of(y) ? -1 : 1;
  if (class_of(x) == 0 && x->time_lost != y->time_lost)
    return x->time_lost > y->time_lost ? -1 : 1;
  if (dc__share_is_worse(x->share, y->share))
    return -1;
  if (dc__share_is_worse(y->share, x->share))
    return 1;
  if (x->leaves_out != y->leaves_out)
    return x->leaves_out ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static dc_rank rank_of(const dc_unit_kernel *kernel, uint32_t index) {
  const dc_estimate *worst = dc_worst_estimate(kernel);
  const dc_unit_measured *measured = &kernel->measured;
  double time = measured->time_share >= 0 ? measured->time_share : 1;
  return (dc_rank){.index = index,
                   .measured = measured->launches ? time * (1 - measured->efficiency) : -1,
                   .time_lost = dc_time_lost(kernel),
                   .share = worst ? worst->share : (dc_interval){-1, -1},
                   .leaves_out = dc_calls_words(&kernel->kernel, NULL, 0) > 0};
}

dc_status dc_worst_first(const dc_kernels *kernels, uint32_t *order, dc_error *error) {
  dc_rank *ranks = malloc(((size_t)kernels->n_kernels + 1) * sizeof *ranks);
  if (!ranks)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u kernels", kernels->n_kernels);
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < kernels->n_kernels; ++k) {
    const dc_unit_kernel *kernel;
    status = kernels->get(kernels->context, k, &kernel, error);
    if (status == DC_OK)
      ranks[k] = rank_of(kernel, k);
  }
  if (status == DC_OK)
    qsort(ranks, kernels->n_kernels, sizeof *ranks, dc__compare_ranks);
  for (uint32_t k = 0; status == DC_OK && k < kernels->n_kernels; ++k)
    order[k] = ranks[k].index;
  free(ranks);
  return status;
}

// ---- the first look ----------------------------------------------------------------------------

// The next path of a list "a.cu, b.cu", and its size; NULL at the end.
static const char *next_path(const char *list, size_t *size) {
  const char *end = list ? strstr(list, ", ") : NULL;
  *size = end ? (size_t)(end - list) : list ? strlen(list) : 0;
  return end ? end + 2 : NULL;
}

bool dc__report_set_root(dc_report *r, const char *file, const char *paths) {
  size_t whole = strlen(file), size;
  for (const char *path = paths, *next; path && !r->root; path = next) {
    next = next_path(path, &size);
    if (size && whole > size && file[whole - size - 1] == '/' &&
        strncmp(file + whole - size, path, size) == 0) {
      r->root_size = whole - size;
      r->root = malloc(r->root_size + 1);
      if (!r->root)
        return false;
      memcpy(r->root, file, r->root_size);
      r->root[r->root_size] = 0;
    }
  }
  return true;
}

// False: out of memory.
static bool find_root(dc_report *r, overview *all) {
  const char *file = dc__report_file(r, r->of->kernel.location);
  if (all->file && strcmp(all->file, file) == 0)
    return true;
  size_t size = strlen(file) + 1;
  free(all->file);
  all->file = malloc(size);
  if (!all->file)
    return false;
  memcpy(all->file, file, size);
  return dc__report_set_root(r, file, all->kernels->path);
}

// What the figures of a kernel depend on, if no other one's do. False: out of memory.
static bool add_archs(overview *all, const dc_unit_kernel *kernel) {
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    dc_arch arch;
    uint32_t k = 0;
    if (!dc_estimate_arch(&kernel->estimates[e], &arch))
      continue;
    while (k < all->n_archs &&
           (all->archs[k].sm != arch.sm || strcmp(all->archs[k].provenance, arch.provenance) != 0 ||
            strcmp(all->archs[k].issue_provenance, arch.issue_provenance) != 0))
      ++k;
    if (k < all->n_archs)
      continue;
    dc_arch *archs = realloc(all->archs, ((size_t)all->n_archs + 1) * sizeof *archs);
    if (!archs)
      return false;
    all->archs = archs;
    archs[all->n_archs++] = arch;
  }
  return true;
}

static dc_status look(dc_report *r, overview *all, dc_error *error) {
  const dc_kernels *kernels = all->kernels;
  all->ranks = malloc(((size_t)kernels->n_kernels + 1) * sizeof *all->ranks);
  bool good = all->ranks;
  dc_status status = DC_OK;
  for (uint32_t k = 0; good && status == DC_OK && k < kernels->n_kernels; ++k) {
    status = kernels->get(kernels->context, k, &r->of, error);
    if (status != DC_OK)
      break;
    all->ranks[k] = rank_of(r->of, k);
    good = (r->root || find_root(r, all)) && add_archs(all, r->of);
  }
  if (!good)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the report");
  if (status == DC_OK)
    qsort(all->ranks, kernels->n_kernels, sizeof *all->ranks, dc__compare_ranks);
  return status;
}

// ---- what is written once ----------------------------------------------------------------------

static void header(dc_report *r, const dc_kernels *kernels) {
  char text[40];
  dc__page_text(&r->page, DC_STYLE_TITLE, "divcost");
  dc__page_text(&r->page, DC_STYLE_PLAIN, "  ");
  unsigned count = 0;
  size_t size;
  for (const char *path = kernels->path; path; ++count)
    path = next_path(path, &size);
  snprintf(text, sizeof text, "%u files", count);
  dc__page_wrap(&r->page, DC_STYLE_PLAIN, 9, count > 4 ? text : kernels->path ? kernels->path : "");
  for (uint32_t k = 0; k < kernels->n_archs; ++k) {
    snprintf(text, sizeof text, "%s sm_%u", k ? "," : ", for", kernels->archs[k]);
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 9, text);
  }
  if (kernels->n_kernels == 0)
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 9, ": no kernels");
  dc__page_line(&r->page);
}

static void provenances(dc_report *r, const overview *all, unsigned sm, const char *label) {
  bool told = false;
  for (uint32_t k = 0; k < all->n_archs; ++k)
    if (all->archs[k].sm == sm) {
      dc__report_provenance(r, told ? "" : label, &all->archs[k], NULL);
      told = true;
    }
  dc_arch arch;
  if (!told && dc_arch_find_sm(sm, &arch, NULL) == DC_OK)
    dc__report_provenance(r, label, &arch, NULL);
}

// How to read the figures, and what they depend on: the same for all kernels, so said once.
static void footer(dc_report *r, const overview *all) {
  const char *words;
  dc__page_line(&r->page);
  dc__page_text(&r->page, DC_STYLE_TITLE, "How to read this");
  dc__page_line(&r->page);
  for (unsigned k = 0; dc_legend(k, &words); ++k)
    dc__report_labelled(r, 2, dc_legend(k, &words), words);
  for (uint32_t k = 0; k < all->kernels->n_archs; ++k)
    provenances(r, all, all->kernels->archs[k], k ? "" : "costs");
}

// ---- a line for each kernel --------------------------------------------------------------------

// Where times are known, a column of them stands before these, which moves them.
enum { TIME_END = 11, LOST_END = 9, EFFICIENCY_END = 22, CYCLES_END = 40, NAME = 43, CALM = 10 };

static bool knows_time(const overview *all) {
  for (uint32_t k = 0; k < all->kernels->n_kernels; ++k)
    if (all->ranks[k].time_lost >= 0)
      return true;
  return false;
}

// Of a measured kernel, the efficiency that was measured; what it loses of its issue cycles wasn't.
static void summary_line(dc_report *r, const dc_rank *rank, unsigned moved) {
  const dc_estimate *worst = dc_worst_estimate(r->of);
  bool measured = rank->measured >= 0;
  dc_interval none = {-1, -1}, counted = {r->of->measured.efficiency, r->of->measured.efficiency};
  char time[40];
  dc_seconds_words(rank->time_lost, time, sizeof time);
  if (moved)
    dc__page_right(&r->page, DC_STYLE_PLAIN, TIME_END, time);
  dc__report_share(r, moved + LOST_END, measured ? none : rank->share, true);
  dc__report_share(r, moved + EFFICIENCY_END,
                   measured ? counted
                   : worst  ? worst->efficiency
                            : none,
                   false);
  dc__page_right(&r->page, DC_STYLE_PLAIN, moved + CYCLES_END,
                 worst && worst->cycles.low >= 0 ? dc_number_count(worst->cycles).text : "-");
  dc__page_text(&r->page, DC_STYLE_PLAIN, "   ");
  const char *remark = measured ? ", measured" : rank->leaves_out ? ", without its calls" : "";
  char name[DC_REPORT_WIDTH - NAME + 1];
  dc__short_name(dc__report_text(r, r->of->kernel.name), name,
                 sizeof name - moved - strlen(remark));
  dc__page_text(&r->page, DC_STYLE_PLAIN, name);
  dc__page_text(&r->page, DC_STYLE_QUIET, remark);
  dc__page_line(&r->page);
}

// Of the ranks before `end`: where those begin that lose nothing and can share a line.
static uint32_t first_calm(const overview *all) {
  uint32_t first = all->n_shown;
  while (first && all->ranks[first - 1].share.high < NOTHING && !all->ranks[first - 1].leaves_out &&
         all->ranks[first - 1].measured < 0 && all->ranks[first - 1].time_lost <= 0)
    --first;
  return all->n_shown - first > CALM ? first : all->n_shown;
}

static void more(dc_report *r, uint32_t count, const char *words, unsigned moved) {
  char text[80];
  snprintf(text, sizeof text, "and %u %s", count, words);
  dc__page_column(&r->page, moved + NAME);
  dc__page_wrap(&r->page, DC_STYLE_QUIET, moved + NAME, text);
  dc__page_line(&r->page);
}

// Where there are several.
static dc_status summary(dc_report *r, const overview *all, dc_error *error) {
  if (all->kernels->n_kernels < 2)
    return DC_OK;
  unsigned moved = knows_time(all) ? TIME_END + 1 : 0;
  dc__page_line(&r->page);
  if (moved)
    dc__page_right(&r->page, DC_STYLE_QUIET, TIME_END, "time lost");
  dc__page_right(&r->page, DC_STYLE_QUIET, moved + LOST_END, "lost");
  dc__page_right(&r->page, DC_STYLE_QUIET, moved + EFFICIENCY_END, "efficiency");
  dc__page_right(&r->page, DC_STYLE_QUIET, moved + CYCLES_END, "issue cycles");
  dc__page_text(&r->page, DC_STYLE_QUIET, "   kernel");
  dc__page_line(&r->page);
  uint32_t calm = first_calm(all);
  for (uint32_t k = 0; k < calm; ++k) {
    dc_status status = all->kernels->get(all->kernels->context, all->ranks[k].index, &r->of, error);
    if (status != DC_OK)
      return status;
    summary_line(r, &all->ranks[k], moved);
  }
  if (calm < all->n_shown)
    more(r, all->n_shown - calm, "kernels that lose nothing", moved);
  if (all->n_shown < all->kernels->n_kernels)
    more(r, all->kernels->n_kernels - all->n_shown, "more kernels", moved);
  return DC_OK;
}

// ---- the report --------------------------------------------------------------------------------

static dc_status write_all(dc_report *r, overview *all, dc_error *error) {
  const dc_kernels *kernels = all->kernels;
  dc_status status = look(r, all, error);
  if (status != DC_OK)
    return status;
  header(r, kernels);
  status = summary(r, all, error);
  if (status == DC_OK && kernels->n_kernels > 1)
    status = dc__report_findings(r, kernels, error);
  for (uint32_t k = 0; status == DC_OK && k < all->n_shown && !ferror(r->page.stream); ++k) {
    status = kernels->get(kernels->context, all->ranks[k].index, &r->of, error);
    if (status != DC_OK)
      break;
    r->estimate = dc_worst_estimate(r->of);
    if (!dc__report_kernel(r))
      status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the report");
  }
  if (status == DC_OK && kernels->n_kernels)
    footer(r, all);
  return status;
}

static dc_status write_text(const dc_kernels *kernels, const dc_report_options *options,
                            FILE *stream, dc_error *error) {
  static const dc_report_options plain = {.colour = false};
  dc_report r = {.options = options ? options : &plain};
  r.page = (dc_page){stream, r.options->colour, 0};
  uint32_t top = r.options->top;
  overview all = {.kernels = kernels,
                  .n_shown = top && top < kernels->n_kernels ? top : kernels->n_kernels};
  errno = 0;
  dc_status status = write_all(&r, &all, error);
  free(all.ranks);
  free(all.archs);
  free(all.file);
  free(r.root);
  if (status == DC_OK && (fflush(stream) != 0 || ferror(stream)))
    status = dc_fail(error, DC_ERROR_FILE, "cannot write the report: %s",
                     errno ? strerror(errno) : "the stream has failed");
  return status;
}

const dc_report_format dc_format_text = {"text", "prints the report for people", true, write_text};
