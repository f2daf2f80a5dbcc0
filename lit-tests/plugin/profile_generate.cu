// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumentation puts into a module: counters of trips in loops that may diverge and in no
// others, counters of blocks, a table that the host can find, nothing else; on the host a
// registration and word of launches.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s generate.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm generate.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: %opt -passes=verify -disable-output device.ll
// RUN: FileCheck --implicit-check-not=__divcost_iteration %s < device.ll
// CHECK: @_ZL14__divcost_unit = {{.*}}global [8 x i64] [i64 {{[0-9]+}}, i64 ptrtoint (ptr addrspacecast (ptr addrspace(1) @__divcost_counters to ptr) to i64), i64 [[# LOOPS:]], i64 128,
// CHECK: @__divcost_table = {{.*}}c"divprof\0A
// CHECK-LABEL: define {{.*}}@_Z6kernelPiPKii(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK: call i32 @_ZL16__divcost_rejoinyjjj(i64 {{.*}}, i32 127, i32 %{{.*}}, i32 %{{.*}})
// CHECK-NOT: call {{.*}}__divcost
// CHECK-LABEL: define {{.*}}@_Z6strideIiEvPT_i
// CHECK: call i32 @_ZL16__divcost_rejoinyjjj(
// CHECK-NOT: call {{.*}}__divcost
// CHECK: ret void
//
// Registers, not memory: the counters of a loop cost no loads or stores.
// RUN: not grep -q alloca device.ll
//
// A unit without kernels has an empty entry, and no counters.
// RUN: %clang %cuda -w -O2 -S -emit-llvm -DEMPTY generate.cu -o empty.ll -fplugin-arg-divcost-profile-generate
// RUN: FileCheck --check-prefix=EMPTY --implicit-check-not=__divcost_ %s < empty.ll
// EMPTY: @_ZL14__divcost_unit = {{.*}}zeroinitializer
// EMPTY: @_ZL14__divcost_unit to ptr
//
// Where all lanes of a warp do alike, who is there is asked once, in front of the loop.
// RUN: %clang %cuda -w -O2 -S -emit-llvm -DUNIFORM generate.cu -o uniform.ll -fplugin-arg-divcost-profile-generate
// RUN: FileCheck --check-prefix=UNIFORM %s < uniform.ll
// UNIFORM-LABEL: define {{.*}}@_Z7uniformPii(
// UNIFORM: call i32 @llvm.nvvm.activemask()
// UNIFORM-NOT: {{activemask|__divcost_visits}}
// UNIFORM: red.global.add.u64
// UNIFORM-NOT: {{activemask|__divcost_visits}}
// UNIFORM: ret void
//
// With separate compilation, functions that others may call are counted too.
// RUN: %clang %cuda -w -O2 -S -emit-llvm -fgpu-rdc -cuid=7 generate.cu -o rdc.ll -fplugin-arg-divcost-profile-generate
// RUN: %opt -passes=verify -disable-output rdc.ll && FileCheck --check-prefix=RDC %s < rdc.ll
// RDC: @_ZL14__divcost_unit__static__{{.*}} = dso_local addrspace(1) externally_initialized global [8 x i64] [i64
// RDC-LABEL: define {{.*}}@_Z8uncalledPii(
// RDC: call i32 @_ZL16__divcost_rejoinyjjj(
//
// Every architecture has what it needs: no match and no barrier of a warp before sm_70, no reduction
// before sm_80.
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_60 -w -O2 -S generate.cu -o 60.s -fplugin-arg-divcost-profile-check
// RUN: FileCheck --check-prefix=SM60 --implicit-check-not=match.any --implicit-check-not=bar.warp --implicit-check-not=redux %s < 60.s
// SM60: red.global.add.u64
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_75 -w -O2 -S generate.cu -o 75.s -fplugin-arg-divcost-profile-check
// RUN: FileCheck --check-prefix=SM75 --implicit-check-not=redux %s < 75.s
// SM75: bar.warp.sync
// SM75: match.any.sync
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -w -O2 -S generate.cu -o 90.s -fplugin-arg-divcost-profile-generate
// RUN: FileCheck --check-prefix=SM90 %s < 90.s
// SM90: redux.sync.add
// RUN: %python %S/Inputs/assemble.py sm_75 75.s && %python %S/Inputs/assemble.py sm_90 90.s
//
// The host registers the unit, and hears of launches before they are made.
// RUN: %clang %cuda-any --cuda-host-only -O2 -S -emit-llvm generate.cu -o host.ll '-fplugin-arg-divcost-profile-generate=a "b".divprof'
// RUN: FileCheck --check-prefix=HOST %s < host.ll
// HOST: c"a \22b\22.divprof\00"
// HOST-DAG: call void @dc_profile_launched()
// HOST-DAG: call void @dc_profile_register(ptr
// HOST-DAG: declare void @dc_profile_register(
// From CUDA 9 on launches tell their kernel and dimensions.
// RUN: %clang %cuda-any --cuda-host-only -O2 -S -emit-llvm -Xclang -target-sdk-version=12.0 generate.cu -o host.ll -fplugin-arg-divcost-profile-generate
// RUN: FileCheck --check-prefix=LAUNCH %s < host.ll
// LAUNCH: call void @dc_profile_launched_stub(ptr {{.*}}@_Z21__device_stub__kernelPiPKii, i64 %{{.*}}, i32 %{{.*}}, i64 %{{.*}}, i32 %{{.*}}, ptr {{.*}}, i64 %{{.*}})
// LAUNCH-NEXT: call {{.*}}@cudaLaunchKernel(
// RUN: %clang %cuda-any --cuda-host-only -O2 -S -emit-llvm -DRESET generate.cu -o host.ll -fplugin-arg-divcost-profile-generate
// RUN: FileCheck --check-prefix=RESET %s < host.ll
// RESET: call void @dc_profile_collect()
// RESET-NEXT: call i32 @cudaDeviceReset()
//
// Where no pipeline runs, there is nothing to instrument.
// RUN: not %clang %cuda -w -O2 -c -emit-llvm -save-temps generate.cu -o /dev/null -fplugin-arg-divcost-profile-generate 2>&1 | FileCheck --check-prefix=TEMPS %s
// TEMPS: error: divcost: profile-generate instruments in the compiler's pipeline
// RUN: not %opt -passes='divcost<profile-use=a.divprof>' -disable-output device.ll 2>&1 | FileCheck --check-prefix=OPT %s
// OPT: divcost: profiles, measurements and ptxas's words need the source

#ifdef EMPTY
#elif defined(UNIFORM)
__global__ void uniform(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}
#else
__global__ void kernel(int *out, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}
template <typename T> __global__ void stride(T *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] -= 1;
}
__device__ void uncalled(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}
#ifdef RESET
extern "C" int cudaDeviceReset();
#endif
void run(int *out, const int *bound) {
  kernel<<<1, 64>>>(out, bound, 100);
  stride<<<1, 64>>>(out, 100);
#ifdef RESET
  cudaDeviceReset();
#endif
}
#endif
