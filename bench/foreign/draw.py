#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws kernels of public code by lot: an open and a sealed half, and later sealed sets.

  draw.py            writes kernels.tsv, and prints the counts by family and half
  draw.py --check    compares kernels.tsv with what the draw gives, and prints the counts;
                     exit status 1 if they differ
  draw.py --markdown the counts as README.md has them

The lot of a candidate is a SHA-256 of the seed and of the candidate's name, so that it depends on
neither the order of candidates.tsv nor the version of Python. In each family the groups (a program,
or programs that share code) take their turns in the order of their lots; at each turn a group gives
the next of its kernels, until the family has its number. A file gives at most FILE kernels, a group
GROUP, a repository REPOSITORY, and one kernel in STRAIGHT may be of straight shape. A group goes to
one half whole, so that nothing leaks: the largest first, equal ones in the order of their lots, to
the half that has fewer kernels of the family; if they are equal, to the one that has fewer of all;
if these are equal, too, by lot.

The second sealed set ("second") was drawn after the sealed half had been opened: from the candidates
that were left over, without the groups of the open half, and from those of more-candidates.tsv, which
were collected for it. It has a seed of its own, takes as many of a family as the limits leave, and
isn't split. So was each later one when the one before it had been opened: the third ("third") from
third-candidates.tsv alone, the fourth ("fourth") from fourth-candidates.tsv, and so on.
"""
import argparse
import collections
import hashlib
import os
import re
import sys

from programs import SETS

HERE = os.path.dirname(os.path.abspath(__file__))
SEED = "divcost 18"
SECOND_SEED = "divcost 18, second sealed set"
LATER_SEED = "divcost 18, %s sealed set"
FILE, GROUP, REPOSITORY = 4, 6, 36
STRAIGHT = 5
# Those that are likely to lose lanes have more.
FAMILIES = {
    "graph": 32,
    "sort, scan, reduce": 26,
    "dynamic programming, bio": 20,
    "trees, search, hash": 20,
    "sparse": 16,
    "Monte Carlo, random": 16,
    "compression, crypto, string": 18,
    "particles, molecular dynamics": 16,
    "image, window, convolution": 18,
    "stencil, PDE": 16,
    "dense linear algebra": 14,
    "machine-learning layers": 12,
    "physics, ray tracing": 14,
    "other": 14,
}
HALVES, LATER = SETS[:2], SETS[3:]  # LATER: each of candidates of its own
SHAPES = ("branches", "straight")  # straight: neither loops nor branches, but for one guard
COLUMNS = ["family", "group", "repository", "commit", "file", "line", "kernel", "program",
           "arguments", "inputs", "shape", "dropped", "note"]
FILLED = COLUMNS[:8]  # the others may be empty: "-"


class Broken(Exception):
    """A table that can't be used, and why."""


def lot(*names, seed=SEED):
    return hashlib.sha256("\n".join((seed,) + names).encode()).hexdigest()


def name_of(row):
    return row["repository"], row["file"], row["kernel"]


def lines_of(path):
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Broken("%s can't be read: %s" % (path, getattr(error, "strerror", None) or error))
    if not text.endswith("\n"):
        raise Broken("%s doesn't end with a line break: cut off?" % path)
    return text[:-1].split("\n")


def complaint(row, seen, families):
    """What is wrong with a candidate; or None."""
    empty = [column for column in FILLED if row[column] in ("", "-")]
    if empty:
        return "no %s" % empty[0]
    if row["family"] not in FAMILIES:
        return "'%s' is none of the families" % row["family"]
    if not re.fullmatch("[0-9a-f]{40}", row["commit"]):
        return "'%s' is no commit: 40 hexadecimal digits" % row["commit"]
    if not re.fullmatch("[1-9][0-9]*", row["line"]):
        return "'%s' is no line number" % row["line"]
    if row["shape"] not in SHAPES:
        return "'%s' is no shape: %s" % (row["shape"], " or ".join(SHAPES))
    if name_of(row) in seen:
        return "%s of %s is there twice" % (row["kernel"], row["file"])
    if families.setdefault(row["group"], row["family"]) != row["family"]:
        return "group '%s' is of two families" % row["group"]
    return None


def candidates_in(path):
    lines = lines_of(path)
    if lines[0].split("\t") != COLUMNS:
        raise Broken("%s:1: the columns must be: %s" % (path, ", ".join(COLUMNS)))
    rows, seen, families = [], set(), {}
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise Broken("%s:%d: %d columns instead of %d" % (path, number, len(cells),
                                                              len(COLUMNS)))
        row = dict(zip(COLUMNS, cells))
        wrong = complaint(row, seen, families)
        if wrong:
            raise Broken("%s:%d: %s" % (path, number, wrong))
        seen.add(name_of(row))
        rows.append(row)
    return rows


def drawn_of(rows, number, taken, seed=SEED):
    """`number` kernels of a family, by lot, or as many as the limits leave."""
    waiting = collections.defaultdict(list)
    for row in sorted(rows, key=lambda row: lot("kernel", *name_of(row), seed=seed), reverse=True):
        waiting[row["group"]].append(row)
    turns = collections.deque(sorted(waiting, key=lambda group: lot("group", group, seed=seed)))
    drawn, counts = [], collections.Counter()
    while turns and len(drawn) < number:
        group = turns.popleft()
        while waiting[group]:
            row = waiting[group].pop()
            limits = {("file", row["repository"], row["file"]): FILE, ("group", group): GROUP,
                      row["shape"]: number // STRAIGHT if row["shape"] == "straight" else number}
            if taken[row["repository"]] < REPOSITORY and \
                    all(counts[what] < limit for what, limit in limits.items()):
                counts.update(limits.keys())
                taken[row["repository"]] += 1
                drawn.append(row)
                turns.append(group)
                break
    return drawn


def split(drawn, totals):
    """From a group to its half."""
    sizes = collections.Counter(row["group"] for row in drawn)
    counts, halves = collections.Counter(), {}
    for group in sorted(sizes, key=lambda group: (-sizes[group], lot("order", group))):
        half = min(HALVES, key=lambda half: (counts[half], totals[half], lot(half, group)))
        halves[group] = half
        counts[half] += sizes[group]
        totals[half] += sizes[group]
    return halves


def two_halves(rows):
    """The drawn candidates, with their half."""
    taken, totals, kernels = collections.Counter(), collections.Counter(), []
    for family in sorted(FAMILIES, key=lambda family: lot("family", family)):
        drawn = drawn_of([row for row in rows if row["family"] == family], FAMILIES[family], taken)
        halves = split(drawn, totals)
        kernels += [dict(row, half=halves[row["group"]]) for row in drawn]
    return kernels


def later_set(rows, name, seed):
    """What the limits leave of these candidates, of every family."""
    taken, kernels = collections.Counter(), []
    for family in sorted(FAMILIES, key=lambda family: lot("family", family, seed=seed)):
        own = [row for row in rows if row["family"] == family]
        kernels += [dict(row, half=name) for row in drawn_of(own, len(own), taken, seed)]
    return kernels


def second_set(rows, more, halves):
    """What is drawn of the candidates that the halves left over, and of those added since."""
    names = {name_of(row) for row in halves}
    opened = {row["group"] for row in halves if row["half"] == "open"}
    left = more + [row for row in rows
                   if name_of(row) not in names and row["group"] not in opened]
    return later_set(left, "second", SECOND_SEED)


def draw(rows, more, later):
    """The drawn candidates, with the half or set they are of, in the order of the table."""
    kernels = two_halves(rows)
    kernels += second_set(rows, more, kernels)
    for name, own in later.items():
        kernels += later_set(own, name, LATER_SEED % name)
    order, place = list(FAMILIES), {name: SETS.index(name) for name in SETS[2:]}
    return sorted(kernels, key=lambda row: (place.get(row["half"], 0),
                                            order.index(row["family"]), SETS.index(row["half"]),
                                            *name_of(row)))


def text_of(kernels):
    columns = ["half"] + COLUMNS
    return "".join("\t".join(cells) + "\n" for cells in
                   [columns] + [[row[column] for column in columns] for row in kernels])


def counts_of(rows, kernels):
    """Rows of a table: family, candidates, and how many are of each set."""
    table = []
    for family in FAMILIES:
        sets = collections.Counter(row["half"] for row in kernels if row["family"] == family)
        table.append([family, sum(row["family"] == family for row in rows)] +
                     [sets[name] for name in SETS])
    sums = [sum(row[column] for row in table) for column in range(1, len(table[0]))]
    return table + [["all"] + sums]


def print_counts(table, markdown):
    title = ["family", "candidates", *SETS]
    if markdown:
        for cells in [title, ["---"] + (len(title) - 1) * ["---:"]] + table:
            print("| " + " | ".join(map(str, cells)) + " |")
        return
    for cells in [title] + table:
        print(("%-32s%12s" + len(SETS) * "%8s") % tuple(cells))


def difference(expected, found):
    """The first line that differs, in words."""
    for number, (line, other) in enumerate(zip(expected, found), 1):
        if line != other:
            return "line %d is\n  %s\nand should be\n  %s" % (number, other, line)
    return "it has %d lines and should have %d" % (len(found), len(expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--folder", default=HERE, help="where the tables are")
    arguments = parser.parse_args()
    candidates = os.path.join(arguments.folder, "candidates.tsv")
    path = os.path.join(arguments.folder, "kernels.tsv")
    try:
        rows = candidates_in(candidates)
        more, *later = (candidates_in(os.path.join(arguments.folder, name + "-candidates.tsv"))
                        for name in ("more", *LATER))
        kernels = draw(rows, more, dict(zip(LATER, later)))
        text = text_of(kernels)
        if arguments.check:
            found, expected = lines_of(path), text[:-1].split("\n")
            if found != expected:
                raise Broken("%s isn't what the draw gives: %s" % (path,
                                                                   difference(expected, found)))
        elif not arguments.markdown:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except (Broken, OSError) as error:
        sys.exit("draw.py: %s" % error)
    print_counts(counts_of(sum(later, rows + more), kernels), arguments.markdown)


if __name__ == "__main__":
    main()
