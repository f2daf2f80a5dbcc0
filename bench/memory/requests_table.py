#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the table of what requests take: what requests.cu printed, and what Nsight Compute counted of
the same launches (its source page with SASS, as README.md says).

  requests_table.py PATTERNS.tsv SOURCE.csv > requests.tsv
"""
import csv
import re
import sys

CODE = {"shared load": "LDS", "shared store": "STS", "shared atomic": "ATOMS",
        "global load": "LDG", "global store": "STG", "global atomic": "RED"}
PLACE = {"global load": 1}  # behind the one that reads where to read
COLUMNS = ["L2 Theoretical Sectors Global", "L2 Theoretical Sectors Global Ideal",
           "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal"]


def read_launches(path):
    """The rows of each launch; ncu prints each of them twice."""
    launches, columns = [], {}
    for row in csv.reader(open(path)):
        if row and row[0] == "Kernel Name":
            launches.append([])
        elif row and row[0] == "Address":
            columns = {name: place for place, name in enumerate(row)}
        elif row:
            launches[-1].append((row, columns))
    return [launch for launch in launches if launch][::2]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    patterns = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
    launches = read_launches(sys.argv[2])
    if len(patterns) != len(launches):
        sys.exit(f"requests_table.py: {len(patterns)} patterns, but {len(launches)} launches")
    print("access", "bytes", "sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts",
          "addresses", sep="\t")
    for (number, access, size, addresses), rows in zip(patterns, launches):
        if access not in CODE:
            continue
        code = re.compile(r"\b" + CODE[access])
        row, columns = [one for one in rows if code.search(one[0][1])][PLACE.get(access, 0)]
        lanes = sum(address != "-1" for address in addresses.split())
        if int(row[columns["Predicated-On Thread Instructions Executed"]]) != lanes:
            sys.exit(f"requests_table.py: launch {number} has other lanes than its pattern")
        counts = [row[columns[name]] if name in columns else "0" for name in COLUMNS]
        print(access, size, *("0" if count in ("", "-") else count for count in counts), addresses,
              sep="\t")


if __name__ == "__main__":
    main()
