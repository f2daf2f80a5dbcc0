# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""accesses.py REPORT: a line for each access of global memory of each kernel."""
import json
import sys


def text(figure):
    return "%(low)g..%(high)g" % figure if isinstance(figure, dict) else "%g" % figure


with open(sys.argv[1]) as file:
    for kernel in sorted(json.load(file)["kernels"], key=lambda kernel: kernel["name"]):
        for access in kernel["accesses"]:
            if "sectors" in access:
                print("%s %s %s: %g requests, %s sectors, %s needed" % (
                    kernel["name"], access["kind"], access.get("name", "-"), access["requests"],
                    text(access["sectors"]), text(access["ideal"])))
