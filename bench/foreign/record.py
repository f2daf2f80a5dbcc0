#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs of programs.ini with clang, each with and without the recorder, and runs them.

  record.py build CHECKOUTS OUT --half SET [--build FOLDER] [--cuda FOLDER] [--only NAME] [--jobs N]
  record.py run OUT RESULTS --half SET [--seconds N] [--jobs N]
  record.py times RESULTS.tar.gz

`build` needs the plugin and the recorder, in divcost's build FOLDER; `run` is for the machine with the
GPU, with OUT the folder "carry" of `build`. RESULTS/SET.tar.gz gets each run's profile, the times of its
kernels with and without the recorder (time_launches.c), and how it ended. `times` prints their ratios.
"""
import argparse
import concurrent.futures
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

import build
import inputs
import measure
import programs

FLAGS = ["--cuda-gpu-arch=sm_90", "-O3", "-std=gnu++17", "-w", "-Wno-unknown-cuda-version",
         "-Wno-c++11-narrowing", "-include", os.path.join(programs.HERE, "compat.h")]
WRAP = ["-Wl,--wrap=cudaLaunchKernel,--wrap=__cudaRegisterFunction"]
SCRIPTS = (*build.SCRIPTS, "record.py", "build.py")
PLAIN, RECORDED = 20, 60  # seconds
SHORT = 0.02              # milliseconds of a launch: shorter ones are mostly launching


# ---- building ------------------------------------------------------------------------------------

def run_compiler(command, root):
    """What went wrong, or nothing."""
    try:
        done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=600)
    except subprocess.TimeoutExpired:
        return "took too long"
    wrong = [line for line in done.stdout.splitlines() if "error" in line or "undefined" in line]
    return "\n    ".join(wrong[:3]) or "it failed" if done.returncode else ""


def compile_all(options, program, root, sources, extra, binary):
    """What went wrong, or nothing."""
    folders = ["-isystem", os.path.join(options.cuda, "include", "cccl"), "-idirafter", options.host_include]
    objects = build.objects_of(program, "clang", sources, binary)
    device = [source for source in sources if source not in objects]
    for source, to in objects.items():
        wrong = run_compiler(build.host_command(program, source, options.cuda, to), root)
        if wrong:
            return wrong
    flags = [word.replace("-fopenmp", "-fopenmp=libgomp") for word in program.clang_flags()]
    wrong = run_compiler([options.clang, *FLAGS, "--cuda-path=" + options.cuda, *extra, *folders, *flags,
                          "-x", "cuda", *device, "-x", "none", *objects.values(), options.timer, options.recorder,
                          "-L" + os.path.join(options.cuda, "lib64"), "-lcudadevrt", "-lcudart_static", "-ldl",
                          "-lrt", "-lpthread", "-lm", *WRAP, "-o", binary], root)
    for name in objects.values():
        os.remove(name)
    if not wrong:
        subprocess.run(["strip", binary], check=True)
    return wrong


def build_one(options, program):
    if program.dropped:
        return program.dropped
    root = program.root(options.checkouts)
    try:
        for line in program.replace:
            build.replace(root, line)
        sources = [os.path.relpath(path, root) for pattern in program.sources for path in build.matching(root, pattern)]
        build.copied(program, root, options.out)
    except OSError as error:
        return str(error)
    recorded = ["-fplugin=" + options.plugin, "-fplugin-arg-divcost-profile-generate=out.divprof"]
    binary = os.path.join(options.out, "bin", program.name)
    # Most programs that ask nvcc for it need none of it.
    ways = [[], programs.RELOCATABLE] if "-rdc=true" in program.flags else [[]]
    for way in ways:
        wrong = (compile_all(options, program, root, sources, way, binary) or
                 compile_all(options, program, root, sources, way + recorded, binary + ".recorded"))
        if not wrong:
            break
    return wrong


def build_all(options):
    options.out, options.checkouts = os.path.abspath(options.out), os.path.abspath(options.checkouts)
    options.build = os.path.abspath(options.build)
    options.plugin = os.path.join(options.build, "pass", "divcost.so")
    options.recorder = os.path.join(options.build, "runtime", "libdivcost-profile.a")
    options.host_include = subprocess.run(["gcc", "-print-file-name=include"], stdout=subprocess.PIPE, text=True,
                                          check=True).stdout.strip()
    for folder in ("bin", "log", "data", "carry"):
        os.makedirs(os.path.join(options.out, folder), exist_ok=True)
    options.timer = os.path.join(options.out, "log", "time_launches.o")
    subprocess.run(["gcc", "-O2", "-c", os.path.join(programs.HERE, "time_launches.c"), "-o", options.timer],
                   check=True)
    wanted = [p for p in programs.programs() if p.half == options.half and p.name in (options.only or [p.name])]
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, wrong in zip(wanted, pool.map(lambda p: build_one(options, p), wanted)):
            print("%s: %s" % (program.name, "failed" if wrong else "built"), flush=True)
            failed += ["%s: %s" % (program.name, wrong)] if wrong else []
    build.pack(options.out)
    for script in SCRIPTS:
        shutil.copyfile(os.path.join(programs.HERE, script), os.path.join(options.out, "carry", script))
    print("%d programs built, %d not" % (len(wanted) - len(failed), len(failed)))
    print("\n".join(failed))


# ---- running -------------------------------------------------------------------------------------

def run_one(session, job, recorded):
    """How it ended; the profile and the times of its kernels are kept."""
    phase = "recorded" if recorded else "plain"
    folder = session.folder(job, phase)
    words = session.words(job.program.name + (".recorded" if recorded else ""), job.line)
    begin = time.monotonic()
    with open(os.path.join(folder, ".typed")) as typed, open(os.path.join(folder, ".printed"), "wb") as printed:
        try:
            child = subprocess.Popen(words, cwd=folder, env=dict(session.environment, CUDA_MODULE_LOADING="EAGER"),
                                     stdin=typed, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
            status = session.waited(child, words, RECORDED if recorded else PLAIN)
        except OSError as error:
            status = str(error)
    for name, kept in (("launches.tsv", phase + ".tsv"), ("out.divprof", "divprof")):
        if os.path.exists(os.path.join(folder, name)):
            shutil.copyfile(os.path.join(folder, name), os.path.join(session.scratch, "kept", job.name + "." + kept))
    with open(os.path.join(folder, ".printed"), "rb") as printed:
        said = [line for line in printed.read().decode(errors="replace").splitlines() if line.startswith("divcost:")]
    job.rows.append((job.name, phase, status, "%.1f" % (time.monotonic() - begin), "; ".join(said)[:400]))
    shutil.rmtree(folder, ignore_errors=True)
    return status


def pack(session, half):
    path = os.path.join(session.results, half + ".tar.gz")
    with open(os.path.join(session.scratch, "kept", "status.tsv"), "wb") as file:
        file.write(measure.table([row for job in session.jobs for row in job.rows]))
    with tarfile.open(path + ".new", "w:gz") as tar:
        tar.add(os.path.join(session.scratch, "kept"), half)
    os.replace(path + ".new", path)


def run_job(session, job):
    if session.passed() > session.seconds:
        job.rows.append((job.name, "plain", "no time", "0", ""))
        return
    status = run_one(session, job, False)
    session.say("%s: %s, recorded: %s" % (job.name, status, run_one(session, job, True)))


def run_all(options):
    out, results = os.path.abspath(options.out), os.path.abspath(options.results)
    os.makedirs(results, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        with tarfile.open(os.path.join(out, "programs.tar.xz")) as tar:
            tar.extractall(scratch)
        session = measure.Session(results, scratch, options.seconds, False, None)
        for folder in ("kept", "in"):
            os.makedirs(os.path.join(scratch, folder))
        inputs.make(os.path.join(scratch, "in"))
        for program in programs.programs():
            if program.half == options.half and os.path.exists(os.path.join(scratch, "bin", program.name + ".recorded")):
                session.jobs += [measure.Job(program, n, line) for n, line in enumerate(program.arguments)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number, _ in enumerate(pool.map(lambda job: run_job(session, job), session.jobs)):
                if number % 8 == 0:
                    pack(session, options.half)
        pack(session, options.half)
        session.say("done")


# ---- times ---------------------------------------------------------------------------------------

def times_in(tar, name):
    """Of each kernel: launches and milliseconds."""
    try:
        lines = tar.extractfile(name).read().decode(errors="replace").splitlines()
    except KeyError:
        return {}
    return {symbol: (int(launches), float(ms)) for symbol, launches, ms in (line.split("\t") for line in lines)}


def say_times(options):
    ratios = []
    with tarfile.open(options.results) as tar:
        for name in sorted(tar.getnames()):
            if not name.endswith(".plain.tsv"):
                continue
            plain, recorded = times_in(tar, name), times_in(tar, name[:-len("plain.tsv")] + "recorded.tsv")
            long = [k for k, (n, ms) in plain.items() if k in recorded and recorded[k][0] == n and ms / n >= SHORT]
            if long:
                ratios.append((sum(recorded[k][1] for k in long) / sum(plain[k][1] for k in long),
                               os.path.basename(name)[:-len(".plain.tsv")], sum(plain[k][1] for k in long)))
    for ratio, name, ms in sorted(ratios, reverse=True):
        print("%-40s %10.3f ms  %.2f" % (name, ms, ratio))
    if ratios:
        print("%d programs; median %.2f, worst %.2f" % (len(ratios), statistics.median(r[0] for r in ratios),
                                                       max(r[0] for r in ratios)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    builds = commands.add_parser("build")
    builds.add_argument("checkouts")
    builds.add_argument("out")
    builds.add_argument("--half", choices=programs.SETS, required=True)
    builds.add_argument("--build", default="build", metavar="FOLDER")
    builds.add_argument("--clang", default="clang++-22")
    builds.add_argument("--cuda", default="/usr/local/cuda", metavar="FOLDER")
    builds.add_argument("--only", action="append", metavar="NAME")
    builds.add_argument("--jobs", type=int, default=2)
    builds.set_defaults(do=build_all)
    runs = commands.add_parser("run")
    runs.add_argument("out")
    runs.add_argument("results")
    runs.add_argument("--half", choices=programs.SETS, required=True)
    runs.add_argument("--seconds", type=float, default=400)
    runs.add_argument("--jobs", type=int, default=1)
    runs.set_defaults(do=run_all)
    times = commands.add_parser("times")
    times.add_argument("results")
    times.set_defaults(do=say_times)
    options = parser.parse_args()
    options.do(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
