# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads programs.ini, and kernels.tsv where there is one beside it: which programs launch the drawn
kernels, and how they are built and run.

A section of programs.ini is a program. Its keys; those with a * have one entry a line:

  repository   as in kernels.tsv
  program    * as in kernels.tsv: the kernels of these rows are launched by it
  kernels    * which of those; all, if it isn't there
  within     * and of which files; all, if it isn't there
  folder       where in the checkout everything else is relative to
  sources    * with wildcards; the program itself, if it isn't there
  flags        for nvcc, besides those of build.py
  replace    * FILE: OLD => NEW, in the checkout, before it is compiled
  files      * with wildcards; copied to where it runs, under the same names
  unpack     * zip archives of the checkout; unpacked to where it runs
  before     * PROGRAM ARGUMENTS, run before it; in the same folder
  arguments  * a run each; IN/ is the folder of inputs.py
  typed        what is typed in; "\\n" ends a line
  dropped      why it isn't built
"""
import configparser
import copy
import csv
import os
import shlex

HERE = os.path.dirname(os.path.abspath(__file__))
LISTS = ("program", "kernels", "within", "sources", "replace", "files", "unpack", "before",
         "arguments")
KEYS = LISTS + ("repository", "folder", "flags", "typed", "dropped")
# nvcc's -rdc=true for clang, which doesn't define what CUDA's headers ask for: without it the device's
# cudaMalloc is one that fails, and hands out no memory.
RELOCATABLE = ["-fgpu-rdc", "-D__CUDACC_RDC__"]
SETS = ("open", "sealed", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
        "seventeenth")


def drawn():
    """The rows of kernels.tsv."""
    with open(os.path.join(HERE, "kernels.tsv"), newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Program:
    def __init__(self, name, section, rows):
        for key in section:
            if key not in KEYS:
                raise ValueError("%s: there is no key %s" % (name, key))
        self.name = name
        for key in KEYS:
            text = section.get(key, "").strip()
            setattr(self, key, text.splitlines() if key in LISTS else text)
        self.rows = [row for row in rows
                     if row["repository"] == self.repository and row["program"] in self.program and
                     (not self.kernels or row["kernel"] in self.kernels) and
                     (not self.within or row["file"] in self.within)]
        self.kernels = sorted({row["kernel"] for row in self.rows})
        self.sources = self.sources or self.program
        self.arguments = self.arguments or [""]

    def part(self, half):
        """The program with its kernels of one half or set only; None if it has none there."""
        rows = [row for row in self.rows if row["half"] == half]
        if not rows:
            return None
        part = copy.copy(self)
        part.half, part.rows, part.commit = half, rows, rows[0]["commit"]
        part.kernels = sorted({row["kernel"] for row in rows})
        part.name += "." + half if half in SETS[2:] else ""
        return part

    def root(self, checkouts):
        """Where its files are."""
        return os.path.join(checkouts, self.repository.replace("/", "+"), self.folder)

    def clang_flags(self, linking=True):
        """Those of nvcc that clang has, too; without `linking` what compiles for the device needs."""
        words, kept = shlex.split(self.flags), []
        for before, word in zip([""] + words, words):
            if word[:2] in ("-I", "-D") or before in ("-I", "-D") or word == "-std=c++20":
                kept.append(word)
            elif before == "-include":
                kept += [before, word]
            elif linking and (word[:2] in ("-l", "-L") or before == "-L"):
                kept.append(word)
            elif linking and before == "-Xcompiler":
                kept += word.split(",")
        return kept


def programs():
    """All programs, those of the open half first; with kernels of a half and of a later set, a program
    is there twice."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",),
                                       comment_prefixes=("#",), empty_lines_in_values=False)
    parser.optionxform = str
    parser.read(os.path.join(HERE, "programs.ini"))
    rows, found = drawn(), []
    for name in parser.sections():
        program = Program(name, parser[name], rows)
        parts = [part for part in map(program.part, SETS) if part]
        if not parts:
            raise ValueError("%s launches no drawn kernel" % name)
        if {part.half for part in parts} >= {"open", "sealed"}:
            raise ValueError("%s is in both halves" % name)
        found += parts
    return sorted(found, key=lambda program: SETS.index(program.half))


def missing(found):
    """The drawn kernels that no program of `found` launches."""
    have = [row for program in found for row in program.rows]
    return [row for row in drawn() if row not in have]
