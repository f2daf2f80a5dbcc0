# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chains.py REPORT: of each kernel the most reads in a row in a block, and a comparison of two."""
import json
import sys

with open(sys.argv[1]) as file:
    kernels = sorted(json.load(file)["kernels"], key=lambda kernel: kernel["name"])
longest = {}
for kernel in kernels:
    blocks = kernel["skeleton"]["blocks"]
    assert all(block[10] <= block[6] for block in blocks), "a chain is longer than its block"
    longest[kernel["name"].split("(")[0]] = max(block[10] for block in blocks)
    print("%s: %d reads in a row" % (kernel["name"], max(block[9] for block in blocks)))
if longest["a_chain"] > longest["side_by_side"]:
    print("a chain is longer than the same work side by side")
