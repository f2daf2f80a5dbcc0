#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws by lot which half of the pairs is sealed.

  draw.py            takes pairs.tsv apart into pairs-open.tsv and pairs-sealed.tsv
  draw.py --check    whether the two tables are as the lots fall; says nothing of any pair
  draw.py --counts   how many pairs of each expected bound each half has

The lot of a pair is a SHA-256 of the seed and of its name, so it depends neither on the order of the
table nor on the version of Python. Of those that are expected to be bound by the same, the half with
the lower lots is sealed; if their number is odd, a lot of the bound's name says which half has one
more. The files of a kernel that only sealed pairs launch get names that begin with sealed_.
"""
import argparse
import collections
import hashlib
import os
import sys

import tables

SEED = "time-2026-11-26"


def lot(*names):
    return hashlib.sha256("\n".join((SEED, *names)).encode()).hexdigest()


def halves_of(rows):
    """From the name of a pair to its half."""
    halves = {}
    for expected in tables.EXPECTED:
        names = sorted((row["name"] for row in rows if row["expected"] == expected),
                       key=lambda name: lot("pair", name))
        sealed = len(names) // 2
        if len(names) % 2 and int(lot("bound", expected), 16) % 2:
            sealed += 1
        halves.update({name: "sealed" if place < sealed else "open" for place, name in enumerate(names)})
    return halves


def rename_sealed(rows):
    """Files that no open pair needs are told by their names."""
    open_files = {row["file"] for row in rows if row["half"] == "open"}
    for file in sorted({row["file"] for row in rows} - open_files):
        name = file[:-len(".cu")]
        for kind in ("%s.cu", "inputs/%s.h"):
            os.rename(os.path.join(tables.HERE, kind % name), os.path.join(tables.HERE, kind % ("sealed_" + name)))
        for row in rows:
            if row["file"] == file:
                row["file"] = "sealed_" + file


def counts(rows):
    number = collections.Counter((row["expected"], row["half"]) for row in rows)
    return "\n".join("%s\t%s" % (expected, "\t".join("%d %s" % (number[expected, half], half)
                                                     for half in tables.HALVES))
                     for expected in tables.EXPECTED)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--counts", action="store_true")
    arguments = parser.parse_args()
    undrawn = tables.read(tables.UNDRAWN)
    rows = tables.read_all()
    halves = halves_of(rows)
    if arguments.check or arguments.counts:
        wrong = sum(row["half"] != halves[row["name"]] for row in rows)
        if wrong:
            print("%d pairs aren't in the half that their lots say" % wrong)
        if arguments.counts:
            print(counts(rows))
        return wrong > 0
    if not undrawn or len(rows) != len(undrawn):
        sys.exit("draw.py: there is no pairs.tsv, or it was drawn before")
    for row in rows:
        row["half"] = halves[row["name"]]
    rename_sealed(rows)
    for half in tables.HALVES:
        tables.write(tables.of_half(half), [row for row in rows if row["half"] == half])
    os.remove(os.path.join(tables.HERE, tables.UNDRAWN))
    print(counts(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
