# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each loop of a report's kernels by how much it is expected to be unrolled, and how many machine
instructions of an iteration each copy has for itself, and a pass has once."""

import json
import sys

LOOP, MACHINE = 1, 6  # of a block

with open(sys.argv[1], encoding="utf-8") as file:
    kernels = json.load(file)["kernels"]
for kernel in kernels:
    skeleton = kernel["skeleton"]
    loops = skeleton["loops"]
    for index, loop in sorted(enumerate(loops), key=lambda item: item[1]["depth"]):
        count = sum(block[MACHINE] for block in skeleton["blocks"] if block[LOOP] == index)
        print(f"{kernel['name'].split('(')[0]}: {loop['unroll_expected']}, "
              f"own {count - loop['unroll_shared']} of {count}, "
              f"once {round(loop.get('unroll_once', loop['unroll_shared']), 2)}")
