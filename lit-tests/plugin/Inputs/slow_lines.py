#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the lines at which slow paths were recorded, in the only kernel of a report.

  slow_lines.py REPORT.json
"""
import json
import sys

with open(sys.argv[1]) as file:
    kernel, = json.load(file)["kernels"]
parts = [part for part in kernel["measured"]["parts"] if "loop" not in part and "branch" not in part and "at" in part]
print(*sorted(int(part["at"].rsplit(":", 1)[1]) for part in parts))
