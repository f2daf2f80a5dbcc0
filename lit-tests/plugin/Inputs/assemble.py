#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles PTX with ptxas, where there is one: assemble.py ARCHITECTURE FILE"""
import shutil
import subprocess
import sys

ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
if ptxas:
    subprocess.run([ptxas, "-arch=" + sys.argv[1], "-o", "/dev/null", sys.argv[2]], check=True)
