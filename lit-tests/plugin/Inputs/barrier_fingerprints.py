# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""barrier_fingerprints.py BEFORE.json AFTER.json: of each kernel how many findings of rule barrier it
has, by how many fingerprints these are known, and whether an edit has changed them."""
import json
import sys


def read(path):
    with open(path) as file:
        kernels = json.load(file)["kernels"]
    return {kernel["name"].split("(")[0]:
            [finding["fingerprint"] for finding in kernel["findings"] if finding["rule"] == "barrier"]
            for kernel in kernels}


before, after = map(read, sys.argv[1:])
for name, known in before.items():
    print("%s: %d barriers, %d fingerprints, %s after edits" % (
        name, len(known), len(set(known)),
        "the same" if sorted(known) == sorted(after[name]) else "others"))
everything = [fingerprint for known in before.values() for fingerprint in known]
print("all kernels: %d barriers, %d fingerprints" % (len(everything), len(set(everything))))
