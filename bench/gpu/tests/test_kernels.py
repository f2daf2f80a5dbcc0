#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the loops of the kernels compute reaches memory or decides a branch, so that ptxas cannot
drop what is to be measured: test_kernels.py PTX ...

clang keeps what an asm statement uses, but an empty one is nothing to ptxas. Registers are followed
by their names, in whatever order: what is found dead is dead.
"""
import re
import sys
import unittest
from collections import namedtuple

KERNEL = re.compile(r"\.entry (\w+)\(.*?\n\{(.*?)\n\}", re.S)
LABEL = re.compile(r"^(\$\w+):", re.M)
LINE = re.compile(r"(?:^|(?<=;))\s*(?:@!?(%?\w+)\s+)?([a-z][\w.:]*)\s*"
                  r"([^;{}]*(?:\{[^;{}]*\}[^;{}]*)*);", re.M)
REGISTER = re.compile(r"%[a-z]+\d+\b")
# What has an effect: all its registers are read.
EFFECTS = ("st", "atom", "red", "bra", "bar", "call", "ret", "fence", "membar")

Instruction = namedtuple("Instruction", "operation text written read in_loop")


def instructions(body):
    body = re.sub(r"//.*", "", body)
    labels = {match[1]: match.start() for match in LABEL.finditer(body)}
    lines = list(LINE.finditer(body))
    loops = [(labels[line[3].strip()], line.start()) for line in lines
             if line[2].startswith("bra") and labels[line[3].strip()] < line.start()]
    for line in lines:
        guard, operation, operands = line.groups()
        vector = operands.startswith("{")
        first, _, others = operands.partition("}" if vector else ",")
        effect = operation.split(".")[0] in EFFECTS
        read = set(REGISTER.findall(operands if effect else others)) | ({guard} - {None})
        yield Instruction(operation, operation + " " + operands,
                          set() if effect else set(REGISTER.findall(first)), read,
                          any(start <= line.start() <= end for start, end in loops))


def dead_in_loops(body):
    """The instructions in a kernel's loops that nothing depends on."""
    left, used = list(instructions(body)), set()
    while True:
        live = [item for item in left if not item.written or item.written & used]
        if not live:
            return [item.text for item in left if item.in_loop]
        left = [item for item in left if item.written and not item.written & used]
        used.update(*(item.read for item in live))


class Kernels(unittest.TestCase):
    def test_loops_compute_only_what_is_used(self):
        for path in PATHS:
            with open(path) as file:
                kernels = KERNEL.findall(file.read())
            self.assertTrue(kernels, path)
            for name, body in kernels:
                with self.subTest(file=path, kernel=name):
                    self.assertEqual(dead_in_loops(body), [])

    def test_herding_has_the_four_multiply_adds_of_an_iteration_in_each_loop(self):
        path = next(path for path in PATHS if path.endswith("herding.ptx"))
        with open(path) as file:
            for name, body in KERNEL.findall(file.read()):
                with self.subTest(kernel=name):
                    found = sum(item.in_loop and item.operation == "fma.rn.f32"
                                for item in instructions(body))
                    self.assertEqual(found, 40 if name.startswith("forced") else 4)

    def test_what_only_an_empty_asm_uses_is_dead(self):
        loop = ("\nmov.b32 %r2, 0;\n$L1:\n\tfma.rn.f32 %r1, %r1, %r2, %r3;\n"
                "\tsetp.ne.b32 %p1, %r4, 0;\n\t@%p1 bra \t$L1;\n")
        multiplied = ["fma.rn.f32 %r1, %r1, %r2, %r3"]
        asm = "// begin inline asm\n// end inline asm\n"
        self.assertEqual(dead_in_loops(loop + asm), multiplied)
        self.assertEqual(dead_in_loops(loop + "mov.b32 %r5, %r1;\n"), multiplied)
        self.assertEqual(dead_in_loops(loop + "st.global.b32 [%rd1], %r1;\n"), [])
        self.assertEqual(dead_in_loops(loop.replace("%r4", "%r1") + asm), [])
        self.assertEqual(dead_in_loops(loop + "{\n@p st.global.b32 [%rd1], %r1;\n}\n"), [])
        self.assertEqual(dead_in_loops(loop + "mov.b32 %r5, %r1; st.b32 [%rd1], %r5;\n"), [])


if __name__ == "__main__":
    PATHS = sys.argv[1:]
    del sys.argv[1:]
    unittest.main()
