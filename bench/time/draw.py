#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws by lot which half of the pairs is sealed.

  draw.py            takes pairs2.tsv apart into pairs-open2.tsv and pairs-sealed2.tsv
  draw.py --check    whether the tables are as the lots fall; says nothing of any pair
  draw.py --counts   how many pairs of each expected bound each half has

The lot of a pair is a SHA-256 of the seed and of its name, so it depends neither on the order of the
table nor on the version of Python. Of those that are expected to be bound by the same, the half with
the lower lots is sealed; if their number is odd, a lot of the bound's name says which half has one
more. The files of a kernel that only sealed pairs launch get names that begin with sealed_.

In the second set lots fall on kernels, so that all pairs of a kernel are in the same half; what a kernel
is expected to be bound by is what the first of its pairs is, by name. Sealed files' names begin with
sealed2_.

In the third to the seventh set there is no lot to draw: all of them is sealed. --check only
looks whether their pairs say so, and whether their files' names begin with sealed3_ to sealed7_.
"""
import argparse
import collections
import hashlib
import os
import sys

import tables

SEEDS = ("time-2026-11-26", "time-2-2026-11-26")  # of each set


def lot(seed, *names):
    return hashlib.sha256("\n".join((seed, *names)).encode()).hexdigest()


def drawn(bounds, kind, seed):
    """Of what lots fall on, a mapping from names to expected bounds, the names that are sealed."""
    sealed_names = set()
    for expected in tables.EXPECTED:
        names = sorted((name for name, bound in bounds.items() if bound == expected),
                       key=lambda name: lot(seed, kind, name))
        sealed = len(names) // 2
        if len(names) % 2 and int(lot(seed, "bound", expected), 16) % 2:
            sealed += 1
        sealed_names.update(names[:sealed])
    return sealed_names


def halves_of(rows, number):
    """From the name of a pair of a set to its half."""
    open_half, sealed_half = tables.SETS[number]
    unit = "kernel" if number else "name"
    bounds = {}
    for row in sorted(rows, key=lambda row: row["name"]):
        bounds.setdefault(row[unit], row["expected"])
    sealed = drawn(bounds, "kernel" if number else "pair", SEEDS[number])
    return {row["name"]: sealed_half if row[unit] in sealed else open_half for row in rows}


def rename_sealed(rows, half):
    """Files that only pairs of this half need are told by their names."""
    open_files = {row["file"] for row in rows if row["half"] != half}
    for file in sorted({row["file"] for row in rows} - open_files):
        name = file[:-len(".cu")]
        for kind in ("%s.cu", "inputs/%s.h"):
            os.rename(os.path.join(tables.HERE, kind % name),
                      os.path.join(tables.HERE, kind % ("%s_%s" % (half, name))))
        for row in rows:
            if row["file"] == file:
                row["file"] = "%s_%s" % (half, file)


def counts(rows):
    number = collections.Counter((row["expected"], row["half"]) for row in rows)
    return "\n".join("%s\t%s" % (expected, "\t".join("%d %s" % (number[expected, half], half)
                                                     for half in tables.HALVES))
                     for expected in tables.EXPECTED)


def look_at(with_counts):
    """How many pairs aren't where their lots say, or aren't sealed though all of their set are."""
    everything, wrong = [], 0
    for number, halves in enumerate(tables.SETS):
        rows = [row for half in halves for row in tables.read(tables.of_half(half))]
        lots = halves_of(rows, number)
        wrong += sum(row["half"] != lots[row["name"]] for row in rows)
        everything += rows
    if wrong:
        print("%d pairs aren't in the half that their lots say" % wrong)
    for half in tables.ALL_SEALED:
        undrawn = tables.read(tables.of_half(half))
        open_rows = sum(row["half"] != half or not row["file"].startswith(half + "_") for row in undrawn)
        if open_rows:
            print("%d pairs of %s aren't sealed" % (open_rows, half))
        wrong += open_rows
        everything += undrawn
    if with_counts:
        print(counts(everything))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--counts", action="store_true")
    arguments = parser.parse_args()
    if arguments.check or arguments.counts:
        return look_at(arguments.counts) > 0
    number, rows = len(tables.SETS) - 1, tables.read(tables.UNDRAWN)
    halves = tables.SETS[number]
    if not rows or any(tables.read(tables.of_half(half)) for half in halves):
        sys.exit("draw.py: there is no %s, or it was drawn before" % tables.UNDRAWN)
    lots = halves_of(rows, number)
    for row in rows:
        row["half"] = lots[row["name"]]
    rename_sealed(rows, halves[1])
    for half in halves:
        tables.write(tables.of_half(half), [row for row in rows if row["half"] == half])
    os.remove(os.path.join(tables.HERE, tables.UNDRAWN))
    print(counts(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
