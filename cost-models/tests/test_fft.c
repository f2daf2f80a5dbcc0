// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transform against its definition, and the convolution through it against the direct one.
#include "support.h"

#include "math/fft.h"

enum { LOG2_MAX = 11, SIZE_MAX_TESTED = 1 << LOG2_MAX };

static double twiddles[2 * SIZE_MAX_TESTED];
static double re[SIZE_MAX_TESTED], im[SIZE_MAX_TESTED], re_before[SIZE_MAX_TESTED],
    im_before[SIZE_MAX_TESTED];

static dc_fft_table table_of(unsigned log2_size) {
  dc__fft_twiddles(twiddles, log2_size);
  return (dc_fft_table){twiddles, log2_size};
}

static void fill(uint64_t *seed, size_t size) {
  for (size_t j = 0; j < size; ++j) {
    re[j] = re_before[j] = random_unit(seed) - 0.5;
    im[j] = im_before[j] = random_unit(seed) - 0.5;
  }
}

static size_t reversed(size_t k, unsigned bits) {
  size_t result = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    result |= (k >> bit & 1) << (bits - 1 - bit);
  return result;
}

static void the_transform_follows_its_definition(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned log2_size = 0; log2_size <= 9; ++log2_size) {
    size_t size = (size_t)1 << log2_size;
    dc_fft_table table = table_of(log2_size < 7 ? 7 : log2_size); // of a larger size too
    fill(&seed, size);
    dc__fft_forward(re, im, log2_size, table);
    for (size_t k = 0; k < size; ++k) {
      long double wanted_re = 0, wanted_im = 0;
      for (size_t t = 0; t < size; ++t) {
        long double angle = -2 * acosl(-1) * (long double)(k * t % size) / (long double)size;
        wanted_re += re_before[t] * cosl(angle) - im_before[t] * sinl(angle);
        wanted_im += re_before[t] * sinl(angle) + im_before[t] * cosl(angle);
      }
      assert_within(re[reversed(k, log2_size)], (double)wanted_re, with_reference(1e-14));
      assert_within(im[reversed(k, log2_size)], (double)wanted_im, with_reference(1e-14));
    }
  }
}

static void the_inverse_gives_the_values_back(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (unsigned log2_size = 0; log2_size <= LOG2_MAX; ++log2_size) {
    dc_fft_table table = table_of(log2_size);
    fill(&seed, (size_t)1 << log2_size);
    dc__fft_forward(re, im, log2_size, table);
    dc__fft_inverse(re, im, log2_size, table);
    for (size_t j = 0; j < (size_t)1 << log2_size; ++j) {
      assert_within(re[j], re_before[j], 1e-15);
      assert_within(im[j], im_before[j], 1e-15);
    }
  }
}

static void the_opposite_frequency_is_where_the_header_says(void **state) {
  (void)state;
  enum { LOG2 = 6 };
  for (size_t j = 1; j < 1 << LOG2; ++j) {
    size_t h = 1;
    while (2 * h <= j)
      h *= 2;
    assert_int_equal((reversed(j, LOG2) + reversed(3 * h - 1 - j, LOG2)) % (1 << LOG2), 0);
  }
}

static void convolutions_stay_within_the_bound(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (unsigned round = 0; round < 40; ++round) {
    unsigned log2_size = 2 + round % (LOG2_MAX - 1);
    size_t size = (size_t)1 << log2_size, half = size / 2;
    dc_fft_table table = table_of(log2_size);
    double wide = round % 3 == 0 ? 60 : 1, small = round % 4 == 0 ? 1e-9 : 1;
    memset(re, 0, sizeof re);
    memset(im, 0, sizeof im);
    for (size_t j = 0; j < half; ++j) {
      re[j] = re_before[j] = exp(-wide * random_unit(&seed));
      im[j] = im_before[j] = small * exp(-wide * random_unit(&seed));
    }
    double a = 0, b = 0;
    for (size_t j = 0; j < half; ++j) {
      a += re[j] * re[j];
      b += im[j] * im[j];
    }
    double bound = dc__convolve_fft(re, im, log2_size, table);
    assert_close(bound, ldexp(sqrt(a * b) * (log2_size + 1), -51), 1e-13);
    for (size_t k = 0; k < size; ++k) {
      long double wanted = 0;
      for (size_t j = k < half ? 0 : k - half + 1; j <= k && j < half; ++j)
        wanted += (long double)re_before[j] * im_before[k - j];
      assert_true(re[k] == 0 || re[k] > bound);
      assert_within(re[k], (double)wanted, re[k] > 0 ? bound : 2 * bound);
    }
  }
}

static void nothing_convolved_is_nothing(void **state) {
  (void)state;
  dc_fft_table table = table_of(3);
  memset(re, 0, sizeof re);
  memset(im, 0, sizeof im);
  im[2] = 1;
  assert_true(dc__convolve_fft(re, im, 3, table) == 0);
  for (size_t j = 0; j < 8; ++j)
    assert_true(re[j] == 0);
}

static void the_size_is_the_next_power_of_two(void **state) {
  (void)state;
  assert_int_equal(dc__fft_log2(0), 0);
  assert_int_equal(dc__fft_log2(1), 0);
  assert_int_equal(dc__fft_log2(2), 1);
  assert_int_equal(dc__fft_log2(1023), 10);
  assert_int_equal(dc__fft_log2(1024), 10);
  assert_int_equal(dc__fft_log2(1025), 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_transform_follows_its_definition),
      cmocka_unit_test(the_inverse_gives_the_values_back),
      cmocka_unit_test(the_opposite_frequency_is_where_the_header_says),
      cmocka_unit_test(convolutions_stay_within_the_bound),
      cmocka_unit_test(nothing_convolved_is_nothing),
      cmocka_unit_test(the_size_is_the_next_power_of_two),
  };
  return cmocka_run_group_tests_name("fft", tests, NULL, NULL);
}
