// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are left out are never silent: through tables of pointers, virtual calls, functions of
// other units. What a pointer may lead to are the functions of its type whose address is taken.
//
// RUN: %clang %cuda -O2 -w -S -o /dev/null -fgpu-rdc %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/verdicts.py %t.json | FileCheck %s --match-full-lines
//
// RUN: %clang %cuda -O2 -w -S -o /dev/null -fgpu-rdc %s -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck --check-prefix=LIST %s < %t.txt
// RUN: tr '\n' ' ' < %t.txt | tr -s ' ' | FileCheck --check-prefix=TEXT %s
// RUN: %divcost report %t.json | diff - %t.txt
// RUN: %divcost report --jsonl %t.json | %python -c "import json, sys; ids = [row['loop'] \
// RUN:   for row in map(json.loads, sys.stdin) if row['row'] == 'loop']; assert len(ids) == len(set(ids))"
//
// A kernel that loses nothing beside its calls doesn't say so without them.
// LIST-DAG: 0% {{.*}} by_table, without its calls
// LIST-DAG: 0% {{.*}} no_call{{$}}
// TEXT-DAG: calls of functions that aren't inlined (through a pointer: first(int), second(int)): what happens in them is in none of the kernel's figures
// TEXT-DAG: in a function that is called, in none of the kernel's
// TEXT-DAG: unknown the arguments of a function that is not inlined

typedef int (*operation)(int);
__device__ __noinline__ int first(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 3 + i;
  return s;
}
__device__ __noinline__ int second(int n) {
  int s = 1;
  for (int i = 0; i < 100; ++i)
    s = s * 5 + n;
  return s;
}
// The same parameters, another result; and none of whose address is taken.
__device__ __noinline__ float real(int n) {
  float s = 1;
  for (int i = 0; i < n; ++i)
    s = s * 5 + n;
  return s;
}
__device__ __noinline__ int never_taken(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 7 + i;
  return s;
}
__device__ operation const table[2] = {first, second};
__device__ float (*reals[1])(int) = {real};

// CHECK-LABEL: kernel by_table 256x1x1 (assumed)
// CHECK-NEXT: calls first(int) (pointer)
// CHECK-NEXT: calls second(int) (pointer)
// CHECK-NEXT: in first: unknown, max(?, 0)
// CHECK-NEXT: in second: uniform, 100
__global__ void by_table(int *out) {
  out[threadIdx.x] = table[out[threadIdx.x] & 1](out[threadIdx.x]);
}

// What depends on such a call is unknown, and the reason says where it is.
// TEXT-DAG: pointers.cu:[[#@LINE+8]]:11: nothing is known of a call through a pointer
// TEXT-DAG: unknown a call through a pointer
// CHECK-LABEL: kernel loop_by_table 256x1x1 (assumed)
// CHECK-NEXT: calls first(int) (pointer)
// CHECK-NEXT: calls second(int) (pointer)
// CHECK-NEXT: in first: unknown, max(?, 0)
// CHECK-NEXT: in second: uniform, 100
__global__ void loop_by_table(int *out) {
  int n = table[out[0] & 1](3);
  // CHECK-NEXT: [[#@LINE+1]]: unknown, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

struct entry {
  int key;
  operation apply;
};
__device__ entry entries[2] = {{1, first}, {2, second}};
// CHECK-LABEL: kernel by_struct 256x1x1 (assumed)
// CHECK-NEXT: calls first(int) (pointer)
// CHECK-NEXT: calls second(int) (pointer)
__global__ void by_struct(int *out) {
  out[threadIdx.x] = entries[out[threadIdx.x] & 1].apply(out[threadIdx.x]);
}

// CHECK-LABEL: kernel by_local_table 256x1x1 (assumed)
// CHECK-DAG: calls first(int) (pointer)
// CHECK-DAG: calls second(int) (pointer)
__global__ void by_local_table(int *out, int k) {
  operation mine[2] = {first, second};
  out[threadIdx.x] = mine[k & 1](out[threadIdx.x]);
}

// CHECK-LABEL: kernel by_parameter 256x1x1 (assumed)
// CHECK-NEXT: calls real(int) (pointer)
// CHECK-NEXT: in real: unknown, max(?, 0)
__global__ void by_parameter(float *out, float (*f)(int)) { out[threadIdx.x] = f(3); }

// Nothing of this type: others it must be.
// CHECK-LABEL: kernel of_no_type 256x1x1 (assumed)
// CHECK-NEXT: calls others (pointer)
// TEXT-DAG: (through a pointer: not known which)
__global__ void of_no_type(float *out, float (*f)(float, int)) { out[threadIdx.x] = f(3, 4); }

// CHECK-LABEL: kernel no_call 256x1x1 (assumed)
// CHECK-NEXT: in never_taken: uniform, max(n, 0)
__global__ void no_call(int *out, int n) { out[threadIdx.x] = never_taken(n); }

struct shape {
  __device__ virtual int sides(int n) = 0;
  __device__ virtual void grow() {}
};
struct square : shape {
  __device__ int sides(int n) override { return first(n); }
};
struct polygon : shape {
  __device__ int sides(int n) override { return never_taken(n); }
};
// Not the ones of another type, grow().
// CHECK-LABEL: kernel virtual_call 256x1x1 (assumed)
// CHECK-NEXT: calls square::sides(int) (pointer)
// CHECK-NEXT: calls polygon::sides(int) (pointer)
// CHECK-NEXT: in first: unknown, max(?, 0)
// CHECK-NEXT: in never_taken: unknown, max(?, 0)
__global__ void virtual_call(int *out) {
  square s;
  polygon p;
  shape *either = out[threadIdx.x] & 1 ? (shape *)&s : (shape *)&p;
  out[threadIdx.x] = either->sides(out[threadIdx.x]);
}

extern __device__ int external(int);
// CHECK-LABEL: kernel of_another_unit 256x1x1 (assumed)
// CHECK-NEXT: calls external(int) (elsewhere)
// TEXT-DAG: calls of functions that aren't inlined (in another unit: external(int)): what happens
// TEXT-DAG: unknown a call to 'external(int)', which another unit defines
__global__ void of_another_unit(int *out) {
  int n = external(3);
  // CHECK-NEXT: [[#@LINE+1]]: unknown, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// What CUDA's runtime defines isn't told: it has no loop of the program's.
// CHECK-LABEL: kernel of_the_runtime 256x1x1 (assumed)
__global__ void of_the_runtime(int **out) {
  printf("%d", 3);
  out[threadIdx.x] = (int *)malloc(16);
  if (!out[threadIdx.x])
    __assert_fail("out", "x", 1, "f");
  free(out[0]);
}

// A function that reaches its own table, and itself: once.
__device__ long recurse(long n);
__device__ long (*const recursive[2])(long) = {recurse, recurse};
__device__ long recurse(long n) {
  return n < 3 ? n : recursive[n & 1](n - 1) + recurse(n - 2);
}
// CHECK-LABEL: kernel recursive_table 256x1x1 (assumed)
// CHECK-NEXT: calls recurse(long) (pointer)
// CHECK-NEXT: in recurse: unknown, ceil((? - 2) / 2)
__global__ void recursive_table(long *out) {
  out[threadIdx.x] = recursive[out[threadIdx.x] & 1](out[threadIdx.x]);
}

// Inlined where it is called by its name, and reached through the table, too: two loops with ids of
// their own.
// CHECK-LABEL: kernel both 256x1x1 (assumed)
// CHECK-NEXT: calls first(int) (pointer)
// CHECK-NEXT: calls second(int) (pointer)
// CHECK-NEXT: in first: uniform, max(n, 0)
// CHECK-NEXT: in first: unknown, max(?, 0)
__global__ void both(int *out, int n) { out[threadIdx.x] = first(n) + table[out[threadIdx.x] & 1](n); }
