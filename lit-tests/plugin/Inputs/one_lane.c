/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU of one lane, and a CUDA runtime whose device memory is the host's; see one_lane.py. The
 * test's own file has `run`, which calls kernels for each thread. */
#include <stddef.h>
#include <string.h>

unsigned one_lane_tid, one_lane_ctaid, one_lane_ntid = 64;

void one_lane_add(unsigned long long address, unsigned long long value) {
  *(unsigned long long *)address += value;
}
void one_lane_add_if(unsigned long long address, unsigned long long value, unsigned condition) {
  if (condition)
    one_lane_add(address, value);
}
unsigned long long one_lane_grid(void) { return 1; }
#ifndef ONE_WARP /* else one_warp.c has lanes */
unsigned nvvm_activemask(void) { return 1; }
unsigned nvvm_match_any_sync_i32(unsigned mask, unsigned value) { return (void)value, mask; }
unsigned nvvm_redux_sync_add(unsigned value, unsigned mask) { return (void)mask, value; }
unsigned nvvm_redux_sync_umax(unsigned value, unsigned mask) { return (void)mask, value; }
void nvvm_bar_warp_sync(unsigned mask) { (void)mask; }
unsigned nvvm_vote_ballot_sync(unsigned mask, _Bool predicate) { return predicate ? mask : 0; }
_Bool nvvm_vote_all_sync(unsigned mask, _Bool predicate) { return (void)mask, predicate; }
unsigned nvvm_shfl_sync_idx_i32(unsigned mask, unsigned value, unsigned lane, unsigned clamp) {
  return (void)mask, (void)lane, (void)clamp, value;
}
unsigned nvvm_read_ptx_sreg_laneid(void) { return 0; }
unsigned nvvm_read_ptx_sreg_lanemask_lt(void) { return 0; }
unsigned nvvm_read_ptx_sreg_lanemask_ge(void) { return ~0u; }
unsigned nvvm_read_ptx_sreg_smid(void) { return one_lane_tid; } /* all copies of the counters */
unsigned nvvm_read_ptx_sreg_tid_x(void) { return one_lane_tid; }
#endif
unsigned nvvm_read_ptx_sreg_ctaid_x(void) { return one_lane_ctaid; }
unsigned nvvm_read_ptx_sreg_ctaid_y(void) { return 0; }
unsigned nvvm_read_ptx_sreg_ctaid_z(void) { return 0; }
unsigned nvvm_read_ptx_sreg_nctaid_x(void) { return 2; }
unsigned nvvm_read_ptx_sreg_nctaid_y(void) { return 1; }
unsigned nvvm_read_ptx_sreg_ntid_x(void) { return one_lane_ntid; }

_Bool nvvm_isspacep_shared(const void *address) { return address != NULL; }

/* Of the device library, whatever they compute. */
float __nv_sqrtf(float x) { return x; }
float __nv_sinf(float x) { return x; }
void __nv_sincosf(float x, float *sine, float *cosine) { *sine = *cosine = x; }
float __nv_atan2f(float y, float x) { return y + x; }
float __nv_hypotf(float y, float x) { return y + x; }

/* The unit's symbol is its address. */
int cudaGetDevice(int *device) { return *device = 0; }
int cudaSetDevice(int device) { return device; }
int cudaDeviceSynchronize(void) { return 0; }
int cudaGetSymbolAddress(void **address, const void *symbol) {
  *address = (void *)symbol;
  return 0;
}
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  memcpy(to, from, bytes);
  return (void)kind, 0;
}
int cudaMemset(void *address, int value, size_t bytes) {
  memset(address, value, bytes);
  return 0;
}
const char *cudaGetErrorString(int error) { return error ? "an error" : "no error"; }

void dc_profile_register(const void *unit, const char *path);
void dc_profile_launched(void);
void run(void);
extern unsigned long long divcost_unit[8];

int main(int count, char **arguments) {
  dc_profile_register(divcost_unit, count > 1 ? arguments[1] : "default.divprof");
  dc_profile_launched();
  run();
  return 0;
}
