# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which file of bench/kernels, which kernel and which loop a workload of time_kernels is about."""

# Where file and kernel aren't called as the workload is.
FILES = {"spmv_poisson": "spmv_csr_scalar", "spmv_geometric": "spmv_csr_scalar",
         "spmv_two_kinds": "spmv_csr_scalar", "hash_insert": "hash_probe",
         "hash_lookup": "hash_probe"}
KERNELS = {"spmv_poisson": "spmv_csr_scalar", "spmv_geometric": "spmv_csr_scalar",
           "spmv_two_kinds": "spmv_csr_scalar", "bfs_frontier": "bfs_expand",
           "all_pairs": "count_near_pairs", "tree_descent": "count_in_rectangles",
           "linked_list": "find_in_chains", "rejection_sampling": "sample_normal"}
# Where the loop stands in another.
DEPTHS = {"string_match": 2, "rejection_sampling": 2}
# Kernels with other loops at that depth: what is counted there isn't the loop's alone.
OTHER_LOOPS = ("matrix_power",)
# Workloads that launch their kernel more than once.
SEVERAL = ("bfs_frontier",)


def short(workload):
    """The workload's name without what tells its size."""
    return workload[len("long_"):] if workload.startswith("long_") else workload


def file_of(workload):
    return FILES.get(short(workload), short(workload))


def kernel_of(workload):
    return KERNELS.get(short(workload), short(workload))


def name_of(signature):
    """The name of a function that is written with its parameters, as ncu does."""
    return signature.split("(")[0].split("<")[0].split(" ")[-1].split("::")[-1]


def by_workload(names, kernels):
    """{workload: range}: which of the launches, of kernels with these signatures, are a workload's
    own, for workloads that ran in the order of `names`. Others prepare them."""
    out, at = {}, 0
    for name in names:
        wanted, first = kernel_of(name), at
        while first < len(kernels) and name_of(kernels[first]) != wanted:
            first += 1
        if first == len(kernels):
            continue
        at = first + 1
        while name in SEVERAL and at < len(kernels) and name_of(kernels[at]) == wanted:
            at += 1
        out[name] = range(first, at)
    return out
