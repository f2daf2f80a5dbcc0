# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""certain.py REPORT: the expected and the certain efficiency of each kernel."""
import json
import sys


def words(figure):
    if isinstance(figure, dict):
        return "from less to %g" % figure["high"] if figure["low"] < 0.5 else "from much to %g" % figure["high"]
    return "%g" % figure


with open(sys.argv[1], encoding="utf-8") as file:
    for kernel in json.load(file)["kernels"]:
        estimate = kernel["estimates"][0]
        print("%s: expected %s, certain %s" % (kernel["name"].split("(")[0], words(estimate["expected_efficiency"]),
                                               words(estimate["certain_efficiency"])))
