#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws Swatman's matrix power: errors of the models, iterations by crowd and by number.

    plot_matrix_power.py REPORT PREFIX OUT.png

REPORT: what matrix-power-report printed; PREFIX: of the measurements, as matrix-power-report has it.
"""
import sys

from tables import matplotlib_or_skip, read_table

plt = matplotlib_or_skip()
ERRORS = [("clock1", "mu", "one warp: law", "C0o"),
          ("clock1", "profiled1", "one warp: iterations as sampled", "C0+"),
          ("clock8", "mu", "8 warps: law", "C3s"),
          ("clock8", "profiled8", "8 warps: iterations as sampled", "C3+"),
          ("clock8", "shared8", "8 warps: sharing model", "C2^")]
PROFILES = [("Geo(0.05)", "32"), ("B(40,0.5)", "32")]


def draw_errors(axis, rows):
    for measured, modelled, label, style in ERRORS:
        axis.plot(range(len(rows)),
                  [100 * (float(row[measured]) / float(row[modelled]) - 1) for row in rows],
                  style, ms=4, mfc="none" if style[-1] in "os" else None, label=label)
    axis.axhline(0, color="gray", lw=0.5)
    axis.set_xticks(range(len(rows)), [row["lanes"] for row in rows], fontsize=6)
    for place, row in enumerate(rows):
        if row["lanes"] == "8":
            axis.text(place, -0.16, row["law"], ha="center", fontsize=7,
                      transform=axis.get_xaxis_transform())
        if row["lanes"] == "32" and place + 1 < len(rows):
            axis.axvline(place + 0.5, color="gray", lw=0.3)
    axis.set_ylabel("measured against model, %")
    axis.set_title("loss by the lanes' clocks, all cells of table 1 of Swatman et al.", fontsize=8)
    low, high = axis.get_ylim()
    axis.set_ylim(low, high + 0.15 * (high - low))
    axis.legend(fontsize=6, loc="upper center", ncols=len(ERRORS))


def draw_crowds(axis, terms):
    chosen = [row for row in terms if row["term"] == "iteration" and row["kernel"] == "crowd"
              and row["lanes"] == row["others"] == "32"]
    for background in ("12", "24", "36", "48", None):
        line = [row for row in chosen if row["background"] == (background or row["warps"])]
        axis.plot([int(row["warps"]) for row in line], [float(row["cycles"]) / 1e6 for row in line],
                  "ko-" if background is None else ".-", ms=3, lw=0.8,
                  label="as many" if background is None else background)
    axis.set_xlabel("warps on the multiprocessor")
    axis.set_ylabel("million cycles of an iteration")
    axis.set_title("crowds, by the warps on the others", fontsize=8)
    axis.legend(fontsize=6)


def draw_profiles(axis, profiles):
    for number, (law, lanes) in enumerate(PROFILES):
        for block, style in ((lanes, "-"), ("256", "--")):
            line = [row for row in profiles if row["by"] == "iteration" and row["law"] == law
                    and row["lanes"] == lanes and row["block"] == block and int(row["count"]) >= 50]
            axis.plot([int(row["key"]) for row in line], [float(row["cycles"]) / 1e6 for row in line],
                      style, color="C%d" % number, lw=1,
                      label="%s, blocks of %s" % (law, block))
    axis.set_xlabel("number of the iteration")
    axis.set_ylabel("million cycles")
    axis.set_title("iterations in the workload, 32 lanes", fontsize=8)
    axis.legend(fontsize=6)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    origin, rows = read_table(sys.argv[1])
    _, terms = read_table(sys.argv[2] + "-terms.tsv")
    _, profiles = read_table(sys.argv[2] + "-profiles.tsv")
    figure = plt.figure(figsize=(9, 6.4))
    draw_errors(figure.add_subplot(2, 1, 1), rows)
    draw_crowds(figure.add_subplot(2, 2, 3), terms)
    draw_profiles(figure.add_subplot(2, 2, 4), profiles)
    figure.text(0.99, 0.005, origin, ha="right", fontsize=6)
    figure.tight_layout()
    figure.savefig(sys.argv[3], dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main()
