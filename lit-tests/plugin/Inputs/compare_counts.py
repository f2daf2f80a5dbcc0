#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the counts of a profile (as `divcost profile show --json`) with lines "function number
trips" of counters by hand: entries, iterations, and every bin. Prints how many loops are equal.

  compare_counts.py PROFILE.json LINES [RUNS]
"""
import collections
import json
import sys

profile = json.load(open(sys.argv[1]))
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 1
by_hand = collections.defaultdict(collections.Counter)
for line in open(sys.argv[2]):
    function, number, trips = line.split()
    by_hand[function, int(number)][int(trips)] += 1
counted = collections.defaultdict(collections.Counter)
sums = collections.Counter()
for loop in profile["loops"]:
    for start, lanes, total in loop["histogram"]:
        counted[loop["function"], loop["number"]][start] += lanes
        sums[loop["function"], loop["number"]] += total
equal = 0
for name, expected in sorted(by_hand.items()):
    if name not in counted:
        continue
    starts = sorted(counted[name])
    binned = collections.Counter()
    for trips, lanes in expected.items():
        binned[max(s for s in starts + [0] if s <= trips)] += lanes * runs
    if binned != counted[name] or sums[name] != runs * sum(t * n for t, n in expected.items()):
        sys.exit("%s %d: by hand %s, counted %s" % (*name, dict(binned), dict(counted[name])))
    equal += 1
print("%d loops equal" % equal)
