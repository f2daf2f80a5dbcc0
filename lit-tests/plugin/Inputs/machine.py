# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report expects of machine code: of a quotient, more instructions than of a sum; and the
factors of the loops of the last kernel, in the order of their lines."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    kernels = {kernel["name"].split("(")[0]: kernel for kernel in json.load(file)["kernels"]}
counts = [sum(block[6] for block in kernels[name]["skeleton"]["blocks"])
          for name in ("quotient", "sum")]
print("divided:", counts[1] - kernels["sum"]["estimates"][0]["instructions"],
      counts[0] - counts[1])
loops = sorted(kernels["loops"]["loops"], key=lambda loop: loop["line"])
print("loops:", *(loop["unroll_expected"] for loop in loops))
