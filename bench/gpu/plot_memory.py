#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the cost of an iteration by active lanes, and what was predicted from it; prints errors.

    plot_memory.py COSTS PREDICTIONS OUT.png

COSTS: what memory-predict --costs printed; PREDICTIONS: what memory-predict printed.
"""
import statistics
import sys

from tables import matplotlib_or_skip, read_table

plt = matplotlib_or_skip()
EXIT = 13  # cycles of a divergent exit on sm_90, where nothing hides it
MODELS = {  # predicted cycles of a loop
    "T(a)": lambda row: float(row["table"]),
    "T(a), exits": lambda row: float(row["table"]) + EXIT * float(row["exits"]),
    "line": lambda row: float(row["line"]),
    "as drawn": lambda row: float(row["drawn"]),
    "T(32)": lambda row: float(row["constant"]),
}


def error(row, model):
    return MODELS[model](row) / float(row["measured"]) - 1


def groups(rows, *columns):
    """The rows by the values of these columns, in the order in which they occur."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in columns), []).append(row)
    return found


def print_errors(predictions):
    print("level\tloads\twarps" + "".join("\t%s median %%\tworst %%" % name for name in MODELS))
    for key, rows in groups(predictions, "level", "loads", "warps").items():
        print("\t".join(key), end="")
        for model in MODELS:
            errors = [abs(error(row, model)) for row in rows]
            print("\t%.2f\t%.2f" % (100 * statistics.median(errors), 100 * max(errors)), end="")
        print()


def draw(costs, predictions, target, origin):
    by_place = groups(costs, "level", "loads", "warps")
    levels = list(dict.fromkeys(key[0] for key in by_place))
    crowds = list(dict.fromkeys(key[2] for key in by_place))
    figure, axes = plt.subplots(len(crowds), len(levels) + 1, squeeze=False,
                                figsize=(3 * len(levels) + 3, 2.6 * len(crowds)))
    for (level, loads, warps), rows in by_place.items():
        axis = axes[crowds.index(warps)][levels.index(level)]
        for number, ((sectors, spacing), line) in enumerate(groups(rows, "sectors", "spacing").items()):
            axis.plot([int(row["active"]) for row in line], [float(row["cycles"]) for row in line],
                      "-" if loads == "1" else "--", color="C%d" % number, lw=1,
                      label="%s, %s B" % (sectors, spacing) if loads == "1" else None)
        axis.set_title("%s, %s warps" % (level, warps), fontsize=8)
        axis.set_ylim(bottom=0)
    for row, warps in enumerate(crowds):
        axis = axes[row][-1]
        chosen = [item for item in predictions if item["warps"] == warps]
        for model in ("T(a)", "T(32)"):
            axis.plot([float(item["measured"]) for item in chosen],
                      [100 * error(item, model) for item in chosen], ".", ms=3, label=model)
        axis.set_xscale("log")
        axis.set_xlabel("measured cycles of a loop")
        axis.set_ylabel("error, %")
        axis.legend(fontsize=6)
        axes[row][0].set_ylabel("cycles of an iteration")
    for axis in axes[-1][:-1]:
        axis.set_xlabel("active lanes")
    axes[0][0].legend(fontsize=5, title="sectors, spacing", title_fontsize=5)
    figure.text(0.99, 0.005, origin, ha="right", fontsize=6)
    figure.tight_layout()
    figure.savefig(target, dpi=100)
    plt.close(figure)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    origin, costs = read_table(sys.argv[1])
    _, predictions = read_table(sys.argv[2])
    draw(costs, predictions, sys.argv[3], origin)
    print_errors(predictions)


if __name__ == "__main__":
    main()
