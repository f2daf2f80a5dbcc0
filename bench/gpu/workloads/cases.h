// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes the workloads, by the file that it is in: cases_loops.c and so on.
#ifndef DIVCOST_BENCH_CASES_H
#define DIVCOST_BENCH_CASES_H

#include "workload.h"

// cases_loops.c
void make_single_loop(workload *w);
void make_double_loop(workload *w);
void make_matrix_power(workload *w);
void make_rejection_sampling(workload *w);

// cases_sparse.c
void make_spmv_scalar(workload *w);
void make_spmv_vector(workload *w);
void make_work_queue(workload *w);
void make_block_sparse(workload *w);
void make_bfs_frontier(workload *w);

// cases_images.c
void make_mandelbrot(workload *w);
void make_julia(workload *w);
void make_ray_march(workload *w);

// cases_tables.c
void make_hash_insert(workload *w);
void make_hash_lookup(workload *w);
void make_linked_list(workload *w);
void make_search_by_ends(workload *w);
void make_search_by_length(workload *w);
void make_tree_descent(workload *w);

// cases_bytes.c
void make_bitmap(workload *w);
void make_string_match(workload *w);
void make_histogram(workload *w);

// cases_arrays.c
void make_reduction(workload *w);
void make_float_max(workload *w);
void make_softmax(workload *w);
void make_bitonic_sort(workload *w);
void make_saxpy(workload *w);
void make_moving_average(workload *w);
void make_stencil(workload *w);
void make_transpose(workload *w);
void make_matmul_tiled(workload *w);
void make_all_pairs(workload *w);
void make_nbody_cutoff(workload *w);
void make_invert_tiles(workload *w);
void make_solve_columns(workload *w);

#endif
