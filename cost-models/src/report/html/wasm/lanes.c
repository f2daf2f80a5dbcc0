// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page draws of an access to memory: a request, lane by lane.
#include "report/html/wasm/model.h"

#include "divcost/words.h"

enum { LANES = 32, CODE = 200 };

static void code(html_json *json, const char *key, const dc_kernel *kernel, dc_expr e) {
  char text[CODE];
  if (e != DC_NO_EXPR && dc_kernel_print_expr(kernel, e, text, sizeof text))
    dc__html_string(json, key, text);
}

static void iterations(html_json *json, const dc_kernel *kernel, const dc_access *access,
                       const dc_request_of *of) {
  uint32_t loop = kernel->blocks[access->block].loop;
  dc__html_open(json, "iterations", '[');
  for (unsigned k = 0; k < DC_REQUEST_LOOPS && loop != DC_NONE; ++k) {
    dc__html_whole(json, NULL, of->iv[k]);
    loop = kernel->loops[loop].parent;
  }
  dc__html_close(json, ']');
}

static void lanes_and_pieces(html_json *json, const dc_access *access, uint32_t lanes,
                             const dc_request *request) {
  dc_request_piece pieces[DC_REQUEST_PIECES];
  unsigned n = dc_request_pieces((dc_space)access->space, (dc_access_kind)access->kind,
                                 request->address, lanes, access->bytes, pieces);
  dc__html_open(json, "addresses", '[');
  for (unsigned lane = 0; lane < LANES; ++lane)
    if (lanes >> lane & 1)
      dc__html_whole(json, NULL, request->address[lane]);
    else
      dc__html_raw(json, NULL, "null", 4);
  dc__html_close(json, ']');
  dc__html_open(json, "pieces", '[');
  for (unsigned k = 0; k < n; ++k) {
    dc__html_open(json, NULL, '[');
    dc__html_whole(json, NULL, pieces[k].at);
    dc__html_whole(json, NULL, pieces[k].lanes);
    dc__html_whole(json, NULL, pieces[k].pass);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
}

static void known_request(html_json *json, const dc_kernel *kernel, const dc_access *access,
                          const dc_request_of *of, const dc_request *request) {
  dc__html_whole(json, "taken", request->taken);
  dc__html_whole(json, "needed", request->ideal);
  dc__html_whole(json, "least", request->least);
  dc__html_real(json, "common", (double)request->common);
  dc__html_whole(json, "places", request->places);
  dc__html_truth(json, "bounded", request->bounded);
  if (request->by_iteration)
    iterations(json, kernel, access, of);
  lanes_and_pieces(json, access, of->lanes, request);
}

static void one_request(html_json *json, const dc_kernel *kernel, uint32_t access,
                        const dc_estimate *e) {
  static const char *const known[] = {"known", "strided", "loaded", "opaque"};
  static const char *const units[] = {"sectors", "passes", "addresses"};
  const dc_access *data = &kernel->accesses[access];
  const dc_request_of *of = &e->accesses[access].most;
  dc_request request;
  char text[DC_WORDS];
  dc_access_request(kernel, access, &e->launch, of, &request);
  dc__html_open(json, NULL, '{');
  dc__html_string(json, "unit", units[dc_memory_unit_of((dc_space)data->space)]);
  dc__html_whole(json, "bytes", data->bytes);
  dc_access_words(kernel, e, access, text, sizeof text);
  dc__html_string(json, "words", text);
  dc_block_words(&e->launch, text, sizeof text);
  dc__html_string(json, "block", text);
  dc__html_whole(json, "warp", of->warp);
  dc__html_truth(json, "some", of->some);
  dc__html_string(json, "known", known[request.known]);
  if (request.known == DC_REQUEST_KNOWN)
    known_request(json, kernel, data, of, &request);
  else if (request.known == DC_REQUEST_STRIDED)
    code(json, "stride", kernel, request.stride);
  else
    code(json, "address", kernel, data->address);
  dc__html_close(json, '}');
}

const char *model_access(uint32_t access) {
  const dc_unit_kernel *of = &model_open_one.of;
  const dc_estimate *e = dc_worst_estimate(of);
  dc_kernel view;
  dc_error error;
  if (!e || access >= e->n_accesses || !e->accesses[access].most.lanes) {
    dc_fail(&error, DC_ERROR_ARGUMENT, "no request of this access was looked at");
    return model_fail(&error);
  }
  dc_status status = dc_kernel_in_block(&of->kernel, e->launch.block, &view, &error);
  if (status == DC_OK)
    one_request(model_begin(), &view, access, e);
  dc_kernel_leave_block(&of->kernel, &view);
  return status == DC_OK ? model_answer() : model_fail(&error);
}
