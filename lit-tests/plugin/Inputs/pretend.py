#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes profiles of made-up runs, for the loops that instrumented IR describes, and compares the
efficiency that they measured with a report's.

  pretend.py write DEVICE.ll PROFILE KIND     KIND: independent, alike, few, parts or hub
  pretend.py compare PROFILE REPORT.json      prints how far the estimates are off
"""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "tests"))
import divprof


def described(path):
    escaped = re.search(r'@__divcost_table = .*? c"(.*?)", align', open(path).read())[1]
    return divprof.read(re.sub(rb"\\(\\|[0-9A-F]{2})",
                               lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]),
                               escaped.encode()))[0]


def warps(kind, rng, count=3000):
    """Trip counts of the lanes that enter, for each entry."""
    for _ in range(count):
        if kind == "independent":
            yield [rng.randint(0, 50) for _ in range(32)]
        elif kind == "alike":
            yield [rng.randint(1, 60) + rng.choice((0, 0, 1))] * 32 if rng.random() < 0.7 else [
                rng.randint(1, 60) for _ in range(32)]
        elif kind == "few": # lanes that a branch keeps away
            yield [rng.randint(1, 40) for _ in range(rng.randint(1, 16))]
        elif kind == "parts": # sixteen alike, and sixteen
            yield [rng.randint(1, 90)] * 16 + [rng.randint(1, 90)] * 16
        elif kind == "hub": # one long row in each warp: less alike than independent lanes
            yield [500] + [4] * 31


def efficiency(loop):
    iterations = sum(n * k for k, n in loop["lanes"].items() if k < divprof.EXACT)
    return (iterations + sum(loop["sums"].values())) / (32 * loop["warp_iterations"])


def main():
    if sys.argv[1] == "write":
        rng = random.Random(11)
        divprof.write(sys.argv[3], [divprof.loop_of(warps(sys.argv[4], rng), **{
            name: loop[name] for name in ("kernel", "path", "function", "number", "hash", "file",
                                          "line", "column", "level")})
                                    for loop in described(sys.argv[2])])
        return
    measured = {(loop["kernel"], loop["function"], loop["line"]): efficiency(loop)
                for loop in divprof.read(sys.argv[2])[0]}
    for kernel in json.load(open(sys.argv[3]))["kernels"]:
        for loop in kernel["loops"]:
            name = kernel["symbol"], loop["function"], loop["line"]
            if name in measured:
                print("%s:%d %s: estimate %s" % (*name[1:], loop["trips"]["from"], "near" if abs(
                    loop["efficiency"] / measured[name] - 1) < 0.01 else "%.3f, measured %.3f" % (
                        loop["efficiency"], measured[name])))


main()
