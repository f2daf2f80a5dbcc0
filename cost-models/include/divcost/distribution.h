// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions of trip counts: how often the lanes of a warp run a loop's body, when that is
// random.
//
// There are two forms. A dc_distribution_spec is what somebody wrote: "0.9*const(1) +
// 0.1*geometric(0.01)". It is small, and text and specification are exact inverses of each other. A
// dc_distribution is what the models compute with: the values that occur, in ascending order, each
// with its probability.
//
//     text --dc_distribution_parse--> dc_distribution_spec
//       ^----dc_distribution_print------'     |
//                                   dc_distribution_build
//                                             v
//                                      dc_distribution ----> imbalance.h, ...
//
//     dc_error error;
//     dc_distribution distribution;
//     if (dc_distribution_from_text("0.9*const(1) + 0.1*geometric(0.01)", NULL, &distribution,
//                                   &error) != DC_OK) ...
//     double mean = dc_distribution_mean(&distribution);
//     dc_distribution_free(&distribution);
//
// The grammar; blanks may stand between any two symbols:
//
//     dist  = term { "+" term }            two terms or more are a mixture, and all need weights
//     term  = [ number "*" ] atom          a mixture's weights sum to 1 (within 0.002)
//     atom  = "(" dist ")"
//           | "const" "(" k ")"            always k
//           | "uniform" "(" a "," b ")"    a, a + 1, ... b, equally likely
//           | "binomial" "(" n "," p ")"   successes in n trials
//           | "geometric" "(" p ")"        trials up to and including the first success; from 1
//           | "poisson" "(" l ")"          mean l
//           | "negbin" "(" r "," p ")"     failures before the r-th success; from 0; any r > 0
//           | "zipf" "(" s "," max ")"     P(v) proportional to v^-s, v = 1 ... max
//           | "lognormal" "(" mu "," sigma ")"   exp of a normal distribution, rounded half up
//           | "list" "(" points ")"        listed values
//           | "histogram" "(" string [ "," points ] ")"   from a file that the caller reads; with
//                                          points: they are what was read from it
//           | "shift" "(" dist "," k ")"    W + k; k may be negative, W + k may not
//           | "scale" "(" dist "," k ")"    k W
//           | "clamp" "(" dist "," a "," b ")"   a if W < a, b if W > b: an iteration cap
//           | "given" "(" dist "," a "," b ")"   W, known to be from a to b
//           | "sum" "(" dist "," k ")"      of k independent draws
//           | "sum" "(" dist { "," dist } ")"   of independent draws of two distributions or more
//           | "max" "(" dist "," k ")"      the largest of k independent draws
//           | "max" "(" dist { "," dist } ")"
//     points = v ":" p { "," v ":" p }     p are relative: 3:1 is 0.75:0.25
//     number = [ "+" | "-" ] ( digits [ "." [ digits ] ] | "." digits ) [ exponent ]
//     exponent = ( "e" | "E" ) [ "+" | "-" ] digits
//              Numbers have a point in every locale, and at most 128 characters.
//     string = '"' characters '"', with \" and \\ for a quote and a backslash
//
// The conventions are those with which the model of Swatman, Varbanescu, Pimentel, Salzburger and
// Krasznahorkay, "Modelling performance loss due to thread imbalance in stochastic variable-length
// SIMT workloads" (2022), gives every cell of the paper's table 1.
#ifndef DIVCOST_DISTRIBUTION_H
#define DIVCOST_DISTRIBUTION_H

#include "divcost/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The largest trip count: 2^43, so that the sum over 1024 lanes is exact in a double.
#define DC_TRIPS_MAX ((int64_t)1 << 43)

// The most points a distribution may have (for a mixture: all its parts together), and each part
// of it.
#define DC_POINTS_MAX ((size_t)1000000)

// The most pairs of points that a sum of values far apart may have; see dc_distribution_build.
#define DC_PAIRS_MAX ((size_t)100000000)

// How deep distributions may nest.
#define DC_DISTRIBUTION_DEPTH_MAX 64

// How much of a distribution's text messages and reports for people show: a histogram can have a
// million points.
#define DC_DISTRIBUTION_SHOWN 100

// Where the upper tail is cut: unless said otherwise, and in the paper.
#define DC_CUT_DEFAULT 1e-15
#define DC_CUT_PAPER 1e-6

// One value and its probability (in a list or histogram: its relative mass).
typedef struct dc_point {
  int64_t value; // 0 .. DC_TRIPS_MAX
  double mass;   // finite, not negative
} dc_point;

// ---- specifications: what was written -----------------------------------------------------------

typedef enum dc_distribution_kind {
  DC_DISTRIBUTION_CONST,     // parameter: k          k whole, 0 .. DC_TRIPS_MAX
  DC_DISTRIBUTION_UNIFORM,   // parameter: a, b       whole, 0 <= a <= b <= DC_TRIPS_MAX
  DC_DISTRIBUTION_BINOMIAL,  // parameter: n, p       n whole, 0 .. DC_TRIPS_MAX; p in [0, 1]
  DC_DISTRIBUTION_GEOMETRIC, // parameter: p          (0, 1]
  DC_DISTRIBUTION_POISSON,   // parameter: l          [0, 1e12]
  DC_DISTRIBUTION_NEGBIN,    // parameter: r, p       r in (0, 1e9], p in (0, 1]
  DC_DISTRIBUTION_ZIPF,      // parameter: s, max     s in [0, 1000]; max whole, 1 .. 10^6
  DC_DISTRIBUTION_LOGNORMAL, // parameter: mu, sigma  [-1000, 30], (0, 100]
  DC_DISTRIBUTION_LIST,      // points, count         any order, values may repeat, total mass > 0
  DC_DISTRIBUTION_HISTOGRAM, // name                  not empty; points as in a list, or none
  DC_DISTRIBUTION_MIXTURE,   // parts                 two or more, weights with sum 1 (within 0.002)
  DC_DISTRIBUTION_SHIFT,     // part; parameter: k    whole, -DC_TRIPS_MAX .. DC_TRIPS_MAX
  DC_DISTRIBUTION_SCALE,     // part; parameter: k    whole, 1 .. DC_TRIPS_MAX
  DC_DISTRIBUTION_CLAMP,     // part; parameter: a, b whole, 0 <= a <= b <= DC_TRIPS_MAX
  DC_DISTRIBUTION_GIVEN,     // part; parameter: a, b whole, 0 <= a <= b <= DC_TRIPS_MAX
  DC_DISTRIBUTION_SUM,       // part; parameter: k    1 .. 10^9; or two parts or more and k = 0
  DC_DISTRIBUTION_MAX,       // part; parameter: k    as for a sum
  DC_DISTRIBUTION_KINDS      // how many there are
} dc_distribution_kind;

// Writes how a kind is written, "uniform(a,b)" or "shift(D, k)", D being a distribution. As
// dc_distribution_print. 0: there is no such kind.
size_t dc_distribution_usage(unsigned kind, char *text, size_t capacity);

// A node of the tree that a text describes. A caller may also fill one in:
// dc_distribution_spec_check tells whether it keeps the ranges above.
typedef struct dc_distribution_spec dc_distribution_spec;
struct dc_distribution_spec {
  dc_distribution_kind kind;
  unsigned offset;                   // where the text says so, in bytes; 0 if there is no text
  double parameter[2];               // in the order in which they are written
  const dc_point *points;            // list, histogram that was read
  size_t count;                      // their number
  const char *name;                  // histogram
  const dc_distribution_spec *parts; // the first of the distributions that this is made of
  const dc_distribution_spec *next;  // the next part of what this is a part of, or NULL
  double weight;                     // as a part of a mixture: [0, 1]; else 0
};

// Reads a text. *spec keeps no pointer to it. Ranges are checked too (dc_distribution_spec_check),
// so DC_OK means that the text makes sense; whether its support is small enough is found out by
// dc_distribution_bytes. A histogram's file isn't looked at. Errors, *spec then being NULL:
// DC_ERROR_SYNTAX, with the byte offset of the first byte that fits no rule; DC_ERROR_ARGUMENT for
// a parameter outside its range (error->offset is then the offset of the distribution it belongs
// to); DC_ERROR_LIMIT for a nesting deeper than DC_DISTRIBUTION_DEPTH_MAX; DC_ERROR_MEMORY.
// O(length).
dc_status dc_distribution_parse(const char *text, dc_distribution_spec **spec, dc_error *error);

// Releases what dc_distribution_parse and dc_distribution_embed made; NULL is nothing.
void dc_distribution_spec_free(dc_distribution_spec *spec);

// Writes a distribution as text: dc_distribution_parse of it gives the same distribution, to the
// last bit, and printing that gives the same text. Writes at most capacity bytes with the
// terminating zero (none if capacity is 0) and returns the length of the whole text without it,
// like snprintf. The distribution must have passed dc_distribution_spec_check. O(length).
size_t dc_distribution_print(const dc_distribution_spec *spec, char *text, size_t capacity);

// Checks the ranges of a distribution and its parts. Errors: DC_ERROR_ARGUMENT, names the
// parameter, its value and its range; DC_ERROR_LIMIT for too deep a nesting. O(size of the
// distribution).
dc_status dc_distribution_spec_check(const dc_distribution_spec *spec, dc_error *error);

// ---- distributions: what is computed with -------------------------------------------------------

// A probability mass function. One may be made by hand from points that keep the rules below
// (dc_distribution_check); it is never changed by the library.
typedef struct dc_distribution {
  const dc_point *points; // values ascending, each once; masses positive, with sum 1
  size_t count;           // 1 .. DC_POINTS_MAX
  double cut;             // probability that was cut off above points[count - 1], before the masses
                          // were normalised to sum 1
  void *memory;           // owned, where the library made it; else NULL
} dc_distribution;

// Reads a histogram for a distribution histogram("name"): stores up to capacity points, sets *count
// to how many there are, even if that is more than capacity, and returns DC_OK; or fails with
// dc_fail. It is called twice for each histogram: for its size (capacity 0, points NULL) and for
// its contents. Values in any order; masses are relative (frequencies).
typedef dc_status (*dc_histogram_read)(void *context, const char *name, dc_point *points,
                                       size_t capacity, size_t *count, dc_error *error);

typedef struct dc_distribution_options {
  // geometric, poisson, negbin and lognormal, which have no end, end at the first value m with
  // P(W > m) < cut; the rest is normalised. Each part of a mixture is cut for itself; the parts of
  // a sum or maximum of k draws at cut / k, so that the whole loses no more than cut; what given
  // works on at 1e-30; clamp gives to b what was cut. [1e-30, 0.1]; or 0 if all distributions have
  // an end. At 1e-15 no mean moves by more than rounding does; 1e-6 moves E[max] of 32 geometric
  // lanes by 1e-5.
  double cut;
  dc_histogram_read read_histogram; // NULL: a histogram is an error
  void *context;                    // handed to read_histogram
} dc_distribution_options;

// Bytes that building takes: 16 for each point, for a mixture the sum over its parts; for a sum or
// maximum also what it works in, about 80 for each value between the least and the largest sum, at
// most 100 million in all. options may be NULL: { DC_CUT_DEFAULT, NULL, NULL }. Errors:
// DC_ERROR_ARGUMENT as dc_distribution_spec_check, or a cut outside its range, or a histogram
// without reader; whatever the reader returns; DC_ERROR_LIMIT if there would be more than
// DC_POINTS_MAX points (the message says which distribution and what to change), as far as that
// shows without the points. error->offset is that of the distribution at fault. O(points).
dc_status dc_distribution_bytes(const dc_distribution_spec *spec,
                                const dc_distribution_options *options, size_t *bytes,
                                dc_error *error);

// Computes the masses of a distribution. They have a relative accuracy of about 1e-13 for
// 10^6 points, better for fewer; of lognormal, 1e-13 + 1e-14 / sigma; of a maximum of k draws, as
// of the distribution itself. Below the mode, and in sums, points with a mass under 1e-40 of the
// largest are left out: no figure notices. Points with mass 0 are left out.
//
// A sum of values on a grid is a convolution: direct where that is fast (positive terms, so full
// relative accuracy), else by Fourier transforms of bands of masses within a factor of 2^20 of each
// other. A transform of N values has an absolute error of at most 2^-51 (log2 N + 1) ||a|| ||b||,
// the Euclidean norms of the two bands: means and variances keep 1e-11, heavy tails too, while a
// mass that is much smaller than its neighbours can lose its digits. k copies take 2 log2(k) steps,
// and absolute errors grow like k. Sums with fewer pairs of points than the grid has cells are
// merged in order, exactly.
//
// Errors, *distribution then being empty: as dc_distribution_bytes; DC_ERROR_MEMORY;
// DC_ERROR_ARGUMENT for a histogram with bad values or masses, values that leave 0 .. DC_TRIPS_MAX,
// and conditioning on what has no mass; DC_ERROR_LIMIT also for a sum over more than DC_POINTS_MAX
// cells of a grid that has more than DC_PAIRS_MAX pairs of points. O(points), and O(points log
// points) for overlapping parts of a mixture, an unsorted list and a sum: under a second for 10^6
// points.
dc_status dc_distribution_build(const dc_distribution_spec *spec,
                                const dc_distribution_options *options,
                                dc_distribution *distribution, dc_error *error);

// The same for a text: dc_distribution_parse, then dc_distribution_build.
dc_status dc_distribution_from_text(const char *text, const dc_distribution_options *options,
                                    dc_distribution *distribution, dc_error *error);

void dc_distribution_free(dc_distribution *distribution);

// Checks a distribution that was made by hand: count, order and range of the values, masses finite
// and positive, their sum 1 within 1e-9. Errors: DC_ERROR_ARGUMENT. O(count).
dc_status dc_distribution_check(const dc_distribution *distribution, dc_error *error);

// The mean E[W] and the variance E[(W - E[W])^2] of one lane's trip count, computed in centred form
// with compensated sums. O(count).
double dc_distribution_mean(const dc_distribution *distribution);
double dc_distribution_variance(const dc_distribution *distribution);

// The smallest and the largest value that occurs. O(1).
int64_t dc_distribution_min(const dc_distribution *distribution);
int64_t dc_distribution_max(const dc_distribution *distribution);

#ifdef __cplusplus
}
#endif

#endif
