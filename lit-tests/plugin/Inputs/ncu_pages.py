#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the pages and sources of a folder (tools/tests/ncu) into the current one."""
import lzma
import os
import shutil
import sys

for name in os.listdir(sys.argv[1]):
    path = os.path.join(sys.argv[1], name)
    if name.endswith(".xz"):
        with lzma.open(path) as source, open(name[:-3], "wb") as file:
            shutil.copyfileobj(source, file)
    elif name.endswith((".cu", ".cuh")):
        shutil.copyfile(path, name)
