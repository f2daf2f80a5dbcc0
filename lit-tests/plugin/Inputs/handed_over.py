#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints each function of a module that takes a pointer, with how often it asks which lanes are
active, and how its loops hand over their counters.

  handed_over.py DEVICE.ll
"""
import re
import sys

text = open(sys.argv[1]).read()
for name, body in re.findall(r"^define [^\n]*@_Z\d+([a-z]+)P[^\n]*\{\n(.*?)^\}", text, re.M | re.S):
    calls = re.findall(r"call (?:void|i32) @(?:_ZL\d+__divcost_|llvm\.nvvm\.bar\.warp\.)(\w+?)[yj]*\(", body)
    print(name, len(re.findall(r"call .*@llvm\.nvvm\.activemask\(", body)), *sorted(calls))
