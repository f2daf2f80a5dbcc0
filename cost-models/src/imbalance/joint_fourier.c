// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The joint distribution of maximum and sum through its spectrum. At frequency k of N, with N more
// than the row's largest sum, let G and g be the sums of f(v) exp(-2 pi i k v / N) over v <= m and
// v < m; the row of m is the inverse transform of G^n - g^n. What keeps this short:
// - G follows from g by one term, and G^n - g^n without cancellation from G - g.
// - Summation by parts bounds |G| at frequency k by (total variation of f) / (2 sin(pi k / N)), so
//   for a distribution that isn't rough the n-th power leaves only P << N frequencies. N = P A, and
//   the row is A transforms of P values: those at t = a, a + A, a + 2 A, ... are the transform of
//   the spectrum times exp(2 pi i k a / N). Otherwise P = N, a power of two.
// - Two rows go through one transform as real and imaginary part.
// N and P are chosen anew for each stage, a run of rows in which the largest sum grows by a third.
// Rows are divided by the probability of their maximum, so that the improbable ones keep digits
// too.
#include "imbalance/joint_stage.h"

#include "math/fft.h"
#include "math/fft_quads.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Cells below this part of the root of the row's sum of squares are rounding's.
#define ROUNDING 3e-15

// Phases go on by multiplication for so many steps.
#define FRESH_STEPS 64

// A complex number for each frequency.
typedef struct spectrum {
  double *re, *im;
} spectrum;

typedef struct fourier {
  const dc_joint *joint;
  dc_joint_visit visit;
  void *context;
  dc_stage stage;
  size_t half; // frequencies 0 .. half are kept
  spectrum g, phase, step, rows[2];
  // Bit-reversed: two rows as one; exp(2 pi i k / N), and its fourth power.
  spectrum packed, turn, turn4;
  // Quads, if strides > 1: what is transformed, and what will be next.
  spectrum work, next;
  double *twiddles;
  unsigned log2_twiddles;
  double *cells[2];
  double below; // the mass under the next row
  bool has_phase;
  size_t current; // the position that phase is for
  size_t fresh;   // the last one for which it was made by cos and sin
} fourier;

static size_t padded(size_t count) { return (count + 7) / 8 * 8; }

// ---- memory ------------------------------------------------------------------------------------

// The largest P and N = P A that any stage has, and what the stages cost.
typedef struct plan {
  unsigned log2_band;
  size_t values;
  size_t work; // doubles in one array of what is transformed
  double seconds;
} plan;

static plan plan_of(const dc_joint *joint) {
  plan p = {.log2_band = 3};
  dc_variation v = dc__variation_before(joint);
  for (size_t row = joint->first_row; row < joint->count;) {
    dc_stage s = dc__stage_at(joint, row, &v);
    size_t band = (size_t)1 << s.log2_band, work = s.strides > 1 ? 4 * band : 0;
    p.log2_band = s.log2_band > p.log2_band ? s.log2_band : p.log2_band;
    p.values = s.strides * band > p.values ? s.strides * band : p.values;
    p.work = work > p.work ? work : p.work;
    // Measured: 0.2 ns per value and level, 20 ns per frequency.
    double each = s.size * (0.1 * s.log2_band + 1.5) + s.band * 10;
    p.seconds += (each * (double)(s.end - row) + s.band * 100 + s.band * (double)row) * 1e-9;
    row = s.end;
  }
  return p;
}

double dc__joint_fourier_seconds(const dc_joint *joint) { return plan_of(joint).seconds; }

static size_t take(double **memory, size_t count) {
  if (*memory)
    *memory += padded(count);
  return padded(count);
}

// Lays out the arrays from memory on, or counts only; returns the number of doubles.
static size_t lay_out(const plan *p, double *memory, fourier *f) {
  size_t band = (size_t)1 << p->log2_band, half = band / 2 + 1, total = 0;
  spectrum *const halves[] = {&f->g, &f->phase, &f->step, &f->rows[0], &f->rows[1]};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; ++i) {
    halves[i]->re = memory;
    total += take(&memory, half);
    halves[i]->im = memory;
    total += take(&memory, half);
  }
  spectrum *const wholes[] = {&f->packed, &f->turn, &f->turn4};
  for (size_t i = 0; i < 3; ++i) {
    wholes[i]->re = memory;
    total += take(&memory, band);
    wholes[i]->im = memory;
    total += take(&memory, band);
  }
  spectrum *const quads[] = {&f->work, &f->next};
  for (size_t i = 0; i < 2; ++i) {
    quads[i]->re = memory;
    total += take(&memory, p->work);
    quads[i]->im = memory;
    total += take(&memory, p->work);
  }
  f->twiddles = memory;
  total += take(&memory, 2 * band);
  for (size_t i = 0; i < 2; ++i) {
    f->cells[i] = memory;
    total += take(&memory, p->values + 3); // whole quads are written
  }
  return total;
}

size_t dc__joint_fourier_bytes(const dc_joint *joint) {
  fourier unused = {0};
  plan p = plan_of(joint);
  return lay_out(&p, NULL, &unused) * sizeof(double) + sizeof(quad); // for alignment
}

// ---- spectra -----------------------------------------------------------------------------------

// s = exp(-2 pi i k position / N).
static void phases(const fourier *f, size_t position, spectrum s) {
  double size = f->stage.size;
  for (size_t k = 0; k <= f->half; ++k) {
    if (position == 0) {
      s.re[k] = 1;
      s.im[k] = 0;
      continue;
    }
    double turns = fmod((double)k * (double)position, size) / size; // exact up to 2^53
    s.re[k] = cos(2 * pi * turns);
    s.im[k] = -sin(2 * pi * turns);
  }
}

QUAD_INLINE void move_phase(fourier *f, size_t position) {
  if (f->has_phase && position == f->current)
    return;
  if (!f->has_phase || position != f->current + 1 || position - f->fresh >= FRESH_STEPS) {
    phases(f, position, f->phase);
    f->fresh = position;
    f->has_phase = true;
  } else {
    spectrum p = f->phase, s = f->step;
    for (size_t k = 0; k <= f->half; ++k) {
      double re = p.re[k] * s.re[k] - p.im[k] * s.im[k];
      p.im[k] = p.re[k] * s.im[k] + p.im[k] * s.re[k];
      p.re[k] = re;
    }
  }
  f->current = position;
}

// The index of a frequency in bit-reversed order, from that of the frequency before.
static size_t next_reversed(size_t index, size_t size) {
  size_t bit = size / 2;
  while (index & bit) {
    index ^= bit;
    bit /= 2;
  }
  return index | bit;
}

QUAD_INLINE void begin_stage(fourier *f, size_t row, dc_stage s) {
  size_t band = (size_t)1 << s.log2_band;
  f->stage = s;
  f->half = band / 2;
  f->has_phase = false;
  phases(f, 1, f->step);
  for (size_t k = 0; k <= f->half; ++k)
    f->g.re[k] = f->g.im[k] = 0;
  for (size_t r = 0; r < row; ++r) {
    move_phase(f, dc__joint_position(f->joint, r));
    for (size_t k = 0; k <= f->half; ++k) {
      f->g.re[k] += f->joint->points[r].mass * f->phase.re[k];
      f->g.im[k] += f->joint->points[r].mass * f->phase.im[k];
    }
  }
  for (size_t k = 0, index = 0; k < band; ++k, index = next_reversed(index, band)) {
    size_t folded = k <= f->half ? k : band - k;
    f->turn.re[index] = f->step.re[folded];
    f->turn.im[index] = k <= f->half ? -f->step.im[folded] : f->step.im[folded];
    double re = f->turn.re[index], im = f->turn.im[index];
    double re2 = re * re - im * im, im2 = 2 * re * im;
    f->turn4.re[index] = re2 * re2 - im2 * im2;
    f->turn4.im[index] = 2 * re2 * im2;
  }
}

typedef struct quad_complex {
  quad re, im;
} quad_complex;

QUAD_INLINE void multiply(quad_complex *a, const quad_complex *b) {
  quad re = a->re * b->re - a->im * b->im;
  a->im = a->re * b->im + a->im * b->re;
  a->re = re;
}

QUAD_INLINE void square(quad_complex *a) {
  quad re = (a->re - a->im) * (a->re + a->im);
  a->im = (a->re + a->re) * a->im;
  a->re = re;
}

// *d = b^n - a^n from *d = b - a, as quad_power_difference.
QUAD_INLINE void complex_power_difference(unsigned n, const quad_complex *a, const quad_complex *b,
                                          quad_complex *d) {
  quad_complex difference = *d, power_a = *a, power_b = *b;
  unsigned bit = 1;
  while (bit <= n / 2)
    bit *= 2;
  for (bit /= 2; bit; bit /= 2) {
    quad_complex sum = {power_a.re + power_b.re, power_a.im + power_b.im};
    multiply(&difference, &sum);
    square(&power_a);
    if (bit > 1 || (n & bit))
      square(&power_b);
    if (n & bit) {
      quad_complex term = power_a;
      multiply(&term, d);
      multiply(&difference, b);
      difference.re += term.re;
      difference.im += term.im;
      multiply(&power_a, a);
      multiply(&power_b, b);
    }
  }
  *d = difference;
}

QUAD_INLINE void load(quad_complex *z, spectrum s, size_t k) {
  memcpy(&z->re, s.re + k, sizeof z->re);
  memcpy(&z->im, s.im + k, sizeof z->im);
}

QUAD_INLINE void store(const quad_complex *z, spectrum s, size_t k) {
  memcpy(s.re + k, &z->re, sizeof z->re);
  memcpy(s.im + k, &z->im, sizeof z->im);
}

// Whether all four are below the bound, squared.
QUAD_INLINE bool are_small(const quad_complex *z, double bound) {
  quad square = z->re * z->re + z->im * z->im;
  return square[0] < bound && square[1] < bound && square[2] < bound && square[3] < bound;
}

// g takes on the row's point, and out = (G^n - g^n) / (mass of the row), for each frequency.
QUAD_INLINE void row_spectrum(fourier *f, size_t row, spectrum out) {
  unsigned n = f->joint->lanes;
  double mass = f->joint->points[row].mass, all = f->below + mass, share = mass / all;
  double scale = 1 / dc__joint_row_mass(f->below / all, share, n);
  double bound = pow(DC_NEGLIGIBLE / n, 2.0 / (n - 1));
  for (size_t k = 0; k <= f->half; k += 4) {
    quad_complex g, phase;
    load(&g, f->g, k);
    load(&phase, f->phase, k);
    quad_complex a = {g.re / all, g.im / all};
    g.re += phase.re * mass;
    g.im += phase.im * mass;
    store(&g, f->g, k);
    quad_complex b = {g.re / all, g.im / all};
    quad_complex d = {phase.re * (share * scale), phase.im * (share * scale)};
    if (are_small(&a, bound) && are_small(&b, bound))
      d = (quad_complex){d.re * 0, d.im * 0};
    else
      complex_power_difference(n, &a, &b, &d);
    store(&d, out, k);
  }
  f->below = all;
}

// ---- transforms --------------------------------------------------------------------------------

// The rows' spectra as one, first + i second, in bit-reversed order.
QUAD_INLINE void pack(const fourier *f, spectrum out) {
  size_t band = (size_t)f->stage.band;
  const spectrum *first = &f->rows[0], *second = &f->rows[1];
  for (size_t k = 0, index = 0; k < band; ++k, index = next_reversed(index, band)) {
    size_t folded = k <= f->half ? k : band - k;
    double sign = k <= f->half ? 1 : -1;
    out.re[index] = first->re[folded] - sign * second->im[folded];
    out.im[index] = sign * first->im[folded] + second->re[folded];
  }
}

// The values of both rows at t = a + A b, four a at a time. If A is no multiple of 4, the last four
// go on into a + A = 0 + A (b + 1), which is the same value again.
QUAD_INLINE void transform_strides(const fourier *f, dc_fft_table table) {
  size_t band = (size_t)f->stage.band, strides = f->stage.strides;
  quad *re = (quad *)f->work.re, *im = (quad *)f->work.im;
  quad *next_re = (quad *)f->next.re, *next_im = (quad *)f->next.im;
  for (size_t i = 0; i < band; ++i) {
    double zr = f->packed.re[i], zi = f->packed.im[i], wr = f->turn.re[i], wi = f->turn.im[i];
    for (unsigned j = 0; j < 4; ++j) {
      next_re[i][j] = zr;
      next_im[i][j] = zi;
      double turned = zr * wr - zi * wi;
      zi = zr * wi + zi * wr;
      zr = turned;
    }
  }
  for (size_t a = 0; a < strides; a += 4) {
    for (size_t i = 0; i < band; ++i) {
      double wr = f->turn4.re[i], wi = f->turn4.im[i];
      quad zr = next_re[i], zi = next_im[i];
      re[i] = zr;
      im[i] = zi;
      next_re[i] = zr * wr - zi * wi;
      next_im[i] = zr * wi + zi * wr;
    }
    fft_quads_inverse(re, im, f->stage.log2_band, table);
    for (size_t b = 0; b < band; ++b) {
      memcpy(f->cells[0] + a + strides * b, &re[b], sizeof *re);
      memcpy(f->cells[1] + a + strides * b, &im[b], sizeof *im);
    }
  }
}

// What makes a transform's values a row: below noise they are 0, and factor goes on the others.
typedef struct finish {
  double noise, factor;
} finish;

// By Parseval's theorem, the transform not being divided by N.
QUAD_INLINE finish finish_of(const fourier *f, const spectrum *row, double mass) {
  quad sum = {0};
  for (size_t k = 0; k <= f->half; k += 4) {
    quad_complex d;
    load(&d, *row, k);
    sum += d.re * d.re + d.im * d.im;
  }
  double norm = sqrt((sum[0] + sum[1] + sum[2] + sum[3]) * 2 * f->stage.size);
  return (finish){ROUNDING * norm, mass / f->stage.size};
}

// Two rows, or the last one of a stage, up to two calls of visit.
QUAD_INLINE void make_rows(fourier *f, size_t row, size_t count) {
  finish finishes[2];
  for (size_t i = 0; i < 2; ++i) {
    spectrum out = f->rows[i];
    if (i < count) {
      double below = f->below;
      move_phase(f, dc__joint_position(f->joint, row + i));
      row_spectrum(f, row + i, out);
      double mass = dc__joint_row_mass(below, f->joint->points[row + i].mass, f->joint->lanes);
      finishes[i] = finish_of(f, &out, mass);
    } else {
      memset(out.re, 0, (f->half + 1) * sizeof(double));
      memset(out.im, 0, (f->half + 1) * sizeof(double));
    }
  }
  dc_fft_table table = {f->twiddles, f->log2_twiddles};
  if (f->stage.strides == 1) {
    spectrum cells = {f->cells[0], f->cells[1]};
    pack(f, cells);
    dc__fft_inverse(cells.re, cells.im, f->stage.log2_band, table);
    for (size_t i = 0; i < count; ++i) {
      finishes[i].noise /= f->stage.size;
      finishes[i].factor *= f->stage.size;
    }
  } else {
    pack(f, f->packed);
    transform_strides(f, table);
  }
  for (size_t i = 0; i < count; ++i) {
    double *cells = f->cells[i] + dc__joint_position(f->joint, row + i);
    size_t cells_count = dc__joint_cells(f->joint, row + i);
    finish end = finishes[i];
    for (size_t t = 0; t < cells_count; ++t)
      cells[t] = cells[t] > end.noise ? cells[t] * end.factor : 0;
    f->visit(f->context, row + i, cells);
  }
}

QUAD_INLINE void make_stages(fourier *f) {
  const dc_joint *joint = f->joint;
  dc_variation v = dc__variation_before(joint);
  f->below = v.mass;
  for (size_t row = joint->first_row; row < joint->count; row = f->stage.end) {
    begin_stage(f, row, dc__stage_at(joint, row, &v));
    for (size_t first = row; first < f->stage.end; first += 2)
      make_rows(f, first, f->stage.end - first < 2 ? 1 : 2);
  }
}

static void make_stages_plain(fourier *f) { make_stages(f); }

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void make_stages_avx2(fourier *f) { make_stages(f); }
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define make_stages_avx2 make_stages_plain
static bool has_avx2(void) { return false; }
#endif

void dc__joint_fourier(const dc_joint *joint, void *memory, dc_joint_visit visit, void *context) {
  fourier f = {.joint = joint, .visit = visit, .context = context};
  plan p = plan_of(joint);
  uintptr_t over = (uintptr_t)memory % sizeof(quad);
  double *begin = (double *)memory + (over > 0 ? (sizeof(quad) - over) / sizeof(double) : 0);
  size_t doubles = lay_out(&p, begin, &f);
  memset(begin, 0, doubles * sizeof(double)); // padding is computed with
  f.log2_twiddles = p.log2_band;
  dc__fft_twiddles(f.twiddles, p.log2_band);
  if (has_avx2())
    make_stages_avx2(&f);
  else
    make_stages_plain(&f);
}
