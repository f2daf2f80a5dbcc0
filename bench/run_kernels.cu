// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each kernel of bench/kernels on a GPU, on small random input of awkward sizes, and compares
// with a plain computation on the host: exactly for integers, to a tolerance for floating point.
// Prints a line per kernel; the exit status is the number of kernels that are wrong. To check other
// forms of the kernels (lit-tests/vary.py), put their folder before bench/kernels:
//
//   nvcc -arch=native -I bench/kernels bench/run_kernels.cu -o run_kernels && ./run_kernels
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "all_kernels.h"

static std::mt19937 generator(12345);
static int wrong_kernels;

static int random_int(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(generator);
}
static float random_float() { return std::uniform_real_distribution<float>(-1, 1)(generator); }

static std::vector<float> random_floats(size_t n) {
  std::vector<float> values(n);
  for (float &value : values)
    value = random_float();
  return values;
}

static std::vector<int> random_ints(size_t n, int low, int high) {
  std::vector<int> values(n);
  for (int &value : values)
    value = random_int(low, high);
  return values;
}

// Bounds of `rows` pieces of random length, an empty one now and then.
static std::vector<int> random_bounds(int rows, int longest) {
  std::vector<int> bounds(1, 0);
  for (int r = 0; r < rows; ++r)
    bounds.push_back(bounds.back() + std::max(0, random_int(-longest / 4, longest)));
  return bounds;
}

static void check_cuda(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "run_kernels: %s: %s\n", what, cudaGetErrorString(error));
  exit(255);
}

// An array on the device with the contents of a vector.
template <typename T> struct Device {
  T *data = nullptr;
  size_t size;
  Device(const std::vector<T> &values) : size(values.size()) {
    check_cuda(cudaMalloc(&data, size * sizeof(T)), "cudaMalloc");
    check_cuda(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  Device(size_t n, T value) : Device(std::vector<T>(n, value)) {}
  Device(const Device &) = delete;
  ~Device() { cudaFree(data); }
  operator T *() const { return data; }
  std::vector<T> host() const {
    std::vector<T> values(size);
    check_cuda(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    return values;
  }
};

static void report(const char *kernel, cudaError_t error, bool right) {
  bool good = error == cudaSuccess && right;
  wrong_kernels += !good;
  printf("%-20s %s%s\n", kernel, good ? "right" : "WRONG ",
         error == cudaSuccess ? "" : cudaGetErrorString(error));
}

template <typename A, typename B>
static bool near(const std::vector<A> &values, const std::vector<B> &expected,
                 double tolerance = 1e-4) {
  if (values.size() != expected.size())
    return false;
  for (size_t i = 0; i < values.size(); ++i)
    if (!(std::fabs((double)values[i] - (double)expected[i]) <=
          tolerance * std::max(1.0, std::fabs((double)expected[i]))))
      return false;
  return true;
}

static void check_loops() {
  std::vector<int> limits = random_ints(32, 0, 32);
  std::vector<double> single(32, 0.0), twice(32, 0.0);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < limits[lane]; ++i)
      single[lane] = single[lane] * 0.5 + 1.0;
    for (int i = 0; i < limits[lane] * limits[lane]; ++i)
      twice[lane] = twice[lane] * 0.5 + 1.0;
  }
  Device<int> d_limits(limits);
  Device<float> sums(32, 0.0f);
  Device<long long> cycles(32, 0);
  cudaError_t error = k_single_loop::run_single_loop(d_limits, sums, cycles);
  report("single_loop", error, near(sums.host(), single) && cycles.host()[0] > 0);
  error = k_double_loop::run_double_loop(d_limits, sums, cycles);
  report("double_loop", error, near(sums.host(), twice) && cycles.host()[0] > 0);
}

static void check_reductions() {
  unsigned n = 10007;
  std::vector<float> input = random_floats(n);
  std::vector<double> expected((n + 255) / 256, 0.0);
  for (unsigned i = 0; i < n; ++i)
    expected[i / 256] += input[i];
  Device<float> d_input(input), sums(expected.size(), 0.0f);
  cudaError_t error = k_reduce_interleaved::run_reduce_interleaved(d_input, sums, n);
  report("reduce_interleaved", error, near(sums.host(), expected));
  cudaMemset(sums, 0, sums.size * sizeof(float));
  error = k_reduce_sequential::run_reduce_sequential(d_input, sums, n);
  report("reduce_sequential", error, near(sums.host(), expected));

  float greatest = *std::max_element(input.begin(), input.end());
  Device<float> d_greatest(1, -FLT_MAX);
  error = k_float_max::run_float_max(d_input, n, d_greatest);
  report("float_max", error, d_greatest.host()[0] == greatest);
}

static void check_sparse() {
  int rows = 40009;
  std::vector<int> bounds = random_bounds(rows, 70);
  std::vector<int> columns = random_ints(bounds.back(), 0, rows - 1);
  std::vector<float> values = random_floats(bounds.back()), x = random_floats(rows);
  std::vector<double> product(rows, 0.0), sums(rows, 0.0);
  for (int r = 0; r < rows; ++r)
    for (int j = bounds[r]; j < bounds[r + 1]; ++j) {
      product[r] += (double)values[j] * x[columns[j]];
      sums[r] += values[j];
    }
  Device<int> d_bounds(bounds), d_columns(columns), head(1, 0);
  Device<float> d_values(values), d_x(x), y(rows, NAN);
  cudaError_t error =
      k_spmv_csr_scalar::run_spmv_csr_scalar(d_bounds, d_columns, d_values, d_x, y, rows);
  report("spmv_csr_scalar", error, near(y.host(), product));
  Device<float> y2(rows, NAN), d_sums(rows, NAN);
  error = k_spmv_csr_vector::run_spmv_csr_vector(d_bounds, d_columns, d_values, d_x, y2, rows);
  report("spmv_csr_vector", error, near(y2.host(), product));
  error = k_work_queue::run_sum_segments(d_bounds, d_values, d_sums, rows, head);
  report("work_queue", error, near(d_sums.host(), sums));

  const int tile = k_block_sparse::TILE, tile_rows = 37;
  bounds = random_bounds(tile_rows, 9);
  columns = random_ints(bounds.back(), 0, tile_rows - 1);
  std::vector<float> tiles = random_floats((size_t)bounds.back() * tile * tile);
  x = random_floats(tile_rows * tile);
  product.assign(tile_rows * tile, 0.0);
  for (int r = 0; r < tile_rows; ++r)
    for (int t = bounds[r]; t < bounds[r + 1]; ++t)
      for (int i = 0; i < tile * tile; ++i)
        product[r * tile + i % tile] +=
            (double)tiles[(size_t)t * tile * tile + i] * x[columns[t] * tile + i / tile];
  Device<int> b(bounds), c(columns);
  Device<float> d_tiles(tiles), xx(x), yy(tile_rows * tile, NAN);
  error = k_block_sparse::run_block_sparse(b, c, d_tiles, xx, yy, tile_rows);
  report("block_sparse", error, near(yy.host(), product));
}

static void check_bfs() {
  int vertices = 30011;
  std::vector<int> begin = random_bounds(vertices, 5);
  std::vector<int> edges = random_ints(begin.back(), 0, vertices - 1);
  int source = 0;
  while (begin[source] == begin[source + 1])
    ++source;
  std::vector<int> levels(vertices, -1), queue(1, source);
  levels[source] = 0;
  for (size_t q = 0; q < queue.size(); ++q)
    for (int e = begin[queue[q]]; e < begin[queue[q] + 1]; ++e)
      if (levels[edges[e]] < 0) {
        levels[edges[e]] = levels[queue[q]] + 1;
        queue.push_back(edges[e]);
      }
  std::vector<int> start(vertices, -1);
  start[source] = 0;
  Device<int> d_begin(begin), d_edges(edges), d_levels(start), a(vertices, source),
      b(vertices, source), next_size(1, 0);
  int *frontiers[2] = {a, b};
  cudaError_t error = k_bfs_frontier::run_bfs(d_begin, d_edges, d_levels, frontiers, next_size);
  report("bfs_frontier", error, d_levels.host() == levels);
}

// Neighbouring rounding may move a pixel at a fractal's border: a few may differ.
template <typename T>
static bool mostly(const std::vector<T> &values, const std::vector<T> &other) {
  size_t differ = 0;
  for (size_t i = 0; i < values.size(); ++i)
    differ += values[i] != other[i];
  return differ * 100 <= values.size();
}

static void check_pictures() {
  int width = 317, height = 211, limit = 200;
  std::vector<int> expected;
  std::vector<unsigned char> bytes;
  for (int i = 0; i < width * height; ++i) {
    float step = 2.5f / height, cx = -2.0f + i % width * step, cy = 1.25f - i / width * step;
    float x = 0, y = 0;
    int n = 0;
    for (; n < limit && x * x + y * y <= 4.0f; ++n) {
      float next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
    expected.push_back(n);
    x = 3.0f * (i % width - width / 2) / width;
    y = 3.0f * (i / width - height / 2) / height;
    for (n = 0; n < limit && x * x + y * y <= 4.0f; ++n) {
      float next = x * x - y * y - 0.8f;
      y = 2 * x * y + 0.156f;
      x = next;
    }
    bytes.push_back((unsigned char)(255 * n / limit));
  }
  Device<int> iterations(width * height, -1);
  cudaError_t error = k_mandelbrot::run_mandelbrot(iterations, width, height, limit);
  report("mandelbrot", error, mostly(iterations.host(), expected));
  Device<unsigned char> image(width * height, 1);
  error = k_julia::run_julia(image, width, height, limit);
  report("julia", error, mostly(image.host(), bytes));

  std::vector<float4> spheres = {make_float4(0, 0, 0, 1), make_float4(1.5f, 0.5f, 1, 0.5f)};
  std::vector<int> hits, found;
  for (int i = 0; i < width * height; ++i) {
    double dx = (2.0 * (i % width) - width) / height, dy = (height - 2.0 * (i / width)) / height;
    double scale = 1 / std::sqrt(dx * dx + dy * dy + 1), depth = 0, distance = 1;
    for (int step = 0; step < 256 && distance >= 1e-3 && depth <= 100; ++step) {
      double x = depth * dx * scale, y = depth * dy * scale, z = depth * scale - 4;
      distance = y + 1;
      for (const float4 &s : spheres)
        distance = std::min(
            distance,
            std::sqrt((x - s.x) * (x - s.x) + (y - s.y) * (y - s.y) + (z - s.z) * (z - s.z)) - s.w);
      if (distance >= 1e-3)
        depth += distance;
    }
    hits.push_back((int)(depth * 10));
  }
  Device<float4> d_spheres(spheres);
  Device<float> depths(width * height, NAN);
  error = k_ray_march::run_ray_march(d_spheres, 2, depths, width, height);
  for (float depth : depths.host())
    found.push_back((int)(depth * 10));
  report("ray_march", error, mostly(found, hits));
}

static void check_points() {
  int n = 3001;
  std::vector<float4> bodies(n);
  std::vector<float2> points(n);
  for (int i = 0; i < n; ++i) {
    bodies[i] = make_float4(random_float(), random_float(), random_float(), random_float() + 1);
    points[i] = make_float2(bodies[i].x, bodies[i].y);
  }
  float cutoff = 0.3f;
  std::vector<double> expected;
  unsigned long long pairs = 0;
  for (int i = 0; i < n; ++i) {
    double force[3] = {};
    for (int j = 0; j < n; ++j) {
      float x = bodies[j].x - bodies[i].x, y = bodies[j].y - bodies[i].y,
            z = bodies[j].z - bodies[i].z, r2 = x * x + y * y + z * z + 1e-6f;
      pairs += j > i && x * x + y * y < cutoff * cutoff;
      if (r2 >= cutoff * cutoff)
        continue;
      double scale = bodies[j].w / (r2 * std::sqrt((double)r2));
      force[0] += scale * x;
      force[1] += scale * y;
      force[2] += scale * z;
    }
    expected.insert(expected.end(), force, force + 3);
  }
  Device<float4> d_bodies(bodies);
  Device<float3> forces(n, make_float3(0, 0, 0));
  cudaError_t error = k_nbody_cutoff::run_nbody_cutoff(d_bodies, forces, n, cutoff);
  std::vector<float> flat;
  for (const float3 &f : forces.host())
    flat.insert(flat.end(), {f.x, f.y, f.z});
  double scale = 0, worst = 0;
  for (size_t i = 0; i < flat.size(); ++i) {
    scale = std::max(scale, std::fabs(expected[i]));
    worst = std::max(worst, std::fabs(expected[i] - flat[i]));
  }
  report("nbody_cutoff", error, worst < 1e-3 * scale);

  Device<float2> d_points(points);
  Device<unsigned long long> near_pairs(1, 0);
  error = k_all_pairs::run_count_near_pairs(d_points, n, cutoff, near_pairs);
  long long difference = (long long)(near_pairs.host()[0] - pairs);
  report("all_pairs", error, pairs > 0 && std::llabs(difference) <= 2); // fma at the border

  // A k-d tree in heap order: the median of each piece is its root.
  std::vector<float2> tree(n);
  struct Builder {
    std::vector<float2> &points, &tree;
    static int left_size(int size) {
      int full = 1;
      while (2 * full + 1 <= size)
        full = 2 * full + 1;
      return std::min(full, full / 2 + size - full);
    }
    void build(int begin, int end, int node, bool by_x) {
      if (begin >= end)
        return;
      auto less = [by_x](float2 a, float2 b) { return by_x ? a.x < b.x : a.y < b.y; };
      int middle = begin + left_size(end - begin);
      std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end, less);
      tree[node] = points[middle];
      build(begin, middle, 2 * node + 1, !by_x);
      build(middle + 1, end, 2 * node + 2, !by_x);
    }
  } builder{points, tree};
  builder.build(0, n, 0, true);
  std::vector<float4> rectangles(500);
  std::vector<int> counts(500, 0);
  for (int q = 0; q < 500; ++q) {
    float x = random_float(), y = random_float();
    rectangles[q] = make_float4(x, y, x + 0.4f, y + 0.2f);
    for (const float2 &p : points)
      counts[q] += p.x >= x && p.x <= x + 0.4f && p.y >= y && p.y <= y + 0.2f;
  }
  Device<float2> d_tree(tree);
  Device<float4> d_rectangles(rectangles);
  Device<int> d_counts(500, -1);
  error = k_tree_descent::run_count_in_rectangles(d_tree, n, d_rectangles, d_counts, 500);
  report("tree_descent", error, d_counts.host() == counts);
}

static void check_tables() {
  int n = 5000;
  unsigned mask = 8191, buckets = 1009;
  std::vector<unsigned> keys(n), values(n), queries(2 * n), expected(2 * n, ~0u);
  for (int i = 0; i < n; ++i) {
    keys[i] = i * 2654435761u;
    values[i] = i;
  }
  std::vector<int> heads(buckets, -1), next(n), nodes(2 * n, -1);
  for (int i = 0; i < n; ++i) {
    next[i] = heads[keys[i] % buckets];
    heads[keys[i] % buckets] = i;
  }
  for (int q = 0; q < 2 * n; ++q) {
    int i = random_int(0, 2 * n - 1);
    queries[q] = i * 2654435761u;
    if (i < n) {
      expected[q] = i;
      nodes[q] = i;
    }
  }
  Device<unsigned> table_keys(mask + 1, ~0u), table_values(mask + 1, 0), d_keys(keys),
      d_values(values), d_queries(queries), found(2 * n, 7);
  cudaError_t error =
      k_hash_probe::run_hash_insert(table_keys, table_values, mask, d_keys, d_values, n);
  if (error == cudaSuccess)
    error = k_hash_probe::run_hash_lookup(table_keys, table_values, mask, d_queries, found, 2 * n);
  report("hash_probe", error, found.host() == expected);
  Device<int> d_heads(heads), d_next(next), d_nodes(2 * n, 7);
  error = k_linked_list::run_find_in_chains(d_heads, d_next, d_keys, buckets, d_queries, d_nodes,
                                            2 * n);
  report("linked_list", error, d_nodes.host() == nodes);

  std::vector<int> sorted = random_ints(3333, 0, 9999), wanted = random_ints(4001, -5, 10005);
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> positions;
  for (int key : wanted)
    positions.push_back(std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin());
  Device<int> d_sorted(sorted), d_wanted(wanted), ends(4001, -1), lengths(4001, -1);
  error = k_binary_search::run_search_by_ends(d_sorted, 3333, d_wanted, ends, 4001);
  if (error == cudaSuccess)
    error = k_binary_search::run_search_by_length(d_sorted, 3333, d_wanted, lengths, 4001);
  report("binary_search", error, ends.host() == positions && lengths.host() == positions);
}

static void check_texts() {
  int n = 500009;
  std::vector<int> letters = random_ints(n, 0, 255);
  std::vector<unsigned char> bytes(letters.begin(), letters.end());
  std::vector<unsigned> bins(100, 0);
  std::string text;
  for (int letter : letters) {
    ++bins[letter * 100 / 256];
    text += (char)('a' + letter % 3);
  }
  Device<unsigned char> d_bytes(bytes);
  Device<unsigned> d_bins(100, 0);
  cudaError_t error = k_histogram::run_histogram(d_bytes, n, d_bins, 100);
  report("histogram", error, d_bins.host() == bins);

  std::string pattern = "abcab";
  int count = 0;
  for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1))
    ++count;
  Device<char> d_text(std::vector<char>(text.begin(), text.end())),
      d_pattern(std::vector<char>(pattern.begin(), pattern.end()));
  Device<int> matches(1, 0);
  error = k_string_match::run_string_match(d_text, n, d_pattern, (int)pattern.size(), matches);
  report("string_match", error, count > 0 && matches.host()[0] == count);

  std::vector<int> values = random_ints(1000 * 32, -9, 9);
  std::vector<unsigned> bitmap(1000);
  int sum = 0;
  for (int i = 0; i < 1000 * 32; ++i)
    if (random_int(0, 1)) {
      bitmap[i / 32] |= 1u << i % 32;
      sum += values[i];
    }
  Device<unsigned> d_bitmap(bitmap);
  Device<int> d_values(values), d_sum(1, 0);
  error = k_bitmap::run_sum_selected(d_bitmap, d_values, 1000, d_sum);
  report("bitmap", error, d_sum.host()[0] == sum);
}

static void check_vectors() {
  int n = 20011;
  std::vector<float> x = random_floats(n), y = random_floats(n);
  std::vector<double> sum, average(n);
  for (int i = 0; i < n; ++i)
    sum.push_back(2.5 * x[i] + y[i]);
  Device<float> d_x(x), d_y(y), d_average(n, NAN);
  cudaError_t error = k_saxpy::run_saxpy(2.5f, d_x, d_y, n);
  report("saxpy", error, near(d_y.host(), sum));

  int radius = 17;
  for (int i = 0; i < n; ++i) {
    int first = std::max(i - radius, 0), last = std::min(i + radius, n - 1);
    for (int j = first; j <= last; ++j)
      average[i] += (double)x[j] / (last - first + 1);
  }
  error = k_moving_average::run_moving_average(d_x, d_average, n, radius);
  report("moving_average", error, near(d_average.host(), average));

  std::vector<float> pieces = random_floats(7 * 512);
  Device<float> d_pieces(pieces);
  error = k_bitonic_sort::run_bitonic_sort(d_pieces, 7);
  for (int piece = 0; piece < 7; ++piece)
    std::sort(pieces.begin() + piece * 512, pieces.begin() + (piece + 1) * 512);
  report("bitonic_sort", error, d_pieces.host() == pieces);

  Device<float> means(999, NAN);
  error = k_rejection_sampling::run_sample_normal(means, 999, 400, 42);
  double mean = 0, square = 0;
  for (float m : means.host()) {
    mean += m / 999;
    square += m * m / 999;
  }
  // The means of 400 standard normal deviates have the variance 1/400.
  report("rejection_sampling", error, std::fabs(mean) < 0.01 && std::fabs(square * 400 - 1) < 0.25);
}

static void check_matrices() {
  int rows = 77, inner = 131, columns = 95;
  std::vector<float> a = random_floats(rows * inner), b = random_floats(inner * columns);
  std::vector<double> product(rows * columns), soft(rows * inner);
  std::vector<float> transposed(rows * inner);
  for (int r = 0; r < rows; ++r) {
    double total = 0;
    for (int k = 0; k < inner; ++k) {
      transposed[k * rows + r] = a[r * inner + k];
      total += std::exp((double)a[r * inner + k]);
      for (int c = 0; c < columns; ++c)
        product[r * columns + c] += (double)a[r * inner + k] * b[k * columns + c];
    }
    for (int k = 0; k < inner; ++k)
      soft[r * inner + k] = std::exp((double)a[r * inner + k]) / total;
  }
  Device<float> d_a(a), d_b(b), d_c(rows * columns, NAN), d_t(rows * inner, NAN),
      d_soft(rows * inner, NAN);
  cudaError_t error = k_matmul_tiled::run_matmul_tiled(d_a, d_b, d_c, rows, inner, columns);
  report("matmul_tiled", error, near(d_c.host(), product));
  error = k_transpose::run_transpose(d_a, d_t, inner, rows);
  report("transpose", error, d_t.host() == transposed);
  error = k_softmax::run_softmax(d_a, d_soft, rows, inner);
  report("softmax", error, near(d_soft.host(), soft));

  const int size = k_matrix_power::SIZE, n = 100;
  std::vector<float> matrices = random_floats((size_t)size * size * n);
  std::vector<int> counts = random_ints(n, 0, 6);
  std::vector<double> traces(n);
  for (int i = 0; i < n; ++i) {
    std::vector<double> base(size * size), power, next(size * size);
    for (int e = 0; e < size * size; ++e)
      base[e] = matrices[e * n + i];
    power = base;
    for (int m = 0; m < counts[i]; ++m) {
      for (int e = 0; e < size * size; ++e) {
        next[e] = 0;
        for (int k = 0; k < size; ++k)
          next[e] += power[e / size * size + k] * base[k * size + e % size];
      }
      power = next;
    }
    for (int r = 0; r < size; ++r)
      traces[i] += power[r * size + r];
  }
  Device<float> d_matrices(matrices), d_traces(n, NAN);
  Device<int> d_counts(counts);
  error = k_matrix_power::run_matrix_power(d_matrices, d_counts, d_traces, n);
  report("matrix_power", error, near(d_traces.host(), traces, 1e-3));

  int nx = 67, ny = 43, nz = 19;
  std::vector<float> grid = random_floats(nx * ny * nz);
  std::vector<double> stencil(nx * ny * nz);
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const float *at = &grid[(z * ny + y) * nx + x];
        stencil[(z * ny + y) * nx + x] =
            (double)at[-1] + at[1] + at[-nx] + at[nx] + at[-nx * ny] + at[nx * ny] - 6.0 * at[0];
      }
  Device<float> d_grid(grid), d_out(nx * ny * nz, 0.0f);
  error = k_stencil::run_stencil(d_grid, d_out, nx, ny, nz);
  report("stencil", error, near(d_out.host(), stencil));
}

static void check_triangular() {
  const int n = 96, tile = k_triangular_solve::TILE, columns = 70;
  std::vector<float> matrix = random_floats(n * n), sides = random_floats(n * columns);
  for (int i = 0; i < n * n; ++i)
    matrix[i] = i % n > i / n ? NAN : i % n == i / n ? 2.0f + matrix[i] : matrix[i] / 8;
  std::vector<double> solution(sides.begin(), sides.end());
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < r; ++k)
        solution[r * columns + c] -= matrix[r * n + k] * solution[k * columns + c];
      solution[r * columns + c] /= matrix[r * n + r];
    }
  Device<float> d_matrix(matrix), d_sides(sides), d_inverses(n * tile, NAN);
  cudaError_t error = k_triangular_solve::run_solve_columns(d_matrix, d_sides, n, columns);
  bool right = near(d_sides.host(), solution);
  if (error == cudaSuccess)
    error = k_triangular_solve::run_invert_tiles(d_matrix, d_inverses, n);
  std::vector<float> inverses = d_inverses.host();
  for (int t = 0; t < n / tile; ++t)
    for (int e = 0; e < tile * tile; ++e) { // tile times inverse is the identity
      int r = e / tile, c = e % tile;
      double sum = 0;
      for (int k = 0; k <= r; ++k)
        sum +=
            (double)matrix[(t * tile + r) * n + t * tile + k] * inverses[(t * tile + k) * tile + c];
      right = right && std::fabs(sum - (r == c)) < 1e-4;
    }
  report("triangular_solve", error, right);
}

int main() {
  check_vectors();
  check_matrices();
  check_triangular();
  check_loops();
  check_reductions();
  check_sparse();
  check_bfs();
  check_pictures();
  check_points();
  check_tables();
  check_texts();
  return wrong_kernels;
}
