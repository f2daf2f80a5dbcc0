# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints which loops of a report's kernels swap, and how often their lanes go round."""
import json
import sys

WORDS = {1: "addresses", 2: "one address"}

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for kernel in report["kernels"]:
    (loop,) = kernel["skeleton"]["loops"]
    mean = kernel["loops"][0]["trips"]["mean"]
    trips = "%g to %g" % (mean["low"], mean["high"]) if isinstance(mean, dict) else "%g" % mean
    swaps = WORDS.get(loop.get("swaps"))
    print(kernel["name"], "%s, %s trips" % (swaps, trips) if swaps else "-")
