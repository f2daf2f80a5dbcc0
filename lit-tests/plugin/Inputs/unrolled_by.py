# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of each kernel's loop by how much it is expected to be unrolled, in each of the reports, and by LLVM."""

import json
import sys


def words_of(path):
    with open(path, encoding="utf-8") as file:
        for kernel in json.load(file)["kernels"]:
            loop = kernel["skeleton"]["loops"][0]
            llvm = f" (LLVM {loop['unroll_llvm']})" if "unroll_llvm" in loop else ""
            yield kernel["name"].split("(")[0], f"{loop['unroll_expected']}{llvm}"


for row in zip(*map(words_of, sys.argv[1:])):
    print(f"{row[0][0]}: {', '.join(words for _, words in row)}")
