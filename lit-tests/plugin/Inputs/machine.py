# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report expects of machine code: of a quotient, more instructions than of a sum; of powers
and other functions, more than of nothing, and of what kind; and the factors of the loops of the last
kernels, in the order of their lines."""

import json
import sys

MIX, MACHINE = 5, 6  # of a block

with open(sys.argv[1], encoding="utf-8") as file:
    kernels = {kernel["name"].split("(")[0]: kernel for kernel in json.load(file)["kernels"]}


def machine(name):
    return sum(block[MACHINE] for block in kernels[name]["skeleton"]["blocks"])


def kinds(name):
    (block,) = kernels[name]["skeleton"]["blocks"]
    return {kind: block[MIX].get(kind, 0) for kind in ("sfu", "fp32", "fp64")}


print("divided:", machine("sum") - kernels["sum"]["estimates"][0]["instructions"],
      machine("quotient") - machine("sum"))
print("powers:", *(f"{name} {machine(name) - machine('nothing')}" for name in
                   ("square", "cube", "tenth", "inverse_square", "square_float", "inverse_float")))
print("to one place:", *(machine(name) - machine("nothing") for name in ("one_more", "wide_more", "any_wide")))
for name in ("exponential", "exponential_float", "tenth", "ones"):
    print(f"{name}:", machine(name) - machine("nothing"), kinds(name))
print("a shuffled double:", machine("shuffled") - machine("nothing"))
print("a second neighbour:", machine("two_neighbours") - machine("one_neighbour"))
for name in ("calls", "loops"):
    loops = sorted(kernels[name]["loops"], key=lambda loop: loop["line"])
    print(f"{name}:", *(loop["unroll_expected"] for loop in loops))
