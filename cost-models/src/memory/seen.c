// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One request, lane by lane, for those who look at it.
#include "base/lanes.h"
#include "memory/access.h"

#include <stdlib.h>

// What the launch says to each lane of a warp: as in the walk of an estimate, but that of a grid
// that nobody gave nothing is assumed.
static void set_environments(const dc_launch *launch, uint32_t warp,
                             dc_expr_environment environments[DC_WARP]) {
  uint64_t x = launch->block[0], y = launch->block[1];
  for (unsigned lane = 0; lane < DC_WARP; ++lane) {
    uint64_t thread = (uint64_t)warp * DC_WARP + lane;
    environments[lane] = (dc_expr_environment){
        .ntid = {launch->block[0], launch->block[1], launch->block[2]},
        .nctaid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .ctaid = {-1, -1, -1},
        .tid = {(int64_t)(thread % x), (int64_t)(thread / x % y), (int64_t)(thread / x / y)},
        .lane = lane};
  }
}

// Addresses in no iteration in particular, and if these tell nothing, in those of the request.
static void find_addresses(const dc_kernel *kernel, uint32_t access, const dc_request_of *of,
                           dc_expr_environment *environments, dc__lane_values *values,
                           dc_request *out) {
  uint32_t loop = kernel->blocks[kernel->accesses[access].block].loop;
  dc__access_address(kernel, access, environments, of->lanes, NULL, values);
  if (values->form == DC_LANES_APART || loop == DC_NONE)
    return;
  int64_t *iv = malloc(kernel->n_loops * sizeof *iv);
  if (!iv)
    return;
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    iv[k] = -1;
  for (unsigned k = 0; k < DC_REQUEST_LOOPS && loop != DC_NONE; ++k) {
    iv[loop] = of->iv[k];
    loop = kernel->loops[loop].parent;
  }
  for (unsigned lane = 0; lane < DC_WARP; ++lane) {
    environments[lane].iv = iv;
    environments[lane].n_iv = kernel->n_loops;
  }
  dc__access_address(kernel, access, environments, of->lanes, NULL, values);
  out->by_iteration = values->form == DC_LANES_APART;
  free(iv);
}

// All values of the kernel's parameters that are known, where there is memory for them.
typedef struct params {
  int64_t *values;
  bool *known;
} params;

static params find_params(const dc_kernel *kernel, dc_expr_environment *environments) {
  params p = {malloc((kernel->n_params + 1u) * sizeof *p.values),
              malloc((kernel->n_params + 1u) * sizeof *p.known)};
  if (!p.values || !p.known)
    return p;
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    p.values[k] = kernel->params[k].value;
    p.known[k] = kernel->params[k].known;
  }
  for (unsigned lane = 0; lane < DC_WARP; ++lane) {
    environments[lane].params = p.values;
    environments[lane].params_known = p.known;
    environments[lane].n_params = kernel->n_params;
  }
  return p;
}

// The worst place, with the lines counted from the first that is touched.
static void place_lanes(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                        dc_request *out) {
  dc__taken taken;
  uint64_t worst, first;
  out->places = dc__access_places(access, values, lanes, &taken, &worst);
  if (!out->places) {
    out->known = DC_REQUEST_OPAQUE;
    return;
  }
  out->common = values->common;
  out->least = (unsigned)taken.low;
  int64_t least = INT64_MAX;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    out->address[lane] = (int64_t)((uint64_t)values->apart[lane] + worst);
    least = out->address[lane] < least ? out->address[lane] : least;
  }
  first = (uint64_t)least & ~(uint64_t)(DC_WAVEFRONT - 1);
  for (unsigned lane = 0; lane < DC_WARP; ++lane)
    out->address[lane] = lanes >> lane & 1 ? (int64_t)((uint64_t)out->address[lane] - first) : 0;
  dc__lane_values here = {.form = DC_LANES_APART};
  for (unsigned lane = 0; lane < DC_WARP; ++lane)
    here.apart[lane] = out->address[lane];
  dc__access_places(access, &here, lanes, &taken, &worst);
  out->taken = (unsigned)taken.high;
  out->ideal = (unsigned)taken.ideal_high;
}

void dc_access_request(const dc_kernel *kernel, uint32_t access, const dc_launch *launch,
                       const dc_request_of *of, dc_request *out) {
  const dc_access *data = &kernel->accesses[access];
  dc_expr_environment environments[DC_WARP];
  dc__lane_values values = {.form = DC_LANES_ANY};
  *out = (dc_request){.known = DC_REQUEST_OPAQUE, .stride = DC_NO_EXPR};
  if (data->address == DC_NO_EXPR || !of->lanes)
    return;
  set_environments(launch, of->warp, environments);
  params given = find_params(kernel, environments);
  find_addresses(kernel, access, of, environments, &values, out);
  free(given.values);
  free(given.known);
  out->bounded = values.clamped;
  if (values.form == DC_LANES_APART) {
    out->known = DC_REQUEST_KNOWN;
    place_lanes(data, &values, of->lanes, out);
  } else if (values.form == DC_LANES_STRIDED) {
    out->known = DC_REQUEST_STRIDED;
    out->stride = values.stride;
  } else if (dc_expr_mentions(&kernel->pool, data->address, DC_OP_LOAD, -1)) {
    out->known = DC_REQUEST_LOADED;
  }
}
