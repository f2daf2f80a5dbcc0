# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which launches of a kernel are measured, by their numbers from 1, and how many each stands for.

An iterative program launches a kernel a thousand times, for more and more work, or for less and less, and its
profile is of them all. The first launches are measured one by one, later ones by systematic sampling: of
each ten, hundred and so on the one in the middle. ncu numbers all launches whose function has the
same name, whatever its template arguments and its namespace are.
"""

# The first, and how many a measured one stands for up to the next stratum.
STRATA = ((1, 1), (301, 10), (3001, 100), (30001, 1000))
END = 300001
FEW = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 17, 22, 29, 38, 50, 66, 87, 115, 151, 200, 265, 350, 462, 611]


def strata():
    """(number, how many it stands for) of each launch that is measured."""
    ends = [first for first, _ in STRATA[1:]] + [END]
    return [(number, step) for (first, step), end in zip(STRATA, ends)
            for number in range(first + step // 2, end, step)]


MEASURED, WEIGHTS = zip(*strata())


def weight(index):
    """How many launches that one stands for that was measured after `index` others."""
    return WEIGHTS[min(index, len(WEIGHTS) - 1)]
