#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a profile of a made-up run of instrumented IR: each block is executed by all lanes of 64
warps, and a kernel is launched 8 times.

  pretend_values.py DEVICE.ll PROFILE KERNEL POSITION:KIND:VALUE[:COUNT] ...     KIND: integer or extent
"""
import re
import sys

sys.path.insert(0, __file__[:__file__.index("lit-tests")] + "tools/tests")
import divprof  # pylint: disable=wrong-import-position

path, profile, kernel = sys.argv[1:4]
table = re.search(r'@__divcost_table = .*? c"(.*?)", align', open(path).read())[1].encode()
loops, _, bodies, _ = divprof.read_all(re.sub(
    rb"\\(\\|[0-9A-F]{2})", lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]), table))
for body in bodies:
    body["blocks"] = {block: (64, 64 * 32) for block in body["blocks"]}
values = {}
for word in sys.argv[4:]:
    position, kind, value, count = (word.split(":") + ["8"])[:4]
    values.setdefault((int(position), int(kind == "extent")), []).append((int(value), int(count)))
divprof.write(profile, [], 1, bodies, [{
    "symbol": kernel, "more": 0, "launches": [((8, 1, 1), (64, 1, 1), 0, 8)],
    "params": [(position, kind, 0, sorted(of)) for (position, kind), of in sorted(values.items())]}])
