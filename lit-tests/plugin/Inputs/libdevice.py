# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the kernels of_FUNCTION of two reports have the same figures; and which of them have a loop
inside of their own when the function is inlined: those aren't expected to be unrolled."""

import json
import re
import sys


def figures(path):
    with open(path, encoding="utf-8") as file:
        return {kernel["name"].split("(")[0]: (kernel["estimates"][0]["cycles"]["total"],
                                                kernel["estimates"][0]["instructions"],
                                                [loop["unroll_expected"]
                                                 for loop in kernel["loops"]])
                for kernel in json.load(file)["kernels"]}


def functions_with_loops(path):
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"Loop info for function '_Z\d+of_([a-z0-9_]+?)P[fd]i'", file.read())
    return {name for name, loops in zip(parts[1::2], parts[2::2]) if "depth 2" in loops}


one, other = figures(sys.argv[1]), figures(sys.argv[2])
differ = [name for name in one if one[name] != other[name]]
for name in differ:
    print(name, one[name], other[name])
print(f"{len(one)} kernels, {len(differ)} differ,",
      sum(len(loops) for _, _, loops in one.values()), "loops")
inside = functions_with_loops(sys.argv[3])
print("with loops inside:", *sorted(inside))
for name in inside:
    if one["of_" + name][2] != [1]:
        print(name, "is expected to be unrolled")
