#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what the plugin expects of ptxas against what it makes of the drawn programs.

  ptxas.py CHECKOUTS [--half open|sealed|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth] [--plugin FILE]
          [--cuda FOLDER] [--clang COMMAND] [--compiler clang|nvcc] [--jobs N] [--list]

Compiles the programs' files with clang and the plugin to machine code of sm_90, or with the plugin for what it says and
with nvcc for the code; needs no GPU. Says
- of how many lines with one divergent branch, which leaves no loop, the plugin expects a branch or
  predicates, and what is there: a conditional branch or exit of that line, or none. Lines of loops
  are left out; where a loop was unrolled the branches of the line may be its own, so that some of
  those that are 'expected predicated, found a branch' are both;
- how many instructions of loops with and without loops in them read parameters (LDC, ULDC).
--list names the lines where it is otherwise."""
import argparse
import collections
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

import build
import judge
import programs

sys.path.insert(0, os.path.join(programs.HERE, "..", "gpu", "workloads"))
import machine_code  # noqa: E402

CONSTANT_LOADS = (0xB82, 0xAB9)  # LDC, ULDC: whole opcodes
BRANCHES = (machine_code.BRANCH, machine_code.EXIT)
EXPECTED = {"likely": "predicated", "unlikely": "a branch"}
DIVERGENT = 3


def expected_of(kernel):
    """{(file, line): predication} of the lines with one branch that is neither uniform nor leaves a loop."""
    skeleton, found = kernel["skeleton"], collections.defaultdict(list)
    loops = {(os.path.basename(loop["file"]), loop["line"]) for loop in kernel["loops"]}
    for _, _, level, predication, left, location, *_ in skeleton["branches"]:
        if location >= 0:
            file, line = skeleton["locations"][location][:2]
            ours = level >= DIVERGENT and left < 0
            found[os.path.basename(skeleton["strings"][file]), line].append(predication if ours else None)
    return {place: said[0] for place, said in found.items()
            if len(said) == 1 and said[0] in EXPECTED and place not in loops}


def branches_of(kernel, code):
    """(expected, found, place) of each line."""
    rows = []
    for place, predication in expected_of(kernel).items():
        here = [i for i in code if i.file and (os.path.basename(i.file), i.line) == place]
        parts = any(i.conditional and i.opcode in BRANCHES for i in here)
        if here:
            rows.append((EXPECTED[predication], "a branch" if parts else "predicated", place))
    return rows


def reads_of(code):
    """(whether loops are inside, instructions, those that read constants) of each loop."""
    graph = machine_code.Code(code)
    for loop in graph.all_loops():
        own = graph.body(loop)
        yield bool(loop.children), len(own), sum(i.opcode in CONSTANT_LOADS for i in own)


def compile_both(options, program, source, root, base):
    """The report of a file, and its machine code."""
    if options.compiler == "clang":
        judge.compile_file(options, program, source, root, base + ".json",
                           ["-c", "-gline-tables-only", "-o", base + ".cubin"])
        return
    judge.compile_file(options, program, source, root, base + ".json",
                       ["-fsyntax-only", "-fplugin-arg-divcost-compiler=nvcc"])
    flags = [word for word in shlex.split(program.flags) if not word.startswith("-l")]
    done = subprocess.run([os.path.join(options.cuda, "bin", "nvcc"), *build.FLAGS, *flags, "-cubin",
                           "-o", base + ".cubin", source], cwd=root, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError("%s: %s" % (source, done.stderr.strip()[-400:]))


def look_at(options, program):
    """(branches, reads, failures) of a program."""
    root = program.root(options.checkouts)
    branches, reads, failed = [], [], []
    with tempfile.TemporaryDirectory() as work:
        try:
            for line in program.replace:
                build.replace(root, line)
            for number, source in enumerate(judge.sources_of(program, root)):
                base = os.path.join(work, str(number))
                compile_both(options, program, source, root, base)
                with open(base + ".json", encoding="utf-8") as file:
                    kernels = json.load(file)["kernels"]
                code = machine_code.read_kernels(base + ".cubin") if kernels else {}
                for kernel in kernels:
                    own = code.get(kernel["symbol"])
                    if own:
                        branches += branches_of(kernel, own)
                        reads += reads_of(own)
        except (OSError, ValueError) as error:
            failed.append("%s: %s" % (program.name, error))
    return branches, reads, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts")
    parser.add_argument("--half", choices=programs.SETS, default="open")
    parser.add_argument("--plugin", default="build/pass/divcost.so")
    parser.add_argument("--cuda", default="/usr/local/cuda")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--compiler", choices=("clang", "nvcc"), default="clang")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.checkouts = os.path.abspath(options.checkouts)
    options.host_include = judge.host_include()
    chosen = [p for p in programs.programs() if p.half == options.half]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda program: look_at(options, program), chosen))
    branches = [row for found, _, _ in results for row in found]
    for (expected, found), count in sorted(collections.Counter(row[:2] for row in branches).items()):
        print("expected %s, found %s: %d lines" % (expected, found, count))
    for outer in (False, True):
        own = [row for _, reads, _ in results for row in reads if row[0] == outer]
        print("%d loops %s loops inside: %d of %d instructions read constants" %
              (len(own), "with" if outer else "without", sum(r[2] for r in own), sum(r[1] for r in own)))
    for expected, found, (file, line) in branches if options.list else []:
        if expected != found:
            print("%s:%d: expected %s, found %s" % (file, line, expected, found))
    for _, _, failed in results:
        for failure in failed:
            print("left out: " + failure)


if __name__ == "__main__":
    main()
