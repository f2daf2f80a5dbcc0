#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What NVIDIA's disassembler says of machine code, against what machine_code.py reads.

  disassembly.py --reduce FILE     sass-BUILD.txt of disassemble.sh to what is compared, as text
  disassembly.py --compare DIR     nvdisasm-BUILD.txt in DIR (of --reduce) with code-BUILD.txt there

Compared are the instructions of each kernel: how many, their predicates, where branches, calls and
BSSY lead, and source lines; and that an opcode has one name. What differs is printed, and makes
the exit status 1.

The text has a line for each run of instructions of the same source line: where that is, then
[PREDICATES:]NAME[>TARGET] of each, a name without its suffixes, the target's address in
hexadecimal."""

import argparse
import collections
import itertools
import os
import re
import sys

import machine_code

BUILDS = ("clang", "nvcc", "clang-rolled", "nvcc-rolled")
LEADS = {"BRA", "CALL", "BSSY"}  # whose label is a target; RET's isn't: it names the kernel

Named = collections.namedtuple("Named", "name guards target place")

INSTRUCTION = re.compile(
    r"\s*/\*([0-9a-f]+)\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z]\w*)(?:\.\w+)*\s*(.*?)\s*;")
SECTION = re.compile(r"\t\.section\t(?:\.text\.)?([^,\s]+)")
PLACE = re.compile(r'\t//## File "([^"]*)", line (\d+)')
LABEL = re.compile(r"(\S+):$")
OPERAND = re.compile(r"`\(([^)]*)\)")


# ---- nvdisasm's text ----------------------------------------------------------------------------


class Kernel:
    """As it is read; its labels are known when all of it is."""

    def __init__(self):
        self.rows, self.labels, self.waiting, self.place = [], {}, [], "-"

    def add(self, match):
        at, guard, name, operands = match.groups()
        self.labels.update((label, int(at, 16)) for label in self.waiting)
        self.waiting = []
        self.rows.append((name, guard, operands, self.place))

    def finish(self):
        """[Named] without what pads the kernel at its end."""
        code = []
        for name, guard, operands, place in self.rows:
            guards, label = [guard] if guard else [], OPERAND.search(operands)
            if name == "BRA":  # a second predicate or a register before the label
                guards += [text.strip() for text in operands.split(",")[:-1]]
            target = self.labels[label.group(1)] if label and name in LEADS else None
            code.append(Named(name, ",".join(guards), target, place))
        while code and code[-1].name == "NOP":
            code.pop()
        if code and code[-1].name == "BRA" and code[-1].target == 16 * (len(code) - 1):
            code.pop()
        return code


def read_disassembly(path):
    """{(cubin, kernel): [Named]}"""
    kernels, cubin, kernel = {}, None, Kernel()
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("==== "):
                cubin = line.split()[1]
            elif match := SECTION.match(line):
                kernel = Kernel()
                if line.startswith("\t.section\t.text."):
                    kernels[cubin, match.group(1)] = kernel
            elif match := PLACE.match(line):
                kernel.place = ":".join(match.groups())
            elif match := LABEL.match(line):
                kernel.waiting.append(match.group(1))
            elif match := INSTRUCTION.match(line):
                kernel.add(match)
    return {key: kernel.finish() for key, kernel in kernels.items()}


# ---- what is kept of it -------------------------------------------------------------------------


def write_reduced(out, kernels):
    for (cubin, name), code in sorted(kernels.items()):
        out.write(f"== {cubin} {name}\n")
        for place, run in itertools.groupby(code, lambda i: i.place):
            out.write(f"{place} {' '.join(map(word, run))}\n")


def word(i):
    target = "" if i.target is None else f">{i.target:x}"
    return (f"{i.guards}:" if i.guards else "") + i.name + target


def read_reduced(path):
    """{(cubin, kernel): [Named]}"""
    kernels, code = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            first, *words = line.split()
            if first == "==":
                code = kernels[tuple(words)] = []
            elif first != "#":
                for text in words:
                    what, _, target = text.partition(">")
                    guards, _, name = what.rpartition(":")
                    code.append(Named(name, guards, int(target, 16) if target else None, first))
    return kernels


# ---- comparison ---------------------------------------------------------------------------------


def differences(named, read):
    """What a disassembly {(cubin, kernel): [Named]} and a listing of machine_code.py don't have in
    common, as lines of text."""
    result = [f"{' '.join(key)}: only in one" for key in sorted(set(named) ^ set(read))]
    names = collections.defaultdict(set)
    for key in sorted(set(named) & set(read)):
        theirs, ours = named[key], read[key]
        if len(theirs) != len(ours):
            result.append(f"{' '.join(key)}: {len(theirs)} instructions, {len(ours)} read")
        for one, other in zip(theirs, ours):
            names[other.opcode].add(one.name)
            place = "-" if other.line is None else f"{other.file}:{other.line}"
            got = Named(one.name, other.guards, other.target, place)
            if got != one:
                result.append(f"{' '.join(key)} at {other.at:x}: {word(one)} of {one.place}, "
                              f"read {word(got)} of {got.place}")
    result += [f"opcode {opcode:x} is {', '.join(sorted(of))}"
               for opcode, of in sorted(names.items()) if len(of) > 1]
    return result


def compare(folder):
    """The number of instructions compared, and the differences."""
    count, result = 0, []
    for build in BUILDS:
        named = read_reduced(os.path.join(folder, f"nvdisasm-{build}.txt"))
        read = machine_code.read_listing(os.path.join(folder, f"code-{build}.txt"))
        count += sum(map(len, named.values()))
        result += [f"{build}: {text}" for text in differences(named, read)]
    return count, result


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--reduce", metavar="FILE")
    what.add_argument("--compare", metavar="DIR")
    options = parser.parse_args()
    if options.reduce:
        write_reduced(sys.stdout, read_disassembly(options.reduce))
        return 0
    count, found = compare(options.compare)
    print("".join(text + "\n" for text in found) + f"{count} instructions, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
