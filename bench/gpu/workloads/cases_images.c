// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a pixel per thread, whose neighbours do alike: the lanes aren't independent.
#include "cases.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1024, HEIGHT = 768 };

typedef struct view {
  float left, top, step;
  int32_t limit;
} view;

static void mandelbrot_trips(const view *of, int32_t *trips) {
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    int column = i % WIDTH, row = i / WIDTH;
    float cx = of->left + (float)column * of->step, cy = of->top - (float)row * of->step;
    float x = 0.0f, y = 0.0f;
    for (trips[i] = 0; trips[i] < of->limit && x * x + y * y <= 4.0f; ++trips[i]) {
      float next_x = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next_x;
    }
  }
}

// One point of the set for all pixels, and as many iterations as they have in the mean.
static view balanced_view(int32_t *trips) {
  double total = 0;
  for (int i = 0; i < WIDTH * HEIGHT; ++i)
    total += trips[i];
  view of = {-0.1f, 0.1f, 0.0f, (int32_t)round(total / (WIDTH * HEIGHT))};
  mandelbrot_trips(&of, trips);
  return of;
}

void make_mandelbrot(workload *w) {
  view of = {-2.0f, 1.25f, 2.5f / HEIGHT, 256};
  int32_t *trips = workload_memory(WIDTH * HEIGHT, sizeof *trips);
  mandelbrot_trips(&of, trips);
  if (workload_is_balanced(w))
    of = balanced_view(trips);
  workload_launch_2d(w, WIDTH / 8, HEIGHT / 4, 8, 4);
  workload_array(w, WIDTH * HEIGHT, sizeof(int32_t));
  workload_integer(w, "width", WIDTH);
  workload_integer(w, "height", HEIGHT);
  workload_real(w, of.left);
  workload_real(w, of.top);
  workload_real(w, of.step);
  workload_integer(w, "limit", of.limit);
  tally_image(w, workload_tally(w, 19, TALLY_ROUNDING), trips, WIDTH, HEIGHT);
  free(trips);
}

void make_julia(workload *w) {
  const int32_t limit = 256;
  const float cx = -0.8f, cy = 0.156f;
  workload_launch_2d(w, WIDTH / 16, HEIGHT / 16, 16, 16);
  workload_array(w, WIDTH * HEIGHT, 1);
  workload_integer(w, "width", WIDTH);
  workload_integer(w, "height", HEIGHT);
  workload_real(w, cx);
  workload_real(w, cy);
  workload_integer(w, "max_iterations", limit);
  int32_t *trips = workload_memory(WIDTH * HEIGHT, sizeof *trips);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    int column = i % WIDTH - WIDTH / 2, row = i / WIDTH - HEIGHT / 2;
    float x = 3.0f * (float)column / WIDTH, y = 3.0f * (float)row / HEIGHT;
    while (trips[i] < limit) {
      float xx = x * x, yy = y * y;
      ++trips[i]; // the iteration that breaks counts
      if (xx + yy > 4.0f)
        break;
      y = 2.0f * x * y + cy;
      x = xx - yy + cx;
    }
  }
  tally_image(w, workload_tally(w, 17, TALLY_ROUNDING), trips, WIDTH, HEIGHT);
  free(trips);
}

static float distance_to_scene(float (*spheres)[4], int count, float x, float y, float z) {
  float nearest = y + 1.0f;
  for (int s = 0; s < count; ++s) {
    float dx = x - spheres[s][0], dy = y - spheres[s][1], dz = z - spheres[s][2];
    nearest = fminf(nearest, sqrtf(dx * dx + dy * dy + dz * dz) - spheres[s][3]);
  }
  return nearest;
}

void make_ray_march(workload *w) {
  enum { SPHERES = 8, STEPS = 256 };
  workload_launch_2d(w, WIDTH / 8, HEIGHT / 8, 8, 8);
  float (*spheres)[4] = workload_take(w, draw_reals(w, 4 * SPHERES), 4 * SPHERES * sizeof(float));
  for (int s = 0; s < SPHERES; ++s) {
    spheres[s][0] *= 3;
    spheres[s][2] *= 2;
    spheres[s][3] = 0.4f + 0.2f * spheres[s][3];
  }
  workload_integer(w, "count", SPHERES);
  workload_array(w, WIDTH * HEIGHT, sizeof(float));
  workload_integer(w, "width", WIDTH);
  workload_integer(w, "height", HEIGHT);
  workload_integer(w, "max_steps", STEPS);
  int32_t *trips = workload_memory(WIDTH * HEIGHT, sizeof *trips);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    int column = 2 * (i % WIDTH) - WIDTH, row = HEIGHT - 2 * (i / WIDTH);
    float dx = (float)column / HEIGHT, dy = (float)row / HEIGHT;
    float scale = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f), depth = 0.0f;
    while (trips[i] < STEPS) {
      ++trips[i];
      float distance = distance_to_scene(spheres, SPHERES, depth * dx * scale, depth * dy * scale,
                                         depth * scale - 4.0f);
      if (distance < 1e-3f)
        break;
      depth += distance;
      if (depth > 100.0f)
        break;
    }
  }
  tally_image(w, workload_tally(w, 33, TALLY_ROUNDING), trips, WIDTH, HEIGHT);
  free(trips);
}
