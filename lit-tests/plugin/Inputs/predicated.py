#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints among whom each branch of a kernel is taken together, and whether it is expected to be predicated.

  predicated.py REPORT.json KERNEL
"""
import json
import sys

LEVELS = ("uniform", "block-uniform", "warp-uniform", "divergent")
with open(sys.argv[1]) as file:
    kernels = json.load(file)["kernels"]
kernel, = (k for k in kernels if k["name"].startswith(sys.argv[2] + "("))
for _, _, level, predication, *_ in kernel["skeleton"]["branches"]:
    print(LEVELS[level], predication)
