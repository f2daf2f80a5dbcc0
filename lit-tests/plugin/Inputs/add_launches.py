#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds launches to a profile that was recorded without CUDA, which nobody told of any.

  add_launches.py TOOLS/TESTS PROFILE KERNEL THREADS COUNT
"""
import sys

sys.path.insert(0, sys.argv[1])
import divprof  # pylint: disable=wrong-import-position

path, kernel, threads, count = sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
loops, runs, bodies, kernels = divprof.read_all(path)
launch = ((1, 1, 1), (threads, 1, 1), 0, count)
kernels = [other for other in kernels if other["symbol"] != kernel]
kernels.append({"symbol": kernel, "more": 0, "launches": [launch]})
divprof.write(path, loops, runs, bodies, sorted(kernels, key=lambda of: of["symbol"]))
