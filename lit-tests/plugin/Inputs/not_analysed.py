# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""not_analysed.py WHOLE REPORT KERNEL ARCH...: in REPORT the kernel was not analysed, for these
architectures, and all other kernels are as in WHOLE."""
import json
import sys


def kernels(path):
    with open(path) as file:
        return {kernel["name"]: kernel for kernel in json.load(file)["kernels"]}


whole, report = map(kernels, sys.argv[1:3])
name, archs = sys.argv[3], sys.argv[4:]
assert list(whole) == list(report) and len(whole) > 1, (list(whole), list(report))
stopped = report[name]
assert whole[name]["loops"] and "not_analysed" not in whole[name]
assert "stops after" in stopped["not_analysed"]
assert not stopped["loops"] and not stopped["skeleton"]["blocks"]
assert [estimate["arch"] for estimate in stopped["estimates"]] == archs
assert [finding["rule"] for finding in stopped["findings"]] == ["gave-up"]
for other in whole:
    assert other == name or whole[other] == report[other], other
