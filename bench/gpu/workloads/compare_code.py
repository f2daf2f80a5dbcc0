#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, unrolling and branches of bench/kernels in machine code, beside what the plugin predicts.

  compare_code.py --list CUBINS                 the machine code of a folder of cubins, as text
  compare_code.py --predict --plugin SO         what the plugin says of bench/kernels, as text
  compare_code.py --code DIR [--docs FILE]      the tables, from both: into DIR, or looked at there

DIR: predictions.tsv, and code-BUILD.txt and code-BUILD-rolled.txt for BUILD clang and nvcc, as
--predict and --list write them. In the rolled ones every loop of the source has `unroll 1` in front
(roll_loops.sh). --docs: the tables of this document, between its markers, are written anew.

loops.tsv: for each loop of the source, and build:
  predicted   iterations in one pass of the machine's loop: 1 means not unrolled; 'whole': all there
              are, no loop is left
  found       of the loop that does most at once: the instructions that are the loop's work (memory,
              floating point, atomics, shuffles), over those in the same loop that wasn't unrolled;
              where it has none, all its instructions
  others      found for other loops made of the same one; rest: for copies outside of all of them
branches.tsv: for each line with branches of the source that leave no loop, and build:
  predicted   'predicated', 'branch', or 'not said' (where lanes don't part)
  branches    conditional branches and returns of the line; predicated: its other instructions that
              have a predicate
What can't be told is 'not measured'."""

import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import machine_code

KERNELS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                       "kernels")
BUILDS = ("clang", "nvcc")
BEGIN, END = "<!-- compare_code.py: begin -->\n", "<!-- compare_code.py: end -->\n"


# ---- the source ---------------------------------------------------------------------------------


class Statement:
    """A loop statement: the lines that it covers."""

    def __init__(self, begin, end):
        self.begin, self.end = begin, end


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text,
                  flags=re.S)


def closing(text, at):
    """The end of what is in brackets from text[at] on."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "({[") - (text[k] in ")}]")
        if depth == 0:
            return k + 1
    raise ValueError("a bracket is not closed")


def end_of_statement(text, at):
    """The end of the statement that begins at or after text[at]."""
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return closing(text, at)
    word = re.match(r"(for|while|if|else)\b", text[at:])
    if not word:
        while text[at] != ";":
            at = closing(text, at) if text[at] in "({[" else at + 1
        return at + 1
    if word.group() == "else":
        return end_of_statement(text, at + 4)
    end = end_of_statement(text, closing(text, text.index("(", at)))
    if word.group() == "if" and re.match(r"\s*else\b", text[end:]):
        end = end_of_statement(text, end)
    return end


def find_statements(text):
    """The loops of a source, outer ones before inner ones."""
    text, result = without_comments(text), []
    for word in re.finditer(r"\b(for|while|do)\b", text):
        if word.group() == "while" and re.search(r"\}\s*$", text[:word.start()]) and \
                re.match(r"\s*;", text[closing(text, text.index("(", word.end())):]):
            continue  # the end of a do
        at = word.end() if word.group() == "do" else closing(text, text.index("(", word.end()))
        end = end_of_statement(text, at)
        if word.group() == "do":
            end = text.index(";", end)
        result.append(Statement(text.count("\n", 0, word.start()) + 1,
                                text.count("\n", 0, end - 1) + 1))
    return result


# ---- loops --------------------------------------------------------------------------------------

WORK = {  # of an opcode, the lowest 9 bits
    0x181, 0x183, 0x184, 0x186, 0x187, 0x188,         # LDG, LDL, LDS, STG, STL, STS
    0x1A8, 0x1A9, 0x18E, 0x18D, 0x18C,                # ATOMG (and CAS), REDG, ATOMS
    0x020, 0x021, 0x023, 0x028, 0x029, 0x02B, 0x108,  # FMUL, FADD, FFMA, DMUL, DADD, DFMA, MUFU
    0x189,                                            # SHFL
}


def innermost(statements, name, instruction):
    """The innermost loop statement that an instruction's line is in, or None."""
    around = [k for k, s in enumerate(statements)
              if instruction.file == name and s.begin <= instruction.line <= s.end]
    return around[-1] if around else None


def statement_of(code, loop, statements, name):
    """The loop statement that a loop of the machine code is made of, or None: the one that most of
    the branches out of the loop and back are of; of several, the outermost."""
    votes = collections.Counter()
    for instruction in code.decisions(loop):
        votes[innermost(statements, name, instruction)] += 1
    del votes[None]
    most = max(votes.values(), default=0)
    return min((k for k, count in votes.items() if count == most), default=None)


class Loops:
    """The loops of a kernel's machine code by the statements that they are made of."""

    def __init__(self, instructions, statements, name):
        code = machine_code.Code(instructions)
        self.inner = {k for k, s in enumerate(statements)
                      if not any(o.begin > s.begin and o.end <= s.end for o in statements)}
        self.sizes = collections.defaultdict(list)  # by statement: of each loop
        self.work, self.rest, placed = collections.defaultdict(list), {}, {}
        for loop in code.all_loops():
            statement = statement_of(code, loop, statements, name)
            own = code.body(loop)
            placed.update((i.at, statement) for i in own)
            self.sizes[statement].append(len(own))
            # Its work is that of its lines, and, if no other is inside, of what was inlined there.
            lines = [statement, None] if statement in self.inner else [statement]
            self.work[statement].append(count_work(
                i for i in own if innermost(statements, name, i) in lines))
        for k in range(len(statements)):
            self.rest[k] = count_work(i for i in instructions if placed.get(i.at) != k and
                                      innermost(statements, name, i) == k)

    def copies(self, statement, rolled):
        """[of each loop: how many iterations a pass does], None where that can't be told."""
        once, size = rolled.work[statement][0], rolled.sizes[statement][0]
        result = []
        for work, own in zip(self.work[statement], self.sizes[statement]):
            if once:
                result.append(max(1, ratio_of(work, once)))
            elif statement in self.inner or own < 1.5 * size:
                result.append(max(1, round(own / size)))
            else:
                result.append(None)
        return sorted(result, key=lambda n: -(n or 0))

    def copies_outside(self, statement, rolled):
        """Iterations that are done outside of loops, at most."""
        once = rolled.work[statement][0] if rolled.work[statement] else {}
        return ratio_of(self.rest[statement], once) if once else 0


def count_work(instructions):
    return collections.Counter(i.opcode & 0x1FF for i in instructions if i.opcode & 0x1FF in WORK)


def ratio_of(work, once):
    return round(statistics.median(work[opcode] / count for opcode, count in once.items()))


# ---- tables -------------------------------------------------------------------------------------

LOOP_COLUMNS = ["file", "line", "build", "predicted", "found", "others", "rest", "agree"]
BRANCH_COLUMNS = ["file", "line", "build", "predicted", "branches", "predicated", "agree"]
NOT_TOLD, NOT_SAID = "not measured", "not said"


def factors(own, rolled, statement):
    """(factor, others, rest) of a loop statement in a kernel, as text; None: isn't in the kernel"""
    if not own.sizes[statement] and not rolled.sizes[statement]:
        return None
    if not rolled.sizes[statement]:
        return NOT_TOLD, "-", "-"
    copies, rest = own.copies(statement, rolled), own.copies_outside(statement, rolled)
    if not copies:
        return "whole", "-", str(rest) if rest else "-"
    text = [NOT_TOLD if n is None else str(n) for n in copies]
    return text[0], ",".join(text[1:]) or "-", str(rest) if rest else "-"


def loop_rows(code, rolled, statements, name, predicted, build):
    """code, rolled: the kernels of a file"""
    rows, pairs = [], [(Loops(code[k], statements, name), Loops(rolled[k], statements, name))
                       for k in code]
    for k, statement in enumerate(statements):
        found = [f for f in (factors(own, once, k) for own, once in pairs) if f]
        if not found:
            continue
        factor, others, rest = found[0]
        expected = predicted.get(("loop", name, statement.begin), NOT_SAID)
        agree = "-" if NOT_TOLD in (factor, expected) or expected == NOT_SAID else \
            "yes" if expected == factor else "no"
        rows.append(dict(zip(LOOP_COLUMNS, [name, str(statement.begin), build, expected, factor,
                                            others, rest, agree])))
    return rows


def branch_rows(code, statements, name, predicted, build):
    rows = []
    for (kind, file, line), expected in sorted(predicted.items()):
        if kind != "branch" or file != name:
            continue
        here = [i for instructions in code.values() for i in instructions
                if i.file == name and i.line == line]
        if any(s.begin == line for s in statements):
            continue  # the loop's own branches are of this line too
        ways = sum(i.opcode in (machine_code.BRANCH, machine_code.EXIT) and i.conditional
                   for i in here)
        others = sum(i.conditional and i.opcode not in (machine_code.BRANCH, machine_code.EXIT)
                     for i in here)
        agree = "-" if expected == NOT_SAID else \
            "yes" if (expected == "branch") == (ways > 0) else "no"
        rows.append(dict(zip(BRANCH_COLUMNS, [name, str(line), build, expected, str(ways),
                                              str(others), agree])))
    return rows


def read_predictions(path):
    """{(kind, file, line): text}"""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {(kind, name, int(line)): text for kind, name, line, text in lines[1:]}


def by_file(listing):
    result = collections.defaultdict(dict)
    for (name, kernel), code in listing.items():
        result[name + ".cu"][kernel] = code
    return result


def compare(folder):
    """The rows of both tables."""
    predicted = read_predictions(os.path.join(folder, "predictions.tsv"))
    loops, branches = [], []
    for build in BUILDS:
        code, rolled = (by_file(machine_code.read_listing(
            os.path.join(folder, f"code-{build}{suffix}.txt"))) for suffix in ("", "-rolled"))
        for name in sorted(code):
            with open(os.path.join(KERNELS, name), encoding="utf-8") as file:
                statements = find_statements(file.read())
            loops += loop_rows(code[name], rolled[name], statements, name, predicted, build)
            branches += branch_rows(code[name], statements, name, predicted, build)
    return loops, branches


# ---- what the plugin says -----------------------------------------------------------------------


def predictions_of(report):
    """{(kind, file, line): text} of a report; of branches in one line, the one that stays."""
    result = {}
    for kernel in report["kernels"]:
        skeleton = kernel["skeleton"]
        for loop in kernel["loops"]:
            factor, trips = loop.get("unroll_expected"), loop["trips"].get("expr", "")
            text = NOT_SAID if factor is None else \
                "whole" if factor > 1 and trips == str(factor) else str(factor)
            result["loop", os.path.basename(loop["file"]), loop["line"]] = text
        for _, _, level, predication, left, location, *_ in skeleton["branches"]:
            if left >= 0 or location < 0:
                continue
            file, line = skeleton["locations"][location][:2]
            text = NOT_SAID if level < 3 else \
                {"likely": "predicated", "unlikely": "branch"}.get(predication, NOT_SAID)
            key = "branch", os.path.basename(skeleton["strings"][file]), line
            if result.get(key) != "branch":
                result[key] = text
    return result


def predict(options, name):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "report.json")
        subprocess.run([options.clang, f"-fplugin={options.plugin}",
                        f"-fplugin-arg-divcost-report={path}",
                        "-fplugin-arg-divcost-no-warn=imbalance,data-dependent", "-x", "cuda",
                        "--cuda-device-only", "-S", "-o", os.devnull, "--cuda-gpu-arch=sm_90",
                        "-O2", "-Wno-unknown-cuda-version", *options.flag,
                        os.path.join(KERNELS, name)], check=True, stderr=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return predictions_of(json.load(file))


def write_predictions(options, out):
    out.write("kind\tfile\tline\tpredicted\n")
    for name in sorted(os.listdir(KERNELS)):
        if name.endswith(".cu"):
            for (kind, file, line), text in sorted(predict(options, name).items()):
                if file == name:  # not of headers
                    out.write(f"{kind}\t{file}\t{line}\t{text}\n")


# ---- writing ------------------------------------------------------------------------------------


def agreement(rows, build):
    """(rows of the build that say something, how many agree)"""
    said = [row["agree"] for row in rows if row["build"] == build and row["agree"] != "-"]
    return len(said), said.count("yes")


def write_tsv(path, columns, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(columns) + "\n")
        for row in rows:
            file.write("\t".join(row[name] for name in columns) + "\n")


def table(columns, rows):
    return ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|",
            *("| " + " | ".join(row[name] for name in columns) + " |" for row in rows)]


def markdown(loops, branches):
    lines = ["| build | loops | as predicted | lines with branches | as predicted |",
             "|---" * 5 + "|"]
    for build in BUILDS:
        counts = agreement(loops, build) + agreement(branches, build)
        lines.append(f"| {build} | " + " | ".join(map(str, counts)) + " |")
    lines += ["", *table(LOOP_COLUMNS, loops), "", *table(BRANCH_COLUMNS, branches)]
    return "\n".join(lines) + "\n"


def write_docs(path, text):
    with open(path, encoding="utf-8") as file:
        before, begin, rest = file.read().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path}: has no lines {BEGIN.strip()} and {END.strip()}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + text + end + after)


def list_folder(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".cubin"):
            kernels = machine_code.read_kernels(os.path.join(folder, name))
            machine_code.write_listing(sys.stdout, name[:-len(".cubin")], kernels)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="CUBINS")
    parser.add_argument("--predict", action="store_true")
    parser.add_argument("--plugin", metavar="SO")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--flag", action="append", default=[],
                        help="one more argument for clang: --flag=--cuda-path=DIR")
    parser.add_argument("--code", metavar="DIR")
    parser.add_argument("--out", metavar="DIR", help="for the tables, in place of DIR")
    parser.add_argument("--docs", metavar="FILE")
    options = parser.parse_args()
    if options.list:
        list_folder(options.list)
    elif options.predict and options.plugin:
        write_predictions(options, sys.stdout)
    elif options.code:
        loops, branches = compare(options.code)
        out = options.out or options.code
        write_tsv(os.path.join(out, "loops.tsv"), LOOP_COLUMNS, loops)
        write_tsv(os.path.join(out, "branches.tsv"), BRANCH_COLUMNS, branches)
        if options.docs:
            write_docs(options.docs, markdown(loops, branches))
        for build in BUILDS:
            print(f"{build}: %d loops, %d as predicted; %d lines with branches, %d as predicted" %
                  (agreement(loops, build) + agreement(branches, build)))
    else:
        parser.error("one of --list, --predict with --plugin, or --code is needed")


if __name__ == "__main__":
    main()
