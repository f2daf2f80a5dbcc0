// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost report --html`: the frame of the page, in the order in which it is written. Kernels are
// looked at twice, for their order and to be written; in memory stays what the lists show.
#include "report/html/html.h"

#include "divcost/report.h"
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

void dc__html_write_base64(FILE *to, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k;
    uint32_t bits = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) |
                    (left > 2 ? bytes[k + 2] : 0);
    putc(digits[bits >> 18], to);
    putc(digits[bits >> 12 & 63], to);
    putc(left > 1 ? digits[bits >> 6 & 63] : '=', to);
    putc(left > 2 ? digits[bits & 63] : '=', to);
  }
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
  dc__html_raw(json, "kernels", index->kernels.text, index->kernels.size);
  dc__html_raw(json, "loops", index->loops.text, index->loops.size);
  dc__html_close(json, '}');
}

static dc_status write_index(const dc_kernels *kernels, html_index *index, FILE *to,
                             dc_error *error) {
  html_json json = {0};
  dc__html_close(&index->kernels, ']');
  dc__html_close(&index->loops, ']');
  put_index(&json, kernels, index);
  bool good = !json.failed && !index->kernels.failed && !index->loops.failed;
  if (good)
    fprintf(to, "<script type=\"application/json\" id=\"index\">%s</script>\n", json.text);
  dc__html_json_free(&json);
  return good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page's index");
}

// ---- the page ----------------------------------------------------------------------------------

static dc_status write_kernels(const dc_kernels *kernels, const uint32_t *order, html_index *index,
                               FILE *to, dc_error *error) {
  dc_status status = DC_OK;
  for (uint32_t k = 0; k < kernels->n_kernels && status == DC_OK; ++k) {
    const dc_unit_kernel *kernel;
    status = kernels->get(kernels->context, order[k], &kernel, error);
    if (status == DC_OK)
      status = dc__html_write_kernel(kernel, k, to, error);
    if (status == DC_OK && !dc__html_index_add(index, kernel))
      status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the page's index");
  }
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
  fputs("<script type=\"application/wasm\" id=\"model\">", to);
  dc__html_write_base64(to, model->bytes, model->size);
  fputs("</script>\n<script>", to);
  write_resource(to, "page.js");
  fputs("</script>\n</body>\n</html>\n", to);
  return DC_OK;
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
