// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel of bench/kernels in a namespace of its own, for programs that run them all. Needs
// -I bench/kernels (or a folder with other forms of them).
#ifndef DIVCOST_ALL_KERNELS_H
#define DIVCOST_ALL_KERNELS_H

// clang-format off
namespace k_all_pairs {
#include "all_pairs.cu"
}
namespace k_bfs_frontier {
#include "bfs_frontier.cu"
}
namespace k_binary_search {
#include "binary_search.cu"
}
namespace k_bitmap {
#include "bitmap.cu"
}
namespace k_bitonic_sort {
#include "bitonic_sort.cu"
}
namespace k_block_sparse {
#include "block_sparse.cu"
}
namespace k_double_loop {
#include "double_loop.cu"
}
namespace k_float_max {
#include "float_max.cu"
}
namespace k_hash_probe {
#include "hash_probe.cu"
}
namespace k_histogram {
#include "histogram.cu"
}
namespace k_julia {
#include "julia.cu"
}
namespace k_linked_list {
#include "linked_list.cu"
}
namespace k_mandelbrot {
#include "mandelbrot.cu"
}
namespace k_matmul_tiled {
#include "matmul_tiled.cu"
}
namespace k_matrix_power {
#include "matrix_power.cu"
}
namespace k_moving_average {
#include "moving_average.cu"
}
namespace k_nbody_cutoff {
#include "nbody_cutoff.cu"
}
namespace k_ray_march {
#include "ray_march.cu"
}
namespace k_reduce_interleaved {
#include "reduce_interleaved.cu"
}
namespace k_reduce_sequential {
#include "reduce_sequential.cu"
}
namespace k_rejection_sampling {
#include "rejection_sampling.cu"
}
namespace k_saxpy {
#include "saxpy.cu"
}
namespace k_single_loop {
#include "single_loop.cu"
}
namespace k_softmax {
#include "softmax.cu"
}
namespace k_spmv_csr_scalar {
#include "spmv_csr_scalar.cu"
}
namespace k_spmv_csr_vector {
#include "spmv_csr_vector.cu"
}
namespace k_stencil {
#include "stencil.cu"
}
namespace k_string_match {
#include "string_match.cu"
}
namespace k_transpose {
#include "transpose.cu"
}
namespace k_tree_descent {
#include "tree_descent.cu"
}
namespace k_triangular_solve {
#include "triangular_solve.cu"
}
namespace k_work_queue {
#include "work_queue.cu"
}
// clang-format on

#endif
