#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets of a build for long, and prints what came of each:

    cmake -S . -B build/fuzz -G Ninja -DDIVCOST_PASS=OFF -DDIVCOST_SANITIZE=ON \\
      -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22
    ninja -C build/fuzz && tools/scripts/fuzz.py build/fuzz [TARGET ...]

Seeds, dictionary and limits are those of the short runs that ctest makes. What is new goes to
BUILD/found/TARGET, where the next run begins too; inputs with which something is wrong are
BUILD/found/TARGET-crash-..., -timeout-... or -oom-.... The exit status is 1 if there are any.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import time


def targets(build):
    """The fuzz targets that ctest knows: name -> command."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for test in json.loads(text[text.index("{"):])["tests"]:
        name = test["name"].split(".")[-1]
        if name.startswith("fuzz_") and "command" in test:
            found[name] = test["command"]
    return found


def run(name, command, folder, runs, seconds):
    """(target, runs, seconds, findings), and what the target said last."""
    corpus = os.path.join(folder, name)
    os.makedirs(corpus, exist_ok=True)
    before = set(glob.glob(corpus + "-*"))
    # Of an option that occurs twice, the last counts.
    command = command + ["-seed=0", "-runs=%d" % runs, "-max_total_time=%d" % seconds,
                         "-malloc_limit_mb=512", "-rss_limit_mb=2048", "-print_final_stats=1",
                         "-artifact_prefix=%s-" % corpus, corpus]
    started = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    took = time.time() - started
    with open(corpus + ".log", "w") as log:
        log.write(done.stdout)
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stdout)
    findings = sum("-slow-unit-" not in path for path in set(glob.glob(corpus + "-*")) - before)
    if done.returncode != 0 and findings == 0:
        findings = 1  # it ended before it could write one
    return (name, int(executed[1]) if executed else 0, took, findings), corpus + ".log"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", help="folder of a build with -DDIVCOST_SANITIZE=ON and clang")
    parser.add_argument("target", nargs="*", help="such as fuzz_distribution; default: all")
    parser.add_argument("--runs", type=int, default=10**7, help="of each target, at most (%(default)s)")
    parser.add_argument("--seconds", type=int, default=1200, help="for each, at most (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time (%(default)s)")
    options = parser.parse_intermixed_args()
    known = targets(options.build)
    if not known:
        sys.exit("%s has no fuzz targets: it takes -DDIVCOST_SANITIZE=ON, clang, and its package "
                 "libclang-rt-22-dev" % options.build)
    for name in options.target:
        if name not in known:
            sys.exit("no fuzz target '%s'; there are: %s" % (name, ", ".join(known)))
    folder = os.path.join(os.path.abspath(options.build), "found")
    os.makedirs(folder, exist_ok=True)
    print("%-20s %10s %8s %9s" % ("target", "runs", "seconds", "findings"), flush=True)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run, name, known[name], folder, options.runs, options.seconds)
                   for name in options.target or known]
        for future in concurrent.futures.as_completed(waiting):
            row, log = future.result()
            print("%-20s %10d %8.0f %9d%s" % (*row, "  " + log if row[3] else ""), flush=True)
            wrong += row[3]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
