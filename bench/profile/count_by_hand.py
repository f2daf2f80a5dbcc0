#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes copies of kernels with the counters of trips.h in all loops of device code, by the text
alone: what one would write by hand. Loops must be in the style of bench/kernels, with the body's {
at the end of the line.

  count_by_hand.py FOLDER FILE.cu ...
"""
import os
import re
import sys

LOOP = re.compile(r"(\s*)(for|while|do)\b.*\{\s*(//.*)?$")

for path in sys.argv[2:]:
    name = os.path.basename(path)
    out = ['HAND_COUNTED("%s")' % name]
    in_device = False
    for line in open(path):
        line = line.rstrip("\n")
        if re.match(r"(template|__global__|__device__)\b", line):
            in_device = True
        elif re.match(r"cudaError_t\b", line):
            in_device = False
        loop = LOOP.match(line)
        if loop and in_device:
            pragma = [out.pop()] if out[-1].lstrip().startswith("#pragma") else []
            counter = "trips_%d" % len(out)
            out += ["%sTrips %s(hand_counts, __LINE__ + %d);" % (loop[1], counter, 1 + len(pragma)),
                    *pragma, line, "%s  %s.next();" % (loop[1], counter)]
        elif in_device and re.match(r"\s*(for|while)\b(?!.*;$)", line):
            sys.exit("%s:%d: a loop in another style" % (path, len(out)))
        else:
            out.append(line)
    with open(os.path.join(sys.argv[1], name), "w") as file:
        file.write("\n".join(out) + "\n")
