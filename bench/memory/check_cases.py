#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what is said of accesses to memory against the comments of a source.

  check_cases.py SOURCE REPORT.json       what divcost says: class, and what a request takes
  check_cases.py SOURCE --ncu SOURCE.csv  what Nsight Compute counted (as bench/memory/README.md says)

A comment says it of the accesses of its line, "; " between several:
  // load global 4 strided: 12 of 4; store shared 4 row: 1 of 1
Counts are of a request that some lane takes part in; "1..32" is an interval that they lie in. Ends
with 1 and a line for each that isn't so.
"""
import argparse
import json
import re
import sys

import compare

CLAIM = re.compile(r"(load|store|atomic) (\w+) (\d+) (\w+): ([\d.]+) of ([\d.]+)")


def interval(text):
    low, _, high = text.partition("..")
    return float(low), float(high or low)


def read_claims(path):
    """Of each line: [(kind, space, bytes, class, taken, ideal)]."""
    claims = {}
    for number, line in enumerate(open(path), 1):
        comment = line.partition("//")[2]
        for kind, space, size, name, taken, ideal in CLAIM.findall(comment):
            claims.setdefault(number, []).append(
                (kind, space, int(size), name, interval(taken), interval(ideal)))
    return claims


def of_report(path):
    """(line, kind, space, bytes, class, taken, ideal) of each access that is reached."""
    for kernel in json.load(open(path))["kernels"]:
        for access in kernel.get("accesses", []):
            if "class" not in access:
                continue
            taken, ideal = access.get("sectors", access.get("conflicts")), access["ideal"]
            ends = [(x["low"], x["high"]) if isinstance(x, dict) else (x, x)
                    for x in (taken, ideal)]
            yield (access.get("line"), access["kind"], access["space"], access["bytes"],
                   access["class"], *ends)


def of_ncu(path):
    """Of each instruction of ncu's source page with SASS: line, kind, memory, size; requests, what they
    took and their ideal."""
    counted = {}
    compare.read_page(path, counted)
    for (_, _, line, kind, shared, size), instructions in counted.items():
        for requests, _, taken, ideal in instructions.values():
            yield line, kind, "shared" if shared else "global", size, requests, taken, ideal


def complain(path, line, text):
    print(f"{path}:{line}: {text}")
    return 1


def lies_in(inner, outer):
    return outer[0] - 0.001 <= inner[0] and inner[1] <= outer[1] + 0.001


def fits(said, claim):
    return tuple(said[:4]) == claim[:4] and all(map(lies_in, said[4:], claim[4:]))


def check_report(source, claims, report):
    wrong = 0
    left = {line: list(of_line) for line, of_line in claims.items()}
    for line, *said in of_report(report):
        expected = left.get(line)
        if expected is None:
            continue
        match = next((one for one in expected if fits(said, one)), None)
        if match:
            expected.remove(match)
        else:
            wrong += complain(source, line, f"divcost says {said}, the comment {expected}")
    for line, expected in left.items():
        for one in expected:
            wrong += complain(source, line, f"divcost doesn't say {one}")
    return wrong


def check_ncu(source, claims, page):
    """Instructions that no lane took part in count as requests there: only sums compare."""
    wrong = compared = 0
    for line, kind, space, size, requests, taken, ideal in of_ncu(page):
        expected = [one for one in claims.get(line, []) if one[:3] == (kind, space, size)]
        if not expected:
            continue
        compared += 1
        good = any(low - 0.01 <= taken / ideal * least <= high + 0.01 or
                   (low == high and taken == low * requests)
                   for *_, (low, high), (least, _) in expected)
        if not good:
            wrong += complain(source, line, f"ncu counts {taken:g} of {ideal:g} in {requests:g} "
                              f"requests, the comment says {expected}")
    print(f"{compared} instructions compared")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("report")
    parser.add_argument("--ncu", action="store_true")
    options = parser.parse_args()
    claims = read_claims(options.source)
    check = check_ncu if options.ncu else check_report
    return 1 if check(options.source, claims, options.report) else 0


if __name__ == "__main__":
    sys.exit(main())
