// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's interface as "CUDA Driver API" documents it; names with _v2 are what cuda.h maps the
// plain ones to.
#include "gpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the driver's library ------------------------------------------------------------------------

typedef int result_code;
typedef struct context_handle *context;
typedef struct event_handle *event;

enum { // CUdevice_attribute
  ATTRIBUTE_CLOCK_RATE = 13,
  ATTRIBUTE_MULTIPROCESSORS = 16,
  ATTRIBUTE_L2_BYTES = 38,
  ATTRIBUTE_THREADS = 39,
  ATTRIBUTE_MAJOR = 75,
  ATTRIBUTE_MINOR = 76
};

#define DRIVER_FUNCTIONS(X)                                                                        \
  X(init, "cuInit", (unsigned))                                                                    \
  X(error_text, "cuGetErrorString", (result_code, const char **))                                  \
  X(version, "cuDriverGetVersion", (int *))                                                        \
  X(device, "cuDeviceGet", (int *, int))                                                           \
  X(device_name, "cuDeviceGetName", (char *, int, int))                                            \
  X(attribute, "cuDeviceGetAttribute", (int *, int, int))                                          \
  X(memory, "cuDeviceTotalMem_v2", (size_t *, int))                                                \
  X(retain, "cuDevicePrimaryCtxRetain", (context *, int))                                          \
  X(release, "cuDevicePrimaryCtxRelease_v2", (int))                                                \
  X(enter, "cuCtxSetCurrent", (context))                                                           \
  X(load, "cuModuleLoadData", (gpu_module *, const void *))                                        \
  X(unload, "cuModuleUnload", (gpu_module))                                                        \
  X(find, "cuModuleGetFunction", (gpu_kernel *, gpu_module, const char *))                         \
  X(allocate, "cuMemAlloc_v2", (gpu_memory *, size_t))                                             \
  X(release_memory, "cuMemFree_v2", (gpu_memory))                                                  \
  X(clear, "cuMemsetD8_v2", (gpu_memory, unsigned char, size_t))                                   \
  X(to_device, "cuMemcpyHtoD_v2", (gpu_memory, const void *, size_t))                              \
  X(to_host, "cuMemcpyDtoH_v2", (void *, gpu_memory, size_t))                                      \
  X(launch, "cuLaunchKernel",                                                                      \
    (gpu_kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,     \
     void **, void **))                                                                            \
  X(resident, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *, gpu_kernel, int, size_t))     \
  X(synchronize, "cuCtxSynchronize", (void))                                                       \
  X(make_event, "cuEventCreate", (event *, unsigned))                                              \
  X(record, "cuEventRecord", (event, void *))                                                      \
  X(elapsed, "cuEventElapsedTime", (float *, event, event))

typedef struct driver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator and parameters
#define DECLARE(name, symbol, arguments) result_code(*name) arguments;
  DRIVER_FUNCTIONS(DECLARE)
#undef DECLARE
} driver;

typedef struct modules {
  gpu_module *items;
  unsigned count;
} modules;

struct gpu {
  void *library;
  driver call;
  gpu_facts facts;
  int ordinal;
  bool retained;
  modules loaded;
  event before, after;
};

// The first function that the driver doesn't have, or NULL.
static const char *find_functions(gpu *device) {
#define FIND(name, symbol, arguments)                                                              \
  {                                                                                                \
    void *address = dlsym(device->library, symbol);                                                \
    if (!address)                                                                                  \
      return symbol;                                                                               \
    memcpy(&device->call.name, &address, sizeof address);                                          \
  }
  DRIVER_FUNCTIONS(FIND)
#undef FIND
  return NULL;
}

static dc_status check(const gpu *device, result_code result, const char *what, dc_error *error) {
  if (result == 0)
    return DC_OK;
  const char *text = NULL;
  device->call.error_text(result, &text);
  return dc_fail(error, DC_ERROR_LIMIT, "%s: %s (driver's error %d)", what, text ? text : "unknown",
                 result);
}

// --- the device ----------------------------------------------------------------------------------

static int attribute(const gpu *device, int which) {
  int value = 0;
  device->call.attribute(&value, which, device->ordinal);
  return value;
}

static void look(gpu *device) {
  int version = 0;
  size_t memory = 0;
  device->call.version(&version);
  device->call.memory(&memory, device->ordinal);
  device->call.device_name(device->facts.name, sizeof device->facts.name, device->ordinal);
  device->facts.sm =
      (unsigned)(10 * attribute(device, ATTRIBUTE_MAJOR) + attribute(device, ATTRIBUTE_MINOR));
  device->facts.multiprocessors = (unsigned)attribute(device, ATTRIBUTE_MULTIPROCESSORS);
  device->facts.threads = (unsigned)attribute(device, ATTRIBUTE_THREADS);
  device->facts.clock_khz = (unsigned)attribute(device, ATTRIBUTE_CLOCK_RATE);
  device->facts.driver = (unsigned)version;
  device->facts.memory = memory;
  device->facts.l2_bytes = (uint64_t)attribute(device, ATTRIBUTE_L2_BYTES);
}

static dc_status begin(gpu *device, dc_error *error) {
  if (device->call.init(0) != 0 || device->call.device(&device->ordinal, 0) != 0)
    return dc_fail(error, DC_ERROR_FILE, "the NVIDIA driver is there, but no GPU that it can use");
  context entered;
  dc_status status =
      check(device, device->call.retain(&entered, device->ordinal), "opening the GPU", error);
  if (status != DC_OK)
    return status;
  device->retained = true;
  look(device);
  status = check(device, device->call.enter(entered), "entering the GPU's context", error);
  if (status == DC_OK)
    status = check(device, device->call.make_event(&device->before, 0), "making an event", error);
  if (status == DC_OK)
    status = check(device, device->call.make_event(&device->after, 0), "making an event", error);
  return status;
}

dc_status gpu_open(gpu **result, dc_error *error) {
  gpu *device = calloc(1, sizeof *device);
  if (!device)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  device->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const char *missing = device->library ? find_functions(device) : NULL;
  dc_status status;
  if (!device->library)
    status = dc_fail(error, DC_ERROR_FILE,
                     "no GPU to measure: the NVIDIA driver's libcuda.so.1 isn't on this machine");
  else if (missing)
    status = dc_fail(error, DC_ERROR_FILE, "the NVIDIA driver has no %s: it is too old", missing);
  else
    status = begin(device, error);
  if (status != DC_OK) {
    gpu_close(device);
    return status;
  }
  *result = device;
  return DC_OK;
}

void gpu_close(gpu *device) {
  if (!device)
    return;
  for (unsigned m = 0; m < device->loaded.count; ++m)
    device->call.unload(device->loaded.items[m]);
  free(device->loaded.items);
  if (device->retained)
    device->call.release(device->ordinal);
  if (device->library)
    dlclose(device->library);
  free(device);
}

const gpu_facts *gpu_what(const gpu *device) { return &device->facts; }

// --- kernels and memory --------------------------------------------------------------------------

dc_status gpu_load(gpu *device, const char *name, const void *image, gpu_module *module,
                   dc_error *error) {
  modules *loaded = &device->loaded;
  gpu_module *items = realloc(loaded->items, (loaded->count + 1) * sizeof *items);
  if (!items)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  loaded->items = items;
  char what[128];
  snprintf(what, sizeof what, "loading the kernels of %.80s", name);
  dc_status status = check(device, device->call.load(module, image), what, error);
  if (status == DC_OK)
    items[loaded->count++] = *module;
  return status;
}

dc_status gpu_find(gpu *device, gpu_module module, const char *name, gpu_kernel *kernel,
                   dc_error *error) {
  char what[128];
  snprintf(what, sizeof what, "finding the kernel %.80s", name);
  return check(device, device->call.find(kernel, module, name), what, error);
}

dc_status gpu_resident(gpu *device, gpu_kernel kernel, unsigned block, unsigned *blocks,
                       dc_error *error) {
  int count = 0;
  dc_status status = check(device, device->call.resident(&count, kernel, (int)block, 0),
                           "asking how many blocks fit", error);
  *blocks = (unsigned)count;
  return status;
}

dc_status gpu_allocate(gpu *device, size_t bytes, gpu_memory *memory, dc_error *error) {
  char what[64];
  snprintf(what, sizeof what, "allocating %zu bytes on the GPU", bytes);
  dc_status status = check(device, device->call.allocate(memory, bytes), what, error);
  if (status == DC_OK)
    status = check(device, device->call.clear(*memory, 0, bytes), what, error);
  return status;
}

void gpu_free(gpu *device, gpu_memory memory) { device->call.release_memory(memory); }

dc_status gpu_write(gpu *device, gpu_memory to, const void *from, size_t bytes, dc_error *error) {
  return check(device, device->call.to_device(to, from, bytes), "copying to the GPU", error);
}

dc_status gpu_read(gpu *device, void *to, gpu_memory from, size_t bytes, dc_error *error) {
  return check(device, device->call.to_host(to, from, bytes), "copying from the GPU", error);
}

static dc_status start(const gpu *device, const gpu_work *work, dc_error *error) {
  const gpu_launch_dims *shape = &work->shape;
  return check(device,
               device->call.launch(work->kernel, shape->grid, shape->grid_y ? shape->grid_y : 1, 1,
                                   shape->block, shape->block_y ? shape->block_y : 1, 1,
                                   shape->shared, NULL, work->arguments, NULL),
               "launching a kernel", error);
}

// Between two events, `times` the work; then waits.
static dc_status time_work(gpu *device, const gpu_work *work, unsigned times, double *seconds,
                           dc_error *error) {
  const driver *call = &device->call;
  float milliseconds = 0.0f;
  dc_status status = check(device, call->record(device->before, NULL), "recording an event", error);
  for (unsigned k = 0; status == DC_OK && k < times; ++k)
    status = start(device, work, error);
  if (status == DC_OK)
    status = check(device, call->record(device->after, NULL), "recording an event", error);
  if (status == DC_OK)
    status = check(device, call->synchronize(), "running a kernel", error);
  if (status == DC_OK && seconds) {
    status = check(device, call->elapsed(&milliseconds, device->before, device->after),
                   "reading the time", error);
    *seconds = milliseconds * 1e-3;
  }
  return status;
}

dc_status gpu_launch(gpu *device, gpu_kernel kernel, gpu_launch_dims shape, void **arguments,
                     double *seconds, dc_error *error) {
  return time_work(device, &(gpu_work){kernel, shape, arguments}, 1, seconds, error);
}

dc_status gpu_launch_behind(gpu *device, const gpu_work *first, const gpu_work *work,
                            unsigned times, double *seconds, dc_error *error) {
  dc_status status = start(device, first, error);
  return status == DC_OK ? time_work(device, work, times, seconds, error) : status;
}
