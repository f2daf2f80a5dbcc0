// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures branch herding on device 0: what the votes cost, what they save, and what they spoil.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_program.h"
#include "herding.h"
#include "images.h"
#include "results.h"

static const char help[] =
    "usage: gpu-herding [--out DIR]\n"
    "Draws a Mandelbrot and a Julia set on GPU 0 with a growing share of the loop's exits forced "
    "to\n"
    "the warp's majority, and writes to DIR (. if not given):\n"
    "  herding.tsv         times, and what became of the pictures\n"
    "  herding-cycles.tsv  an iteration's cycles in one warp\n"
    "  herding-SET.pgm     pieces of the pictures: iterations as grey; above every 8th pixel, "
    "below\n"
    "                      some of full size; 0, 4, 7 and 10 tenths of the branches forced\n";

enum {
  LAUNCHES = 20,
  CHECKED = 128, // side of the region that is compared with the host's emulation
  PIECE = 512,   // side of a piece of a picture
  PIECES = 4,    // in a row of the file of pictures
  LONG = 200000, // iterations of one warp alone
  LONG_LAUNCHES = 5
};
static const size_t pixels = (size_t)HERDING_SIDE * HERDING_SIDE;

// A kernel, and what it does to the branches: unrolled kernels by share and choice, loops as
// written (share -1) all or none.
typedef struct way {
  const char *kernel;
  int share, choice;
  unsigned forced;
} way;

#define FORCED(share, choice, bits) {"forced_" #share "_" #choice, share, choice, bits},
#define ALL ((1u << HERDING_BRANCHES) - 1)
static const way ways[] = {{"plain", -1, 0, 0},    {"majority", -1, 0, ALL}, {"full", -1, 0, ALL},
                           {"any", -1, 0, 0},      {"told", -1, 0, ALL}, // by what "full" has found
                           HERDING_CHOICES(FORCED)};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct herding {
  gpu *device;
  gpu_module module;
  gpu_memory image, told, cycles;
  unsigned char *right, *found; // pictures: without a vote, and the last one
  unsigned char *expected;      // CHECKED * CHECKED
  unsigned char *pieces;        // two rows of PIECES pieces
  FILE *times, *latencies;
} herding;

static dc_status launch(herding *h, const char *name, herding_window window, unsigned grid,
                        gpu_memory cycles, double *seconds, dc_error *error) {
  gpu_kernel kernel;
  dc_status status = gpu_find(h->device, h->module, name, &kernel, error);
  void *arguments[] = {&window, &h->image, &cycles, &h->told};
  return status == DC_OK
             ? gpu_launch(h->device, kernel, (gpu_launch_dims){.grid = grid, .block = LANES},
                          arguments, seconds, error)
             : status;
}

// --- pictures ------------------------------------------------------------------------------------

// The upper left corners of the pieces in full size, by set: where there is much to see.
static const unsigned corners[][2] = {{1792, 1632}, {1792, 1792}, {0, 0}};

// Pixels of the last picture that aren't the host's, in a region in the middle of the piece.
static unsigned unlike_emulation(herding *h, herding_set set, const herding_window *window,
                                 unsigned forced) {
  unsigned left = corners[set][0] + (PIECE - CHECKED) / 2, unlike = 0;
  unsigned top = corners[set][1] + (PIECE - CHECKED) / 2;
  herding_emulate(window, forced, (herding_region){left, top, CHECKED, CHECKED}, h->expected);
  for (unsigned row = 0; row < CHECKED; ++row)
    for (unsigned column = 0; column < CHECKED; ++column)
      unlike += h->found[(size_t)(top + row) * HERDING_SIDE + left + column] !=
                h->expected[row * CHECKED + column];
  return unlike;
}

static void keep_pieces(herding *h, herding_set set, const way *how) {
  static const int kept[PIECES] = {0, 4, 7, 10};
  for (unsigned piece = 0; piece < PIECES; ++piece)
    if (how->share == kept[piece] && how->choice == 0)
      for (unsigned row = 0; row < 2 * PIECE; ++row)
        for (unsigned column = 0; column < PIECE; ++column) {
          unsigned x = row < PIECE ? 8 * column : corners[set][0] + column;
          unsigned y = row < PIECE ? 8 * row : corners[set][1] + row - PIECE;
          h->pieces[(size_t)row * PIECE * PIECES + piece * PIECE + column] =
              h->found[(size_t)y * HERDING_SIDE + x];
        }
}

static dc_status write_pieces(const herding *h, const char *folder, herding_set set,
                              dc_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s/herding-%s.pgm", folder, herding_set_names[set]);
  FILE *file = fopen(path, "wb");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  size_t bytes = (size_t)2 * PIECE * PIECE * PIECES;
  fprintf(file, "P5\n%d %d\n255\n", PIECE * PIECES, 2 * PIECE);
  bool written = fwrite(h->pieces, 1, bytes, file) == bytes;
  written = fclose(file) == 0 && written;
  return written ? DC_OK : dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
}

// --- times ---------------------------------------------------------------------------------------

static dc_status time_picture(herding *h, const way *how, herding_window window, sample *result,
                              dc_error *error) {
  double values[LAUNCHES];
  double unused;
  dc_status status = launch(h, how->kernel, window, pixels / LANES, 0, &unused, error);
  for (unsigned l = 0; status == DC_OK && l < LAUNCHES; ++l)
    status = launch(h, how->kernel, window, pixels / LANES, 0, &values[l], error);
  if (status == DC_OK)
    status = gpu_read(h->device, h->found, h->image, pixels, error);
  if (status == DC_OK)
    *result = sample_of(values, LAUNCHES);
  return status;
}

static dc_status measure_picture(herding *h, herding_set set, unsigned warp_width_log2,
                                 const way *how, dc_error *error) {
  herding_window window = herding_window_of(set, warp_width_log2);
  sample seconds;
  dc_status status = time_picture(h, how, window, &seconds, error);
  if (status != DC_OK)
    return status;
  if (how == ways) // plain, the first
    memcpy(h->right, h->found, pixels);
  if (strcmp(how->kernel, "full") == 0)
    status = gpu_write(h->device, h->told, h->found, pixels, error);
  herding_difference difference = herding_compare(h->found, h->right, pixels);
  fprintf(h->times, "%s\t%u\t%s\t%d\t%d\t%.17g\t%.17g\t%.17g\t%u\t%.17g\t%.17g\t%.17g\t%u\n",
          herding_set_names[set], 1u << warp_width_log2, how->kernel, how->share, how->choice,
          seconds.median * 1e3, seconds.least * 1e3, seconds.greatest * 1e3, seconds.launches,
          difference.wrong, difference.mean, herding_efficiency(&window, HERDING_SIDE, h->found),
          unlike_emulation(h, set, &window, how->forced));
  if (set != HERDING_FLAT && warp_width_log2 == 3)
    keep_pieces(h, set, how);
  return status;
}

// One warp that never leaves: its cycles, and what the launch took, so also the clock's rate.
static dc_status measure_latency(herding *h, const way *how, dc_error *error) {
  herding_window window = herding_window_of(HERDING_FLAT, 3);
  window.limit = LONG;
  double cycles[LONG_LAUNCHES], seconds[LONG_LAUNCHES];
  long long read = 0;
  dc_status status = launch(h, how->kernel, window, 1, h->cycles, &seconds[0], error);
  for (unsigned l = 0; status == DC_OK && l < LONG_LAUNCHES; ++l) {
    status = launch(h, how->kernel, window, 1, h->cycles, &seconds[l], error);
    if (status == DC_OK)
      status = gpu_read(h->device, &read, h->cycles, sizeof read, error);
    cycles[l] = (double)read;
  }
  if (status != DC_OK)
    return status;
  sample c = sample_of(cycles, LONG_LAUNCHES), s = sample_of(seconds, LONG_LAUNCHES);
  fprintf(h->latencies, "%s\t%d\t%d\t%d\t%.17g\t%.17g\t%.17g\t%.17g\n", how->kernel, how->share,
          how->choice, LONG, c.median, c.least, c.greatest, s.median);
  return DC_OK;
}

static dc_status measure_set(herding *h, herding_set set, const char *folder, dc_error *error) {
  dc_status status = DC_OK;
  unsigned widest = set == HERDING_FLAT ? 3 : 5; // warps of 8 x 4 pixels, and of 32 x 1
  for (unsigned log2 = 3; status == DC_OK && log2 <= widest; log2 += 2) {
    fprintf(stderr, "herding: %s, warps %u pixels wide\n", herding_set_names[set], 1u << log2);
    for (unsigned w = 0; status == DC_OK && w < WAYS; ++w)
      status = measure_picture(h, set, log2, &ways[w], error);
  }
  return status == DC_OK && set != HERDING_FLAT ? write_pieces(h, folder, set, error) : status;
}

static dc_status measure_all(herding *h, const char *folder, dc_error *error) {
  dc_status status = gpu_load(h->device, "herding", image_find("herding"), &h->module, error);
  if (status == DC_OK)
    status = gpu_allocate(h->device, pixels, &h->image, error);
  if (status == DC_OK)
    status = gpu_allocate(h->device, pixels, &h->told, error);
  if (status == DC_OK)
    status = gpu_allocate(h->device, sizeof(long long), &h->cycles, error);
  for (int set = HERDING_MANDELBROT; status == DC_OK && set <= HERDING_FLAT; ++set)
    status = measure_set(h, (herding_set)set, folder, error);
  fputs("herding: one warp\n", stderr);
  for (unsigned w = 0; status == DC_OK && w < WAYS; ++w)
    if (strcmp(ways[w].kernel, "told") != 0) // it is told a byte, too few iterations
      status = measure_latency(h, &ways[w], error);
  return status;
}

// --- files ---------------------------------------------------------------------------------------

static FILE *begin(const gpu *device, const char *folder, const char *name, const char *columns,
                   dc_error *error) {
  char path[1024], origin[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
    return NULL;
  }
  results_origin(device, origin, sizeof origin);
  fprintf(file, "# %s\n%s\n", origin, columns);
  return file;
}

static dc_status end(FILE *file, dc_status status, dc_error *error) {
  if (file && fclose(file) != 0 && status == DC_OK)
    return dc_fail(error, DC_ERROR_FILE, "cannot write the results");
  return status;
}

static dc_status measure_to(gpu *device, const char *folder, dc_error *error) {
  herding h = {.device = device,
               .right = malloc(pixels),
               .found = malloc(pixels),
               .expected = malloc((size_t)CHECKED * CHECKED),
               .pieces = calloc((size_t)2 * PIECE, (size_t)PIECE * PIECES)};
  dc_status status = DC_ERROR_FILE;
  h.times = begin(device, folder, "herding.tsv",
                  "set\twarp_width\tkernel\tshare\tchoice\tmilliseconds\tleast\tgreatest\tlaunches"
                  "\twrong\tdifference\tefficiency\tunlike_emulation",
                  error);
  h.latencies = h.times ? begin(device, folder, "herding-cycles.tsv",
                                "kernel\tshare\tchoice\titerations\tcycles\tleast\tgreatest"
                                "\tseconds",
                                error)
                        : NULL;
  if (!h.right || !h.found || !h.expected || !h.pieces)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else if (h.latencies)
    status = measure_all(&h, folder, error);
  status = end(h.times, end(h.latencies, status, error), error);
  free(h.right);
  free(h.found);
  free(h.expected);
  free(h.pieces);
  return status;
}

int main(int count, char **arguments) {
  return gpu_program_main(&(gpu_program){"gpu-herding", help, measure_to}, count, arguments);
}
