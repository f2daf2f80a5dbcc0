// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times each kernel of bench/kernels on work that keeps a large GPU busy. The same source is built
// plain and instrumented (bench/profile/build.sh); the ratio of the times is what profiling costs.
//
//   time_kernels              all workloads: name, best and median of some runs in ms
//   time_kernels NAME ...     these, once, in the order in which they are below: for a profiler, or
//                             for a profile of one alone. There are some more of these, whose loops
//                             are long (long_loops.h)
#include "workload.h"

#include "../all_kernels.h"
#include "long_loops.h"

// Where rows of random length begin.
static std::vector<int> bounds(int rows, const std::function<int()> &length) {
  std::vector<int> begin(1, 0);
  for (int row = 0; row < rows; ++row)
    begin.push_back(begin.back() + length());
  return begin;
}

// With `all`, the kernels that do the same in other ways too.
static void rows_of(const char *name, int rows, const std::function<int()> &length,
                    bool all = false) {
  if (!start_group(all ? std::initializer_list<const char *>{name, "spmv_csr_vector", "work_queue"}
                       : std::initializer_list<const char *>{name}))
    return;
  std::vector<int> begin = bounds(rows, length);
  Device<int> d_begin(begin), columns(wholes(begin.back(), 0, rows - 1)), head(1, 0);
  Device<float> values(floats(begin.back())), x(floats(rows)), y(rows, 0.0f);
  time(name, [&] {
    return k_spmv_csr_scalar::run_spmv_csr_scalar(d_begin, columns, values, x, y, rows);
  });
  std::vector<int> lengths(rows);
  for (int row = 0; row < rows; ++row)
    lengths[row] = begin[row + 1] - begin[row];
  know(name, lengths);
  if (!all)
    return;
  time("spmv_csr_vector", [&] {
    return k_spmv_csr_vector::run_spmv_csr_vector(d_begin, columns, values, x, y, rows);
  });
  time(
      "work_queue", [&] { return k_work_queue::run_sum_segments(d_begin, values, y, rows, head); },
      [&] { cudaMemset(head, 0, sizeof(int)); });
}

static void sparse() {
  std::poisson_distribution<int> narrow(32), long_narrow(2000);
  std::geometric_distribution<int> middle(1.0 / 33), long_middle(1.0 / 2001);
  std::discrete_distribution<int> wide({0.96, 0.04});
  const int rows = 1 << 20, long_rows = 1 << 13;
  rows_of("spmv_poisson", rows, [&] { return narrow(generator); }, true);
  rows_of("spmv_geometric", rows, [&] { return middle(generator); });
  rows_of("spmv_two_kinds", rows, [&] { return wide(generator) ? 400 : 16; });
  rows_of("long_spmv_poisson", long_rows, [&] { return long_narrow(generator); });
  rows_of("long_spmv_geometric", long_rows, [&] { return long_middle(generator); });
  rows_of("long_spmv_two_kinds", long_rows, [&] { return wide(generator) ? 25000 : 1000; });

  if (start_group({"block_sparse"})) {
    const int tile = k_block_sparse::TILE, tile_rows = 8192;
    std::vector<int> begin = bounds(tile_rows, [] { return whole(0, 16); });
    Device<int> d_begin(begin), columns(wholes(begin.back(), 0, tile_rows - 1));
    Device<float> tiles((size_t)begin.back() * tile * tile, 0.5f), x(floats(tile_rows * tile)),
        y(tile_rows * tile, 0.0f);
    time("block_sparse", [&] {
      return k_block_sparse::run_block_sparse(d_begin, columns, tiles, x, y, tile_rows);
    });
  }
  if (start_group({"bfs_frontier"})) {
    const int vertices = 1 << 20;
    std::geometric_distribution<int> degree(0.12);
    int at_least = 64; // edges of the source, so that most vertices are reached
    std::vector<int> begin = bounds(vertices, [&] {
      int edges = std::max(degree(generator), at_least);
      at_least = 0;
      return edges;
    });
    std::vector<int> start(vertices, -1);
    start[0] = 0;
    Device<int> d_begin(begin), edges(wholes(begin.back(), 0, vertices - 1)), levels(start),
        initial(start), a(vertices, 0), b(vertices, 0), next_size(1, 0);
    int *frontiers[2] = {a, b};
    time(
        "bfs_frontier",
        [&] { return k_bfs_frontier::run_bfs(d_begin, edges, levels, frontiers, next_size); },
        [&] {
          cudaMemcpy(levels, initial, vertices * sizeof(int), cudaMemcpyDeviceToDevice);
          cudaMemset(a, 0, sizeof(int));
        });
    Known reached; // in an order that nobody knows, so not in which warps
    std::vector<int> found = host(levels);
    for (int v = 0; v < vertices; ++v)
      if (found[v] >= 0) {
        ++reached.lanes;
        reached.iterations += begin[v + 1] - begin[v];
      }
    know("bfs_frontier", reached);
  }
}

static void mandelbrot(const char *name, int side, int limit) {
  if (!start_group({name}))
    return;
  Device<int> iterations((size_t)side * side, 0);
  time(name, [&] { return k_mandelbrot::run_mandelbrot(iterations, side, side, limit); });
  std::vector<int> picture = host(iterations); // the picture is the trip counts
  Known known;
  for (int tile = 0; tile < side * side / 32; ++tile) { // a warp's 8 x 4 points
    int trips[32], first = tile / (side / 8) * 4 * side + tile % (side / 8) * 8;
    for (int lane = 0; lane < 32; ++lane)
      trips[lane] = picture[first + lane / 8 * side + lane % 8];
    known.warp(trips, 32);
  }
  know(name, known);
}

static void pictures() {
  const int side = 4096, long_side = 1024;
  mandelbrot("mandelbrot", side, 250);
  mandelbrot("long_mandelbrot", long_side, 5000);
  if (start_group({"julia", "long_julia"})) {
    Device<unsigned char> image((size_t)side * side, 0);
    time("julia", [&] { return k_julia::run_julia(image, side, side, 250); });
    time("long_julia", [&] { // a connected set: points inside never leave
      dim3 block(16, 16), grid(long_side / 16, long_side / 16);
      k_julia::julia<<<grid, block>>>(image, long_side, long_side, -0.123f, 0.745f, 5000);
      return cudaDeviceSynchronize();
    });
  }
  if (start_group({"ray_march"})) {
    std::vector<float4> spheres;
    for (int k = 0; k < 8; ++k)
      spheres.push_back(make_float4(k - 4, k % 3, k % 5, 0.6f));
    Device<float4> d_spheres(spheres);
    Device<float> depths((size_t)side * side / 4, 0.0f);
    time("ray_march",
         [&] { return k_ray_march::run_ray_march(d_spheres, 8, depths, side / 2, side / 2); });
  }
}

// A k-d tree in heap order: the median of each piece is its root.
static void build_tree(std::vector<float2> &points, std::vector<float2> &tree, int begin, int end,
                       int node, bool by_x) {
  if (begin >= end)
    return;
  int full = 1, size = end - begin;
  while (2 * full + 1 <= size)
    full = 2 * full + 1;
  int middle = begin + std::min(full, full / 2 + size - full);
  std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                   [by_x](float2 a, float2 b) { return by_x ? a.x < b.x : a.y < b.y; });
  tree[node] = points[middle];
  build_tree(points, tree, begin, middle, 2 * node + 1, !by_x);
  build_tree(points, tree, middle + 1, end, 2 * node + 2, !by_x);
}

static void points() {
  if (!start_group({"nbody_cutoff", "all_pairs", "tree_descent"}))
    return;
  const int n = 1 << 15;
  std::vector<float> random = floats(4 * n);
  std::vector<float4> bodies(n);
  std::vector<float2> flat(n);
  for (int i = 0; i < n; ++i) {
    bodies[i] = make_float4(random[4 * i], random[4 * i + 1], random[4 * i + 2], 1);
    flat[i] = make_float2(random[4 * i], random[4 * i + 1]);
  }
  Device<float4> d_bodies(bodies);
  Device<float2> d_points(flat);
  Device<float3> forces(n, make_float3(0, 0, 0));
  Device<unsigned long long> near(1, 0);
  time("nbody_cutoff", [&] { return k_nbody_cutoff::run_nbody_cutoff(d_bodies, forces, n, 0.3f); });
  time("all_pairs", [&] { return k_all_pairs::run_count_near_pairs(d_points, n, 0.05f, near); });
  const int queries = 1 << 17;
  std::vector<float2> tree(n);
  build_tree(flat, tree, 0, n, 0, true);
  std::vector<float> corners = floats(2 * queries);
  std::vector<float4> rectangles(queries);
  for (int q = 0; q < queries; ++q)
    rectangles[q] = make_float4(corners[2 * q], corners[2 * q + 1], corners[2 * q] + 0.1f,
                                corners[2 * q + 1] + 0.05f);
  Device<float2> d_tree(tree);
  Device<float4> d_rectangles(rectangles);
  Device<int> counts(queries, 0);
  time("tree_descent", [&] {
    return k_tree_descent::run_count_in_rectangles(d_tree, n, d_rectangles, counts, queries);
  });
}

static void search() {
  if (!start_group({"search_by_ends", "search_by_length"}))
    return;
  std::vector<int> sorted = wholes(1 << 20, 0, 1 << 28);
  std::sort(sorted.begin(), sorted.end());
  Device<int> d_sorted(sorted), sought(wholes(4 << 20, 0, 1 << 28)), positions(4 << 20, 0);
  time("search_by_ends", [&] {
    return k_binary_search::run_search_by_ends(d_sorted, 1 << 20, sought, positions, 4 << 20);
  });
  time("search_by_length", [&] {
    return k_binary_search::run_search_by_length(d_sorted, 1 << 20, sought, positions, 4 << 20);
  });
}

static void tables() {
  if (!start_group({"hash_insert", "hash_lookup", "linked_list"}))
    return;
  const int n = 5 << 20;
  const unsigned mask = (8 << 20) - 1, buckets = 1 << 20;
  std::vector<unsigned> keys(n), queries(2 * n);
  std::vector<int> heads(buckets, -1), next(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = i * 2654435761u;
    next[i] = heads[keys[i] % buckets];
    heads[keys[i] % buckets] = i;
  }
  for (unsigned &query : queries)
    query = (unsigned)whole(0, 2 * n - 1) * 2654435761u;
  Device<unsigned> table((size_t)mask + 1, ~0u), values((size_t)mask + 1, 0u), d_keys(keys),
      d_values(n, 3u), d_queries(queries), found(2 * n, 0u);
  auto empty = [&] { cudaMemset(table, 0xff, ((size_t)mask + 1) * sizeof(unsigned)); };
  time(
      "hash_insert",
      [&] { return k_hash_probe::run_hash_insert(table, values, mask, d_keys, d_values, n); },
      empty);
  if (wanted("hash_lookup")) {
    empty();
    check(k_hash_probe::run_hash_insert(table, values, mask, d_keys, d_values, n), "hash_insert");
  }
  time("hash_lookup",
       [&] { return k_hash_probe::run_hash_lookup(table, values, mask, d_queries, found, 2 * n); });
  Device<int> d_heads(heads), d_next(next), nodes(2 * n, 0);
  time("linked_list", [&] {
    return k_linked_list::run_find_in_chains(d_heads, d_next, d_keys, buckets, d_queries, nodes,
                                             2 * n);
  });
}

static void texts() {
  if (!start_group({"histogram", "string_match", "bitmap"}))
    return;
  const int n = 1 << 26;
  std::vector<unsigned char> bytes(n);
  std::vector<char> text(n);
  for (int i = 0; i < n; ++i) {
    bytes[i] = (unsigned char)generator();
    text[i] = (char)('a' + bytes[i] % 3);
  }
  Device<unsigned char> d_bytes(bytes);
  Device<unsigned> bins(256, 0u);
  time("histogram", [&] { return k_histogram::run_histogram(d_bytes, n, bins, 256); });
  Device<char> d_text(text), pattern(std::vector<char>{'a', 'b', 'c', 'a', 'b'});
  Device<int> matches(1, 0);
  time("string_match",
       [&] { return k_string_match::run_string_match(d_text, n, pattern, 5, matches); });
  const int words = 1 << 20;
  std::vector<unsigned> bitmap(words);
  for (unsigned &word : bitmap)
    word = generator() & generator();
  Device<unsigned> d_bitmap(bitmap);
  Device<int> selected((size_t)words * 32, 1), sum(1, 0);
  time("bitmap", [&] { return k_bitmap::run_sum_selected(d_bitmap, selected, words, sum); });
}

static void vectors() {
  const int n = 1 << 26;
  if (start_group({"saxpy", "moving_average", "reduce_interleaved", "reduce_sequential"})) {
    Device<float> x(n, 0.5f), y(n, 0.25f);
    time("saxpy", [&] { return k_saxpy::run_saxpy(0.5f, x, y, n); });
    time("moving_average", [&] { return k_moving_average::run_moving_average(x, y, n, 17); });
    time("reduce_interleaved",
         [&] { return k_reduce_interleaved::run_reduce_interleaved(x, y, n); });
    time("reduce_sequential", [&] { return k_reduce_sequential::run_reduce_sequential(x, y, n); });
  }
  if (start_group({"float_max", "bitonic_sort"})) {
    Device<float> unordered(floats(1 << 24)), greatest(1, -1.0f);
    time(
        "float_max", [&] { return k_float_max::run_float_max(unordered, 1 << 24, greatest); },
        [&] { cudaMemset(greatest, 0xff, sizeof(float)); });
    time("bitonic_sort",
         [&] { return k_bitonic_sort::run_bitonic_sort(unordered, (1 << 24) / 512); });
  }
  if (start_group({"rejection_sampling"})) {
    Device<float> means(1 << 18, 0.0f);
    time("rejection_sampling",
         [&] { return k_rejection_sampling::run_sample_normal(means, 1 << 18, 200, 42); });
  }
}

static void matrices() {
  const int side = 2048;
  if (start_group({"matmul_tiled", "transpose", "softmax", "solve_columns"})) {
    Device<float> a(floats(side * side)), b(floats(side * side)), c((size_t)side * side, 0.0f);
    time("matmul_tiled",
         [&] { return k_matmul_tiled::run_matmul_tiled(a, b, c, side, side, side); });
    time("transpose", [&] { return k_transpose::run_transpose(a, c, side, side); });
    time("softmax", [&] { return k_softmax::run_softmax(a, c, side * 2, side / 2); });
    const int n = 512, columns = 1 << 16;
    Device<float> sides((size_t)n * columns, 0.5f);
    time("solve_columns",
         [&] { return k_triangular_solve::run_solve_columns(a, sides, n, columns); });
  }
  if (start_group({"matrix_power"})) {
    const int groups = 1 << 15, size = k_matrix_power::SIZE;
    std::geometric_distribution<int> powers(0.2);
    std::vector<int> counts(groups);
    for (int &count : counts)
      count = powers(generator);
    Device<float> matrices((size_t)groups * size * size, 0.1f), traces(groups, 0.0f);
    Device<int> d_counts(counts);
    time("matrix_power",
         [&] { return k_matrix_power::run_matrix_power(matrices, d_counts, traces, groups); });
    know("matrix_power", counts);
  }
  if (start_group({"stencil"})) {
    const int nx = 512, ny = 512, nz = 256;
    Device<float> grid((size_t)nx * ny * nz, 0.5f), out((size_t)nx * ny * nz, 0.0f);
    time("stencil", [&] { return k_stencil::run_stencil(grid, out, nx, ny, nz); });
  }
  if (start_group({"invert_tiles"})) {
    const int tiles = 8192;
    Device<float> large((size_t)tiles * tiles, 0.5f), inverses((size_t)tiles * 32, 0.0f);
    time("invert_tiles",
         [&] { return k_triangular_solve::run_invert_tiles(large, inverses, tiles); });
  }
}

static void loops() {
  if (!start_group({"single_loop", "double_loop"}))
    return;
  std::vector<int> limits(32);
  for (int lane = 0; lane < 32; ++lane)
    limits[lane] = lane * 100;
  Device<int> d_limits(limits);
  Device<float> sums(32, 0.0f);
  Device<long long> cycles(32, 0);
  time("single_loop", [&] { return k_single_loop::run_single_loop(d_limits, sums, cycles); });
  time("double_loop", [&] { return k_double_loop::run_double_loop(d_limits, sums, cycles); });
}

int main(int count, char **arguments) {
  only.assign(arguments + 1, arguments + count);
  vectors();
  matrices();
  loops();
  sparse();
  pictures();
  points();
  tables();
  search();
  texts();
  long_tables();
  long_texts();
  return 0;
}
