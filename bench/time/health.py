#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tells whether measurements are usable, without a word of any pair: for each expected bound how many
pairs there are, how many came out wrong, how many have a launch shorter than 30 microseconds or
longer than 20 milliseconds, and how many have times whose least is more than 5% below the median.

  health.py RESULTS.tsv...
"""
import collections
import sys

import tables


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    expected = {row["name"]: row["expected"] for row in tables.read_all()}
    pairs, counts = collections.defaultdict(set), collections.defaultdict(set)
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith(("#", "pair\t")):
                    continue
                name, _, median, least, _, checked = line.rstrip("\n").split("\t")
                bound, median, least = expected[name], float(median), float(least)
                pairs[bound].add(name)
                for what, holds in (("wrong", checked != "ok"), ("short", median < 30e-6),
                                    ("long", median > 20e-3), ("noisy", least < 0.95 * median)):
                    if holds:
                        counts[bound, what].add(name)
    columns = ("wrong", "short", "long", "noisy")
    print("\t".join(("expected", "pairs") + columns))
    for bound in tables.EXPECTED:
        print("\t".join([bound, str(len(pairs[bound]))] + [str(len(counts[bound, what])) for what in columns]))
    return any(counts[bound, "wrong"] for bound in tables.EXPECTED)


if __name__ == "__main__":
    sys.exit(main())
