#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the oracle would notice: applies mutations of the analysis (mutations.txt) to a copy of the tree,
one at a time, builds the plugin and runs the oracle until a claim is broken that isn't without the
mutation. Prints a line for each: killed or survived, and the seconds that it ran. Exit status: 0, 1 where
one survived, 2 where a mutation's text isn't there once or doesn't compile."""
import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple

from compile import HERE, ROOT

Mutation = namedtuple("Mutation", "name path search replace")
TARGETS = ["divcost-plugin", "oracle-run"]


def text_of(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def read_mutations(path):
    """The mutations of a file such as mutations.txt, which says how they look."""
    found, name, lines = [], None, []
    for line in text_of(path).splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line:
            if name is None:
                name = line
            else:
                lines.append(line)
        elif name is not None:
            of, _, what = name.partition(": ")
            old, new = ("".join(text[1:] + "\n" for text in lines if text[0] != sign) for sign in "+-")
            found.append(Mutation(what, of, old, new))
            name, lines = None, []
    return found


def check_texts(mutations):
    """Mutations whose text isn't there exactly once."""
    return [m for m in mutations if text_of(os.path.join(ROOT, m.path)).count(m.search) != 1]


def copy_tree(folder):
    """What git knows of, as it stands in the work tree."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in names.decode().split("\0"):
        source, target = os.path.join(ROOT, name), os.path.join(folder, name)
        if not name or not os.path.exists(source):
            continue
        text = open(source, "rb").read()
        if os.path.exists(target) and open(target, "rb").read() == text:
            continue # built already
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)


def configure(folder, options):
    build = os.path.join(folder, "build")
    command = ["cmake", "-S", folder, "-B", build, "-G", "Ninja", *options.cmake]
    if shutil.which("ccache"):
        command += ["-DCMAKE_%s_COMPILER_LAUNCHER=ccache" % language for language in ("C", "CXX")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return build


def make(build, jobs):
    done = subprocess.run(["ninja", "-C", build, "-j%d" % jobs, *TARGETS], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def run_oracle(build, options, more):
    """Exit status, seconds and what was printed."""
    begin = time.monotonic()
    done = subprocess.run([sys.executable, os.path.join(HERE, "oracle.py"), "--build", build, "--seed", options.seed,
                           "--jobs", str(options.jobs), "--launches", str(options.launches), *more],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, time.monotonic() - begin, done.stdout


def try_mutation(mutation, folder, build, known, options):
    """(what became of it, seconds, the first thing that was noticed)."""
    path = os.path.join(folder, mutation.path)
    before = text_of(path)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(before.replace(mutation.search, mutation.replace))
    try:
        built, output = make(build, options.jobs)
        if not built:
            return "not built", 0, output[-1500:]
        status, seconds, output = run_oracle(build, options, ["--programs", str(options.programs), "--known", known,
                                                             "--first-violation", "--show-violations", "1"])
        said = next((line.strip() for line in output.splitlines() if " line " in line or "status" in line), "")
        return ("killed" if status else "survived"), seconds, said
    finally:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(before)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", required=True, metavar="FOLDER", help="where the copy of the tree is made")
    parser.add_argument("--programs", type=int, default=4000, metavar="N", help="that the oracle runs at most (4000)")
    parser.add_argument("--launches", type=int, default=50, metavar="N")
    parser.add_argument("--seed", default="mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", metavar="TEXT", help="those whose name or file has this text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one in N of them")
    parser.add_argument("--cmake", action="append", default=[], metavar="OPTION", help="for cmake")
    parser.add_argument("--check", action="store_true", help="only see that the texts are there")
    return parser.parse_args()


def main():
    options = parse_options()
    chosen = [m for m in read_mutations(os.path.join(HERE, "mutations.txt"))
              if not options.only or options.only in m.name or options.only in m.path]
    chosen = chosen[::options.every]
    lost = check_texts(chosen)
    for mutation in lost:
        print("%s: its text isn't in %s once" % (mutation.name, mutation.path))
    if lost or options.check:
        return 2 if lost else 0
    copy_tree(options.scratch)
    build = configure(options.scratch, options)
    built, output = make(build, options.jobs)
    if not built:
        print(output)
        return 2
    known = os.path.join(options.scratch, "known-%s" % options.seed)
    if not os.path.exists(known):
        run_oracle(build, options, ["--programs", str(options.programs), "--write-known", known])
    counts = {}
    for mutation in chosen:
        result, seconds, said = try_mutation(mutation, options.scratch, build, known, options)
        counts[result] = counts.get(result, 0) + 1
        print("%-9s %4.0f s  %s: %s  [%s]" % (result, seconds, os.path.basename(mutation.path), mutation.name,
                                            said[:150]), flush=True)
    print(", ".join("%d %s" % (n, what) for what, n in sorted(counts.items())))
    return 2 if counts.get("not built") else 1 if counts.get("survived") else 0


if __name__ == "__main__":
    sys.exit(main())
