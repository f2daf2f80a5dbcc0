#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how often lanes executed the blocks of each function of a profile, ascending; with `warps`,
how often these did, too.

  block_lanes.py SHOWN.json [warps]
"""
import json
import re
import sys

with open(sys.argv[1]) as file:
    shown = json.load(file)
for body in sorted(shown["bodies"], key=lambda body: body["path"]):
    for block in body["blocks"]:
        assert block["warps"] <= block["lanes"] <= 32 * block["warps"], block
    length, rest = re.match(r"_ZL?(\d+)(.*)", body["function"]).groups()
    print(rest[:int(length)] + (" by " + body["path"] if body["path"] else "") + ":",
          *("%d/%d" % each if sys.argv[2:] else each[1]
            for each in sorted(((block["warps"], block["lanes"]) for block in body["blocks"]),
                               key=lambda each: each[::-1])))
