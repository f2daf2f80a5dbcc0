#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random CUDA programs on the CPU, lane by lane, and holds what the plugin's report claims of their
loops against what happens (docs/internals/oracle.md). Exit status: 0, 1 where a claim is broken, 2 where
the oracle itself fails."""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import sys
import time

from compile import Failure, Tools, report_of, run_text
from generate import generate
from program import unit_text
from shrink import shrink

BATCH = 16  # programs in a file


class Tally:
    """What all programs came to."""

    def __init__(self):
        self.figures = collections.Counter()
        self.constructs = collections.Counter()
        self.programs = 0
        self.texts = set()
        self.violations = []  # of (program, kind, line, launch, text)
        self.errors = []

    def add(self, program, outcome):
        self.programs += 1
        text = "\n".join(program.lines()).replace(program.kernel, "k").replace("f%d_" % program.number, "f_")
        self.texts.add(hashlib.sha1(text.encode()).digest())
        self.constructs.update(program.constructs)
        self.figures.update(outcome.figures)
        self.errors += ["%s: %s" % (program.kernel, e) for e in outcome.errors]
        self.violations += [(program, *v) for v in outcome.violations]


def run_batch(tools, programs, launches, seed):
    """Outcomes of programs; one that breaks a tool is found by halving."""
    try:
        outcomes = run_text(tools, unit_text(programs), launches, seed)
        if "-" not in outcomes:
            return [(p, outcomes[p.kernel]) for p in programs if p.kernel in outcomes], []
        failure = outcomes["-"].errors[0]
    except Failure as error:
        failure = str(error)
    if len(programs) == 1:
        return [], [(programs[0], failure)]
    half = len(programs) // 2
    done, failed = run_batch(tools, programs[:half], launches, seed)
    more_done, more_failed = run_batch(tools, programs[half:], launches, seed)
    return done + more_done, failed + more_failed


def work(arguments):
    """One batch, from its numbers: what a worker does."""
    tools, seed, numbers, launches = arguments
    programs = [generate(seed, number) for number in numbers]
    return run_batch(tools, programs, launches, abs(hash_of(seed)))


def hash_of(seed):
    return int(hashlib.sha1(str(seed).encode()).hexdigest()[:8], 16)


def batches(options):
    """Numbers of programs, batch by batch."""
    end = options.programs if options.programs else sys.maxsize
    for first in range(0, end, BATCH):
        yield range(options.first + first, options.first + min(first + BATCH, end))


def run_all(tools, options):
    tally, failed, known = Tally(), [], read_known(options.known)
    begin = time.monotonic()
    until = begin + 60 * options.minutes if options.minutes else None
    todo = batches(options)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = set()
        while True:
            while len(waiting) < options.jobs + 1 and not (until and time.monotonic() > until):
                numbers = next(todo, None)
                if numbers is None:
                    break
                waiting.add(pool.submit(work, (tools, options.seed, numbers, options.launches)))
            if not waiting:
                break
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for batch in done:
                outcomes, broken = batch.result()
                failed += [f for f in broken if (options.seed, str(f[0].number), "failure", "0") not in known]
                for program, outcome in outcomes:
                    tally.add(program, outcome)
                tally.violations = [v for v in tally.violations if name_of(options, v) not in known]
            if options.progress:
                print("%d programs, %d launches, %d violations, %.0f s" %
                      (tally.programs, tally.figures["launches"], len(tally.violations), time.monotonic() - begin),
                      file=sys.stderr, flush=True)
            if options.first_violation and (tally.violations or failed):
                until = begin  # 0 is no end
    return tally, failed, time.monotonic() - begin


def read_known(path):
    """Violations that aren't to be told again: seed, number, kind and line of each."""
    if not path:
        return set()
    with open(path, encoding="utf-8") as stream:
        return {tuple(line.split()) for line in stream}


def name_of(options, violation):
    program, kind, line = violation[:3]
    return options.seed, str(program.number), kind, str(line)


def write_known(path, options, violations):
    with open(path, "w", encoding="utf-8") as stream:
        for violation in violations:
            stream.write(" ".join(name_of(options, violation)) + "\n")


def family(violation):
    """Violations that may well have one cause: of one kind, in loops alike."""
    return violation[1]


def print_tally(tally, seconds):
    n = tally.figures
    print("%d programs (%d of them different), %d launches of %d blocks, in %.0f s" %
          (tally.programs, len(tally.texts), n["launches"], n["blocks"], seconds))
    lost = n["too_long"] + n["undefined"] + n["diverged"]
    print("blocks that weren't finished: %.1f%% too long, %.1f%% undefined, %.1f%% barrier not met by all" %
          tuple(100 * n[k] / max(1, n["blocks"]) for k in ("too_long", "undefined", "diverged")) if lost else
          "all blocks were finished")
    entries = max(1, n["entries"])
    print("%d entries of loops by lanes: %.1f%% of loops that the report doesn't have, %.1f%% of several in one place, "
          "%.1f%% outside of a condition, %.1f%% not decided" %
          (entries, *(100 * n[k] / entries for k in ("unclaimed", "ambiguous", "outside", "undecided"))))
    print("checked: %d expressions, %d bounds, %d other exits, %d lanes against others, %d figures of estimates" %
          (n["expressions"], n["bounds"], n["exits"], n["alike"], n["estimates"]))


def print_constructs(tally):
    print("\nconstructs, in how many of 100 programs:")
    for name, count in sorted(tally.constructs.items(), key=lambda item: (-item[1], item[0])):
        print("  %5.1f  %s" % (100 * count / tally.programs, name))


def print_violations(tools, tally, options):
    by_family = collections.defaultdict(list)
    for violation in tally.violations:
        by_family[family(violation)].append(violation)
    for name, members in sorted(by_family.items(), key=lambda item: -len(item[1])):
        print("\n%s: %d violations in %d programs" % (name, len(members), len({v[0].number for v in members})))
        for program, kind, line, launch, text in members[:options.show_violations]:
            print("  %s/%d line %d: %s\n    %s" % (options.seed, program.number, line, text, launch))
        if options.shrink:
            for program, kind, line, launch, text in members[:options.shrink_each]:
                write_shrunk(tools, program, kind, options)


def write_shrunk(tools, program, kind, options):
    os.makedirs(options.shrink, exist_ok=True)
    small = shrink(tools, program, {kind}, options.launches, hash_of(options.seed))
    path = os.path.join(options.shrink, "%s-%d.cu" % (kind, program.number))
    text = unit_text([small])
    outcome = run_text(tools, text, options.launches, hash_of(options.seed)).get(small.kernel)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
        for of, line, launch, what in outcome.violations if outcome else []:
            stream.write("// %s in line %d: %s\n//   %s\n" % (of, line, what, launch))
    print("  shrunk to %s" % path)


def check_file(tools, options):
    """A file in the generator's format: each of its programs."""
    with open(options.file, encoding="utf-8") as stream:
        outcomes = run_text(tools, stream.read(), options.launches, hash_of(options.seed))
    broken = False
    for name, outcome in outcomes.items():
        print(name, " ".join("%s=%d" % item for item in outcome.figures.items()))
        for kind, line, launch, text in outcome.violations:
            broken = True
            print("  %s in line %d: %s\n    %s" % (kind, line, text, launch))
        for error in outcome.errors:
            broken = True
            print("  error: " + error)
    return 1 if broken else 0


def show(tools, options):
    seed, number = options.show.rsplit("/", 1)
    text = unit_text([generate(seed, int(number))])
    for k, line in enumerate(text.splitlines(), 1):
        print("%4d  %s" % (k, line))
    print(report_of(tools, text))
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="the build's folder")
    parser.add_argument("--clang", default="clang-22", help="the clang that loads its plugin")
    parser.add_argument("--programs", type=int, default=0, metavar="N", help="how many; 0: until the time is over")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first")
    parser.add_argument("--launches", type=int, default=50, metavar="N", help="of each program (50)")
    parser.add_argument("--minutes", type=float, default=0, metavar="M", help="no new programs after that time")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--seed", default="1", help="which programs and launches; launch...: small programs whose ways follow from the launch and "
                        "its parameters, for what estimates say")
    parser.add_argument("--first-violation", action="store_true", help="stop where a claim is broken")
    parser.add_argument("--known", metavar="FILE", help="violations that aren't told")
    parser.add_argument("--write-known", metavar="FILE", help="write such a file")
    parser.add_argument("--show", metavar="SEED/NUMBER", help="print a program and its report")
    parser.add_argument("--file", metavar="F.cu", help="check the programs of a file")
    parser.add_argument("--shrink", metavar="FOLDER", help="make violating programs small, and put them there")
    parser.add_argument("--shrink-each", type=int, default=2, metavar="N", help="so many of each family (2)")
    parser.add_argument("--show-violations", type=int, default=4, metavar="N", help="so many of each family (4)")
    parser.add_argument("--constructs", action="store_true", help="print how often each construct is used")
    parser.add_argument("--progress", action="store_true")
    options = parser.parse_args()
    if not (options.programs or options.minutes or options.show or options.file):
        parser.error("one of --programs, --minutes, --show, --file")
    return options


def main():
    options = parse_options()
    tools = Tools(options.build, options.clang)
    if options.show:
        return show(tools, options)
    if options.file:
        return check_file(tools, options)
    tally, failed, seconds = run_all(tools, options)
    if options.constructs:
        print_constructs(tally)
    print_tally(tally, seconds)
    print_violations(tools, tally, options)
    if options.write_known:
        write_known(options.write_known, options, tally.violations + [(p, "failure", 0) for p, _ in failed])
    for program, failure in failed:
        print("\n%s/%d: %s" % (options.seed, program.number, failure))
    for error in tally.errors[:10]:
        print("\nerror: " + error)
    print("\n%d programs with a broken claim" % len({v[0].number for v in tally.violations}))
    return 1 if tally.violations else 2 if failed or tally.errors else 0


if __name__ == "__main__":
    sys.exit(main())
