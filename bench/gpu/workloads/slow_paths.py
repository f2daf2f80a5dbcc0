#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a table of what ncu counted of slow_paths.cu.

  slow_paths.py --by TEXT OUTPUT > slow_paths.tsv

OUTPUT is what ncu and the program printed together, TEXT what they were: GPU, versions, date."""

import argparse
import csv
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", required=True, metavar="TEXT")
    parser.add_argument("output")
    options = parser.parse_args()
    with open(options.output, encoding="utf-8") as file:
        lines = file.read().splitlines()
    launches = [line.split("\t") for line in lines if line.count("\t") == 2]
    cells = list(csv.DictReader(line for line in lines if line[:1] == '"'))
    if not launches or len(cells) != len(launches):
        sys.exit(f"slow_paths.py: {options.output} has {len(launches)} launches of slow_paths, and ncu's counts of "
                 f"{len(cells)}; it takes what ncu --csv prints, with the program's own lines")
    counts = {}
    for (operation, operands, _), cell in zip(launches, cells):
        counts.setdefault((operation, operands), []).append(cell["Metric Value"].replace(",", ""))
    print(f"# {options.by}\noperation\toperands\tordinary\tone lane\tall lanes")
    for of, three in counts.items():
        print("\t".join([*of, *three]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
