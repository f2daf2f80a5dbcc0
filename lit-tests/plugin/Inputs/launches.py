# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the block shapes of a report's kernels: "name: (16, 16, 1) launch, ..."."""
import json
import sys

for kernel in json.load(open(sys.argv[1]))["kernels"]:
    name = kernel["name"].split("(")[0].split(" ")[-1]
    shapes = sorted(
        "(%s) %s" % (", ".join(map(str, launch["block"])), launch["from"])
        for launch in kernel["skeleton"]["launches"]
    )
    print("%s: %s" % (name, ", ".join(shapes)))
