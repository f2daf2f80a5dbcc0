// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of all workloads. Those of one kernel stand together; "balanced" has the same work in
// total as the others of its kernel, alike in all lanes.
#include "cases.h"

// clang-format off
const workload_case workload_cases[] = {
  {"single_loop", "single_loop", "_Z11single_loopPKiPfPx", "uniform(0,32)", make_single_loop},
  {"double_loop", "double_loop", "_Z11double_loopPKiPfPx", "uniform(0,32)", make_double_loop},
  {"matrix_power.geometric", "matrix_power", "_Z12matrix_powerPKfPKiPfi", "geometric(0.125)", make_matrix_power},
  {"matrix_power.poisson", "matrix_power", "_Z12matrix_powerPKfPKiPfi", "poisson(8)", make_matrix_power},
  {"matrix_power.balanced", "matrix_power", "_Z12matrix_powerPKfPKiPfi", "const(8)", make_matrix_power},
  {"rejection_sampling", "rejection_sampling", "_Z13sample_normalPfiij", NULL, make_rejection_sampling},
  {"spmv_csr_scalar.poisson", "spmv_csr_scalar", "_Z15spmv_csr_scalarPKiS0_PKfS2_Pfi", "poisson(32)", make_spmv_scalar},
  {"spmv_csr_scalar.uniform", "spmv_csr_scalar", "_Z15spmv_csr_scalarPKiS0_PKfS2_Pfi", "uniform(1,63)", make_spmv_scalar},
  {"spmv_csr_scalar.geometric", "spmv_csr_scalar", "_Z15spmv_csr_scalarPKiS0_PKfS2_Pfi", "geometric(0.03125)", make_spmv_scalar},
  {"spmv_csr_scalar.zipf", "spmv_csr_scalar", "_Z15spmv_csr_scalarPKiS0_PKfS2_Pfi", "zipf(1.5,1024)", make_spmv_scalar},
  {"spmv_csr_scalar.balanced", "spmv_csr_scalar", "_Z15spmv_csr_scalarPKiS0_PKfS2_Pfi", "const(32)", make_spmv_scalar},
  {"spmv_csr_vector.poisson", "spmv_csr_vector", "_Z15spmv_csr_vectorPKiS0_PKfS2_Pfi", "poisson(32)", make_spmv_vector},
  {"spmv_csr_vector.uniform", "spmv_csr_vector", "_Z15spmv_csr_vectorPKiS0_PKfS2_Pfi", "uniform(1,63)", make_spmv_vector},
  {"spmv_csr_vector.geometric", "spmv_csr_vector", "_Z15spmv_csr_vectorPKiS0_PKfS2_Pfi", "geometric(0.03125)", make_spmv_vector},
  {"spmv_csr_vector.zipf", "spmv_csr_vector", "_Z15spmv_csr_vectorPKiS0_PKfS2_Pfi", "zipf(1.5,1024)", make_spmv_vector},
  {"spmv_csr_vector.balanced", "spmv_csr_vector", "_Z15spmv_csr_vectorPKiS0_PKfS2_Pfi", "const(32)", make_spmv_vector},
  {"work_queue", "work_queue", "_Z12sum_segmentsPKiPKfPfiPi", "geometric(0.01)", make_work_queue},
  {"block_sparse", "block_sparse", "_Z12block_sparsePKiS0_PKfS2_Pf", "poisson(8)", make_block_sparse},
  {"bfs_frontier", "bfs_frontier", "_Z10bfs_expandPKiS0_S0_iiPiS1_S1_", "zipf(2,1024)", make_bfs_frontier},
  {"mandelbrot", "mandelbrot", "_Z10mandelbrotPiiifffi", NULL, make_mandelbrot},
  {"julia", "julia", "_Z5juliaPhiiffi", NULL, make_julia},
  {"ray_march", "ray_march", "_Z9ray_marchPK6float4iPfiii", NULL, make_ray_march},
  {"hash_insert", "hash_probe", "_Z11hash_insertPjS_jPKjS1_i", NULL, make_hash_insert},
  {"hash_lookup", "hash_probe", "_Z11hash_lookupPKjS0_jS0_Pji", NULL, make_hash_lookup},
  {"linked_list", "linked_list", "_Z14find_in_chainsPKiS0_PKjjS2_Pii", NULL, make_linked_list},
  {"binary_search.ends", "binary_search", "_Z14search_by_endsPKiiS0_Pii", NULL, make_search_by_ends},
  {"binary_search.length", "binary_search", "_Z16search_by_lengthPKiiS0_Pii", NULL, make_search_by_length},
  {"tree_descent", "tree_descent", "_Z19count_in_rectanglesPK6float2iPK6float4Pii", NULL, make_tree_descent},
  {"bitmap", "bitmap", "_Z12sum_selectedPKjPKiiPi", NULL, make_bitmap},
  {"string_match", "string_match", "_Z12string_matchPKciS0_iPi", NULL, make_string_match},
  {"histogram", "histogram", "_Z9histogramPKhiPji", NULL, make_histogram},
  {"reduce_interleaved", "reduce_interleaved", "_Z18reduce_interleavedPKfPfj", NULL, make_reduction},
  {"reduce_sequential", "reduce_sequential", "_Z17reduce_sequentialPKfPfj", NULL, make_reduction},
  {"float_max", "float_max", "_Z9float_maxPKfiPf", NULL, make_float_max},
  {"softmax", "softmax", "_Z7softmaxPKfPfi", NULL, make_softmax},
  {"bitonic_sort", "bitonic_sort", "_Z12bitonic_sortPf", NULL, make_bitonic_sort},
  {"saxpy", "saxpy", "_Z5saxpyfPKfPfi", NULL, make_saxpy},
  {"moving_average", "moving_average", "_Z14moving_averagePKfPfii", NULL, make_moving_average},
  {"stencil", "stencil", "_Z7stencilPKfPfiii", NULL, make_stencil},
  {"transpose", "transpose", "_Z9transposePKfPfii", NULL, make_transpose},
  {"matmul_tiled", "matmul_tiled", "_Z12matmul_tiledPKfS0_Pfiii", NULL, make_matmul_tiled},
  {"all_pairs", "all_pairs", "_Z16count_near_pairsPK6float2ifPy", NULL, make_all_pairs},
  {"nbody_cutoff", "nbody_cutoff", "_Z12nbody_cutoffPK6float4P6float3if", NULL, make_nbody_cutoff},
  {"invert_tiles", "triangular_solve", "_Z12invert_tilesPKfPfi", NULL, make_invert_tiles},
  {"solve_columns", "triangular_solve", "_Z13solve_columnsPKfPfii", NULL, make_solve_columns},
  {NULL, NULL, NULL, NULL, NULL}};
// clang-format on
