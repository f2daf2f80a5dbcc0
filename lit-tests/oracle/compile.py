# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs compiled twice and run: what each of a batch did, and which claims it broke."""
import os
import subprocess
import tempfile
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What is undefined ends the launch; what only loses bits is noted. Both call run/probe.c.
UNDEFINED = "signed-integer-overflow,shift,integer-divide-by-zero,bounds"
SANITIZE = ["-fsanitize=%s,unsigned-integer-overflow,unsigned-shift-base,implicit-conversion" % UNDEFINED,
            "-fsanitize-minimal-runtime", "-fno-sanitize-recover=" + UNDEFINED]
TIME = 300  # seconds that a batch may take: a compiler that hangs is a finding, too


class Failure(Exception):
    """A tool that failed: the compiler with the plugin, or the run."""


@dataclass
class Outcome:
    """What became of a program: figures by name, violations, and errors as texts."""

    figures: dict = field(default_factory=dict)
    violations: list = field(default_factory=list)  # of (kind, line, launch, text)
    errors: list = field(default_factory=list)


@dataclass
class Tools:
    """Where things are."""

    build: str
    clang: str

    def plugin(self):
        return os.path.join(self.build, "pass", "divcost.so")

    def runner(self):
        return os.path.join(self.build, "lit-tests", "oracle", "oracle-run")


def finish(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME,
                              text=True, errors="replace")
    except subprocess.TimeoutExpired:
        raise Failure("%s takes longer than %d s" % (os.path.basename(command[0]), TIME)) from None
    if done.returncode != 0:
        what = os.path.basename(command[0])
        raise Failure("%s: status %d\n%s" % (what, done.returncode, done.stdout[:20000]))
    return done.stdout


def compile_host(tools, folder):
    finish([tools.clang, "-w", "-ferror-limit=0", "-x", "c", "-std=gnu11", "-O0", "-fPIC", "-shared", "-I", HERE,
            *SANITIZE, "unit.cu", "-o", "unit.so"], folder)


def compile_device(tools, folder):
    finish([tools.clang, "-w", "-fplugin=" + os.path.abspath(tools.plugin()), "-fplugin-arg-divcost-report=unit.json",
            "-fplugin-arg-divcost-no-warn=all", "-x", "cuda", "-O2", "-nocudainc", "-nocudalib",
            "--cuda-path=/nonexistent", "--cuda-feature=+ptx78", "-I", os.path.join(ROOT, "bench", "include"),
            "-include", "divcost_cuda.h", "-I", HERE, "--cuda-device-only", "-fsyntax-only", "--cuda-gpu-arch=sm_90",
            "unit.cu"], folder)


def parse(text):
    """The lines of oracle-run, by the name of the kernel; "-": of the whole report."""
    outcomes = {}
    for line in text.splitlines():
        kind, name, *rest = line.split("\t")
        of = outcomes.setdefault(name, Outcome())
        if kind == "program":
            of.figures = {k: int(v) for k, v in (figure.split("=") for figure in rest)}
        elif kind == "violation":
            of.violations.append((rest[0], int(rest[1]), rest[2], rest[3]))
        elif kind == "error":
            of.errors.append("\t".join(rest))
    return outcomes


def build_unit(tools, text, folder):
    """Puts unit.cu, unit.so and the report unit.json into a folder."""
    with open(os.path.join(folder, "unit.cu"), "w", encoding="utf-8") as stream:
        stream.write(text)
    compile_host(tools, folder)
    compile_device(tools, folder)


def run_unit(tools, folder, launches, seed):
    """Runs what build_unit has made: Outcomes by the name of the kernel, "-" for the report itself."""
    command = [os.path.abspath(tools.runner()), "./unit.so", "unit.json", str(launches), str(seed)]
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIME,
                              text=True, errors="replace")
    except subprocess.TimeoutExpired:
        raise Failure("oracle-run takes longer than %d s" % TIME) from None
    said = Failure("oracle-run: status %d\n%s" % (done.returncode, done.stderr[-3000:]))
    if done.returncode not in (0, 2): # what it wrote may be cut
        raise said
    outcomes = parse(done.stdout)
    if done.returncode == 2 and "-" not in outcomes:
        raise said
    return outcomes


def run_text(tools, text, launches, seed):
    """Both, for a file of programs."""
    with tempfile.TemporaryDirectory(prefix="oracle") as folder:
        build_unit(tools, text, folder)
        return run_unit(tools, folder, launches, seed)


def report_of(tools, text):
    """The report of a file of programs, as the plugin writes it for people."""
    with tempfile.TemporaryDirectory(prefix="oracle") as folder:
        with open(os.path.join(folder, "unit.cu"), "w", encoding="utf-8") as stream:
            stream.write(text)
        compile_device(tools, folder)
        return finish([os.path.join(os.path.abspath(tools.build), "tools", "divcost"), "report", "unit.json"], folder)
