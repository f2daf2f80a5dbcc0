#!/bin/sh
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A CUDA source with every loop kept from being unrolled, each statement on its own line still:
#
#   roll_loops.sh IN.cu > OUT.cu
sed -E -e 's/^#pragma unroll.*//' \
  -e 's/^( *)(for|while|do) (\(|\{)/\1_Pragma("unroll 1") \2 \3/' "$1"
