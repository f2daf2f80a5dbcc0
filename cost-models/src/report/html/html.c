// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report --html`: the frame of the page, in the order in which it is written. Kernels are
// looked at twice, for their order and to be written; in memory stays what the lists show.
#include "report/html/html.h"
#include "report/places.h"

#include "divcost/report.h"
#include "divcost/rules.h"
#include "divcost/version.h"
#include "divcost/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const html_resource *dc__html_find(const char *name) {
  for (unsigned k = 0; k < dc__html_n_resources; ++k)
    if (strcmp(dc__html_resources[k].name, name) == 0)
      return &dc__html_resources[k];
  return NULL;
}

static void write_resource(FILE *to, const char *name) {
  const html_resource *resource = dc__html_find(name);
  if (resource)
    fwrite(resource->bytes, 1, resource->size, to);
}

// ---- the head ----------------------------------------------------------------------------------

// The digest of a resource, for the page's policy: the build has it as hexadecimal digits.
static void write_digest(FILE *to, const char *name) {
  unsigned char digest[32] = {0};
  const html_resource *hex = dc__html_find(name);
  for (unsigned k = 0; hex && hex->size >= 64 && k < 32; ++k) {
    const char byte[] = {(char)hex->bytes[2 * k], (char)hex->bytes[2 * k + 1], 0};
    digest[k] = (unsigned char)strtoul(byte, NULL, 16);
  }
  fputs("'sha256-", to);
  if (hex)
    dc__html_write_base64(to, digest, sizeof digest);
  fputs("'", to);
}

// Nothing is loaded from anywhere, and no script runs but the page's own.
static void write_head(FILE *to) {
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ",
        to);
  write_digest(to, "page.js.sha256");
  fputs(" 'wasm-unsafe-eval'; style-src ", to);
  write_digest(to, "page.css.sha256");
  fputs("; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<title>divcost report</title>\n<style>",
        to);
  write_resource(to, "page.css");
  fputs("</style>\n</head>\n", to);
}

// ---- the index ---------------------------------------------------------------------------------

static void put_legend(html_json *json) {
  const char *words;
  dc__html_open(json, "legend", '[');
  for (unsigned k = 0; dc_legend(k, &words); ++k) {
    dc__html_open(json, NULL, '[');
    dc__html_string(json, NULL, dc_legend(k, &words));
    dc__html_string(json, NULL, words);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
}

// By their numbers, as findings name them.
static void put_rules(html_json *json) {
  dc__html_open(json, "rules", '[');
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
    const dc_rule_info *about = dc_rule_about((dc_rule)rule);
    dc__html_open(json, NULL, '{');
    dc__html_string(json, "name", about->name);
    dc__html_string(json, "title", about->title);
    dc__html_string(json, "help", about->help);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

static void put_index(html_json *json, const dc_kernels *kernels, const html_index *index) {
  dc__html_open(json, NULL, '{');
  dc__html_string(json, "version", dc_version());
  dc__html_string(json, "path", kernels->path ? kernels->path : "");
  dc__html_string(json, "known", dc_arch_names());
  dc__html_open(json, "archs", '[');
  for (uint32_t k = 0; k < kernels->n_archs; ++k)
    dc__html_whole(json, NULL, kernels->archs[k]);
  dc__html_close(json, ']');
  put_legend(json);
  dc__html_open(json, "files", '[');
  for (uint32_t k = 0; k < index->files.count; ++k)
    dc__html_string(json, NULL, index->files.texts[k]);
  dc__html_close(json, ']');
  put_rules(json);
  dc__html_raw(json, "findings", index->findings.text, index->findings.size);
  dc__html_raw(json, "kernels", index->kernels.text, index->kernels.size);
  dc__html_close(json, '}');
}

static dc_status write_index(const dc_kernels *kernels, html_index *index, FILE *to,
                             dc_error *error) {
  html_json json = {0};
  dc_status status = DC_OK;
  dc__html_close(&index->kernels, ']');
  dc__html_close(&index->loops, ']');
  dc__html_close(&index->findings, ']');
  put_index(&json, kernels, index);
  if (json.failed || index->kernels.failed || index->loops.failed || index->findings.failed)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page's index");
  if (status == DC_OK)
    status = dc__html_write_block(to, "loops", index->loops.text, index->loops.size, error);
  if (status == DC_OK)
    status = dc__html_write_block(to, "index", json.text, json.size, error);
  dc__html_json_free(&json);
  return status;
}

// ---- the page ----------------------------------------------------------------------------------

// The first finding of kernel `kernel` or a later one, in their order.
static uint32_t first_of(const dc_places *places, uint32_t kernel) {
  uint32_t from = 0, to = places->n_findings;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (places->findings[middle].kernel < kernel)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

// The findings that stand in kernel `wanted`, number `number` of the page.
static bool add_findings(html_index *index, const dc_places *places, uint32_t wanted,
                         uint32_t number, const dc_unit_kernel *kernel) {
  for (uint32_t k = first_of(places, wanted);
       k < places->n_findings && places->findings[k].kernel == wanted; ++k)
    if (!dc__html_index_add_finding(index, number, kernel,
                                    &kernel->findings[places->findings[k].finding],
                                    places->findings[k].instances))
      return false;
  return true;
}

static dc_status write_kernels(const dc_kernels *kernels, const uint32_t *order, html_index *index,
                               FILE *to, dc_error *error) {
  dc_places places;
  dc_status status = dc__places_find(kernels, NULL, &places, error);
  for (uint32_t k = 0; k < kernels->n_kernels && status == DC_OK; ++k) {
    const dc_unit_kernel *kernel;
    status = kernels->get(kernels->context, order[k], &kernel, error);
    if (status == DC_OK)
      status = dc__html_write_kernel(kernel, k, to, error);
    if (status == DC_OK &&
        !(dc__html_index_add(index, kernel) && add_findings(index, &places, order[k], k, kernel)))
      status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page's index");
  }
  dc__places_free(&places);
  return status;
}

static dc_status write_page(const dc_kernels *kernels, const uint32_t *order, html_index *index,
                            FILE *to, dc_error *error) {
  const html_resource *model = dc__html_find("model.wasm");
  write_head(to);
  write_resource(to, "page.html");
  dc_status status = write_kernels(kernels, order, index, to, error);
  for (uint32_t k = 0; k < index->files.count && status == DC_OK; ++k)
    status = dc__html_write_source(index->files.texts[k], k, to, error);
  if (status == DC_OK)
    status = write_index(kernels, index, to, error);
  if (status != DC_OK)
    return status;
  status = dc__html_write_block(to, "model", model->bytes, model->size, error);
  fputs("<script type=\"module\">", to);
  write_resource(to, "page.js");
  fputs("</script>\n</body>\n</html>\n", to);
  return status;
}

static dc_status write_html(const dc_kernels *kernels, const dc_report_options *options, FILE *to,
                            dc_error *error) {
  (void)options;
  if (!dc__html_find("model.wasm"))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "--html: this build has no HTML report, since %s; build again with these",
                   (const char *)dc__html_find("missing")->bytes);
  uint32_t *order = malloc(((size_t)kernels->n_kernels + 1) * sizeof *order);
  if (!order)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page");
  html_index index = {.n_kernels = 0};
  dc_status status = dc_worst_first(kernels, order, error);
  dc__html_open(&index.kernels, NULL, '[');
  dc__html_open(&index.loops, NULL, '[');
  dc__html_open(&index.findings, NULL, '[');
  errno = 0;
  if (status == DC_OK)
    status = write_page(kernels, order, &index, to, error);
  dc__html_index_free(&index);
  free(order);
  if (status == DC_OK && (fflush(to) != 0 || ferror(to)))
    status = dc_fail(error, DC_ERROR_FILE, "cannot write the page: %s",
                     errno ? strerror(errno) : "the stream has failed");
  return status;
}

const dc_report_format dc_format_html = {
    "html", "prints one page for browsers, with sources, drawings and what-if questions", false,
    write_html};
