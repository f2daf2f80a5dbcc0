#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs of programs.ini with nvcc or clang, and puts what measure.py needs into OUT/carry, which
can be copied to a machine with a GPU.

  build.py CHECKOUTS OUT [--half open|sealed|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|all] [--only NAME] [--jobs N]
                         [--compiler nvcc|clang]

CHECKOUTS has a folder for each repository, "owner+name", at the commit of kernels.tsv. A program that
was built before isn't built again, unless it is named.
"""
import argparse
import concurrent.futures
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile

import programs

FLAGS = ["-O3", "-arch=sm_90", "-std=c++17", "-cudart", "static", "-lineinfo", "-w", "-include",
         os.path.join(programs.HERE, "compat.h")]
# What of nvcc's options programs.ini has that clang has under another name; None: not at all.
CLANG = {"-fmad=false": "-ffp-contract=off", "cu": "cuda", "-Xcompiler": None, "-fopenmp": None,
         "--default-stream": None, "per-thread": "-fgpu-default-stream=per-thread"}
SCRIPTS = ("programs.ini", "programs.py", "kernels.tsv", "inputs.py", "launches.py", "measure.py")


def matching(root, pattern):
    found = sorted(glob.glob(os.path.join(root, pattern), recursive=True))
    if not found:
        raise OSError("%s: no such file" % pattern)
    return found


def replace(root, line):
    name, change = line.split(": ", 1)
    old, new = change.split(" => ")
    path = os.path.join(root, name)
    with open(path, encoding="latin-1", newline="") as file:
        text = file.read()
    if new and new in text and (old not in text or old in new): # done before
        return
    if old not in text:
        raise OSError("%s: there is no %s" % (name, old))
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(text.replace(old, new))


def copied(program, root, out):
    """What the program needs where it runs."""
    folder = os.path.join(out, "data", program.name)
    for pattern in program.files:
        for path in matching(root, pattern):
            to = os.path.join(folder, os.path.relpath(path, root))
            if not os.path.isdir(path):
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copyfile(path, to)
    for archive in program.unpack:
        with zipfile.ZipFile(os.path.join(root, archive)) as file:
            file.extractall(folder)


def is_cuda(program, source):
    return source.endswith((".cu", ".cuh")) or "-x cu" in program.flags


def host_command(program, source, cuda, to):
    """What is no CUDA the host's compiler compiles, as for nvcc."""
    plain = ["gcc"] if source.endswith(".c") else ["g++", "-std=gnu++17", "-include",
                                                  os.path.join(programs.HERE, "compat.h")]
    return [*plain, "-O3", "-w", "-I", os.path.join(cuda, "include"), *program.clang_flags(), "-c", source, "-o", to]


def objects_of(program, compiler, sources, binary):
    """Of each source that is compiled by itself."""
    host = [source for source in sources if compiler != "nvcc" and not is_cuda(program, source)]
    return {source: "%s.%d.o" % (binary, k) for k, source in enumerate(host)}


def compile_commands(program, compiler, sources, binary):
    """One after the other. Of CUDA and other sources in one command clang would give all of them its headers for
    CUDA."""
    flags = shlex.split(program.flags)
    if compiler == "nvcc":
        return [["nvcc", *FLAGS, *flags, *sources, "-o", binary]]
    root = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("nvcc") or "")))
    objects = objects_of(program, compiler, sources, binary)
    sources = [objects.get(source, source) for source in sources]
    return [*(host_command(program, source, root, to) for source, to in objects.items()),
            ["clang++-22", "--cuda-gpu-arch=sm_90", "--cuda-path=" + root, "-O3", "-std=gnu++17", "-w",
            "-fno-strict-return", # nvcc doesn't take an end without a return for unreachable
            "-gline-tables-only", "-Wno-c++11-narrowing", "-I" + root + "/include",
            "-isystem", os.path.join(root, "include", "cccl"),
            *FLAGS[FLAGS.index("-include"):],
            *(CLANG.get(flag, flag) for flag in flags if CLANG.get(flag, flag)), *sources, "-o", binary,
            "-L" + root + "/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread",
            *(["-lgomp"] if "-fopenmp" in flags else [])]]


def run_logged(command, root, file):
    file.write(shlex.join(command) + "\n")
    file.flush()
    try:
        return subprocess.run(command, cwd=root, stdout=file, stderr=subprocess.STDOUT, timeout=400).returncode
    except subprocess.TimeoutExpired:
        return "took too long"


def build(program, checkouts, out, compiler):
    """What went wrong, or nothing."""
    if program.dropped:
        return program.dropped
    root = program.root(checkouts)
    binary = os.path.join(out, "bin", program.name)
    log = os.path.join(out, "log", program.name)
    try:
        for line in program.replace:
            replace(root, line)
        sources = [os.path.relpath(path, root) for pattern in program.sources
                   for path in matching(root, pattern)]
        copied(program, root, out)
    except (OSError, zipfile.BadZipFile) as error:
        return str(error)
    status = 0
    with open(log, "w") as file:
        for command in compile_commands(program, compiler, sources, binary):
            status = status or run_logged(command, root, file)
    for name in objects_of(program, compiler, sources, binary).values():
        if os.path.exists(name):
            os.remove(name)
    if status:
        with open(log, errors="replace") as file:
            lines = [line.rstrip() for line in file if "error" in line or "undefined" in line]
        return "%s: %s\n    %s" % (compiler, status, "\n    ".join(lines[:4]))
    subprocess.run(["strip", binary], check=True)
    with open(binary, "rb") as file:
        data = file.read()
    absent = [kernel for kernel in program.kernels if kernel.encode() not in data]
    return "it has no kernel %s" % ", ".join(absent) if absent else ""


def pack(out):
    """Each program has the same megabyte of CUDA's runtime, which shrinks if they are one file."""
    with tarfile.open(os.path.join(out, "carry", "programs.tar.xz"), "w:xz") as tar:
        for folder in ("bin", "data"):
            tar.add(os.path.join(out, folder), folder)
    for script in SCRIPTS:
        shutil.copyfile(os.path.join(programs.HERE, script), os.path.join(out, "carry", script))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("checkouts")
    parser.add_argument("out")
    parser.add_argument("--half", choices=(*programs.SETS, "all"), default="all")
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compiler", choices=("nvcc", "clang"), default="nvcc")
    arguments = parser.parse_args()
    out = os.path.abspath(arguments.out)
    for folder in ("bin", "log", "data", "carry"):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    wanted = [program for program in programs.programs()
              if arguments.half in ("all", program.half) and
              (program.name in arguments.only if arguments.only else
               not os.path.exists(os.path.join(out, "bin", program.name)))]
    failed = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [(program, pool.submit(build, program, os.path.abspath(arguments.checkouts), out,
                                        arguments.compiler))
                   for program in wanted]
        for program, result in results:
            wrong = result.result()
            print("%s: %s" % (program.name, "failed" if wrong else "built"), flush=True)
            if wrong:
                failed.append("%s: %s" % (program.name, wrong))
    pack(out)
    print("%d programs built, %d not" % (len(wanted) - len(failed), len(failed)))
    print("\n".join(failed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
