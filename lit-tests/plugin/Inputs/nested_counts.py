#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nested_counts.py COUNTS.json: the counts of profile_nested.cu's loops in 8 launches of 32 lanes, against
those of its formulas. Where lanes pass by a loop, which of them come to it together isn't known:
then how many of them made how many trips is compared alone."""
import collections
import json
import sys

LAUNCHES, LANES = 8, 32
# Rounds of the loop around; trips of a lane in a round, or None.
LOOPS = [
    (140, lambda lane, at: (lane + at) % 5),
    (40, lambda lane, at: at // 10 * 40 + lane % 9),
    (12, lambda lane, at: 250 + lane % 14 if at % 4 == 3 else lane * 7),
    (30, lambda lane, at: lane % 4 + at // 9 if (lane + at) % 3 else None),
]


def by_hand(rounds, trips_of):
    counts, histogram = collections.Counter(), collections.Counter()
    apart = False
    for at in range(rounds):
        trips = [t for t in (trips_of(lane, at) for lane in range(LANES)) if t is not None]
        apart = apart or len(trips) < LANES
        counts.update(entries=1, warp_iterations=max(trips), pairs=len(trips) * (len(trips) - 1) // 2,
                      spread=len(trips) * sum(t * t for t in trips) - sum(trips) ** 2)
        histogram.update(trips)
    return ({} if apart else {key: LAUNCHES * count for key, count in counts.items()},
            [[trips, LAUNCHES * lanes, LAUNCHES * trips * lanes] for trips, lanes in sorted(histogram.items())])


with open(sys.argv[1]) as file:
    inner = [loop for loop in json.load(file)["loops"] if loop["histogram"]]
assert len(inner) == len(LOOPS), [loop["line"] for loop in inner]
for loop, given in zip(sorted(inner, key=lambda loop: loop["line"]), LOOPS):
    counts, histogram = by_hand(*given)
    assert loop["histogram"] == histogram, (loop["line"], loop["histogram"], histogram)
    assert {key: loop[key] for key in counts} == counts, (loop["line"], loop, counts)
print("%d loops as counted by hand" % len(LOOPS))
