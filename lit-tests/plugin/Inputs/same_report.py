# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_report.py DIVCOST REPORT ...: divcost report computes the same figures and writes them again."""
import subprocess
import sys

for path in sys.argv[2:]:
    again = subprocess.run([sys.argv[1], "report", "--json", path], stdout=subprocess.PIPE,
                           universal_newlines=True, check=True).stdout
    with open(path, encoding="utf-8") as file:
        if again != file.read():
            sys.exit(f"{path}: divcost report writes something else:\n{again}")
