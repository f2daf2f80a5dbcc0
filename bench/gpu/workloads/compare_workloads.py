#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin's estimates of the workloads against what the GPU did: one table, good or bad.

  compare_workloads.py --estimates DIR --measured DIR --tsv FILE [--markdown FILE] [--docs FILE]

--estimates: workloads.tsv, estimates.tsv (gpu-workloads --describe, estimate_workloads.py).
--measured: launches-BUILD.tsv, ncu-BUILD.csv, seconds-BUILD.tsv (profile_workloads.sh), where BUILD
is clang or nvcc, and the same of a second run with fewer workloads, launches-BUILD-balanced.tsv ...
--docs: the tables of this document, between its markers, are written anew.
What wasn't read is 'not measured', what the plugin doesn't know 'not estimated'; nothing is filled
in.

Columns, a line for each workload and build:
  given           where the trip counts come from: a law of independent lanes (drawn), a histogram
                  of lanes that aren't independent and how alike they are, so that the loop's own
                  efficiency is given too (counted), or the launch alone (derived)
  estimated       SIMT efficiency that the plugin says; low..high where it rests on assumptions
  measured        active threads in an instruction / 32; pred_on: those whose predicate holds
  error           estimated / measured - 1; of a span, its nearer end's; 0 inside it
  branches        executions of divergent branches, of a warp: estimated, and measured
  lost            share that divergence takes of the time: estimated, of a warp's cycles; measured
                  as 1 - the time of the balanced workload of the same kernel and work / the time
  slots           the same of issue slots: estimated, of a warp's cycles but for those in which it
                  waits where lanes part and meet; measured in slots used
  cycles          issue cycles of a warp, as estimated
  instructions    machine instructions of a warp: estimated, and measured
"""

import argparse
import csv
import os
import statistics

BEGIN, END = "<!-- compare_workloads.py: begin -->\n", "<!-- compare_workloads.py: end -->\n"
BUILDS = ("clang", "nvcc")
BALANCED = ".balanced"
PARTS = ("", "-balanced")  # of what was measured: the later one counts, where both have a workload
NOT_MEASURED, NOT_ESTIMATED = "not measured", "not estimated"
COLUMNS = ["workload", "build", "given", "estimated", "measured", "pred_on", "error",
           "branches_estimated", "branches_measured", "lost_estimated", "lost_measured",
           "slots_estimated", "slots_measured", "cycles", "instructions_estimated",
           "instructions"]
RATIO = "smsp__thread_inst_executed_per_inst_executed.ratio"
PRED_ON = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"
DIVERGENT = "smsp__sass_branch_targets_threads_divergent.sum"
INSTRUCTIONS = "smsp__inst_executed.sum"
SLOTS = "smsp__issue_active.sum"
WARPS = "smsp__warps_launched.sum"


# ---- reading ------------------------------------------------------------------------------------


def read_tsv(path):
    """Rows as dictionaries; none where there is no such file. Lines with # are comments."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def read_counters(path):
    """ncu's table: for each launch, in order, its metrics as numbers; what isn't one is absent."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        table = list(csv.reader(line for line in file if line.startswith('"')))
    launches = []
    for line in table[1:]:
        row = dict(zip(table[0], line))
        if not row["ID"]:  # the units
            continue
        numbers = {"kernel": row["Kernel Name"]}
        for name, text in row.items():
            try:
                numbers[name] = float(text.replace(",", ""))
            except ValueError:
                pass
        launches.append(numbers)
    return launches


def counters_of_part(folder, part):
    """The n-th launch is the n-th workload; a table of another length belongs to another run."""
    launches = read_tsv(os.path.join(folder, f"launches-{part}.tsv"))
    counters = read_counters(os.path.join(folder, f"ncu-{part}.csv"))
    if not counters:
        return {}
    if len(launches) != len(counters):
        raise SystemExit(f"{folder}: {len(launches)} launches in launches-{part}.tsv, but "
                         f"{len(counters)} in ncu-{part}.csv: of different runs?")
    return {launch["workload"]: numbers for launch, numbers in zip(launches, counters)}


def seconds_of_part(folder, part):
    return {row["workload"]: float(row["seconds"])
            for row in read_tsv(os.path.join(folder, f"seconds-{part}.tsv"))}


def measured_by_workload(folder, build, read):
    result = {}
    for part in PARTS:
        result.update(read(folder, build + part))
    return result


# ---- figures ------------------------------------------------------------------------------------


def number(row, name):
    text = row.get(name, "-")
    return None if text == "-" else float(text)


def given(tallies):
    """See the columns; tallies: the workload's rows of workloads.tsv."""
    if all(row["line"] == "-" for row in tallies):
        return "derived"
    return "counted" if any(row["lanes"] == "dependent" for row in tallies) else "drawn"


def error_of(low, high, measured):
    if measured < low:
        return low / measured - 1
    if measured > high:
        return high / measured - 1
    return 0.0


def show(value, absent, digits=4):
    return absent if value is None else f"{value:.{digits}g}"


def show_span(low, high, absent, digits=4):
    if low is None:
        return absent
    return show(low, absent, digits) if low == high else f"{low:.{digits}g}..{high:.{digits}g}"


def estimated_slots(estimate):
    """Both ends of the share of issue slots; (None, None) where the plugin says nothing."""
    ends = []
    for end in ("low", "high"):
        cycles, imbalance, waiting = (number(estimate, f"{name}_{end}")
                                      for name in ("cycles", "imbalance", "reconvergence"))
        if cycles is None:
            return None, None
        ends.append(imbalance / (cycles - waiting))
    return tuple(sorted(ends))


def measured_loss(workload, measured):
    """Of what was measured of each workload: against the one of the same kernel that has the same
    work in all lanes."""
    own = measured.get(workload)
    if workload.endswith(BALANCED):
        balanced = own
    elif workload.endswith(".zipf"):  # another mean than the kernel's other laws
        balanced = measured.get(workload + BALANCED)
    else:
        of_all_laws = workload.split(".", maxsplit=1)[0] + BALANCED
        balanced = measured.get(workload + BALANCED, measured.get(of_all_laws))
    if own is None or balanced is None:
        return None
    return 1 - balanced / own


def compare(tallies, estimate, counters, losses, build):
    """One line of the table; losses: of the time and of the slots."""
    workload = tallies[0]["workload"]
    low, high = number(estimate, "efficiency_low"), number(estimate, "efficiency_high")
    ratio, on, warps = counters.get(RATIO), counters.get(PRED_ON), counters.get(WARPS)
    divergent, issued = counters.get(DIVERGENT), counters.get(INSTRUCTIONS)
    error = None if low is None or ratio is None else error_of(low, high, ratio / 32)
    return {
        "workload": workload, "build": build, "given": given(tallies),
        "estimated": show_span(low, high, NOT_ESTIMATED),
        "measured": show(ratio and ratio / 32, NOT_MEASURED),
        "pred_on": show(on and on / 32, NOT_MEASURED),
        "error": NOT_MEASURED if ratio is None else show(error, NOT_ESTIMATED, 3),
        "branches_estimated": show_span(number(estimate, "branches_low"),
                                        number(estimate, "branches_high"), NOT_ESTIMATED),
        "branches_measured": show(None if divergent is None or not warps else divergent / warps,
                                  NOT_MEASURED),
        "lost_estimated": show_span(number(estimate, "share_low"), number(estimate, "share_high"),
                                    NOT_ESTIMATED, 3),
        "lost_measured": show(losses[0], NOT_MEASURED, 3),
        "slots_estimated": show_span(*estimated_slots(estimate), NOT_ESTIMATED, 3),
        "slots_measured": show(losses[1], NOT_MEASURED, 3),
        "cycles": show_span(number(estimate, "cycles_low"), number(estimate, "cycles_high"),
                            NOT_ESTIMATED),
        "instructions_estimated": show_span(number(estimate, "instructions_low"),
                                            number(estimate, "instructions_high"), NOT_ESTIMATED),
        "instructions": show(None if issued is None or not warps else issued / warps,
                             NOT_MEASURED),
    }


def table(estimates_folder, measured_folder):
    workloads = {}
    for row in read_tsv(os.path.join(estimates_folder, "workloads.tsv")):
        workloads.setdefault(row["workload"], []).append(row)
    estimates = {(row["workload"], row["build"]): row
                 for row in read_tsv(os.path.join(estimates_folder, "estimates.tsv"))}
    rows = []
    for build in BUILDS:
        counters = measured_by_workload(measured_folder, build, counters_of_part)
        seconds = measured_by_workload(measured_folder, build, seconds_of_part)
        slots = {name: numbers[SLOTS] for name, numbers in counters.items() if SLOTS in numbers}
        rows += [compare(tallies, estimates.get((name, build), {}), counters.get(name, {}),
                         [measured_loss(name, of) for of in (seconds, slots)], build)
                 for name, tallies in workloads.items()]
    return rows


def kind(row):
    """Workloads of equal work in all lanes are easy, and no merit of what is given of them."""
    return "balanced" if row["workload"].endswith(BALANCED) else row["given"]


def medians(rows):
    """(build, kind, workloads, median and worst |error|, how many of them are estimated as one
    figure, the median |error| of these, how many of the others' spans hold what was measured)."""
    result = []
    for build in BUILDS:
        for source in ("drawn", "counted", "derived", "balanced"):
            known = [(abs(float(row["error"])), ".." in row["estimated"]) for row in rows
                     if row["build"] == build and kind(row) == source
                     and row["error"] not in (NOT_MEASURED, NOT_ESTIMATED)]
            errors = [error for error, _ in known]
            figures = [error for error, span in known if not span]
            if errors:
                result.append((build, source, len(errors), statistics.median(errors), max(errors),
                               len(figures), statistics.median(figures) if figures else None,
                               sum(error == 0 for error, span in known if span)))
    return result


def losses_apart(rows):
    """(build, of what, workloads, median and worst distance of what is estimated from what was
    measured), of workloads that have a balanced one."""
    result = []
    for build in BUILDS:
        for of in ("lost", "slots"):
            apart = []
            for row in rows:
                low, _, high = row[of + "_estimated"].partition("..")
                if (row["build"] == build and kind(row) != "balanced" and
                        NOT_MEASURED != row[of + "_measured"] and low != NOT_ESTIMATED):
                    measured = float(row[of + "_measured"])
                    apart.append(max(float(low) - measured, measured - float(high or low), 0))
            if apart:
                result.append((build, of, len(apart), statistics.median(apart), max(apart)))
    return result


# ---- writing ------------------------------------------------------------------------------------


def write_tsv(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")
        for row in rows:
            file.write("\t".join(row[name] for name in COLUMNS) + "\n")


def markdown(rows):
    lines = ["| build | given | workloads | median error | worst | with one figure | their median | "
             "spans that hold it |", "|---" * 8 + "|"]
    for build, source, count, median, worst, figures, of_figures, hold in medians(rows):
        lines.append(f"| {build} | {source} | {count} | {median:.2%} | {worst:.2%} | {figures} | "
                     f"{of_figures:.2%} | {hold} of {count - figures} |" if figures else
                     f"| {build} | {source} | {count} | {median:.2%} | {worst:.2%} | 0 | - | "
                     f"{hold} of {count} |")
    lines += ["", "| build | share | workloads | median distance | worst |", "|---" * 5 + "|"]
    lines += [f"| {build} | {of} | {count} | {median:.3f} | {worst:.3f} |"
              for build, of, count, median, worst in losses_apart(rows)]
    lines += ["", "| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    lines += ["| " + " | ".join(row[name] for name in COLUMNS) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write_markdown(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(markdown(rows))


def write_docs(path, rows):
    """Puts the tables between the markers of a document."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path}: has no lines {BEGIN.strip()} and {END.strip()}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + markdown(rows) + end + after)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--estimates", required=True, metavar="DIR")
    parser.add_argument("--measured", required=True, metavar="DIR")
    parser.add_argument("--tsv", required=True, metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    parser.add_argument("--docs", metavar="FILE")
    options = parser.parse_args()
    rows = table(options.estimates, options.measured)
    write_tsv(options.tsv, rows)
    if options.markdown:
        write_markdown(options.markdown, rows)
    if options.docs:
        write_docs(options.docs, rows)
    for build, source, count, median, worst, figures, of_figures, hold in medians(rows):
        single = "" if of_figures is None else f" ({of_figures:.2%} of {figures} single figures)"
        print(f"{build}, {source}: {count} workloads, median error {median:.2%}{single}, worst "
              f"{worst:.2%}; {hold} of {count - figures} spans hold what was measured")


if __name__ == "__main__":
    main()
