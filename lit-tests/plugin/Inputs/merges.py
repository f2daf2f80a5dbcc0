# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints of a report's kernels whether the lanes of their loop are taken to go round alike."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for kernel in report["kernels"]:
    (loop,) = kernel["loops"]
    print(kernel["name"], "alike" if loop["trips"].get("distribution") == "const(64)" else "data")
