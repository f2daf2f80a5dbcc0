# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of the oracle: trees of statements, and their text. A statement has a line of its own."""
import copy
from dataclasses import dataclass, field


@dataclass
class Statement:
    """A line: a text with one {} for each expression. One that declares a name can't be left out while
    it is used."""

    form: str
    expressions: list = field(default_factory=list)
    declares: str = ""

    def lines(self, indent):
        yield indent + self.form.format(*self.expressions)

    def bodies(self):
        return []


@dataclass
class Nest:
    """Parts, each a head and the statements in it: if and else, the cases of a switch; a loop has
    one."""

    heads: list  # of Statement
    parts: list  # of lists of statements
    tail: str = "}}"
    tail_expressions: list = field(default_factory=list)
    is_loop: bool = False
    declares: str = ""

    def lines(self, indent):
        for head, part in zip(self.heads, self.parts):
            yield from head.lines(indent)
            for statement in part:
                yield from statement.lines(indent + "  ")
        yield indent + self.tail.format(*self.tail_expressions)

    def bodies(self):
        return self.parts


@dataclass
class Function:
    head: str  # up to "{"
    body: list  # None: the head is all, of a table of functions
    name: str

    def lines(self):
        yield from self.head.splitlines()
        if self.body is None:
            return
        for statement in self.body:
            yield from statement.lines("  ")
        yield "}"


@dataclass
class Program:
    """A kernel with what it calls, its parameters and its launches."""

    number: int
    params: list  # of (name, type, kind): kind is "number", "read" or "write"
    globals: list  # lines
    functions: list  # of Function, the kernel last
    launches: list  # lines of a host function, or none
    most_threads: int = 1024
    block: tuple = (0, 0, 0)
    synchronises: bool = False
    constructs: set = field(default_factory=set)

    @property
    def kernel(self):
        return "k%d" % self.number

    def declared(self):
        """The parameters as the kernel declares them."""
        forms = {"number": "{t} {n}", "read": "const {t} *__restrict__ {n}",
                 "plain": "const {t} *{n}", "write": "{t} *{n}"}
        return ", ".join(forms[kind].format(t=t, n=n) for n, t, kind in self.params)

    def descriptor(self):
        """What run/ must know: only the host compiles it."""
        yield "#ifndef __CUDA__"
        yield "static void run_%s(const int64_t *a) {" % self.kernel
        casts = ["(%s%s)a[%d]" % (t, "" if kind == "number" else " *", k)
                 for k, (_, t, kind) in enumerate(self.params)]
        yield "  %s(%s);" % (self.kernel, ", ".join(casts))
        yield "}"
        yield "static const probe_param params_%s[] = {" % self.kernel
        kinds = {"number": "PROBE_NUMBER", "read": "PROBE_READ", "plain": "PROBE_READ",
                 "write": "PROBE_WRITE"}
        for n, t, kind in self.params:
            yield '  {"%s", %s, %d, %s},' % (n, t[1:], t[0] == "i", kinds[kind])
        yield "};"
        yield 'static const probe_program program_%s = {"%s", run_%s, params_%s, %d, %d, {%d, %d, %d}, %d};' % (
            self.kernel, self.kernel, self.kernel, self.kernel, len(self.params), self.most_threads,
            *self.block, self.synchronises)
        yield "#endif"

    def lines(self):
        yield from self.globals
        for function in self.functions:
            yield from function.lines()
        if self.launches:
            yield "#ifdef __CUDA__"
            yield "void launch_%s(%s, int n, dim3 d) {" % (self.kernel, self.declared())
            for line in self.launches:
                yield "  " + line
            yield "}"
            yield "#endif"
        yield from self.descriptor()

    def copy(self):
        return copy.deepcopy(self)


def unit_text(programs):
    """A file of programs, as clang compiles it for the device and for the host."""
    lines = ['#include "probes.h"']
    for program in programs:
        lines.append("")
        lines.extend(program.lines())
    lines += ["", "#ifndef __CUDA__", "const probe_program *const programs[] = {"]
    lines += ["  &program_%s," % program.kernel for program in programs]
    lines += ["  0};", "#endif", ""]
    return "\n".join(lines)
