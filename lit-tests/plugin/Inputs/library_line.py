#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the loads of a line a library's line as their own, as nvcc does with functions of headers that are
inlined there, such as __ldg.

  library_line.py SOURCE.csv KERNEL LINE > OUT.csv
"""
import sys

rows = open(sys.argv[1]).read().split("\n")
begin = next(k for k, row in enumerate(rows) if row == '"Function Name","%s"' % sys.argv[2])
end = next((k for k in range(begin + 1, len(rows)) if rows[k].startswith('"File Path"')), len(rows))
loads, line = [], ""
for row in rows[begin + 2:end]:
    number = row.split('","')[0].strip('"')
    line = row if number else line
    if line.startswith('"%s"' % sys.argv[3]) and not number and "LDG" in row:
        loads.append(row)
rows[end:end] = ['"File Path","/usr/include/intrinsics.hpp"', rows[begin], rows[begin + 1],
                 '"123","return *pointer;",' + ",".join(['"-"'] * (rows[begin + 1].count(",") - 1))] + loads
print("\n".join(rows), end="")
